"""Names in the code use the words of docs/glossary.md: words that it has replaced occur in no new name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import chapterverse

PACKAGE = Path(chapterverse.__file__).parent

FORBIDDEN = {
    "shelf", "shelves", "beside", "lane", "lanes", "desk", "reception", "arrival", "handed", "told", "said", "kept",
    "shown", "figure", "figures", "drawn", "usual", "turned", "heard", "night", "overnight", "patient", "seat", "bell",
    "least", "most", "strays", "hubs", "surroundings", "furniture", "lit", "careful", "opposites", "cutter", "thumb",
    "thumbs", "wall", "guarded", "washed", "vouched", "looking", "looked", "asked", "asking", "answering", "answered",
}  # fmt: skip
"""Words with a good second meaning (cut, mark, part, place, sure) are not here."""

NOT_YET_CLEAN = {
    "handed": 2, "told": 1, "said": 1, "shown": 1, "drawn": 1, "least": 5, "most": 2, "thumb": 2, "thumbs": 1,
    "vouched": 2, "asked": 2,
}  # fmt: skip
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


def test_no_new_name_has_a_replaced_word_and_those_that_are_clean_are_taken_off_the_list() -> None:
    files = list(PACKAGE.rglob("*.py"))
    everywhere = {path.parent.name for path in files} | {name for path in files for name in names(path)}
    words = {name: words_of(name) for name in everywhere}
    having = {word: sorted(name for name in everywhere if word in words[name]) for word in FORBIDDEN}

    assert {word: those for word, those in having.items() if len(those) > NOT_YET_CLEAN.get(word, 0)} == {}
    assert [word for word in NOT_YET_CLEAN if not having[word]] == []
