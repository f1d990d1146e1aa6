"""Whether a sentence of a book bears out what a student says."""

from dataclasses import dataclass
from enum import StrEnum

from chapterverse.evidence.numbering import Evidence


class VerdictKind(StrEnum):
    """What the evidence does for the claim; NOT_FOUND where it is on the subject and settles nothing."""

    SUPPORTS = "supports"
    PARTLY = "partly"
    CONTRADICTS = "contradicts"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class Verdict:
    """reason: one whole sentence, for a student."""

    kind: VerdictKind
    reason: str


def judge(claim: str, evidence: Evidence) -> Verdict:  # noqa: ARG001
    """Nothing is settled yet."""
    return Verdict(VerdictKind.NOT_FOUND, "Nobody has checked yet whether the book says the same.")
