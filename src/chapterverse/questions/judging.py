"""Whether what was found answers a question: the levels of the score, for every application.

The score is the chance, by the trained reader of answers, that the best sentence or FAQ entry answers; where nothing can be
read, the best cosine. The levels of a chance are ours, those of a cosine the specification's."""

from dataclasses import dataclass

from chapterverse.questions.model import Answerability, ConfidenceLevel, Levels
from chapterverse.questions.styles import AnswerStyle

PASSAGES_READ = Levels(sure=0.80, answers=0.50, near=0.12)
ENTRIES_READ = Levels(sure=0.60, answers=0.60, near=0.08)


@dataclass(frozen=True, slots=True)
class Score:
    """value: in [0, 1]. read: the levels of the chance that it is, None for a cosine."""

    value: float
    read: Levels | None = None


def judge(score: Score, style: AnswerStyle) -> Answerability:
    """The level of a score. style: of the application; where it answers only confidently, a cosine that is less is near."""
    levels = score.read or style.cosines
    least = levels.sure if style.only_confident and not score.read else levels.answers
    if score.value >= levels.sure:
        return Answerability(score.value, ConfidenceLevel.CONFIDENT)
    if score.value >= least:
        return Answerability(score.value, ConfidenceLevel.POSSIBLE)
    return Answerability(score.value, ConfidenceLevel.NEAR if score.value >= levels.near else ConfidenceLevel.REFUSED)
