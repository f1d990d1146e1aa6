"""The verdict for feedback, where that a book says otherwise is said first, and a false alarm costs a student's trust.

Measures of verdicts weigh supports, contradicts and not found alike; what is found on an essay mostly supports it. So a
contradiction has to be seen by words and by vectors, in a sentence that is surely about the same (docs/feedback.md)."""

from chapterverse.evidence.likeness import Likeness
from chapterverse.evidence.said import Said
from chapterverse.evidence.verdict import ALIKE, CLOSE, Verdict, VerdictKind, judge_vectors, judge_words


def judge_carefully(said: Said, likeness: Likeness) -> Verdict:
    """As judge_vectors does, but for contradictions; one that only the one or the other sees is put to the reader's own eye."""
    by_words, by_vectors = judge_words(said), judge_vectors(said, likeness)
    if by_vectors.kind is not VerdictKind.CONTRADICTS:
        return by_vectors
    if by_words.kind is VerdictKind.CONTRADICTS and likeness.about >= CLOSE:
        return by_words  # its reason names the words
    return Verdict(VerdictKind.PARTLY, ALIKE)
