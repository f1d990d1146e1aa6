"""Classes with their students, assignments, and submissions."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field

from chapterverse.core.names import fingerprint
from chapterverse.core.requests import Record, Request

DEFAULT_POINTS = 100.0  # highest score of an assignment for which nobody chose one
MAX_TITLE, MAX_TASK, MAX_SOURCES, MAX_RUBRIC = 200, 4000, 20_000, 4000  # characters
Id = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")]


class SchoolClass(Record, frozen=True):
    """A class, or any other group of students, of a school."""

    id: str
    school: str
    name: str
    created: datetime


@dataclass(frozen=True, slots=True)
class ClassStudent:
    """A student of a class. name: as the teacher knows them, maybe a pseudonym; email: identifies the person here, at NOWHERE
    without an address of their own; code: signs in such a person, None for others. joined: by whom there is an account since,
    None: only the teacher has named them so far."""

    id: str
    school: str
    class_id: str
    email: str
    name: str
    code: str | None
    joined: datetime | None = None


@dataclass(frozen=True, slots=True)
class CourseServices:
    """Addresses of a learning platform's services for a link; empty: not offered. members_url: Names and Roles (NRPS 2.0);
    line_items_url, line_item_url, scopes: Assignment and Grade Services (AGS 2.0)."""

    members_url: str = ""
    line_items_url: str = ""
    line_item_url: str = ""
    scopes: tuple[str, ...] = ()


NO_SERVICES = CourseServices()


class Release(StrEnum):
    """When students see their feedback: after a teacher has released it, or at once."""

    BY_TEACHER = "by_teacher"
    AT_ONCE = "at_once"


class AssignmentDetails(Request):
    """What a teacher decides about an assignment. sources: texts that the task is about; rubric: a criterion per line; books:
    search only these; empty: all of the school's. release: when students see their feedback.

    A new field stands here, in Assignment, and in the page's form by the same name; all else passes it on as it is."""

    title: str = Field(min_length=1, max_length=MAX_TITLE, pattern=r"\S")
    instructions: str = Field("", max_length=MAX_TASK)
    sources: str = Field("", max_length=MAX_SOURCES)
    rubric: str = Field("", max_length=MAX_RUBRIC)
    books: tuple[Id, ...] = Field((), max_length=100)
    due: AwareDatetime | None = None
    release: Release = Release.BY_TEACHER


class AssignmentRequest(AssignmentDetails):
    """cost_limit: of the language model for all of it, in the currency of its prices; null: only that of the school's day.
    course_limit: of all assignments of its class or course. A limit that is left out stays as it is."""

    cost_limit: float | None = Field(None, ge=0, le=1e6)
    course_limit: float | None = Field(None, ge=0, le=1e6)


class NewAssignment(AssignmentRequest):
    """class_id: of an existing class; else a new one is made. class_name: its name, by default the title. key: any text that
    only this assignment has: sent again with the same title, it makes no second one."""

    class_id: Id | None = None
    class_name: str = Field("", max_length=200)
    key: str = Field("", max_length=64)


@dataclass(frozen=True, slots=True)
class Assignment:
    """An essay assignment. It belongs to a class here, or to a course of a learning platform.

    most: the highest score. platform, link, services: of the course, None and empty
    without one; link is the platform's id of its link, once it was opened. class_id: of the class, code: by which students join
    it; None for a course. The rest: see AssignmentDetails, whose limits a platform does not know."""

    id: str
    school: str
    platform: str | None
    title: str
    instructions: str
    books: tuple[str, ...]
    most: float
    created: datetime
    link: str = ""
    services: CourseServices = NO_SERVICES
    class_id: str | None = None
    code: str | None = None
    due: datetime | None = None
    sources: str = ""
    rubric: str = ""
    release: Release = Release.AT_ONCE

    @property
    def charged(self) -> tuple[str, ...]:
        """The ids of the sums that count what its essays cost: its own, and that of its class or course, if one is known."""
        course = self.class_id or (self.services.members_url and fingerprint(self.services.members_url, digits=32))
        return (self.id, course) if course else (self.id,)

    @property
    def is_held(self) -> bool:
        """Whether feedback waits until a teacher releases it."""
        return self.release is Release.BY_TEACHER


@dataclass(frozen=True, slots=True)
class SentScore:
    """An entry of the gradebook as it was sent. given: a score of at most `most`; null: only a comment. at: the time of the
    decision, by which the platform recognises a repetition (AGS 2.0, timestamp)."""

    given: float | None
    most: float
    comment: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AssignmentSubmission:
    """A student's last essay for an assignment. feedback: its id, also before it is written; None: it is not stored. score: as
    sent to the gradebook. batch, number: of its text as it was handed in here, None where a platform has it."""

    school: str
    assignment: str
    email: str
    feedback: str | None
    at: datetime
    score: SentScore | None = None
    batch: str | None = None
    number: int | None = None
