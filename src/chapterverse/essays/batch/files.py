"""The essays of a batch in the results bucket: names, reading, writing, deletion; and the feedback on them as files: JSON
lines, and one page per student. The files are made when they are read, from the stored feedback with the teachers' choices.

{school}/batches/{batch}/essays.json.gz      the submitted essays with students' names, and the books to search"""

import gzip
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Self

from chapterverse.core.book import BookId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.core.names import fingerprint, path_part, slug
from chapterverse.core.ports import Bucket
from chapterverse.core.requests import Record, adapter
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.model import BatchEssay, BatchKey, BatchState, EssayBatch, EssayState
from chapterverse.essays.history import visible_feedback
from chapterverse.essays.model import Origin, StoredFeedback, Submission
from chapterverse.essays.records import FeedbackResponse
from chapterverse.essays.render import feedback_html
from chapterverse.essays.service import FeedbackOptions, FeedbackRequest
from chapterverse.essays.task import WritingTask, read_rubric
from chapterverse.library.scope import known_empty
from chapterverse.messages import message

BATCHES = "batches/"
JSONL = "results.jsonl"
FORGOTTEN, DELETED = "deleted", message("essay_deleted")  # error code and message of a deleted essay
LEFT = ("left", message("essay_left"))


class BatchResponse(Record):
    """The progress of a batch. left: essays that still wait. ready_at: estimated from its pace, null if unknown. name: empty if
    it was submitted without one."""

    batch: str
    name: str
    state: BatchState
    essays: int
    done: int
    failed: int
    left: int
    created: datetime
    began: datetime | None
    due: datetime | None
    ready_at: datetime | None

    @classmethod
    def of(cls, batch: EssayBatch, now: datetime, /, **more: Any) -> Self:
        """The progress at that moment. more: fields of a subclass."""
        same = {name: getattr(batch, name) for name in ("name", "essays", "done", "failed", "created", "began", "due")}
        at_that_moment = {"left": batch.waiting, "state": batch.state(now), "ready_at": batch.ready_at(now)}
        return cls(batch=batch.key.batch, **same, **at_that_moment, **more)


class BatchDetail(BatchResponse):
    """The progress of a batch. unfinished: essays that failed or are left, and why."""

    unfinished: list[BatchEssay]


class Result(FeedbackResponse):
    """The stored feedback on an essay of a batch. id: as submitted; feedback: the id of the stored feedback."""

    number: int
    feedback: str | None


class EssayError(Record):
    """Why an essay has no feedback."""

    code: str
    message: str


class NoResult(Record):
    """An essay of a batch without feedback."""

    number: int
    id: str
    error: EssayError


@dataclass(frozen=True, slots=True)
class BatchOrder:
    """The assignment that a batch is for. is_held: a teacher releases the feedback; rubric: a criterion per line; owners:
    e-mail addresses of the students by the numbers of their essays; task: of essays without one of their own; earlier: ids of
    the feedback on the versions before, by the same numbers; charged: see PaidModel. These two do not make it another batch."""

    assignment: str
    is_held: bool
    rubric: str
    owners: Mapping[int, str]
    task: WritingTask | None = None
    earlier: Mapping[int, str] | None = None
    charged: tuple[str, ...] = ()


@dataclass(frozen=True)
class BatchContent:
    """What was submitted, as it is stored: the essays by number, and the books to search, all of the school's if none is named.
    order: None outside assignments."""

    entries: dict[int, EssayEntry]
    books: tuple[str, ...]
    order: BatchOrder | None = None
    version: int = 1

    @property
    def nbytes(self) -> int:
        return sum(len(each.text) for each in self.entries.values())


def batch_folder(key: BatchKey) -> str:
    return f"{path_part(key.school)}/{BATCHES}{path_part(key.batch)}/"


def folder_of(name: str) -> str | None:
    """The batch's folder that contains this object, None if none does."""
    school, *rest = name.split("/")
    return f"{school}/{rest[0]}/{rest[1]}/" if len(rest) > 2 and f"{rest[0]}/" == BATCHES else None


def packed(content: BatchContent) -> bytes:
    """The content as bytes; equal content gives equal bytes."""
    return gzip.compress(adapter(BatchContent).dump_json(content), mtime=0)


def key_for(school: str, content: BatchContent) -> BatchKey:
    """The key of the batch with this content; the batch before it, and what is paid already, do not count."""
    same = replace(content, order=content.order and replace(content.order, earlier=None))
    as_json = adapter(BatchContent).dump_json(same, exclude={"order": {"charged"}})
    return BatchKey(school, sha256(as_json).hexdigest()[:16])


def feedback_id(key: BatchKey, number: int) -> str:
    """The id of the feedback on an essay, before it is written."""
    return fingerprint(key.school, key.batch, str(number), digits=32)


def essays_name(key: BatchKey) -> str:
    return f"{batch_folder(key)}essays.json.gz"


def load_essays(bucket: Bucket, key: BatchKey) -> BatchContent:
    """The submitted essays. Raises NotFound."""
    return adapter(BatchContent).validate_json(gzip.decompress(bucket.read(essays_name(key))))


