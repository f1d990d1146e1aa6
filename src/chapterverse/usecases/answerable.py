"""How likely it is that what was found answers the question (retrieval/answerable.py)."""

from collections.abc import Sequence

from chapterverse.retrieval.answerable import WEIGHTS_OF_ENTRIES, WEIGHTS_OF_TEXTS, Judgement, Looked, answerable, signs_of
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.terms import distinct_terms
from chapterverse.usecases.chunk_evidence import FoundChunk
from chapterverse.usecases.services import Services


def judgement_on(question: str, found: Sequence[FoundChunk], plan: RetrievalPlan, services: Services) -> Judgement | None:
    """By the first plan.judged of them, as they are ordered. None where nothing was found, the plan asks for none, or the
    collection is not looked up by words. Raises IndexUnavailable."""
    read = sorted(found, key=lambda one: -one.ordered_by)[: plan.judged]
    if not read or services.words is None:
        return None
    rarities = services.words.rarities(read[0].book.key.partition, distinct_terms(question))
    weights = WEIGHTS_OF_ENTRIES if read[0].chunk.question else WEIGHTS_OF_TEXTS
    signs = signs_of(question, [_looked(one) for one in read], rarities)
    return Judgement(answerable(signs, weights), signs)


def _looked(found: FoundChunk) -> Looked:
    sentences = [passage.sentence.text for passage in found.passages]
    return Looked(found.ordered_by, found.score, found.chunk.text, sentences, found.nearest)
