"""Messages by id and values; every id of the code is in every catalogue."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

import bookreader.errors
from bookreader.book import Kind
from bookreader.errors import ReaderError
from bookreader.report import PROSE_KINDS
from bookreader.source import BUDGETS
from chapterverse.core import errors
from chapterverse.core.errors import ChapterverseError
from chapterverse.essays.model import ChangeKind, CommentKind, CommentState
from chapterverse.essays.offline import SIGNS
from chapterverse.essays.render import LEVELS
from chapterverse.messages import Message, catalogue, from_json, from_stored, in_words, message, stored, to_json
from chapterverse.texts import LANGUAGES

ROOT = Path(str(files("chapterverse")))
FILES = [*ROOT.rglob("*.py"), *(ROOT.parent / "bookreader").rglob("*.py"), *(ROOT.parents[1] / "functions").rglob("*.py")]
NAMED = {  # beginnings of ids that end with one of these
    "comment": CommentKind,
    "kind": set(Kind) - set(PROSE_KINDS),
    "kind_of_file": BUDGETS,
    "level": [each.replace(" ", "_") for each in LEVELS],
    "question": SIGNS,
    "revision": CommentState,
    "revision_kind": ChangeKind,
}
ID = re.compile(r"[a-z][a-z0-9_]+")
COMMAND = re.compile(r"`chapterverse |--[a-z]")
LIST_INVALID = message(
    "list_invalid", faults=[message("entry_invalid", line=1200, problem=message("entry_without", field="answer"))]
)


def kinds() -> set[str]:
    known = {**vars(errors), **vars(bookreader.errors)}
    bases = (ChapterverseError, ReaderError)
    return {name for name, each in known.items() if isinstance(each, type) and issubclass(each, bases)}


def ids(tree: ast.AST) -> Iterator[str]:
    """Of all errors and messages that are made with a literal id."""
    names = kinds()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            place = 1 if name in {"BadBook", "BadFile", "SignInRefused"} else 0
            made = name in names or name in {"message", "Message", "Faulty", "Unreadable"}
            if made and len(node.args) > place:
                yield from literals(node.args[place])


def literals(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


@cache
def used() -> set[str]:
    return {id for file in FILES for id in ids(ast.parse(file.read_text("utf-8")))}


def strings() -> set[str]:
    named = (*FILES, *ROOT.glob("templates/*.html"))
    return {match for file in named for match in re.findall(r"[\"']([a-z0-9_]+)[\"']", file.read_text("utf-8"))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_id_has_a_sentence(language: str) -> None:
    assert {each for each in used() if not ID.fullmatch(each)} == set()
    assert used() - catalogue(language).keys() == set()


def test_no_sentence_is_left_over() -> None:
    of_kinds = {f"{name}_{each}" for name, kinds in NAMED.items() for each in kinds}
    assert of_kinds <= catalogue("en").keys()
    assert catalogue("en").keys() - strings() == of_kinds - strings()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_languages_say_the_same_things(language: str) -> None:
    english = catalogue("en")
    for id, text in catalogue(language).items():
        assert sorted(set(re.findall(r"\{\w+", text))) == sorted(set(re.findall(r"\{\w+", english[id]))), id
    assert catalogue(language).keys() == english.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_messages_of_the_command_line_name_commands_and_options(language: str) -> None:
    naming = {id for id, text in catalogue(language).items() if COMMAND.search(text)}

    assert {id for id in naming if not id.startswith("cli_")} <= {"or_install"}  # which names pip


def test_a_message_within_a_message_is_put_into_words_too() -> None:
    assert str(LIST_INVALID) == "Line 1200: answer is missing. Correct the list and upload it again."
    assert (
        in_words(LIST_INVALID, "de")
        == "Zeile 1200: answer fehlt. Berichtigen Sie die Liste und laden Sie sie noch einmal hoch."
    )


def test_several_words_are_joined_by_commas_and_sentences_by_blanks() -> None:
    kinds = message("much_is_not_prose", percent=20, kinds=(message("kind_code"), message("kind_table")))
    assert "(program code, tables)" in in_words(kinds)
    both = (message("no_chapters_found"), message("letters_unreadable"))
    assert " ".join(map(in_words, both)) in in_words(message("much_is_not_prose", percent=20, kinds=both))


def test_numbers_are_written_as_the_language_writes_them_with_the_noun_they_count() -> None:
    size = message("pdf_too_many_bytes", mib=1234.56, max_mib=2000.0)

    assert str(size).startswith("The file has 1,234.6 MiB; the limit is 2,000.0 MiB.")
    assert in_words(size, "de").startswith("Die Datei hat 1.234,6 MiB; erlaubt sind höchstens 2.000,0 MiB.")
    assert str(message("feedback_expired", days=1)).endswith("after 1 day.")
    assert in_words(message("feedback_expired", days=1200), "de").endswith("nach 1.200 Tagen gelöscht.")


def test_json_holds_the_id_and_the_values() -> None:
    assert from_json(to_json(LIST_INVALID)) == LIST_INVALID
    assert from_stored(stored(LIST_INVALID)) == LIST_INVALID


def test_an_unknown_id_stands_for_itself() -> None:
    assert str(Message("of_a_newer_version")) == "of_a_newer_version"
