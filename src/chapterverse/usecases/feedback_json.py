"""Feedback as JSON: what the command line prints with --json and the web answers."""

from typing import Any

from chapterverse.feedback.comments import Citation, Comment, Dimension, Review
from chapterverse.usecases.essay_feedback import EssayEvidence
from chapterverse.usecases.essay_json import essay_evidence_json, verdict_json
from chapterverse.usecases.write_feedback import Feedback


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
