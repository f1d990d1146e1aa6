"""Requests and responses about batches of essays, and the result of one essay as it is stored and exported."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from chapterverse.essays.batch.model import BatchState, EssayBatch, EssayState, NamedEssay
from chapterverse.essays.model import Feedback
from chapterverse.essays.schemas import FeedbackResponse
from chapterverse.web.schemas import Request
from chapterverse.web.words import Words


class FolderRequest(Request):
    """A folder of the school's in the bucket that files are uploaded to, as {school}/{folder}/{name}.docx and the like."""

    folder: str = Field(min_length=1, max_length=255, pattern=r"^[\w-][\w.-]*$", description="Each file in it is an essay.")


class BatchQuery(Request):
    """How the essays are to be done."""

    books: str = Field("", max_length=4000, description="Look in these books only, names parted by commas; none: in all.")
    name: str = Field("", max_length=200, description="What the class or its task is called; given again, the new name counts.")
    start: Literal["night", "now"] = Field("night", description="In the school's next night, or at once; students come first.")


class FileQuery(Request):
    """How a file is written."""

    separator: Literal["comma", "semicolon"] = Field(
        "comma", description="Of the CSV's cells: spreadsheets in German want these."
    )


class BatchResponse(BaseModel):
    """How far a batch is. left: essays that still wait. ready_at: at its pace so far, null if unknown. name: empty if it was
    submitted without one."""

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

    @staticmethod
    def fields_of(batch: EssayBatch, now: datetime) -> dict[str, Any]:
        """The fields by name."""
        names = ("name", "essays", "done", "failed", "created", "began", "due")
        own = {"batch": batch.key.batch, "state": batch.state(now), "left": batch.waiting, "ready_at": batch.ready_at(now)}
        return {name: getattr(batch, name) for name in names} | own

    @classmethod
    def of(cls, batch: EssayBatch, now: datetime) -> "BatchResponse":
        """At that moment."""
        return BatchResponse.model_validate(cls.fields_of(batch, now))


class Batches(BaseModel):
    """The school's batches, newest first."""

    batches: list[BatchResponse]


class EssayResponse(BaseModel):
    """An essay of a batch. number: of its line, row or file, from 1; id: as it was submitted; reason: a code, null if nothing
    failed."""

    number: int
    id: str
    state: EssayState
    reason: str | None
    message: Words | None

    @staticmethod
    def fields_of(named: NamedEssay) -> dict[str, Any]:
        """The fields by name."""
        essay = named.essay
        own = {"number": essay.number, "state": essay.state, "reason": essay.reason, "message": essay.message}
        return own | {"id": named.id}

    @classmethod
    def of(cls, named: NamedEssay) -> "EssayResponse":
        """From an essay and its submitted id."""
        return EssayResponse.model_validate(cls.fields_of(named))


class ApproveEssaysRequest(Request):
    """Essays of the batch by their numbers: those without feedback, and those that students see already, are passed over."""

    essays: list[int] = Field(max_length=10_000)


class BeginBatchRequest(Request):
    """Which essays are to be done: those that wait, and if it is said so, those that failed, once more."""

    failed: bool = False


class FeedbackCounts(BaseModel):
    """Of feedback as it is shown. content, expressions, features: comments, null where none were asked for; contradicting:
    sentences of books that say otherwise than the essay."""

    paragraphs: int
    evidence: int
    content: int | None
    expressions: int | None
    features: int | None
    contradicting: int


class RowFeedback(BaseModel):
    """What was given on an essay. marks, choices: of teachers, how many; figures: null for what another version of chapterverse
    gave."""

    id: str
    created: datetime
    approved: datetime | None
    expires: datetime
    marks: int
    choices: int
    figures: FeedbackCounts | None


class EssayRow(EssayResponse):
    """One essay. feedback: null where there is none, or none any more."""

    feedback: RowFeedback | None


class OneEssay(EssayResponse):
    """One essay among the others. name: of its batch; place: from 1, of so many essays; previous, next: numbers, null at the
    ends; feedback: the id that it is kept under, null where there is none, or none any more."""

    name: str
    place: int
    essays: int
    previous: int | None
    next: int | None
    feedback: str | None


class Table(BaseModel):
    """A row an essay, by number."""

    essays: list[EssayRow]


class BatchDetail(BatchResponse):
    """unfinished: essays that failed or are left, and why."""

    unfinished: list[EssayResponse]


class Page(BaseModel):
    """Feedback on one essay, as a page to print. id: as it was handed in; feedback: the id that it is kept under, for
    GET /feedback/{feedback} and a teacher's marks, null where it is not (any more)."""

    number: int
    id: str
    address: str
    feedback: str | None


class Results(BaseModel):
    """Addresses of files. jsonl: an essay a line; csv: a comment a row; null while essays are being done."""

    state: BatchState
    jsonl: str | None
    csv: str | None
    pages: list[Page]


class Result(FeedbackResponse):
    """Feedback on an essay of a batch, as it is stored. id: the one that the essay was submitted with; feedback: the id of the
    stored feedback."""

    number: int
    feedback: str | None

    @classmethod
    def of_essay(cls, number: int, id: str | None, feedback: Feedback) -> "Result":
        """From feedback on that essay."""
        fields = cls.all_fields_of(feedback)
        return Result.model_validate(fields | {"number": number, "feedback": fields["id"], "id": id})


class Problem(BaseModel):
    """Why an essay has no feedback."""

    code: str
    message: str


class NoResult(BaseModel):
    """An essay of a batch without feedback."""

    number: int
    id: str
    error: Problem
