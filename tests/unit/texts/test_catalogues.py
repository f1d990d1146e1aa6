"""Every text of the pages is in every catalogue, and says the same things."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from chapterverse.texts import ENGLISH, LANGUAGES, catalogue, messages

ROOT = Path(str(files("chapterverse")))
SOURCES = (
    ("templates/site/*.html", r'_\("([^"]+)"'),
    ("assets/js/*.js", r'say\("([^"]+)"'),
    ("**/*.py", r'page\("\w+", "([^"]+)"'),
    ("**/*.py", r'Link\("[^"]+", "([^"]+)"'),
)
OTHERS = [code for code in LANGUAGES if code != ENGLISH]


def texts() -> Iterator[str]:
    for pattern, said in SOURCES:
        for file in sorted(ROOT.glob(pattern)):
            yield from re.findall(said, file.read_text("utf-8"))


@pytest.mark.parametrize("language", OTHERS)
def test_all_texts_are_translated_and_nothing_else(language: str) -> None:
    assert set(catalogue(language)) == set(texts())


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_fills_in_the_same(language: str) -> None:
    for english, text in catalogue(language).items():
        assert sorted(re.findall(r"\{\w+", text)) == sorted(re.findall(r"\{\w+", english)), english


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_is_translated_once(language: str) -> None:
    told = [english for english, _ in messages(language)]

    assert sorted(told) == sorted(set(told))
