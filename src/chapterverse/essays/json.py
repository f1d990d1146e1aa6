"""Essay evidence as JSON: what the command line prints with --json and the web answers.

Feedback as JSON: what the command line prints with --json and the web answers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from chapterverse.citations.model import Evidence, Verdict, cite
from chapterverse.core.hits import FoundBy, Passage
from chapterverse.essays.evidence import EssayEvidence, ParagraphEvidence
from chapterverse.essays.model import Citation, Comment, Dimension, Review
from chapterverse.essays.service import Feedback
from chapterverse.library.artefacts import sentence_json
from chapterverse.search.rerank import RerankReport

Verdicts = Mapping[int, Verdict]

PLACE = ("book", "chapter_number", "chapter", "page_label")  # of the sentence, once more where it is looked for first

NO_VERDICTS: Verdicts = MappingProxyType({})


def essay_evidence_json(found: EssayEvidence, verdicts: Verdicts = NO_VERDICTS) -> dict[str, Any]:
    """Paragraphs and evidence both count from 1; a paragraph without evidence has a "message" that says so. verdicts: on the
    evidence, by its number; "verdict" and "reason" are null for what has none (yet). notes: what
    of the essay was not looked up."""
    return {
        "title": found.title,
        "paragraphs": [paragraph_json(number, one) for number, one in enumerate(found.paragraphs, start=1)],
        "evidence": [evidence_json(one, verdicts.get(one.number)) for one in found.evidence],
        "reranked": reranked_json(found.reranked) if found.reranked else None,
        "notes": list(found.notes),
    }


def reranked_json(look: RerankReport) -> dict[str, Any]:
    """How many candidates a model read together with their query, of those where that might change what is shown."""
    return {"model": look.model, "candidates": look.judged, "of": look.worth}


def paragraph_json(number: int, found: ParagraphEvidence) -> dict[str, Any]:
    """One paragraph of the essay."""
    return {
        "number": number,
        "text": found.paragraph.text,
        "evidence": list(found.numbers),
        "message": found.message,
    }


def evidence_json(evidence: Evidence, verdict: Verdict | None) -> dict[str, Any]:
    """One sentence of a book with its address, its context and why it is here; scores are re-scored cosines."""
    passage = passage_json(evidence.passage)
    return {
        "number": evidence.number,
        "score": round(evidence.score, 4),
        **passage,
        **{name: passage["sentence"][name] for name in PLACE},
        **verdict_json(verdict),
        "found_by": [found_by_json(one) for one in evidence.found_by],
    }


def verdict_json(verdict: Verdict | None) -> dict[str, Any]:
    """Whether a book bears out what a student says, and why."""
    return {"verdict": verdict.kind.value if verdict else None, "reason": verdict.reason if verdict else None}


def passage_json(passage: Passage) -> dict[str, Any]:
    """A sentence with its address and its context."""
    return {
        "book_title": passage.book_title,
        "citation": cite(passage),
        "sentence": sentence_json(passage.sentence),
        "previous": passage.previous.text if passage.previous else None,
        "next": passage.next.text if passage.next else None,
        "further_reading": passage.paragraph,
    }


def found_by_json(found_by: FoundBy) -> dict[str, Any]:
    """One query: where in the essay it comes from, and how well the sentence answers it."""
    query = found_by.query
    return {
        "kind": query.kind.value,
        "paragraph": query.paragraph + 1,
        "text": query.text,
        "score": round(found_by.score, 4),
    }


def feedback_json(feedback: Feedback) -> dict[str, Any]:
    """The id that it is kept under (null where it is not), essay_evidence_json, a review by the name of each dimension (null
    where it was not asked for), all citations in one list, and under "section" the Evidence section as Markdown (null without
    evidence)."""
    reviews = {review.dimension.value: review_json(review, feedback.evidence) for review in feedback.reviews}
    evidence = essay_evidence_json(feedback.evidence, feedback.verdicts)
    whole = {"citations": citations_json(feedback)["citations"], "section": feedback.section}
    return {"id": feedback.id} | evidence | dict.fromkeys(Dimension) | reviews | whole


def citations_json(feedback: Feedback) -> dict[str, Any]:
    """Every citation with its verdict, in the order of the comments, and the verdicts on the evidence that is cited."""
    cited = [(review, comment) for review in feedback.reviews for comment in review.comments]
    return {
        "citations": [
            {"dimension": review.dimension.value, "paragraph": _from_1(comment), **citation_json(citation)}
            for review, comment in cited
            for citation in comment.citations
        ],
        "verdicts": [{"number": number, **verdict_json(verdict)} for number, verdict in sorted(feedback.verdicts.items())],
    }


def review_json(review: Review, found: EssayEvidence) -> dict[str, Any]:
    """The feedback on one dimension."""
    return {
        "by": review.by,
        "comments": [comment_json(comment, found) for comment in review.comments],
        "checked": list(review.checked),
        "not_checked": list(review.not_checked),
        "notes": list(review.notes),
    }


def comment_json(comment: Comment, found: EssayEvidence) -> dict[str, Any]:
    """paragraph: from 1, null for the whole essay; about: the essay's own words, and where in the paragraph they stand."""
    return {
        "number": comment.number,
        "paragraph": _from_1(comment),
        "about": _about(comment, found),
        "text": comment.text,
        "instead": comment.instead,
        "evidence": [citation_json(citation) for citation in comment.citations],
    }


def citation_json(citation: Citation) -> dict[str, Any]:
    """number: of the evidence; quote: its sentence, as it stands in the book."""
    return {"number": citation.evidence.number, "quote": citation.quote, **verdict_json(citation.verdict)}


def _from_1(comment: Comment) -> int | None:
    return None if comment.paragraph is None else comment.paragraph + 1


def _about(comment: Comment, found: EssayEvidence) -> dict[str, Any] | None:
    if comment.about is None or comment.paragraph is None:
        return None
    start, end = comment.about
    return {"start": start, "end": end, "text": found.paragraphs[comment.paragraph].paragraph.text[start:end]}
