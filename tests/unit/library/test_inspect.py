import json
from pathlib import Path

import pytest

from bookreader.reading import parse_in_sandbox
from chapterverse.citations.records import SentenceRecord
from chapterverse.core.book import BookId
from chapterverse.library.uploads import DEFAULT_LIMITS
from tests.support.pdfs import PROSE, a_locked_pdf, a_pdf
from tests.unit.conftest import Run


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    path = tmp_path / "A Small Book.pdf"
    path.write_bytes(a_pdf(PROSE))
    return path


def test_the_sentences_are_one_json_object_a_line_in_reading_order(run: Run, pdf: Path) -> None:
    result = run("inspect", pdf, "--sentences")

    book = parse_in_sandbox(pdf.read_bytes(), BookId("a-small-book"), DEFAULT_LIMITS)
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        SentenceRecord.of(each).model_dump(mode="json") for each in book.sentences
    ]
    assert result.stderr == ""


def test_the_report_is_plain_lines_in_a_pipe(run: Run, pdf: Path) -> None:
    rows = dict(line.split("\t") for line in run("inspect", pdf).stdout.splitlines())

    assert (rows["pages"], rows["sentences"]) == ("1", "2")


def test_the_report_is_also_there_as_json(run: Run, pdf: Path) -> None:
    report = json.loads(run("inspect", pdf, "--json").stdout)

    assert (report["book"], report["pages"], report["sentences"]) == ("a-small-book", 1, 2)


def test_nothing_is_stored(run: Run, pdf: Path, home: Path) -> None:
    run("inspect", pdf)

    assert not home.exists()


def test_a_pdf_that_cannot_become_a_book_ends_in_one_line_and_its_exit_code(run: Run, tmp_path: Path) -> None:
    locked = tmp_path / "locked.pdf"
    locked.write_bytes(a_locked_pdf("secret"))

    result = run("inspect", locked, "--sentences")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("chapterverse: The PDF is protected with a password.")


def test_verbose_says_where_an_error_arose(run: Run, tmp_path: Path) -> None:
    result = run("--verbose", "inspect", tmp_path / "missing.pdf")

    assert result.exit_code == 2
    assert "was not found; check the name" in result.stderr
