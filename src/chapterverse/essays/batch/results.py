"""What is written on all essays of a batch, as one file for programs and one for spreadsheets.

A batch as a table: a row an essay, with what a teacher looks for in it at a glance.

The files of a batch as teachers have its feedback shown: what was written at night stays, their choices lie over it.

The files that a teacher fetches."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from chapterverse.citations.model import VerdictKind
from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.context import Night
from chapterverse.essays.batch.entries import Entry
from chapterverse.essays.batch.files import (
    CSV,
    HTML,
    JSONL,
    batch_folder,
    forgotten_of,
    load_essays,
    load_result,
    page_name,
    result_of,
)
from chapterverse.essays.batch.model import BatchEssay, BatchKey, BatchState, EssayState
from chapterverse.essays.batch.service import essays_of, told_json
from chapterverse.essays.model import Dimension, KeptFeedback, Origin
from chapterverse.essays.records import feedback_shown
from chapterverse.essays.service import Feedback
from chapterverse.essays.writing.render import feedback_html
from chapterverse.messages import message

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


BYTES = 500  # of one, about


@dataclass(frozen=True, slots=True)
class Figures:
    """comments: by dimension, None where it was not asked for. contradicting: citations of sentences that say otherwise than
    the essay."""

    paragraphs: int
    evidence: int
    comments: tuple[int | None, ...]
    contradicting: int
    nbytes: int = BYTES


def class_table(key: BatchKey, night: Night) -> Iterator[dict[str, Any]]:
    """By number. feedback: null where none is there (any more). Raises NotFound, CatalogUnavailable, BucketUnavailable."""
    kept = {each.origin.number: each for each in night.keeping.store.in_batch(key, night.keeping.since) if each.origin}
    for one in essays_of(key, night):
        feedback = kept.get(one.essay.number)
        yield told_json(one) | {"feedback": _row_json(feedback, night) if feedback else None}


def one_of_class(key: BatchKey, number: int, night: Night) -> dict[str, Any]:
    """An essay among the others. feedback: the id that it is kept under, null where there is none (any more); previous, next:
    the numbers of those beside it, null at the ends. Raises as class_table does, and NotFound without such an essay."""
    batch, told = night.store.batch(key), list(essays_of(key, night))
    numbers = [one.essay.number for one in told]
    if number not in numbers:
        raise NotFound("no_essay_of_number", number=number)
    at = numbers.index(number)
    before, after = numbers[at - 1 : at], numbers[at + 1 : at + 2]
    return told_json(told[at]) | {
        "name": batch.name,
        "place": at + 1,
        "essays": len(numbers),
        "previous": before[0] if before else None,
        "next": after[0] if after else None,
        "feedback": night.keeping.ids_in(key).get(number),
    }


def figures_of(given: Feedback) -> Figures:
    """Of feedback as it is shown."""
    reviews = {review.dimension: review for review in given.reviews}
    comments = tuple(len(reviews[each].comments) if each in reviews else None for each in Dimension)
    cited = (one for review in given.reviews for comment in review.comments for one in comment.citations)
    against = sum(one.verdict.kind is VerdictKind.CONTRADICTS for one in cited)
    return Figures(len(given.evidence.paragraphs), len(given.evidence.evidence), comments, against)


def _row_json(kept: KeptFeedback, night: Night) -> dict[str, Any]:
    times = {"created": kept.created, "approved": kept.approved, "expires": night.keeping.until(kept)}
    return {
        "id": kept.id,
        **{name: at and at.isoformat() for name, at in times.items()},
        "marks": len(kept.marks),
        "choices": len(kept.choices),
        "figures": _figures_json(kept, night),
    }


def _figures_json(kept: KeptFeedback, night: Night) -> dict[str, Any] | None:
    """None of what another version of chapterverse gave. They are looked at again and again while a batch goes on, and reading
    feedback takes longer than all else."""
    key = ("figures", kept.id, kept.created, kept.choices)
    try:
        figures = night.services.recent.get(key, lambda: figures_of(feedback_shown(kept)))
    except NotFound:
        return None
    return {
        "paragraphs": figures.paragraphs,
        "evidence": figures.evidence,
        **dict(zip(Dimension, figures.comments, strict=True)),
        "contradicting": figures.contradicting,
    }


def all_as_shown(key: BatchKey, name: str, night: Night) -> bytes:
    """JSONL or CSV. Raises NotFound."""
    chosen = {kept.origin: kept for kept in night.keeping.store.chosen_in(key)}
    if not chosen:
        return night.results.read(f"{batch_folder(key)}{name}")
    results = map(json.loads, night.results.read(f"{batch_folder(key)}{JSONL}").splitlines())
    return WRITTEN_AS[name](_as_shown(one, chosen.get(Origin(key.batch, one["number"]))) for one in results)


def page_as_shown(key: BatchKey, name: str, night: Night) -> bytes:
    """The page of one student. Raises NotFound."""
    page = night.results.read(f"{batch_folder(key)}{HTML}{name}")
    try:
        kept = night.keeping.store.on_essay(key.school, Origin(key.batch, int(name.partition("-")[0])))
    except NotFound:  # nothing is to be kept here, or no longer
        return page
    return feedback_html(feedback_shown(kept)).encode("utf-8", "replace") if kept.choices else page


def _as_shown(result: dict[str, Any], kept: KeptFeedback | None) -> dict[str, Any]:
    if kept is None:
        return result
    try:
        return result_of(result["number"], result["id"], feedback_shown(kept))
    except NotFound as error:  # of another version of chapterverse: rather nothing than what a teacher has hidden
        return {"number": result["number"], "id": result["id"], "error": {"code": error.code, "message": str(error)}}


PAGE = re.compile(r"[0-9]{4,}-[\w-]+\.html")


def files_of(key: BatchKey, night: Night, *, unfinished: bool = False) -> list[str]:
    """Names of the files with the feedback: the two of all essays, then one a student; none while essays are being done, unless
    what is there is wanted unfinished. Those left say so in them. Raises NotFound."""
    batch, folder = night.store.batch(key), batch_folder(key)
    state = batch.state(night.now())
    if state in (BatchState.WAITING, BatchState.RUNNING) and not unfinished:
        return []
    if state is BatchState.DONE:
        _see_to_files_of_all(key, night)
    else:
        collect(key, night)
    pages = [name.removeprefix(f"{folder}{HTML}") for name in night.results.names(f"{folder}{HTML}")]
    return [JSONL, CSV, *pages]


def read_file(key: BatchKey, name: str, night: Night) -> bytes:
    """One of those, as teachers have its feedback shown now. Raises NotFound."""
    batch = night.store.batch(key)
    if name in (JSONL, CSV):
        if batch.state(night.now()) is BatchState.DONE:
            _see_to_files_of_all(key, night)
        return all_as_shown(key, name, night)
    if PAGE.fullmatch(name):
        return page_as_shown(key, name, night)
    raise NotFound("no_such_batch_file")


def pages_of(key: BatchKey, night: Night) -> list[tuple[int, str, str]]:
    """Number and id of each essay, and the name of its page, be it there or not. Raises NotFound."""
    entries = load_essays(night.results, key).entries.values()
    return [(entry.number, entry.id, page_name(entry)) for entry in entries]


def _see_to_files_of_all(key: BatchKey, night: Night) -> None:
    """Whoever was to write them was killed, or one of the essays was forgotten since."""
    if not night.results.names(f"{batch_folder(key)}{CSV}"):
        collect(key, night)
