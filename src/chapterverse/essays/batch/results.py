"""Results of a batch: a table for the teacher's page, and files with all feedback (JSON lines, CSV, one page per student).

Feedback in the bucket is never changed; teachers' choices are applied when a file is read."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context

from pydantic import TypeAdapter

from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.files import (
    CSV,
    HTML,
    JSONL,
    EssayError,
    NoResult,
    Result,
    batch_folder,
    forgotten_of,
    load_essays,
    load_result,
    page_name,
)
from chapterverse.essays.batch.model import BatchEssay, BatchKey, BatchState, EssayState
from chapterverse.essays.edits import NO_EDITS
from chapterverse.essays.history import visible_feedback
from chapterverse.essays.model import Origin, StoredFeedback
from chapterverse.essays.records import EvidenceResponse
from chapterverse.essays.render import feedback_html
from chapterverse.messages import message

OF_COMMENT = ("paragraph", "part", "kind", "number", "words", "comment", "instead")
OF_EVIDENCE = ("evidence", "book", "chapter", "page", "relation")
COLUMNS = ("id", *OF_COMMENT, *OF_EVIDENCE, "feedback")
FORMULA = re.compile(r"(^|[,;|\t\r\n])([\s\x00-\x1f\"'\u200b\ufeff]*)(?=[=+\-@＝＋－＠﹢﹣﹦﹫]|[\t\r])")
"""Where a spreadsheet may find a formula: at the beginning of a cell, or after what separates cells in any of its languages;
full-width signs count as plain ones. The cell is read with another separator than it was written for."""

LEFT = ("left", message("essay_left"))
AT_ONCE = 16  # objects read
Row = Sequence[str | int | None]
AnyResult = Result | NoResult
RESULT: TypeAdapter[AnyResult] = TypeAdapter(AnyResult)
NO_EVIDENCE: Row = (None,) * len(OF_EVIDENCE)


def collect(key: BatchKey, context: BatchContext) -> None:
    """Write the files with all feedback. Raises NotFound if the batch no longer exists."""
    essays, gone = context.store.essays(key), None
    while gone != forgotten_of(essays):  # an essay was deleted meanwhile: write the files again
        gone = forgotten_of(essays)
        results = list(_results(key, essays, context))
        for name, content in WRITTEN_AS.items():
            context.results.write(f"{batch_folder(key)}{name}", content(results))
        essays = context.store.essays(key)


def jsonl_of(results: Iterable[AnyResult]) -> bytes:
    """The results as JSON lines."""
    lines = (json.dumps(result.model_dump(mode="json"), ensure_ascii=False) + "\n" for result in results)
    return "".join(lines).encode("utf-8", "replace")


def csv_of(results: Iterable[AnyResult]) -> bytes:
    """The results as CSV with a header."""
    return csv_table([COLUMNS, *(row for result in results for row in rows_of(result))])


def csv_table(rows: Iterable[Row]) -> bytes:
    """The rows as CSV, in UTF-8 with the byte order mark that spreadsheets need. Cells that a spreadsheet could run as a
    formula get an apostrophe before its sign (OWASP, "CSV Injection")."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows([_harmless(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig", "replace")


