"""The trained reader as it is shipped: what it reads, in which order, and what it does without its files."""

from math import inf
from pathlib import Path

import pytest

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.ports import Pair
from chapterverse.infrastructure.llm.readers import GRAPH, READER, ROUND, TOKENIZER, TrainedReader

TEXT = "Schools should not make students wear uniforms, because how we dress is a part of who we are."
NEAR = Pair(TEXT, "A man's dress is the outward sign of his own nature, and no authority should prescribe it.")
FAR = Pair(TEXT, "The glacier moves about a foot in twenty-four hours.", "We drove in the stakes.", "Then we slept.")


@pytest.fixture(scope="module")
def reader() -> TrainedReader:
    return TrainedReader()


def test_a_sentence_on_the_point_is_likelier_to_be_useful_than_any_other(reader: TrainedReader) -> None:
    near, far = reader.chances([NEAR, FAR])

    assert near is not None
    assert far is not None
    assert near.useful > far.useful


def test_chances_are_probabilities_whatever_is_read(reader: TrainedReader) -> None:
    odd = [Pair("", ""), Pair("word " * 2_000, "word " * 2_000, "before " * 99, "after " * 99), Pair("\ud800", "für ☃ 漢字")]

    found = [one for one in reader.chances(odd) if one]

    assert len(found) == len(odd)
    assert all(0 <= chance <= 1 for one in found for chance in (one.useful, one.supports, one.contradicts))


def test_what_else_is_read_does_not_change_the_chances_of_a_pair(reader: TrainedReader) -> None:
    [alone] = reader.chances([NEAR])
    among = reader.chances([FAR] * 40 + [NEAR] + [FAR] * 5)

    assert alone is not None
    assert among[40] == alone
    assert len(set(among)) == 2


def test_what_is_late_is_not_read(reader: TrainedReader) -> None:
    found = reader.chances([NEAR] * (ROUND + 3), deadline=-inf)

    assert all(found[:ROUND])
    assert found[ROUND:] == [None] * 3


@pytest.mark.parametrize("missing", [GRAPH, TOKENIZER])
def test_a_file_that_is_missing_is_an_error(missing: str, tmp_path: Path) -> None:
    [other] = {GRAPH, TOKENIZER} - {missing}
    (tmp_path / other).symlink_to(READER / other)

    with pytest.raises(ModelUnavailable):
        TrainedReader(tmp_path).chances([NEAR])
    assert TrainedReader(tmp_path).chances([]) == []
