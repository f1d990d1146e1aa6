import math
import time
from pathlib import Path

import pytest

from chapterverse.adapters.onnx_likelihood import OnnxLikelihood, Pace
from chapterverse.errors import ModelUnavailable
from tests.support.tiny_gguf import write_tiny_model


def test_nothing_is_begun_that_would_not_be_finished() -> None:
    pace = Pace()

    assert pace.allows(1000, time.monotonic() + 1)

    pace.learn(100, seconds=10.0)
    assert not pace.allows(1000, time.monotonic() + 1)
    assert pace.allows(1000, math.inf)


def test_the_pace_follows_what_was_seen_last() -> None:
    pace = Pace()

    pace.learn(10, seconds=1.0)
    pace.learn(10, seconds=3.0)

    assert pace.seconds == pytest.approx(0.2)


def test_where_time_ends_midway_the_first_pairs_are_scored(tmp_path: Path) -> None:
    tenth_of_a_second = Pace(0.1)  # a token: the first pair is through in time, the second would not be
    model = OnnxLikelihood(tmp_path, str(write_tiny_model(tmp_path / "tiny.gguf")), threads=1, pace=tenth_of_a_second)

    first, second = model.log_probs([("A book:", " so"), ("A book: " * 100, " so")], time.monotonic() + 10)

    assert first is not None
    assert second is None


def test_what_is_made_of_the_file_is_made_once(tmp_path: Path) -> None:
    weights = str(write_tiny_model(tmp_path / "tiny.gguf"))

    OnnxLikelihood(tmp_path / "cache", weights).log_probs([("", "a")], math.inf)
    made = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "cache").iterdir()}
    OnnxLikelihood(tmp_path / "cache", weights).log_probs([("", "a")], math.inf)

    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "cache").iterdir()} == made
    assert sorted(name.rpartition(".")[2] for name in made) == ["json", "onnx"]


def test_a_sign_of_the_models_own_is_plain_text_where_somebody_writes_it(tmp_path: Path) -> None:
    model = OnnxLikelihood(tmp_path, str(write_tiny_model(tmp_path / "tiny.gguf")))

    [[_, text]] = model.tokens([("", "<|endoftext|>")])

    assert len(text) == len("<|endoftext|>")


@pytest.mark.parametrize("content", [b"", b"GGUF", b"not a model at all" * 100], ids=["empty", "cut", "something else"])
def test_a_file_that_is_no_model_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(content)

    with pytest.raises(ModelUnavailable, match="damaged, or no GGUF file"):
        OnnxLikelihood(tmp_path / "cache", str(tmp_path / "broken.gguf")).log_probs([("", "a")], math.inf)
