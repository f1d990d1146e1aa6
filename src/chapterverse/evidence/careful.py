"""The verdict for feedback, where that a book says otherwise is said first, and a false alarm costs a student's trust.

Measures of verdicts weigh supports, contradicts and not found alike; what is found on an essay mostly supports it. So a
contradiction has to be seen by words and by vectors, in a sentence that is surely about the same (docs/feedback.md)."""

from chapterverse.evidence.checks.finding import Weight
from chapterverse.evidence.checks.run import run_checks
from chapterverse.evidence.likeness import Likeness
from chapterverse.evidence.said import Said
from chapterverse.evidence.verdict import ALIKE, CLOSE, Verdict, VerdictKind, judge_vectors, judge_words
from chapterverse.messages import message

SURELY = 0.6  # cosine from which a sentence is about the same; of 0.5, 0.55 and 0.6 that with the fewest false alarms
OPPOSITE = 0.0  # Likeness.turned from which each is nearer to the other turned round than to the other


def judge_carefully(said: Said, likeness: Likeness) -> Verdict:
    """As judge_vectors does, but for contradictions: those that are not sure are put to the reader's own eye."""
    by_words, by_vectors = judge_words(said), judge_vectors(said, likeness)
    if by_vectors.kind is not VerdictKind.CONTRADICTS:
        return by_vectors
    if by_words.kind is not VerdictKind.CONTRADICTS or likeness.about < CLOSE:
        return Verdict(VerdictKind.PARTLY, ALIKE)
    if _is_certain(said) or (likeness.about >= SURELY and likeness.turned > OPPOSITE):
        return by_words  # its reason names the words
    return Verdict(VerdictKind.PARTLY, message("check_the_meaning", reason=by_words.reason))


def _is_certain(said: Said) -> bool:
    """Whether they differ in a number, which no vector can tell."""
    return any(finding.weight is Weight.CERTAIN for finding in run_checks(said))
