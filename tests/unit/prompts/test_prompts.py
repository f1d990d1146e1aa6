import re
from importlib.resources import files

import pytest

from chapterverse.prompts import prompt

NAMES = [file.name.removesuffix(".md") for file in files("chapterverse.prompts").iterdir() if file.name.endswith(".md")]


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_has_a_version_and_is_loaded_by_name(name: str) -> None:
    assert re.fullmatch(r"[a-z-]+-\d+", name)
    assert prompt(name).template.strip()


def test_a_prompt_that_is_not_there_is_our_mistake() -> None:
    with pytest.raises(FileNotFoundError):
        prompt("feedback-content-0")
