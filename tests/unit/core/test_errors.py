import re
from collections.abc import Iterator

from chapterverse.core import errors
from chapterverse.core.errors import BadBook, ChapterverseError

ROW = re.compile(r"^ *(?P<name>[A-Z]\w+) +(?P<status>\d{3}) +(?P<exit_code>\d+) ", re.MULTILINE)


def tree(root: type[ChapterverseError]) -> Iterator[type[ChapterverseError]]:
    for child in root.__subclasses__():
        yield child
        yield from tree(child)


def test_the_table_at_the_top_is_the_tree() -> None:
    told = {row["name"]: (int(row["status"]), int(row["exit_code"])) for row in ROW.finditer(errors.__doc__ or "")}

    leaves = [error for error in tree(ChapterverseError) if not error.__subclasses__()]
    assert told == {leaf.__name__: (leaf.status, leaf.exit_code) for leaf in leaves}


def test_every_kind_of_error_ends_the_command_line_in_its_own_way() -> None:
    codes = [error.exit_code for error in tree(ChapterverseError) if not error.__subclasses__()]

    assert len(codes) == len(set(codes))
    assert not {0, 1, 130} & set(codes)


def test_an_error_goes_by_the_name_of_its_class_and_a_bad_book_by_its_reason() -> None:
    assert errors.IndexUnavailable("").code == "index_unavailable"
    assert BadBook("encrypted", "").code == "encrypted"
