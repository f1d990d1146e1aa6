"""Regular expressions mean the same on every Python that we say we run on, and no component is made of them."""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src"
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+")  # docs/cursed-knowledge.md: wrong before Python 3.11.5
RAW = re.compile(r'r(?:f|)(?:"""(.*?)"""|"([^"\n]*)")', re.DOTALL)  # as patterns are written here
MOST = 4_000  # characters in a component: what a language model reads is not written by hand as patterns
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "re.compile(" in path.read_text("utf-8"))


def test_no_group_is_possessive() -> None:
    patterns = [("".join(found), module.name) for module in MODULES for found in RAW.findall(module.read_text("utf-8"))]

    assert [(pattern, name) for pattern, name in patterns if POSSESSIVE_GROUP.search(pattern)] == []


@pytest.mark.parametrize("component", sorted(path.name for path in (PACKAGE / "chapterverse").iterdir() if path.is_dir()))
def test_a_component_has_few_characters_of_patterns(component: str) -> None:
    modules = [module for module in MODULES if component in module.relative_to(PACKAGE).parts]

    assert sum(len("".join(found)) for module in modules for found in RAW.findall(module.read_text("utf-8"))) <= MOST
