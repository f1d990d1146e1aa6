"""Feedback as JSON: what the command line prints with --json and the web answers."""

from typing import Any

from chapterverse.feedback.comments import Citation, Comment, Dimension, Review
from chapterverse.usecases.essay_feedback import EssayEvidence
from chapterverse.usecases.essay_json import essay_evidence_json
from chapterverse.usecases.write_feedback import Feedback


def feedback_json(feedback: Feedback) -> dict[str, Any]:
    """The id that it is kept under (null where it is not), essay_evidence_json, a review by the name of each dimension (null
    where it was not asked for), and under "section" the Evidence section as Markdown (null without evidence)."""
    reviews = {review.dimension.value: review_json(review, feedback.evidence) for review in feedback.reviews}
    parts = essay_evidence_json(feedback.evidence) | dict.fromkeys(Dimension) | reviews
    return {"id": feedback.id, **parts, "section": feedback.section}


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
        "paragraph": None if comment.paragraph is None else comment.paragraph + 1,
        "about": _about(comment, found),
        "text": comment.text,
        "instead": comment.instead,
        "evidence": [citation_json(citation) for citation in comment.citations],
    }


def citation_json(citation: Citation) -> dict[str, Any]:
    """number: of the evidence; quote: its sentence, as it stands in the book."""
    return {
        "number": citation.evidence.number,
        "quote": citation.quote,
        "verdict": citation.verdict.kind.value,
        "reason": citation.verdict.reason,
    }


def _about(comment: Comment, found: EssayEvidence) -> dict[str, Any] | None:
    if comment.about is None or comment.paragraph is None:
        return None
    start, end = comment.about
    return {"start": start, "end": end, "text": found.paragraphs[comment.paragraph].paragraph.text[start:end]}
