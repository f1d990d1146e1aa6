"""`chapterverse feedback`, and `chapterverse batch`: feedback on the essays of a class."""

from __future__ import annotations

import csv
import json
import os
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from chapterverse import composition
from chapterverse.cli.session import must_be_a_file, must_be_writable, read_essay, repaired_services, services, settings
from chapterverse.cli.terminal import Json, note, print_json, print_json_line, print_line, print_markdown, progress_bar
from chapterverse.core.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.essays.batch.context import BatchContext
    from chapterverse.essays.batch.entries import EssayEntry
    from chapterverse.essays.batch.model import BatchKey
    from chapterverse.essays.model import Feedback
    from chapterverse.essays.task import Rubric
    from chapterverse.infrastructure.local_queue import LocalQueue

Books = Annotated[list[str] | None, typer.Option("--book", help="Look in this book only; may be given more than once.")]

EssayFile = Annotated[
    Path, typer.Argument(metavar="ESSAY", help='Plain text, Word, OpenDocument or PDF; "-" is standard input.', allow_dash=True)
]

RubricFile = Annotated[
    Path | None,
    typer.Option(
        "--rubric",
        metavar="FILE|NAME",
        help="What the teacher looks for, a criterion a line, its weight last, or a table; or one of: "
        "argument, sources, story, explanation.",
    ),
]

TaskFile = Annotated[
    Path | None,
    typer.Option("--task", metavar="FILE", help="The question and instructions; what is copied from them is not searched for."),
]
PAGES = (".html", ".pdf")
ATTEMPTS = 5  # per essay; the command can be repeated
LOOK_SECONDS = 0.5  # between two checks of the progress
UNUSABLE, LEFT = 2, 1  # exit codes
LINES = (".jsonl", ".ndjson")
Essays = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="JSON lines (id, title, text, task), or a folder of text, Word, OpenDocument or PDF."),
]
Nice = Annotated[int, typer.Option(min=0, max=19, help="How far to give way to other programs on this machine.")]
Out = Annotated[Path | None, typer.Option(help="Folder for the feedback; by default next to FILE.")]


def feedback(
    essay: EssayFile,
    *,
    book: Books = None,
    as_json: Json = False,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to hand out: .html or .pdf.")] = None,
    grade: Annotated[
        int | None, typer.Option(min=3, max=13, help="School grade that it is written for; else the setting's.")
    ] = None,
    tone: Annotated[Literal["kind", "plain", "questions"] | None, typer.Option("--tone", help="How it speaks.")] = None,
    rubric: RubricFile = None,
    task: TaskFile = None,
    evidence: Annotated[bool, typer.Option("--evidence", help="Only find the books' sentences, as JSON with scores.")] = False,
) -> None:
    """Write feedback on an essay: content, with what the books say on each paragraph, expressions and features; then the
    evidence."""
    from chapterverse.core.book import BookId
    from chapterverse.core.hits import Scope
    from chapterverse.essays.model import Tone
    from chapterverse.essays.records import EssayEvidenceResponse, FeedbackResponse
    from chapterverse.essays.render import feedback_markdown
    from chapterverse.essays.service import FeedbackOptions, FeedbackRequest, evidence_on, feedback_on, get_ready
    from chapterverse.essays.task import WritingTask

    if output:
        must_be_writable(output.absolute().parent, output)
        if output.suffix.lower() not in PAGES:
            raise BadRequest("cli_output_form", path=output, endings=", ".join(PAGES))
    options = FeedbackOptions(
        grade=grade,
        tone=Tone(tone) if tone else None,
        rubric=rubric_at(rubric) if rubric else None,
        task=WritingTask(read_essay(task)) if task else None,
    )
    request = FeedbackRequest(read_essay(essay), Scope(settings().school, tuple(map(BookId, book or ()))), options)
    context = composition.essay_context(settings(), repaired_services())
    if evidence:
        print_json(EssayEvidenceResponse.of(evidence_on(request, context)).model_dump(mode="json"))
        return
    get_ready(context)
    given = feedback_on(request, context)
    if output:
        write_page(output, given)
    elif as_json:
        print_json(FeedbackResponse.of_feedback(given).model_dump(mode="json"))
    else:
        print_markdown(feedback_markdown(given))
    if any(said.id == "note_no_model" for said in given.notes):
        note("`chapterverse doctor` says why the language model could not be used.")
    if given.id:
        note(f"Stored for {context.history.days_for(settings().school)} days as {given.id}.")


def rubric_at(given: Path) -> Rubric:
    """The built-in rubric of that name, or the one in a file. Raises BadRequest."""
    from chapterverse.essays.task import BUILT_IN, read_rubric

    if (name := str(given)) in BUILT_IN or given.exists():
        text = name if name in BUILT_IN else read_essay(given)
        if given.suffix.lower() != ".csv":
            return read_rubric(text)
        first, *_ = lines = text.splitlines()
        return read_rubric("\n".join(map("\t".join, csv.reader(lines, delimiter=max(",;\t", key=first.count)))))
    raise BadRequest("cli_no_such_rubric", given=name, names=", ".join(BUILT_IN))


