"""Whether a sentence of a book bears out what a student says."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from chapterverse.evidence.checks.finding import Finding, Weight
from chapterverse.evidence.checks.run import run_checks
from chapterverse.evidence.checks.words import content_of, read_clauses
from chapterverse.evidence.likeness import Likeness
from chapterverse.evidence.numbering import Evidence
from chapterverse.evidence.reading import Chances
from chapterverse.evidence.said import Said, said_of
from chapterverse.messages import Message, message

# Chosen most often when cross-validated over books on pairs of our own, with all-MiniLM-L6-v2 (docs/verdicts.md).
SHARED_WORDS = 0.08  # share of the claim's words of content that the sentence has; below, without vectors: not about it
ABOUT = 0.3  # cosine below which the sentence is not about the claim
REFUTED = -0.12  # Likeness.turned below which a check that is AGAINST the claim is not believed
TURNED = -0.03  # Likeness.turned above which the claim is turned round, whatever the checks say
CLOSE = 0.5  # cosine from which a claim with nothing against it says the same, not only something like it
LONGEST = 60  # words; a longer claim is a paragraph, which says too many things for one of them to speak against it all
SURE = 0.5  # chance above which a model's reading counts

SAME = message("book_seems_same")  # "seems": docs/feedback.md
ALIKE = message("book_may_be_same")
OTHERWISE = message("book_seems_opposite")
NOT_ABOUT = message("book_does_not_tell")


class VerdictKind(StrEnum):
    """What the evidence does for the claim; NOT_FOUND where it settles nothing."""

    SUPPORTS = "supports"
    PARTLY = "partly"
    CONTRADICTS = "contradicts"
    NOT_FOUND = "not_found"

    @property
    def in_words(self) -> str:
        """A label for a student of twelve."""
        return _IN_WORDS[self]


_IN_WORDS = {
    VerdictKind.SUPPORTS: "The book seems to say the same",
    VerdictKind.PARTLY: "The book may be on the same point",
    VerdictKind.CONTRADICTS: "The book says otherwise",
    VerdictKind.NOT_FOUND: "The book does not settle it",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """reason: one or two whole sentences, for a student of twelve who sees the sentence of the book beside them."""

    kind: VerdictKind
    reason: Message


def judge(claim: str, evidence: Evidence) -> Verdict:
    """By the words alone: no model, and no vectors."""
    return judge_words(said_of(claim, evidence))


def judge_words(said: Said) -> Verdict:
    """As judge does."""
    shared = content_of(read_clauses(said.claim)) & content_of(read_clauses(said.sentence))
    if len(shared) < SHARED_WORDS * len(content_of(read_clauses(said.claim))) or not shared:
        return Verdict(VerdictKind.NOT_FOUND, NOT_ABOUT)
    return _weigh(said, run_checks(said), Verdict(VerdictKind.PARTLY, ALIKE))


def judge_vectors(said: Said, likeness: Likeness) -> Verdict:
    """By the words, and by vectors, which refute some of what the words seem to say, and find some opposites on their own."""
    if likeness.about < ABOUT:
        return Verdict(VerdictKind.NOT_FOUND, NOT_ABOUT)
    findings = [_believed(finding, likeness.turned) for finding in run_checks(said)]
    if likeness.turned > TURNED:
        findings.append(Finding(Weight.AGAINST, OTHERWISE))
    same = likeness.about >= CLOSE
    return _weigh(said, findings, Verdict(VerdictKind.SUPPORTS, SAME) if same else Verdict(VerdictKind.PARTLY, ALIKE))


def judge_reading(said: Said, likeness: Likeness, chances: Chances) -> Verdict:
    """By a model that has read both; numbers and names are still checked, because such models overlook them."""
    if chances.contradicts > SURE:
        return Verdict(VerdictKind.CONTRADICTS, OTHERWISE)
    if chances.supports <= SURE and likeness.about < CLOSE:
        return Verdict(VerdictKind.NOT_FOUND, NOT_ABOUT)
    findings = [finding for finding in run_checks(said) if finding.weight is not Weight.AGAINST]
    same = chances.supports > SURE
    return _weigh(said, findings, Verdict(VerdictKind.SUPPORTS, SAME) if same else Verdict(VerdictKind.PARTLY, ALIKE))


def _believed(finding: Finding, turned: float) -> Finding:
    """What the vectors leave of it."""
    if finding.weight is Weight.AGAINST and turned < REFUTED:
        return Finding(Weight.DOUBT, message("check_the_meaning", reason=finding.reason))
    return finding


def _weigh(said: Said, findings: Sequence[Finding], otherwise: Verdict) -> Verdict:
    """The weightiest finding decides; without any, `otherwise`."""
    if not findings:
        return otherwise
    worst = max(findings, key=lambda finding: finding.weight)
    against = worst.weight > Weight.DOUBT and len(said.claim.split()) <= LONGEST
    return Verdict(VerdictKind.CONTRADICTS if against else VerdictKind.PARTLY, worst.reason)
