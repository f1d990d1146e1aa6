"""What is sent and answered about assignments of learning platforms, field by field.

Essays that are asked for in courses of learning platforms (LTI 1.3): who has handed in, and the way to the gradebook."""

from datetime import datetime
from http import HTTPStatus

from pydantic import BaseModel, Field

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.essays.history import feedback_of, find_own
from chapterverse.lti import assignments as grading
from chapterverse.lti.assignments import hand_in, refuse_other_books
from chapterverse.lti.model import Assignment as ModelAssignment
from chapterverse.lti.model import Score
from chapterverse.web.operations import ApiTopic, Call
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


topic = ApiTopic("Assignments")

OF_PLATFORMS = (errors.NotFound, errors.PlatformRefused, errors.PlatformUnavailable)


@topic.operation("GET", "/assignments", KeyScope.TEACHER)
def assignments(call: Call) -> Assignments:
    """All of the school's, newest first. They are made within Moodle or Canvas."""
    of_school = call.context.lti.store.assignments(call.caller.school)
    return Assignments(assignments=[_shown(each) for each in of_school])


@topic.operation("GET", "/assignments/{assignment}", KeyScope.STUDENT, errors.NotFound)
def assignment(call: Call, assignment: str) -> Assignment:
    """What is asked for."""
    return _shown(_found(call, assignment))


@topic.operation("GET", "/assignments/{assignment}/students", KeyScope.TEACHER, errors.NotFound)
def students(call: Call, assignment: str) -> Room:
    """Who is to hand in, by the course's own list, and who has."""
    parts = call.context
    room = grading.room_of(_found(call, assignment), tool=parts.lti, reception=parts.reception, history=parts.essays.history)
    return Room(students=[_seat(each) for each in room.seats], whole=room.whole)


@topic.operation("PUT", "/assignments/{assignment}/essay", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def hand_in_essay(call: Call, assignment: str, body: HandIn) -> None:
    """Hand in the essay that feedback was given on, in the place of what the same person has handed in before. Only people hand
    in: it needs a session, not a key."""
    if call.caller.person is None:
        raise errors.Forbidden("only_people_submit")
    if body.feedback is not None:
        given = feedback_of(find_own(call.caller.school, call.caller.person, body.feedback, call.context.essays.history))
        refuse_other_books(given.evidence.evidence, _found(call, assignment))
    hand_in(call.caller.school, assignment, call.caller.person, body.feedback, tool=call.context.lti, now=call.context.now())


@topic.operation("PUT", "/assignments/{assignment}/score", KeyScope.TEACHER, *OF_PLATFORMS)
def send_score(call: Call, assignment: str, body: ScoreRequest) -> SentScore:
    """Send a comment, and a score if there is one, to the course's gradebook. The same again changes nothing there."""
    of, now = _found(call, assignment), call.context.now()
    return _score(grading.send_score(of, body.student, body.given, body.comment, tool=call.context.lti, now=now))


def _found(call: Call, assignment: str) -> ModelAssignment:
    return call.context.lti.store.assignment(call.caller.school, assignment)


def _shown(each: ModelAssignment) -> Assignment:
    return Assignment.model_validate(each, from_attributes=True)


def _seat(seat: grading.Seat) -> Seat:
    essay = seat.essay
    return Seat(
        student=seat.subject,
        name=seat.name,
        email=seat.email,
        handed_in=essay.at if essay else None,
        feedback=seat.feedback,
        approved=seat.approved,
        score=_score(essay.score) if essay and essay.score else None,
    )


def _score(score: Score) -> SentScore:
    return SentScore.model_validate(score, from_attributes=True)
