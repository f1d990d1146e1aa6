"""The judge that feedback has unless there is a model that reads."""

from collections.abc import Sequence
from dataclasses import dataclass

from chapterverse.errors import RetryableError
from chapterverse.evidence.careful import judge_carefully
from chapterverse.evidence.said import said_of
from chapterverse.evidence.verdict import Verdict, judge_words
from chapterverse.feedback.comments import Cited
from chapterverse.ports import Embedder
from chapterverse.usecases.verdicts import likenesses


@dataclass(frozen=True, slots=True)
class CarefulJudge:
    """A JudgeAll with one call of the embedder. Where that does not answer just now, words alone decide. Raises
    ModelUnavailable."""

    embedder: Embedder

    def __call__(self, cited: Sequence[Cited]) -> list[Verdict]:
        said = [said_of(claim, evidence) for claim, evidence in cited]
        try:
            near = likenesses(said, self.embedder) if said else []
        except RetryableError:
            return [judge_words(one) for one in said]
        return [judge_carefully(one, its) for one, its in zip(said, near, strict=True)]
