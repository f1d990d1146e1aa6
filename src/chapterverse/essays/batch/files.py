"""Files of a batch in the results bucket: names, reading, writing, deletion. They contain students' names and texts. The
feedback that teachers work on is in the catalog's database.

{school}/batches/{batch}/essays.json.gz      the submitted essays, and the books to search
                         each/{number}.json  the feedback on one essay, as soon as it is written
                         html/{number}-{id}.html
                         results.jsonl, results.csv    all feedback, once no essay is waiting

The essays of a batch and their results as JSON: for HTTP responses, `--json` and stored files."""

import gzip
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, Self

from pydantic import BaseModel, TypeAdapter

from chapterverse.core.book import BookId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.core.names import fingerprint, path_part, slug
from chapterverse.core.ports import Bucket
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.model import BatchEssay, BatchKey, EssayState, NamedEssay
from chapterverse.essays.history import remove_feedback
from chapterverse.essays.model import Feedback, Origin, Submission
from chapterverse.essays.records import FeedbackResponse
from chapterverse.essays.rubric import read_rubric
from chapterverse.essays.service import FeedbackOptions, FeedbackRequest
from chapterverse.essays.task import WritingTask
from chapterverse.messages import message
from chapterverse.messages.fields import Words


class EssayResponse(BaseModel):
    """An essay of a batch. number: of its line, row or file, from 1; id: as submitted; reason: an error code, null without an
    error."""

    number: int
    id: str
    state: EssayState
    reason: str | None
    message: Words | None

    @classmethod
    def of(cls, named: NamedEssay, /, **more: Any) -> Self:
        """The response for an essay and its submitted id. more: fields of a subclass."""
        essay = named.essay
        return cls(number=essay.number, id=named.id, state=essay.state, reason=essay.reason, message=essay.message, **more)


class Result(FeedbackResponse):
    """The stored feedback on an essay of a batch. id: as submitted; feedback: the id of the stored feedback."""

    number: int
    feedback: str | None

    @classmethod
    def of_essay(cls, number: int, id: str | None, feedback: Feedback) -> Self:
        """The result for the feedback on that essay."""
        return cls.of_feedback(feedback, number=number, feedback=feedback.id, id=id)


class EssayError(BaseModel):
    """Why an essay has no feedback."""

    code: str
    message: str


class NoResult(BaseModel):
    """An essay of a batch without feedback."""

    number: int
    id: str
    error: EssayError


BATCHES = "batches/"
JSONL, CSV, HTML = "results.jsonl", "results.csv", "html/"
FORGOTTEN, DELETED = "deleted", message("essay_deleted")  # error code and message of a deleted essay


@dataclass(frozen=True, slots=True)
class BatchOrder:
    """The assignment that a batch is for. is_held: a teacher releases the feedback; rubric: a criterion per line; owners:
    e-mail addresses of the students by the numbers of their essays; task: of essays without one of their own; earlier: id of
    the feedback on the version before, which does not make it another batch."""

    assignment: str
    is_held: bool
    rubric: str
    owners: Mapping[int, str]
    task: WritingTask | None = None
    earlier: str | None = None


@dataclass(frozen=True)
class BatchContent:
    """The essays of a batch by number, and the books to search, all of the school's if none is named. order: None outside
    assignments."""

    entries: dict[int, EssayEntry]
    books: tuple[str, ...]
    nbytes: int = 0
    order: BatchOrder | None = None

    def scope(self, school: str) -> Scope:
        """The search scope of the batch's essays."""
        return Scope(school, tuple(map(BookId, self.books)))


ORDER: TypeAdapter[BatchOrder | None] = TypeAdapter(BatchOrder | None)


def batch_folder(key: BatchKey) -> str:
    """Prefix of all files of a batch."""
    return f"{path_part(key.school)}/{BATCHES}{path_part(key.batch)}/"


def folder_of(name: str) -> str | None:
    """The batch's folder that contains this object, None if none does."""
    school, *rest = name.split("/")
    return f"{school}/{rest[0]}/{rest[1]}/" if len(rest) > 2 and f"{rest[0]}/" == BATCHES else None


