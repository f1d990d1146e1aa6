"""What is sent and answered about batches of essays."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from chapterverse.essays.batch.model import BatchState, EssayState
from chapterverse.web.language import Words
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


class Batch(BaseModel):
    """How far a batch has come. left: essays that still wait. ready_at: by its pace so far, null where nobody can know. name:
    empty where it was handed in without one."""

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


class Batches(BaseModel):
    """The school's batches, newest first."""

    batches: list[Batch]


class BatchEssay(BaseModel):
    """An essay without feedback. number: of its line, row or file, from 1; id: as it was handed in; reason is a code."""

    number: int
    id: str
    state: EssayState
    reason: str | None
    message: Words | None


class ApproveEssaysRequest(Request):
    """Essays of the batch by their numbers: those without feedback, and those that students see already, are passed over."""

    essays: list[int] = Field(max_length=10_000)


class BeginBatchRequest(Request):
    """Which essays are to be done: those that wait, and if it is said so, those that failed, once more."""

    failed: bool = False


class Figures(BaseModel):
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
    figures: Figures | None


class Row(BatchEssay):
    """One essay. feedback: null where there is none, or none any more."""

    feedback: RowFeedback | None


class OneEssay(BatchEssay):
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

    essays: list[Row]


class BatchDetail(Batch):
    """unfinished: essays that failed or are left, and why."""

    unfinished: list[BatchEssay]


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