def with_semicolons(data: bytes) -> bytes:
    """The CSV with semicolons, for spreadsheets in languages with decimal commas."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";").writerows(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    return out.getvalue().encode("utf-8-sig")


def rows_of(result: AnyResult) -> Iterator[Row]:
    """One row per comment, or per piece of evidence of a comment; for an essay without feedback, one row with the reason."""
    if isinstance(result, NoResult):
        yield result.id, None, None, None, None, None, result.error.message, None, *NO_EVIDENCE, None
        return
    evidence = {one.number: one for one in result.evidence}
    for one in result.comments:
        words = one.about.text if one.about else None
        cells: Row = (one.paragraph, one.part, one.kind, one.number, words, one.text, one.instead)
        for cited in [_cited(evidence[number]) for number in one.evidence if number in evidence] or [NO_EVIDENCE]:
            yield result.id, *cells, *cited, result.feedback


def _cited(one: EvidenceResponse) -> Row:
    chapter = dict.fromkeys(filter(None, [one.sentence.chapter_number, one.sentence.chapter]))  # often the same
    return one.number, one.book_title, " ".join(chapter), one.sentence.page_label, one.relation


WRITTEN_AS: Mapping[str, Callable[[Iterable[AnyResult]], bytes]] = {JSONL: jsonl_of, CSV: csv_of}


def _harmless(cell: str | int | None) -> str | int | None:
    return FORMULA.sub(r"\1'\2", cell) if isinstance(cell, str) else cell


def _results(key: BatchKey, essays: Iterable[BatchEssay], context: BatchContext) -> Iterator[AnyResult]:
    """The result of each essay, in order: feedback, or why there is none."""
    content = load_essays(context.results, key)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from pool.map(lambda essay: _result(key, essay, content.entries[essay.number], context), essays)


def _result(key: BatchKey, essay: BatchEssay, entry: EssayEntry, context: BatchContext) -> AnyResult:
    if essay.state is EssayState.DONE:
        with suppress(NotFound):  # deleted meanwhile
            return load_result(context.results, key, essay.number)
    code, text = (essay.reason, essay.message) if essay.reason else LEFT
    return NoResult(number=entry.number, id=entry.id, error=EssayError(code=code, message=str(text)))


def visible_results(key: BatchKey, name: str, context: BatchContext) -> bytes:
    """The file JSONL or CSV with teachers' choices. Raises NotFound."""
    chosen = {stored.origin: stored for stored in context.history.store.chosen_in(key)}
    if not chosen:
        return context.results.read(f"{batch_folder(key)}{name}")
    lines = context.results.read(f"{batch_folder(key)}{JSONL}").splitlines()
    results = (RESULT.validate_python(json.loads(line)) for line in lines)
    visible = (_visible_result(one, chosen.get(Origin(key.batch, one.number))) for one in results)
    return Context().run(WRITTEN_AS[name], visible)  # outside a request: files are in English


def visible_page(key: BatchKey, name: str, context: BatchContext) -> bytes:
    """One student's page with the teacher's choices. Raises NotFound."""
    page = context.results.read(f"{batch_folder(key)}{HTML}{name}")
    try:
        stored = context.history.store.on_essay(key.school, Origin(key.batch, int(name.partition("-")[0])))
    except NotFound:  # nothing is stored, or it has expired
        return page
    return (
        feedback_html(visible_feedback(stored)).encode("utf-8", "replace")
        if stored.choices or stored.edits != NO_EDITS
        else page
    )


def _visible_result(result: AnyResult, stored: StoredFeedback | None) -> AnyResult:
    if stored is None:
        return result
    try:
        return Result.of_essay(result.number, result.id, visible_feedback(stored))
    except NotFound as error:  # unreadable: no result is better than showing hidden evidence
        return NoResult(number=result.number, id=result.id, error=EssayError(code=error.code, message=str(error)))


PAGE = re.compile(r"[0-9]{4,}-[\w-]+\.html")


def files_of(key: BatchKey, context: BatchContext, *, unfinished: bool = False) -> list[str]:
    """Names of the result files: those of all essays, then one per student. Empty while the batch runs, unless `unfinished`;
    unfinished essays are marked in the files. Raises NotFound."""
    batch, folder = context.store.batch(key), batch_folder(key)
    state = batch.state(context.now())
    if state in (BatchState.WAITING, BatchState.RUNNING) and not unfinished:
        return []
    if state is BatchState.DONE:
        _see_to_files_of_all(key, context)
    else:
        collect(key, context)
    pages = [name.removeprefix(f"{folder}{HTML}") for name in context.results.names(f"{folder}{HTML}")]
    return [JSONL, CSV, *pages]


def read_file(key: BatchKey, name: str, context: BatchContext) -> bytes:
    """The content of a result file with the teachers' current choices. Raises NotFound."""
    batch = context.store.batch(key)
    if name in (JSONL, CSV):
        if batch.state(context.now()) is BatchState.DONE:
            _see_to_files_of_all(key, context)
        return visible_results(key, name, context)
    if PAGE.fullmatch(name):
        return visible_page(key, name, context)
    raise NotFound("no_such_batch_file")


def pages_of(key: BatchKey, context: BatchContext) -> list[tuple[int, str, str]]:
    """Number, id and page name of each essay, whether the page exists or not. Raises NotFound."""
    entries = load_essays(context.results, key).entries.values()
    return [(entry.number, entry.id, page_name(entry)) for entry in entries]


def _see_to_files_of_all(key: BatchKey, context: BatchContext) -> None:
    """Write the files of all essays if they are missing: their writer was killed, or an essay was deleted since."""
    if not context.results.names(f"{batch_folder(key)}{CSV}"):
        collect(key, context)
