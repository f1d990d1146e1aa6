"""What is written on all essays of a batch, as one file for programs and one for spreadsheets."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from chapterverse.errors import NotFound
from chapterverse.feedback.comments import Dimension
from chapterverse.messages import message
from chapterverse.model import BatchEssay, BatchKey, EssayState
from chapterverse.usecases.overnight.entries import Entry
from chapterverse.usecases.overnight.kept import CSV, JSONL, batch_folder, forgotten_of, load_essays, load_result
from chapterverse.usecases.overnight.night import Night

OF_COMMENT = ("paragraph", "dimension", "number", "words", "comment", "instead")
OF_EVIDENCE = ("evidence", "book", "chapter", "page", "verdict")
COLUMNS = ("id", *OF_COMMENT, *OF_EVIDENCE, "feedback")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a cell may begin with that a spreadsheet runs
LEFT = ("left", message("essay_left"))
AT_ONCE = 16  # objects read
Row = Sequence[str | int | None]
NO_EVIDENCE: Row = (None,) * len(OF_EVIDENCE)


def collect(key: BatchKey, night: Night) -> None:
    """Write both files, from what is kept now. Raises NotFound where the batch is gone."""
    essays, gone = night.store.essays(key), None
    while gone != forgotten_of(essays):  # forgotten meanwhile: what was just written of it goes, too
        gone = forgotten_of(essays)
        results = list(_results(key, essays, night))
        for name, content in WRITTEN_AS.items():
            night.results.write(f"{batch_folder(key)}{name}", content(results))
        essays = night.store.essays(key)


def jsonl_of(results: Iterable[dict[str, Any]]) -> bytes:
    """One object a line."""
    lines = (json.dumps(result, ensure_ascii=False, default=str) + "\n" for result in results)
    return "".join(lines).encode("utf-8", "replace")


def csv_of(results: Iterable[dict[str, Any]]) -> bytes:
    """The rows of all of them, with a head; in UTF-8 with the mark that spreadsheets know it by. No cell is one that they would
    run: those get an apostrophe before them (OWASP, "CSV Injection")."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    rows = (row for result in results for row in rows_of(result))
    writer.writerows([COLUMNS, *([_harmless(cell) for cell in row] for row in rows)])
    return out.getvalue().encode("utf-8-sig", "replace")


def with_semicolons(data: bytes) -> bytes:
    """The same table for spreadsheets where a comma stands in numbers, as in German: they take it for no separator."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";").writerows(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    return out.getvalue().encode("utf-8-sig")


def rows_of(result: dict[str, Any]) -> Iterator[Row]:
    """One row a comment, or one for each piece of evidence behind it; of an essay without feedback, one that says why."""
    if error := result.get("error"):
        yield result["id"], None, None, None, None, error["message"], None, *NO_EVIDENCE, None
    evidence = {one["number"]: one for one in result.get("evidence", ())}
    for dimension in Dimension:
        for comment in (result.get(dimension.value) or {}).get("comments", ()):
            words = (comment["about"] or {}).get("text")
            said = comment["paragraph"], dimension.value, comment["number"], words, comment["text"], comment["instead"]
            for cited in comment["evidence"] or [None]:
                yield result["id"], *said, *_cited(cited, evidence), result.get("feedback")


def _cited(cited: dict[str, Any] | None, evidence: dict[int, dict[str, Any]]) -> Row:
    if cited is None:
        return NO_EVIDENCE
    one = evidence[cited["number"]]
    sentence = one["sentence"]
    chapter = dict.fromkeys(filter(None, [sentence["chapter_number"], sentence["chapter"]]))  # often the same
    return cited["number"], one["book_title"], " ".join(chapter), sentence["page_label"], cited["verdict"]


WRITTEN_AS: Mapping[str, Callable[[Iterable[dict[str, Any]]], bytes]] = {JSONL: jsonl_of, CSV: csv_of}


def _harmless(cell: str | int | None) -> str | int | None:
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA) else cell


def _results(key: BatchKey, essays: Iterable[BatchEssay], night: Night) -> Iterator[dict[str, Any]]:
    """One for each essay, in order: what is written on it, or why nothing is."""
    handed_in = load_essays(night.results, key)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from pool.map(lambda essay: _result(key, essay, handed_in.entries[essay.number], night), essays)


def _result(key: BatchKey, essay: BatchEssay, entry: Entry, night: Night) -> dict[str, Any]:
    if essay.state is EssayState.DONE:
        with suppress(NotFound):  # forgotten in this moment
            return load_result(night.results, key, essay.number)
    code, told = (essay.reason, essay.message) if essay.reason else LEFT
    return {"number": entry.number, "id": entry.id, "error": {"code": code, "message": str(told)}}
