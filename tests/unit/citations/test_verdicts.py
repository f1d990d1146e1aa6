from collections.abc import Sequence

import pytest

from chapterverse.citations.model import Evidence, VerdictKind, claim_pair
from chapterverse.citations.verdicts import judge_by_reading
from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Passage
from chapterverse.core.ports import Chances, Pair
from tests.support.made import a_sentence

SENTENCE = "Thirty geese fly south over the house."
EVIDENCE = Evidence(1, Passage("Birds", a_sentence(SENTENCE), a_sentence("It is autumn."), None, ""), 0.8, ())
SAID = claim_pair("Geese stay at home.", EVIDENCE)


def test_the_reader_is_given_the_sentence_and_its_neighbours() -> None:
    seen: list[Pair] = []

    def read(pairs: Sequence[Pair], _deadline: float) -> list[Chances | None]:
        seen.extend(pairs)
        return [Chances(useful=1.0, supports=0.0, contradicts=1.0) for _ in pairs]

    [verdict] = judge_by_reading([SAID], read)

    assert seen == [Pair("Geese stay at home.", SENTENCE, "It is autumn.", "")]
    assert verdict.kind is VerdictKind.CONTRADICTS


def test_a_reader_without_weights_is_an_error() -> None:
    def read(_pairs: Sequence[Pair], _deadline: float) -> list[Chances | None]:
        raise ModelUnavailable("No weights.")

    with pytest.raises(ModelUnavailable):
        judge_by_reading([SAID], read)
