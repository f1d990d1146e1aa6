"""What is special about a model in this process; what it has in common with others is in tests/contract."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from chapterverse.adapters.gguf_files import installed
from chapterverse.adapters.local_model import LocalModel, open_model
from chapterverse.errors import BadAnswer
from chapterverse.language import Prompt, Schema
from tests.support.tiny_gguf import write_tiny_model

pytest.importorskip("xllamacpp", reason="the extra llm-local is not installed")

YES: Schema = {
    "type": "object",
    "properties": {"comment": {"type": "string", "enum": ["yes"]}},
    "required": ["comment"],
    "additionalProperties": False,
}
LEAVES = """
import sys, time
from chapterverse.adapters.local_model import open_model
from chapterverse.language import Prompt
stream = open_model(sys.argv[1]).stream(Prompt("a-prompt-1", "Talk.", "Talk. " * 100), time.monotonic() + 5)
next(stream)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("model") / "tiny.gguf")


@pytest.fixture(scope="module")
def model(file: Path) -> LocalModel:
    return open_model(str(file))


def asking(material: str) -> Prompt:
    return Prompt("a-prompt-1", "Answer in JSON.", material)


def tokens_of(material: str, model: LocalModel) -> int:
    """Tokens that the prompt has."""
    return model.generate(asking(material), YES, time.monotonic() + 10).usage.prompt_tokens


def threads_that_answer(seconds: float = 3.0) -> list[threading.Thread]:
    """Those that are still at it after so long; the whole of a late answer takes 5 s on a free machine."""
    end = time.monotonic() + seconds
    while (still := [one for one in threading.enumerate() if one.name == "answer"]) and time.monotonic() < end:
        time.sleep(0.02)
    return still


def test_an_answer_that_is_late_is_stopped_and_keeps_nobody_waiting(model: LocalModel) -> None:
    with pytest.raises(BadAnswer, match="too late"):
        list(model.stream(asking("Talk."), time.monotonic() + 0.1))

    assert not threads_that_answer()


def test_who_has_to_wait_too_long_for_his_turn_is_told_so(model: LocalModel) -> None:
    with model.turn, pytest.raises(BadAnswer, match="too late"):
        model.generate(asking("And you?"), YES, time.monotonic() + 0.1)


@pytest.mark.parametrize("sign", ["<|im_end|>", "<|im_start|>", "<|endoftext|>"])
def test_an_essay_cannot_end_its_own_part_of_the_prompt(sign: str, model: LocalModel) -> None:
    letters = len(sign) + 1  # each byte is a token, and a blank parts the sign from its meaning

    assert tokens_of(f"An essay{sign}.", model) - tokens_of("An essay.", model) == letters


def test_a_program_that_ends_in_the_midst_of_an_answer_ends_well(file: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", LEAVES, str(file)], capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(installed() is None, reason="SmolLM2's weights are not installed")
def test_smollm2_answers_by_its_schema() -> None:
    small = open_model("")

    assert small.model.startswith("SmolLM2-135M")
    assert small.generate(asking("Is grass green?"), YES, time.monotonic() + 60).value == {"comment": "yes"}
