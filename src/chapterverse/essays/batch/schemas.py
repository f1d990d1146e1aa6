"""HTTP requests about batches of essays, and their answers."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from chapterverse.essays.batch.model import BatchState, EssayBatch
from chapterverse.essays.batch.records import EssayResponse
from chapterverse.web.schemas import Request


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


class ApproveEssaysRequest(Request):
    """Essays of the batch by their numbers: those without feedback, and those that students see already, are passed over."""

    essays: list[int] = Field(max_length=10_000)


class BeginBatchRequest(Request):
    """Which essays are to be done: those that wait, and if it is said so, those that failed, once more."""

    failed: bool = False


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
    """ReadingUrls of files. jsonl: an essay a line; csv: a comment a row; null while essays are being done."""

    state: BatchState
    jsonl: str | None
    csv: str | None
    pages: list[Page]
