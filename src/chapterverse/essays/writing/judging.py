"""Verdicts asked for together, though each is wanted by itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock

from chapterverse.citations.model import Cited, Evidence, JudgeAll, Verdict
from chapterverse.essays.model import Subject

AT_ONCE = 24  # pairs: more than most essays have, and few enough that a deadline is seen between two calls


@dataclass(frozen=True)
class Foreseen:
    """A Judge, for many threads: the first question is answered together with those that will come, and each only once.

    expected: the pairs that rules will ask about, in that order. Raises as judge_all does."""

    judge_all: JudgeAll
    expected: Sequence[Cited]
    known: dict[Cited, Verdict] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def __call__(self, claim: str, evidence: Evidence) -> Verdict:
        asked = (claim, evidence)
        with self.lock:
            if asked not in self.known:
                others = (pair for pair in self.expected if pair not in self.known and pair != asked)
                some = [asked, *islice(others, AT_ONCE - 1)]
                self.known.update(zip(some, self.judge_all(some), strict=True))
            return self.known[asked]


def pairs_of(subject: Subject) -> Iterator[Cited]:
    """Each piece of evidence beside the claim of each paragraph that it bears on, as rules cite it."""
    for paragraph in range(len(subject.essay.paragraphs)):
        for evidence in subject.on(paragraph):
            yield subject.claim(paragraph, evidence), evidence
