"""What is written on a class, as JSON lines and as a spreadsheet that runs nothing."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.core.ports import Bucket
from chapterverse.essays.batch.context import Night
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.essays import forget_feedback
from chapterverse.essays.batch.files import CSV, JSONL, batch_folder
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.batch.results import COLUMNS, collect, csv_of, files_of, pages_of, read_file, rows_of, with_semicolons
from chapterverse.essays.batch.service import remove_batch
from chapterverse.essays.history import feedback_of
from chapterverse.essays.json import feedback_json
from chapterverse.essays.model import Origin
from chapterverse.messages import plain
from tests.support.nights import TRUTH, Clock, begun, entries, lines, queue_of
from tests.support.words import printed

COMMENT = {"paragraph": 1, "number": 1, "about": None, "text": "Fine.", "instead": None, "evidence": []}
BAD = Entry(3, "=cleo()", problem=plain("Line 3 has no text."))


def done(night: Night, given: list[Entry]) -> BatchKey:
    batch = begun(night, given)
    queue_of(night).do_all(night)
    return batch.key


def table(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_when_the_last_essay_has_ended_all_of_them_are_in_one_file(night: Night) -> None:
    key = done(night, [*entries(TRUTH, "My uncle sings."), BAD])

    found = lines(night.results.read(f"{batch_folder(key)}{JSONL}"))

    assert [(one["number"], one["id"], one.get("error")) for one in found] == [
        (1, "ada", None),
        (2, "ben", None),
        (3, "=cleo()", {"code": "bad_request", "message": "Line 3 has no text."}),
    ]
    assert found[0]["content"]["comments"]
    kept = [feedback_of(night.keeping.store.find("school", one["feedback"])) for one in found[:2]]
    assert [printed(feedback_json(each))["content"] for each in kept] == [one["content"] for one in found[:2]]


def test_the_spreadsheet_has_a_row_for_each_comment_with_what_it_rests_on(night: Night) -> None:
    key = done(night, entries(TRUTH, "My uncle sings."))

    rows = table(night.results.read(f"{batch_folder(key)}{CSV}"))

    cited = next(row for row in rows if row["evidence"])
    assert (cited["id"], cited["paragraph"], cited["dimension"]) == ("ada", "1", "content")
    assert (cited["evidence"], cited["book"], cited["page"]) == ("1", "On Liberty", "vii")
    assert cited["verdict"] == "not_found"
    assert {row["id"] for row in rows} == {"ada", "ben"}


def test_an_essay_without_feedback_has_a_row_that_says_why_and_no_cell_is_run(night: Night) -> None:
    key = done(night, [*entries(TRUTH), BAD])

    rows = table(night.results.read(f"{batch_folder(key)}{CSV}"))

    assert rows[-1] == dict.fromkeys(COLUMNS, "") | {"id": "'=cleo()", "comment": "Line 3 has no text."}


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "  =1+1"])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(cell: str) -> None:
    [row] = table(csv_of([{"id": cell, "feedback": "f00d", "content": {"comments": [COMMENT]}}]))

    assert (row["id"], row["paragraph"], row["number"], row["comment"]) == (f"'{cell}", "1", "1", "Fine.")


def test_with_semicolons_it_is_the_same_table() -> None:
    comment = COMMENT | {"about": {"text": 'a; b, "c"\nd'}}
    data = csv_of([{"id": "Jörg", "feedback": "f00d", "content": {"comments": [comment]}}])

    told = with_semicolons(data).decode("utf-8-sig")

    assert list(csv.reader(io.StringIO(told, newline=""), delimiter=";")) == list(
        csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    )
    assert told.startswith("id;paragraph;")


def test_a_chapter_that_has_a_number_alone_is_named_once() -> None:
    sentence = {"chapter_number": "I", "chapter": "I", "page_label": "5"}
    cited = {"number": 1, "verdict": "supports"}
    comment = COMMENT | {"evidence": [cited]}
    evidence = [{"number": 1, "book_title": "On Principle", "sentence": sentence}]

    [row] = rows_of({"id": "Ada", "evidence": evidence, "content": {"comments": [comment]}})

    assert row[COLUMNS.index("chapter")] == "I"


def test_a_comment_on_two_pieces_of_evidence_has_two_rows() -> None:
    def evidence(number: int) -> dict[str, Any]:
        sentence = {"chapter_number": "II", "chapter": "Of Liberty", "page_label": f"{30 + number}"}
        return {"number": number, "book_title": "On Liberty", "sentence": sentence}

    cited = [{"number": number, "verdict": "supports"} for number in (2, 1)]
    comment = {"paragraph": 1, "number": 4, "about": {"text": "goverment"}, "text": "No.", "instead": "rule", "evidence": cited}
    result = {
        "id": "ada",
        "feedback": "f00d",
        "evidence": [evidence(1), evidence(2)],
        "content": {"comments": [comment]},
        "features": None,
    }

    said = (1, "content", 4, "goverment", "No.", "rule")
    assert list(rows_of(result)) == [
        ("ada", *said, number, "On Liberty", "II Of Liberty", f"{30 + number}", "supports", "f00d") for number in (2, 1)
    ]


def test_while_essays_are_being_done_there_are_no_files_unless_they_are_wanted_unfinished(night: Night) -> None:
    batch = begun(night, entries(TRUTH, "My uncle sings."))

    assert files_of(batch.key, night) == []
    assert files_of(batch.key, night, unfinished=True) == [JSONL, CSV]


def test_after_the_window_the_files_say_what_is_left(night: Night) -> None:
    batch = begun(night, entries(TRUTH, "My uncle sings."))
    assert isinstance(night.now, Clock)
    night.now.later(hours=13)

    assert files_of(batch.key, night) == [JSONL, CSV]
    assert [one["error"]["code"] for one in lines(read_file(batch.key, JSONL, night))] == ["left", "left"]


def test_files_that_a_kill_kept_from_being_written_are_written_when_they_are_asked_for(night: Night) -> None:
    key = done(night, entries(TRUTH))
    night.results.delete(f"{batch_folder(key)}results")

    assert files_of(key, night) == [JSONL, CSV, "0001-ada.html"]
    assert read_file(key, CSV, night)


def test_each_student_has_a_page_of_its_own_whatever_the_id(night: Night) -> None:
    twins = [Entry(1, "Ada / 7b", None, TRUTH), Entry(2, "../<b>", None, "My uncle sings."), Entry(3, "Ada / 7b", None, TRUTH)]
    key = done(night, [*twins, replace(BAD, number=4)])

    [_, _, *names] = files_of(key, night)

    assert [name[:5] for name in names] == ["0001-", "0002-", "0003-"]
    assert "My uncle sings." in read_file(key, names[1], night).decode()
    assert [id for _, id, name in pages_of(key, night) if name in names] == ["Ada / 7b", "../<b>", "Ada / 7b"]


@pytest.mark.parametrize("name", ["essays.json.gz", "each/0001.json", "html/../essays.json.gz", "", "../x", "html/a.html"])
def test_nothing_else_of_the_bucket_is_read(night: Night, name: str) -> None:
    key = done(night, entries(TRUTH))

    with pytest.raises(NotFound):
        read_file(key, name, night)


@dataclass(frozen=True)
class Meddled:
    """A bucket; just before something is written under that name, something else happens, once."""

    bucket: Bucket
    name: str
    happens: list[Callable[[], None]]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bucket, name)

    def write(self, name: str, data: bytes) -> None:
        if name.endswith(self.name) and self.happens:
            self.happens.pop()()
        self.bucket.write(name, data)


@pytest.mark.parametrize("name", [JSONL, CSV])
def test_an_essay_forgotten_while_all_are_being_collected_is_in_no_file(night: Night, name: str) -> None:
    key = done(night, entries(TRUTH, "My uncle sings."))
    id = night.keeping.store.on_essay("school", Origin(key.batch, 2)).id

    meddled: Any = Meddled(night.results, name, [lambda: forget_feedback("school", id, night)])
    collect(key, replace(night, results=meddled))

    files = [read_file(key, each, night).decode() for each in (JSONL, CSV)]
    assert [("ada" in each, "ben" in each) for each in files] == [(True, False)] * 2


def test_of_a_batch_that_was_removed_nothing_is_collected(night: Night) -> None:
    key = done(night, entries(TRUTH))
    remove_batch(key, night)

    with pytest.raises(NotFound):
        collect(key, night)
