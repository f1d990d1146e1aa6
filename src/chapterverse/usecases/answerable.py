"""How likely it is that what was found answers the question (retrieval/answerable.py)."""

from collections.abc import Sequence

from chapterverse.retrieval.answerable import WEIGHTS_OF_ENTRIES, WEIGHTS_OF_TEXTS, Looked, answerable, signs_of
from chapterverse.retrieval.terms import distinct_terms
from chapterverse.usecases.chunk_evidence import FoundChunk
from chapterverse.usecases.services import Services


def confidence(question: str, found: Sequence[FoundChunk], services: Services) -> float:
    """In [0, 1]; 0 where nothing was found, or where the collection is not looked up by words. Raises IndexUnavailable."""
    if not found or services.words is None:
        return 0.0
    rarities = services.words.rarities(found[0].book.key.partition, distinct_terms(question))
    weights = WEIGHTS_OF_ENTRIES if found[0].chunk.question else WEIGHTS_OF_TEXTS
    return answerable(signs_of(question, [_looked(one) for one in found], rarities), weights)


def _looked(found: FoundChunk) -> Looked:
    sentences = [passage.sentence.text for passage in found.passages]
    return Looked(found.ordered_by, found.score, found.chunk.text, sentences, found.nearest)
