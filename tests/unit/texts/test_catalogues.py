"""Every text of the pages is in every catalogue, and says the same things."""

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import count
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from chapterverse.texts import ENGLISH, LANGUAGES, catalogue, messages

ROOT = Path(str(files("chapterverse")))
SOURCES = (
    ("templates/site/*.html", r'_\("([^"]+)"'),
    ("assets/js/*.js", r'say\("([^"]+)"'),
    ("web/site/*.py", r'page\("\w+", "([^"]+)"'),
    ("web/site/*.py", r'Link\("[^"]+", "([^"]+)"'),
)
OTHERS = [code for code in LANGUAGES if code != ENGLISH]


SERVER = "server.po"  # what the interface says went wrong; pages show it in their language
ITS_REFUSALS = (
    "ingestion",
    "essay",
    "lecture/transcripts",
    "web/limits.py",
    "usecases/sign_in.py",
    "usecases/people.py",
    "usecases/lti/assigning.py",
    "usecases/lti/launching.py",
    "usecases/lti/grading.py",
    "usecases/measuring",
    "adapters/lti_key_sets.py",
    "adapters/lti_messages.py",
    "adapters/lti_services.py",
    "web/assignments.py",
    "web/cookies.py",
    "usecases/helpdesk",
)
COMMANDS = re.compile(r"CHAPTERVERSE_|`chapterverse ")  # whoever reads that runs the program


def texts() -> Iterator[str]:
    for pattern, said in SOURCES:
        for file in sorted(ROOT.glob(pattern)):
            yield from re.findall(said, file.read_text("utf-8"))


@pytest.mark.parametrize("language", OTHERS)
def test_all_texts_are_translated_and_nothing_else(language: str) -> None:
    assert set(catalogue(language)) == set(texts()) | of_server(language)


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_server_says_is_still_said_so(language: str) -> None:
    said = {sentence for file in ROOT.rglob("*.py") for sentence in sentences(ast.parse(file.read_text("utf-8")))}

    assert of_server(language) - said == set()


@pytest.mark.parametrize("language", OTHERS)
def test_refusals_that_pages_show_are_translated(language: str) -> None:
    said = {sentence for path in ITS_REFUSALS for file in python_below(path) for sentence in refusals(file)}

    assert {each for each in said if not COMMANDS.search(each)} - of_server(language) == set()


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_fills_in_the_same(language: str) -> None:
    for english, text in catalogue(language).items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", english)), english


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_is_translated_once(language: str) -> None:
    told = [message.id for message in messages(language) if message.id]

    assert sorted(told) == sorted(set(told))


def of_server(language: str) -> set[str]:
    catalogue = read_po((ROOT / "texts" / language / SERVER).open("rb"), locale=language)
    return {str(each.id) for each in catalogue if each.id}


def python_below(path: str) -> list[Path]:
    return [ROOT / path] if path.endswith(".py") else sorted((ROOT / path).rglob("*.py"))


def refusals(file: Path) -> Iterator[str]:
    """The sentences of what a module raises."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from (each for argument in node.exc.args for each in sentences(argument) if each.endswith("."))


def sentences(tree: ast.AST) -> Iterator[str]:
    """Texts in the code; what is filled in is {0}, {1} …, whatever it is called there."""
    within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield numbered("".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            yield numbered(node.value)


def numbered(text: str) -> str:
    counted = count()
    return re.sub(r"\{[\w:,.]*\}", lambda _: f"{{{next(counted)}}}", text)
