"""Folders on this machine as the zips that they travel in."""

from dataclasses import replace
from pathlib import Path

import pytest

from bookreader.html.files import names_in, unpack
from bookreader.reading import paths_in
from chapterverse.cli.session import packed, pdf_at, sources_at
from chapterverse.core.errors import BadBook, BadRequest, NotFound
from chapterverse.library.model import SCHOOL_LIMITS
from tests.support.books import LIMITS
from tests.support.refusals import refused


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for path, text in {
        "book/01-a.md": "One.",
        "book/m/b.html": "<p>Two.</p>",
        "book/picture.png": "",
        "book/.git/c.md": "No.",
        "book/node_modules/x/d.md": "No.",
        "book/textbook.yml": "title: Robots",
        "secret.md": "No.",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "book" / "link.md").symlink_to(tmp_path / "secret.md")
    return tmp_path / "book"


def test_a_folder_is_named_after_itself_and_holds_its_pages_no_more_than_a_book_may_have(pages: Path) -> None:
    [source] = sources_at(str(pages), SCHOOL_LIMITS)
    assert source.name == "book.zip"
    assert [file.path for file in unpack(source.read(), SCHOOL_LIMITS)] == ["01-a.md", "m/b.html", "textbook.yml"]

    with pytest.raises(BadBook, match="limit"):
        packed(pages, replace(SCHOOL_LIMITS, bytes=5))


def test_its_pictures_come_along_as_far_as_there_is_room(pages: Path) -> None:
    (pages / "m" / "robot.svg").write_text("<svg/>")
    (pages / "huge.jpg").write_bytes(bytes(2000))
    (pages / ".hidden.png").write_text("no")
    text = sum(path.stat().st_size for path in paths_in(pages))

    packed_small = packed(pages, replace(SCHOOL_LIMITS, bytes=text + 1000))

    assert {"picture.png", "m/robot.svg"} <= set(names_in(packed_small))
    assert not {"huge.jpg", ".hidden.png"} & set(names_in(packed_small))
    assert "huge.jpg" in names_in(packed(pages, SCHOOL_LIMITS))


def test_a_folder_without_pages_is_its_pdfs_and_one_without_either_is_said_so(tmp_path: Path) -> None:
    [given] = sources_at(str(tmp_path), SCHOOL_LIMITS)
    with refused(NotFound, "cli_folder_without_pages"):
        given.read()
    for name in ("b.PDF", "a.pdf", "notes.txt"):
        (tmp_path / name).write_bytes(b"%PDF-1.7")

    assert [given.name for given in sources_at(str(tmp_path), SCHOOL_LIMITS)] == ["a.pdf", "b.PDF"]


def test_a_path_is_looked_at_when_it_is_read_and_an_address_is_none(tmp_path: Path) -> None:
    missing = pdf_at(str(tmp_path / "missing.pdf"), LIMITS)

    with refused(BadRequest, "cli_file_unusable"):
        missing.read()
    for address in ("https://books.example/a.pdf", "gs://books/a.pdf"):
        with refused(BadRequest, "cli_is_address"):
            pdf_at(address, LIMITS).read()
