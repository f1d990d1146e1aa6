"""The judge that feedback has unless there is a model that reads."""

from dataclasses import dataclass

from chapterverse.errors import RetryableError
from chapterverse.evidence.careful import judge_carefully
from chapterverse.evidence.numbering import Evidence
from chapterverse.evidence.said import said_of
from chapterverse.evidence.verdict import Verdict, judge_words
from chapterverse.ports import Embedder
from chapterverse.usecases.verdicts import likenesses


@dataclass(frozen=True, slots=True)
class CarefulJudge:
    """One citation at a time. Where the embedder does not answer just now, words alone decide. Raises ModelUnavailable."""

    embedder: Embedder

    def __call__(self, claim: str, evidence: Evidence) -> Verdict:
        said = said_of(claim, evidence)
        try:
            [near] = likenesses([said], self.embedder)
        except RetryableError:
            return judge_words(said)
        return judge_carefully(said, near)
