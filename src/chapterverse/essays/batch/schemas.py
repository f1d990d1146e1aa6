"""HTTP requests about batches of essays, and their responses."""

from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, Field

from chapterverse.essays.batch.model import BatchState, EssayBatch
from chapterverse.essays.batch.records import EssayResponse
from chapterverse.web.operations import Request


class BatchQuery(Request):
    """Options of a new batch."""

    books: str = Field("", max_length=4000, description="Search only these books, separated by commas; empty: all.")
    name: str = Field("", max_length=200, description="Name of the class or task; a later submission replaces it.")
    start: Literal["night", "now"] = Field(
        "night",
        description="`night`: at the school's scheduled time; `now`: at once. Students' requests have priority.",
    )


class FileQuery(Request):
    """Options of a result file."""

    separator: Literal["comma", "semicolon"] = Field(
        "comma", description="Of the CSV's cells; German spreadsheets need semicolons."
    )


class BatchResponse(BaseModel):
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
        return cls(
            batch=batch.key.batch,
            name=batch.name,
            state=batch.state(now),
            essays=batch.essays,
            done=batch.done,
            failed=batch.failed,
            left=batch.waiting,
            created=batch.created,
            began=batch.began,
            due=batch.due,
            ready_at=batch.ready_at(now),
            **more,
        )


class Batches(BaseModel):
    """The school's batches, newest first."""

    batches: list[BatchResponse]


class BeginBatchRequest(Request):
    """Which essays to do: those that wait, and with `failed` those that failed, too."""

    failed: bool = False


class BatchDetail(BatchResponse):
    """The progress of a batch. unfinished: essays that failed or are left, and why."""

    unfinished: list[EssayResponse]


class Page(BaseModel):
    """The feedback on one essay as a page to print. id: as submitted; feedback: the id of the stored feedback, for GET
    /feedback/{feedback}, null if there is none (any more)."""

    number: int
    id: str
    address: str
    feedback: str | None


class Results(BaseModel):
    """Addresses of the result files. jsonl: one essay per line; csv: one comment per row; null while the batch runs."""

    state: BatchState
    jsonl: str | None
    csv: str | None
    pages: list[Page]
