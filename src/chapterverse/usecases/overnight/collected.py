"""What is written on all essays of a batch, as one file for programs and one for spreadsheets."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from chapterverse.feedback.comments import Dimension
from chapterverse.model import BatchEssay, BatchKey, EssayState
from chapterverse.usecases.overnight.entries import Entry
from chapterverse.usecases.overnight.kept import CSV, JSONL, batch_folder, load_essays, load_result
from chapterverse.usecases.overnight.night import Night

COLUMNS = ("id", "paragraph", "dimension", "words", "comment", "instead", "evidence", "book", "chapter", "page", "verdict")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a cell may begin with that a spreadsheet runs
LEFT = ("left", "Its batch's time was over before its turn came. It is left for the next night.")
AT_ONCE = 16  # objects read
Row = Sequence[str | int | None]


def collect(key: BatchKey, night: Night) -> None:
    """Write both files, from what is kept now. Raises NotFound where the batch is gone."""
    results = list(_results(key, night))
    folder = batch_folder(key)
    night.results.write(f"{folder}{JSONL}", jsonl_of(results))
    night.results.write(f"{folder}{CSV}", csv_of(row for result in results for row in rows_of(result)))
    night.store.batch(key)  # removed meanwhile: what was just written goes, too


def jsonl_of(results: Iterable[dict[str, Any]]) -> bytes:
    """One object a line."""
    lines = (json.dumps(result, ensure_ascii=False) + "\n" for result in results)
    return "".join(lines).encode("utf-8", "replace")


def csv_of(rows: Iterable[Row]) -> bytes:
    """With a head; in UTF-8 with the mark that spreadsheets know it by. No cell is one that they would run: those get an
    apostrophe before them (OWASP, "CSV Injection")."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerows([COLUMNS, *([_harmless(cell) for cell in row] for row in rows)])
    return out.getvalue().encode("utf-8-sig", "replace")


def rows_of(result: dict[str, Any]) -> Iterator[Row]:
    """One row a comment, or one for each piece of evidence behind it; of an essay without feedback, one that says why."""
    if error := result.get("error"):
        yield result["id"], None, None, None, error["message"], *[None] * 6
    evidence = {one["number"]: one for one in result.get("evidence", ())}
    for dimension in Dimension:
        for comment in (result.get(dimension.value) or {}).get("comments", ()):
            words = (comment["about"] or {}).get("text")
            said = result["id"], comment["paragraph"], dimension.value, words, comment["text"], comment["instead"]
            for cited in comment["evidence"] or [None]:
                yield *said, *_cited(cited, evidence)


def _cited(cited: dict[str, Any] | None, evidence: dict[int, dict[str, Any]]) -> Row:
    if cited is None:
        return (None,) * 5
    one = evidence[cited["number"]]
    sentence = one["sentence"]
    chapter = " ".join(filter(None, [sentence["chapter_number"], sentence["chapter"]]))
    return cited["number"], one["book_title"], chapter, sentence["page_label"], cited["verdict"]


def _harmless(cell: str | int | None) -> str | int | None:
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULA) else cell


def _results(key: BatchKey, night: Night) -> Iterator[dict[str, Any]]:
    """One for each essay, in order: what is written on it, or why nothing is."""
    essays, handed_in = night.store.essays(key), load_essays(night.results, key)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from pool.map(lambda essay: _result(key, essay, handed_in.entries[essay.number], night), essays)


def _result(key: BatchKey, essay: BatchEssay, entry: Entry, night: Night) -> dict[str, Any]:
    if essay.state is EssayState.DONE:
        return load_result(night.results, key, essay.number)
    code, message = (essay.reason, essay.message) if essay.reason else LEFT
    return {"number": entry.number, "id": entry.id, "error": {"code": code, "message": message}}
