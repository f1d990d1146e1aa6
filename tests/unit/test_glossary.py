"""Names in the code use the words of docs/glossary.md: words that it has replaced occur in no new name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import chapterverse

PACKAGE = Path(chapterverse.__file__).parent

FORBIDDEN = {
    "shelf": "collection, search scope",
    "shelves": "collections",
    "beside": "next to, adjacent",
    "lane": "priority queue, online, bulk",
    "lanes": "priority queue, online, bulk",
    "desk": "context",
    "reception": "sign-in",
    "arrival": "sign-in result",
    "handed": "submitted, uploaded",
    "told": "response, stored",
    "said": "text, spoken",
    "kept": "stored, accepted, remaining",
    "shown": "visible, rendered",
    "figure": "estimate, number",
    "figures": "metrics, limits, numbers",
    "drawn": "sampled, rendered",
    "usual": "default, typical",
    "turned": "negated, transposed",
    "heard": "received",
    "night": "batch",
    "overnight": "batch",
    "patient": "without a deadline",
    "seat": "roster entry",
    "bell": "notifier",
    "least": "min",
    "most": "max",
    "strays": "unanswerable",
    "hubs": "hubness penalty",
    "surroundings": "context weight",
    "furniture": "page artefacts",
    "lit": "highlighted",
    "careful": "conservative",
    "opposites": "antonyms",
    "cutter": "chunker",
    "thumb": "rating",
    "thumbs": "rating",
    "wall": "sandbox",
    "guarded": "sandbox",
    "washed": "sanitized",
    "vouched": "trusted",
    "looking": "rule context",
    "looked": "chunk signals",
    "asked": "question",
    "asking": "intent",
    "answering": "answer settings",
    "answered": "answer",
}
"""Word of a name → what to write instead. Words with a good second meaning (cut, mark, part, place, sure) are not here."""

NOT_YET_CLEAN: dict[str, int] = {
    "handed": 2,
    "told": 1,
    "said": 1,
    "shown": 1,
    "drawn": 1,
    "least": 5,
    "most": 2,
    "thumb": 2,
    "thumbs": 1,
    "vouched": 2,
    "asked": 2,
}
"""Word → how many names of the code still have it: fields of the HTTP interface, of stored data or of the command line. Lower a
number when names are changed, and remove it at 0; add none."""


def names(path: Path) -> Iterator[str]:
    """The names that a module defines: itself, classes, functions, parameters, variables, fields."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


def words_of(name: str) -> list[str]:
    """SomeName and some_name are both ["some", "name"]."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def found() -> dict[str, set[str]]:
    """Each forbidden word that occurs, with the different names that have it; folders count as names."""
    folders = {path.parent.name for path in PACKAGE.rglob("*.py")}
    everywhere = folders | {name for path in PACKAGE.rglob("*.py") for name in names(path)}
    having = {word: {name for name in everywhere if word in words_of(name)} for word in FORBIDDEN}
    return {word: having[word] for word in FORBIDDEN if having[word]}


def test_no_new_name_has_a_replaced_word_and_those_that_are_clean_are_taken_off_the_list() -> None:
    having = found()
    too_many = {word: sorted(those) for word, those in having.items() if len(those) > NOT_YET_CLEAN.get(word, 0)}

    assert too_many == {}, f"Write instead: { ({word: FORBIDDEN[word] for word in too_many}) }"
    assert sorted(NOT_YET_CLEAN.keys() - having.keys()) == []
