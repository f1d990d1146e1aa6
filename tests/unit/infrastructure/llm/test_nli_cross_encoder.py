"""With a BERT of a few kilobytes and random weights: what it says means nothing, but it has to be said rightly."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from chapterverse.core.errors import ModelUnavailable
from chapterverse.infrastructure.llm.cross_encoders import NliCrossEncoder
from tests.support.tiny_bert import tiny_classifier

LABELS = ("contradiction", "entailment", "neutral")
PAIRS = [
    ("the mind of man is free", "man is a thing"),
    ("this sentence", "the mind of man is a free and restless thing"),
    ("the mind is restless", "the mind is free"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_classifier(tmp_path / "nli", LABELS)


@pytest.mark.torch
def test_chances_add_up_to_one_and_differ_from_pair_to_pair(folder: Path) -> None:
    found = NliCrossEncoder(str(folder), device="cpu")(PAIRS)

    assert [one.supports + one.contradicts + one.neither for one in found] == pytest.approx([1, 1, 1])
    assert len(set(found)) == 3


@pytest.mark.torch
def test_a_pair_is_read_the_same_in_any_company(folder: Path) -> None:
    reader = NliCrossEncoder(str(folder), device="cpu")

    together, alone = reader(PAIRS), [reader([pair])[0] for pair in PAIRS]

    assert [one.supports for one in together] == pytest.approx([one.supports for one in alone], abs=1e-5)


@pytest.mark.torch
def test_the_models_own_order_of_labels_is_kept(folder: Path, tmp_path: Path) -> None:
    other = tiny_classifier(tmp_path / "other", ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"))

    [one], [same] = (NliCrossEncoder(str(each), device="cpu")(PAIRS[:1]) for each in (folder, other))

    assert (one.contradicts, one.supports, one.neither) == pytest.approx((same.supports, same.neither, same.contradicts))


@pytest.mark.torch
def test_a_book_longer_than_the_window_is_cut(folder: Path) -> None:
    [one] = NliCrossEncoder(str(folder), device="cpu")([("the mind " * 1000, "man is free")])

    assert 0 <= one.supports <= 1


@pytest.mark.torch
def test_a_model_for_something_else_is_refused(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path / "mood", ("bad", "good", "so-so"))

    with pytest.raises(ModelUnavailable, match="bad, good, so-so"):
        NliCrossEncoder(str(folder), device="cpu")(PAIRS)


@pytest.mark.torch
def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="cannot load"):
        NliCrossEncoder(str(tmp_path), device="cpu")(PAIRS)


def test_without_the_extra_the_operator_is_told_how_to_get_it(folder: Path) -> None:
    if find_spec("sentence_transformers"):
        pytest.skip("the extra gpu is installed")
    with pytest.raises(ModelUnavailable, match=r"chapterverse\[gpu\]"):
        NliCrossEncoder(str(folder))(PAIRS)


def test_no_pairs_need_no_model(tmp_path: Path) -> None:
    assert NliCrossEncoder(str(tmp_path))([]) == []
