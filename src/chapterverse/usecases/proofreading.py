"""An essay, put to the grammar checker that the school has set, while the rest is written."""

from chapterverse.errors import ProofreaderUnavailable
from chapterverse.feedback.comments import Subject
from chapterverse.feedback.proofs import Proof
from chapterverse.usecases.writing import Writing


def proofread(subject: Subject, writing: Writing, up: float) -> Proof | None:
    """None where there is no grammar checker; up: the clock's moment at which all has to be there."""
    if writing.proofreader is None:
        return None
    seconds = min(writing.proof_seconds, up - writing.clock())
    try:
        return Proof(tuple(writing.proofreader([each.text for each in subject.essay.paragraphs], seconds)))
    except ProofreaderUnavailable:
        return Proof(failed=True)
