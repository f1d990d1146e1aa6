"""What is sent and answered about assignments of learning platforms, field by field."""

from datetime import datetime

from pydantic import BaseModel, Field

from chapterverse.web.schemas import Request


class Assignment(BaseModel):
    """An essay that is asked for in a course. books: looked in, none: all; most: the highest score."""

    id: str
    title: str
    instructions: str
    books: list[str]
    most: float
    created: datetime


class Assignments(BaseModel):
    """Newest first."""

    assignments: list[Assignment]


class SentScore(BaseModel):
    """What the gradebook was sent. given: null where there was a comment alone."""

    given: float | None
    most: float
    comment: str
    at: datetime


class Seat(BaseModel):
    """A student. student: the learning platform's id; handed_in: when, null: not yet; feedback: the id that it is kept under,
    null: not (any more); approved: since when students may see it; score: what was sent of it."""

    student: str
    name: str
    email: str
    handed_in: datetime | None
    feedback: str | None
    approved: datetime | None
    score: SentScore | None


class Room(BaseModel):
    """By name. whole: whether that is all of the course; else the learning platform gave no list just now, and it is those who
    have handed in."""

    students: list[Seat]
    whole: bool


class HandIn(Request):
    """Which essay it is."""

    feedback: str | None = Field(max_length=64, description="The id of the feedback on it; null where none is kept.")


class ScoreRequest(Request):
    """What goes into the gradebook."""

    student: str = Field(max_length=255, description="As the list names them.")
    given: float | None = Field(None, ge=0, description="The score; null: a comment alone.")
    comment: str = Field("", max_length=2000)