def packed(entries: Iterable[EssayEntry], books: Sequence[str], order: BatchOrder | None = None) -> bytes:
    """The essays, books and order as bytes; equal content gives equal bytes."""
    value: dict[str, Any] = {"books": list(books), "essays": [_fields_of(entry) for entry in entries]}
    if order:
        value["order"] = {name: field for name, field in asdict(order).items() if name != "earlier" or field}
    return gzip.compress(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"), mtime=0)


def _fields_of(entry: EssayEntry) -> dict[str, Any]:
    """The entry's fields; without a task, those of the entries that were stored before there was one."""
    fields = asdict(entry)
    return fields if entry.task else {name: value for name, value in fields.items() if name != "task"}


def key_for(school: str, entries: Iterable[EssayEntry], books: Sequence[str], order: BatchOrder | None = None) -> BatchKey:
    """The key of the batch with this content."""
    data = packed(entries, books, order and replace(order, earlier=None))
    return BatchKey(school, sha256(gzip.decompress(data)).hexdigest()[:16])


def feedback_id(key: BatchKey, number: int) -> str:
    """The id of the feedback on an essay of an assignment, before it is written."""
    return fingerprint(key.school, key.batch, str(number), digits=32)


def essays_name(key: BatchKey) -> str:
    """Name of the file with the submitted essays."""
    return f"{batch_folder(key)}essays.json.gz"


def load_essays(bucket: Bucket, key: BatchKey) -> BatchContent:
    """The submitted essays. Raises NotFound."""
    data = gzip.decompress(bucket.read(essays_name(key)))
    value = json.loads(data.decode("utf-8", "surrogatepass"))
    entries = (EssayEntry(**fields) for fields in value["essays"])
    order = ORDER.validate_python(value.get("order"))
    return BatchContent({entry.number: entry for entry in entries}, tuple(value["books"]), len(data), order)


def save_result(bucket: Bucket, key: BatchKey, number: int, result: Result) -> None:
    """Store the feedback on one essay."""
    text = json.dumps(result.model_dump(mode="json"), ensure_ascii=False)
    bucket.write(_result_name(key, number), text.encode("utf-8", "surrogatepass"))


def load_result(bucket: Bucket, key: BatchKey, number: int) -> Result:
    """The feedback on one essay. Raises NotFound."""
    return Result.model_validate(json.loads(bucket.read(_result_name(key, number)).decode("utf-8", "surrogatepass")))


def page_name(entry: EssayEntry) -> str:
    """Name of one student's page; the number distinguishes students with the same id."""
    return f"{entry.number:04d}-{slug(entry.id)}.html"


def forget_words(bucket: Bucket, key: BatchKey, number: int) -> None:
    """Delete all files with the feedback on one essay: its own, and those of the whole batch, which are written again later."""
    for prefix in (_result_name(key, number), f"{batch_folder(key)}{HTML}{number:04d}-", *_of_all(key)):
        bucket.delete(prefix)


def forgotten_of(essays: Iterable[BatchEssay]) -> frozenset[int]:
    """Numbers of the essays that a teacher deleted."""
    return frozenset(essay.number for essay in essays if essay.reason == FORGOTTEN)


def without(entries: Iterable[EssayEntry], gone: Collection[int]) -> Iterator[EssayEntry]:
    """The entries, with those of the given numbers replaced by empty ones."""
    return (EssayEntry(one.number, str(one.number), problem=DELETED) if one.number in gone else one for one in entries)


def save_page(bucket: Bucket, key: BatchKey, entry: EssayEntry, page: str) -> None:
    """Store the page of one student."""
    bucket.write(f"{batch_folder(key)}{HTML}{page_name(entry)}", page.encode("utf-8", "replace"))


def prediction_folder(key: BatchKey) -> str:
    """Prefix of the files of a batch prediction."""
    return f"{batch_folder(key)}prediction/"


def _of_all(key: BatchKey) -> Iterator[str]:
    yield from (f"{batch_folder(key)}{name}" for name in (JSONL, CSV))
    yield prediction_folder(key)


def _result_name(key: BatchKey, number: int) -> str:
    return f"{batch_folder(key)}each/{number:04d}.json"


def clear_up(key: BatchKey, context: BatchContext) -> None:
    """Delete all files and feedback of a batch that no longer exists. Raises CatalogUnavailable, BucketUnavailable."""
    context.results.delete(batch_folder(key))
    context.history.store.remove_batch(key)


def forget_feedback(school: str, id: str, context: BatchContext) -> None:
    """Delete feedback at once, with its essay and annotations, also from its batch. Raises NotFound, EssayBusy,
    CatalogUnavailable, BucketUnavailable; can be repeated after an error."""
    if origin := context.history.store.find(school, id).origin:
        with suppress(NotFound):  # the batch is deleted already
            _forget_essay(BatchKey(school, origin.batch), origin.number, context)
    remove_feedback(school, id, context.history)


def _forget_essay(key: BatchKey, number: int, context: BatchContext) -> None:
    with context.store.claim(key, number):
        context.store.forget(key, number, FORGOTTEN, DELETED)
        forget_words(context.results, key, number)
        _forget_submitted_text(key, context)


def _forget_submitted_text(key: BatchKey, context: BatchContext) -> None:
    """Remove the texts of all deleted essays from the batch. The list is read again after each write, so that of two concurrent
    deletions none restores what the other removed."""
    written: frozenset[int] = frozenset()
    while (gone := forgotten_of(context.store.essays(key))) != written:
        content = load_essays(context.results, key)
        context.results.write(essays_name(key), packed(without(content.entries.values(), gone), content.books, content.order))
        written = gone


def content_of(key: BatchKey, context: BatchContext) -> BatchContent:
    """The submitted essays, cached per process. Raises NotFound."""
    return context.services.recent.get(("batch", key), lambda: load_essays(context.results, key))


def request_of(key: BatchKey, entry: EssayEntry, context: BatchContext) -> FeedbackRequest:
    """The request for feedback on one essay; the submitted title overrides the one in the text. Raises NotFound."""
    content = content_of(key, context)
    origin, options = Origin(key.batch, entry.number), FeedbackOptions()
    submission, task = Submission(origin=origin), WritingTask(entry.task) if entry.task else None
    if order := content.order:
        id = feedback_id(key, entry.number)
        submission = Submission(order.owners.get(entry.number), order.earlier, id, origin, is_held=order.is_held)
        options = FeedbackOptions(rubric=read_rubric(order.rubric) if order.rubric else None)
        task = task or order.task
    options = replace(options, task=task)
    return FeedbackRequest(entry.text, content.scope(key.school), options, submission, title=entry.title)
