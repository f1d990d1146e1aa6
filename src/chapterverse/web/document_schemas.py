"""Questions on documents, field by field."""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from chapterverse.model import Collection, Thumb
from chapterverse.web.answer_schemas import AnswerBody, Following
from chapterverse.web.schemas import FileRequest, Name, Progress, Request, Upload, refuse_ending
from chapterverse.web.words import Words

MOST_DAYS = 366


class DocumentRequest(FileRequest):
    """A document that is to be sent to an address of its own: a PDF (.pdf), or a zip of a folder of pages (.zip)."""

    @field_validator("file_name")
    @classmethod
    def _is_taken_in(cls, name: str) -> str:
        refuse_ending(name, Collection.DOCUMENTS)
        return name


class DocumentAccepted(BaseModel):
    """A document on its way. progress: where to ask how far it is; events: the same as server-sent events, as it happens;
    upload: where the file has yet to be sent, null where it came along."""

    document: str
    progress: str
    events: str
    upload: Upload | None = None


class Document(BaseModel):
    """One document and how far it has come. department: whose it is at the help desk, null: everybody's. chunks: of the version
    that is searched, null before there is one. topics: what it is about."""

    document: str
    title: str
    file: str
    department: str | None
    created: datetime | None
    state: str
    progress: Progress | None
    reason: str | None
    message: Words | None
    chunks: int | None
    topics: list[str]


class Documents(BaseModel):
    """By title."""

    documents: list[Document]


class QuestionRequest(Following):
    """documents: only these, by their ids; none: all of the school's."""

    question: str = Field(min_length=1, max_length=20_000, pattern=r"\w")
    documents: list[Annotated[str, Field(min_length=1, max_length=255)]] = Field(default=[], max_length=500)
    topics: list[Name] = Field(default=[], max_length=20, description="Only documents about one of these.")


class Score(BaseModel):
    """How near a chunk is to the question, in both readings of S2: the cosine, which the bands are measured by, and the seed's
    formula, 1 / (1 + d²)."""

    cosine: float
    inverse_distance: float


class DocumentAnswer(AnswerBody):
    """id: by which it can be given a thumb. scores: of the three chunks found, the nearest first, whatever they are."""

    id: str
    scores: list[Score]


class ThumbRequest(Request):
    """What the user thinks of an answer. question: handed in to be kept with it, as a case for evaluations; nothing that was
    asked is kept otherwise."""

    thumb: Thumb
    question: str | None = Field(default=None, min_length=1, max_length=4000)


class AnswersQuery(BaseModel):
    """Of which application, and how many days back, today included."""

    model_config = ConfigDict(frozen=True)

    application: Literal["documents", "textbook", "helpdesk"] | None = None
    days: int = Field(default=30, ge=1, le=MOST_DAYS)


class Spread(BaseModel):
    """Below how much a quarter, half and three quarters of the figures are."""

    lower: float
    median: float
    upper: float


class AnswerTimes(BaseModel):
    """Seconds that half of the answers, and 95 of 100, took at most."""

    p50: float
    p95: float


class AnswerFigures(BaseModel):
    """Of some answers: mean: of the cosines of all that was found, best: of the best ones; low: answers that say nothing or are
    hardly sure; similarity: of the answers' own means; times: from the question to the whole answer. Each is null where
    there is nothing to take it of."""

    answers: int
    mean: float | None
    best: float | None
    low: int
    low_share: float | None
    relevance: float | None
    up: int
    down: int
    similarity: Spread | None
    times: AnswerTimes | None


class DayFigures(AnswerFigures):
    """Of one day, UTC."""

    day: date


class IntentFigures(AnswerFigures):
    """Of one kind of question."""

    intent: str


class QueryCache(BaseModel):
    """Questions that this process has embedded since its start, of every school, and those whose vectors it knew."""

    asked: int
    hits: int
    hit_rate: float | None


class AnswerMetrics(BaseModel):
    """doubtful: whether the mean of all is below 0.4 (S2, "Production Monitoring Plan"). query_cache: null where there is
    none."""

    total: AnswerFigures
    days: list[DayFigures]
    intents: list[IntentFigures]
    doubtful: bool
    query_cache: QueryCache | None
