from collections.abc import Sequence
from dataclasses import dataclass, field

from chapterverse.citations.model import Cited, Verdict, VerdictKind
from chapterverse.essays.writing.rules import PAIRS_AT_ONCE, CachedJudge, cited_pairs
from chapterverse.messages import plain
from tests.support.essays import a_subject, evidence_on

VERDICT = Verdict(VerdictKind.SUPPORTS, plain("It does."))
ON = evidence_on(0)


@dataclass
class Asked:
    """A JudgeAll that remembers how many it was asked about, call by call."""

    calls: list[int] = field(default_factory=list)

    def __call__(self, cited: Sequence[Cited]) -> list[Verdict]:
        self.calls.append(len(cited))
        return [VERDICT] * len(cited)


def test_all_that_will_be_asked_is_asked_at_once() -> None:
    asked = Asked()
    judge = CachedJudge(asked, [("One.", ON), ("Two.", ON), ("Three.", ON)])

    assert [judge(claim, ON) for claim in ("Two.", "One.", "Three.", "Two.")] == [VERDICT] * 4
    assert asked.calls == [3]


def test_what_nobody_expected_is_asked_when_it_comes_and_once() -> None:
    asked = Asked()
    judge = CachedJudge(asked, [("One.", ON)])

    for claim in ("One.", "Another.", "Another."):
        judge(claim, ON)

    assert asked.calls == [1, 1]


def test_so_many_that_a_deadline_would_be_missed_are_asked_in_portions() -> None:
    asked = Asked()
    claims = [f"{number}." for number in range(PAIRS_AT_ONCE + 5)]
    judge = CachedJudge(asked, [(claim, ON) for claim in claims])

    for claim in claims:
        judge(claim, ON)

    assert asked.calls == [PAIRS_AT_ONCE, 5]


def test_the_pairs_are_those_that_rules_cite() -> None:
    subject = a_subject()

    assert list(cited_pairs(subject)) == [("Silencing opinion robs us of truth.", subject.evidence[0])]