def write_page(path: Path, given: Feedback) -> None:
    """Write the feedback as a page, replacing an existing file."""
    from bookreader.drawing import draw_in_sandbox
    from chapterverse.citations.passages import highlighted_pages
    from chapterverse.essays.render import feedback_html, feedback_pdf

    if path.suffix.lower() == ".pdf":
        path.write_bytes(feedback_pdf(given, composition.printer(settings())))
    else:
        pages = highlighted_pages(given.evidence.evidence, settings().school, services(), draw_in_sandbox)
        path.write_bytes(feedback_html(given, pages).encode())


def batch(
    essays: Essays = None, *, out: Out = None, book: Books = None, task: TaskFile = None, nice: Nice = 10, as_json: Json = False
) -> None:
    """Write feedback on the essays of a class, up to 1,000. Run again, it continues; no essay is processed twice.

    Without a file it does the batches that were submitted over HTTP and not begun yet."""
    from chapterverse.essays.batch.service import begin_all, begin_batch, submit_batch
    from chapterverse.infrastructure.local_queue import LocalQueue

    set_task = read_essay(task) if task else ""
    entries = [replace(one, task=one.task or set_task) for one in entries_at(essays)] if essays else []
    if folder := out or (essays and essays.with_name(f"{essays.stem}-feedback")):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        must_be_writable(folder)
    os.nice(nice)  # interactive programs come first
    queue = LocalQueue(composition.ports.BATCH_AT_ONCE)
    context = composition.batch_context(settings(), repaired_services(), queue)
    context = replace(context, limits=replace(context.limits, attempts=ATTEMPTS))
    if essays:
        batches = [begin_batch(submit_batch(settings().school, entries, book or [], context).key, context)]
    elif not (batches := begin_all(context, settings().school)):
        note("No essays are waiting. Name a file or a folder to write feedback on its essays.")
    say_cost(sum(each.waiting for each in batches), context)
    work_off(queue, context, [each.key for each in batches])
    codes = [finish(each.key, context, folder, as_json) for each in batches]
    if any(codes):
        raise typer.Exit(max(codes))


def entries_at(path: Path) -> list[EssayEntry]:
    """The essays in a file or a folder. Raises BadRequest for another kind of file."""
    from chapterverse.essays.batch import entries
    from chapterverse.essays.text import text_in_sandbox

    if path.is_dir():
        files = sorted(each for each in path.iterdir() if each.suffix.lower() in entries.ENDINGS)
        return entries.entries_in_files(((each.name, each.read_bytes()) for each in files), text_in_sandbox)
    must_be_a_file(path)
    if path.suffix.lower() in LINES:
        return entries.entries_in_jsonl(path.read_bytes())
    raise BadRequest("cli_batch_file_kind", name=path.name, endings=", ".join(LINES))


def say_cost(essays: int, context: BatchContext) -> None:
    """Print what a language model will cost for so many essays, where its prices are set."""
    from chapterverse.core.paid_model import ESSAY

    paid = context.essays.writing.for_school(settings().school).paid
    if paid and (cost := essays * paid.price.micros(ESSAY)):
        note(f"{paid.name} costs about {cost / 1e6:.2f} for {essays} essays, and at most {paid.ceiling / 1e6:.2f} a day.")


def work_off(queue: LocalQueue, context: BatchContext, keys: list[BatchKey]) -> None:
    """Run tasks until none is left: all essays are done, failed, given up, or the window is over."""
    from chapterverse.essays.batch.service import run_batch_task

    queue.start(partial(run_batch_task, context=context))
    idle = False
    with progress_bar("essays") as bar:
        while not idle:
            with suppress(TimeoutError):
                queue.wait_until_idle(LOOK_SECONDS)
                idle = True
            batches = [context.store.batch(key) for key in keys]
            bar("feedback", sum(each.done + each.failed for each in batches), sum(each.essays for each in batches))
    queue.close()


def finish(key: BatchKey, context: BatchContext, out: Path | None, as_json: bool) -> int:
    """Write the feedback into the folder, print a summary, and return the exit code."""
    from chapterverse.essays.batch.files import JSONL, BatchDetail, pages_of, results_of
    from chapterverse.essays.batch.service import essays_of

    if out:
        for page in written_pages(out / JSONL):  # of an earlier run
            (out / page).unlink(missing_ok=True)
        for name, data in ((JSONL, results_of(key, context)), *pages_of(key, context)):
            (out / name).write_bytes(data)
    ended, unfinished = context.store.batch(key), [one for one in essays_of(key, context) if one.state != "done"]
    for one in unfinished:
        note(f"{one.id}: {one.message or 'left'}")
    if as_json:
        detail = BatchDetail.of(ended, context.now(), unfinished=unfinished).model_dump(mode="json")
        print_json_line(detail | {"folder": out and str(out)})
    else:
        where = f" The feedback is in {out}." if out else ""
        print_line(f"{ended.done} of {ended.essays} essays done, {ended.failed} failed, {ended.waiting} left.{where}")
    return LEFT if ended.waiting else UNUSABLE if ended.failed else 0


def written_pages(results: Path) -> list[str]:
    """Names of the pages that an earlier run wrote with these results; empty without readable results."""
    from chapterverse.essays.batch.entries import EssayEntry
    from chapterverse.essays.batch.files import page_name

    with suppress(OSError, ValueError, TypeError, KeyError):
        lines = [json.loads(line) for line in results.read_bytes().splitlines()]
        return [page_name(EssayEntry(int(each["number"]), str(each["id"]))) for each in lines]
    return []