def page_name(entry: EssayEntry) -> str:
    """Name of one student's page; the number distinguishes students with the same id."""
    return f"{entry.number:04d}-{slug(entry.id)}.html"


def prediction_folder(key: BatchKey) -> str:
    return f"{batch_folder(key)}prediction/"


def clear_up(key: BatchKey, context: BatchContext) -> None:
    """Delete all files and feedback of a batch that no longer exists. Raises CatalogUnavailable, BucketUnavailable."""
    context.results.delete(batch_folder(key))
    context.history.store.remove_batch(key)


def forget_feedback(school: str, id: str, context: BatchContext) -> None:
    """Delete feedback at once, with its essay and annotations, also from its batch. Raises NotFound, EssayBusy,
    CatalogUnavailable, BucketUnavailable; can be repeated after an error."""
    if origin := context.history.store.find(school, id).origin:
        with suppress(NotFound):  # the batch is deleted already
            key = BatchKey(school, origin.batch)
            with context.store.claim(key, origin.number):
                context.store.note(key, origin.number, EssayState.FAILED, FORGOTTEN, DELETED, anyway=True)
                context.results.delete(prediction_folder(key))
                _forget_submitted_text(key, context)
    context.history.store.remove(school, id)


def _forget_submitted_text(key: BatchKey, context: BatchContext) -> None:
    """Put empty entries in place of all deleted essays of the batch. The list is read again after each write, so that of two
    concurrent deletions none restores what the other removed."""
    written: list[int] = []
    while (gone := [each.number for each in context.store.essays(key) if each.reason == FORGOTTEN]) != written:
        content = load_essays(context.results, key)
        empty = {number: EssayEntry(number, str(number), problem=DELETED) for number in gone}
        context.results.write(essays_name(key), packed(replace(content, entries=content.entries | empty)))
        written = gone


def content_of(key: BatchKey, context: BatchContext) -> BatchContent:
    """The submitted essays, cached per process. Raises NotFound."""
    return context.services.recent.get(("batch", key), lambda: load_essays(context.results, key))


def scope_of(key: BatchKey, context: BatchContext) -> Scope:
    """The search scope of the batch's essays; for an assignment it may be empty. Raises NotFound."""
    content = content_of(key, context)
    scope = Scope(key.school, tuple(map(BookId, content.books)))
    return known_empty(scope, context.services.catalog) if content.order else scope


def request_of(key: BatchKey, entry: EssayEntry, context: BatchContext) -> FeedbackRequest:
    """The request for feedback on one essay; the submitted title overrides the one in the text. Raises NotFound."""
    submission = Submission(id=feedback_id(key, entry.number), origin=Origin(key.batch, entry.number))
    options = FeedbackOptions(task=WritingTask(entry.task) if entry.task else None)
    if order := content_of(key, context).order:
        owner, earlier = order.owners.get(entry.number), (order.earlier or {}).get(entry.number)
        submission = replace(submission, owner=owner, version_of=earlier, is_held=order.is_held)
        options = FeedbackOptions(rubric=read_rubric(order.rubric) if order.rubric else None, task=options.task or order.task)
    charged = order.charged if order else ()
    return FeedbackRequest(entry.text, scope_of(key, context), options, submission, title=entry.title, charged=charged)


def results_of(key: BatchKey, context: BatchContext) -> bytes:
    """The result of each essay as a line of JSON, in order and in English: feedback with the teachers' current choices, or why
    there is none. Raises NotFound."""
    essays, entries, stored = context.store.essays(key), load_essays(context.results, key).entries, stored_of(key, context)
    found = (_result(essay, entries[essay.number].id, stored.get(essay.number)) for essay in essays)
    told = Context().run(lambda: [one.model_dump(mode="json") for one in found])
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in told).encode("utf-8", "replace")


def _result(essay: BatchEssay, id: str, stored: StoredFeedback | None) -> Result | NoResult:
    code, text = (essay.reason, essay.message) if essay.reason else LEFT
    if stored and essay.state is EssayState.DONE:
        try:
            return Result.of_feedback(visible_feedback(stored), number=essay.number, feedback=stored.id, id=id)
        except NotFound as error:  # written by another version in an unknown form
            code, text = error.code, error.message
    return NoResult(number=essay.number, id=id, error=EssayError(code=code, message=str(text)))


def stored_of(key: BatchKey, context: BatchContext) -> dict[int, StoredFeedback]:
    """The feedback on the batch's essays, by number."""
    found = context.history.store.in_batch(key, since=datetime.min.replace(tzinfo=UTC))
    return {each.number: each for each in found if each.number}


def pages_of(key: BatchKey, context: BatchContext) -> Iterator[tuple[str, bytes]]:
    """Name and content of the page of each essay that has feedback, as in results_of. Raises NotFound."""
    stored = stored_of(key, context)
    for entry in load_essays(context.results, key).entries.values():
        if entry.number in stored:
            page = Context().run(feedback_html, visible_feedback(stored[entry.number]))
            yield page_name(entry), page.encode("utf-8", "replace")
