"""Essays that are asked for in courses of learning platforms (LTI 1.3): who has handed in, and the way to the gradebook."""

from http import HTTPStatus

from chapterverse import errors
from chapterverse.model import Assignment, KeyScope, Score
from chapterverse.usecases.kept_feedback import feedback_of
from chapterverse.usecases.lti import grading
from chapterverse.usecases.lti.assigning import hand_in, refuse_other_books
from chapterverse.usecases.own_feedback import find_own
from chapterverse.web import assignment_schemas as schemas
from chapterverse.web.operations import Call, Topic

topic = Topic("Assignments")

OF_PLATFORMS = (errors.NotFound, errors.PlatformRefused, errors.PlatformUnavailable)


@topic.operation("GET", "/assignments", KeyScope.TEACHER)
def assignments(call: Call) -> schemas.Assignments:
    """All of the school's, newest first. They are made within Moodle or Canvas."""
    of_school = call.parts.lti.store.assignments(call.caller.school)
    return schemas.Assignments(assignments=[_shown(each) for each in of_school])


@topic.operation("GET", "/assignments/{assignment}", KeyScope.STUDENT, errors.NotFound)
def assignment(call: Call, assignment: str) -> schemas.Assignment:
    """What is asked for."""
    return _shown(_found(call, assignment))


@topic.operation("GET", "/assignments/{assignment}/students", KeyScope.TEACHER, errors.NotFound)
def students(call: Call, assignment: str) -> schemas.Room:
    """Who is to hand in, by the course's own list, and who has."""
    parts = call.parts
    room = grading.room_of(_found(call, assignment), tool=parts.lti, reception=parts.reception, keeping=parts.keeping)
    return schemas.Room(students=[_seat(each) for each in room.seats], whole=room.whole)


@topic.operation("PUT", "/assignments/{assignment}/essay", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def hand_in_essay(call: Call, assignment: str, body: schemas.HandIn) -> None:
    """Hand in the essay that feedback was given on, in the place of what the same person has handed in before. Only people hand
    in: it needs a session, not a key."""
    if call.caller.person is None:
        raise errors.Forbidden("only_people_submit")
    if body.feedback is not None:
        given = feedback_of(find_own(call.caller.school, call.caller.person, body.feedback, call.parts.keeping))
        refuse_other_books(given.evidence.evidence, _found(call, assignment))
    hand_in(call.caller.school, assignment, call.caller.person, body.feedback, tool=call.parts.lti, now=call.parts.now())


@topic.operation("PUT", "/assignments/{assignment}/score", KeyScope.TEACHER, *OF_PLATFORMS)
def send_score(call: Call, assignment: str, body: schemas.ScoreRequest) -> schemas.SentScore:
    """Send a comment, and a score if there is one, to the course's gradebook. The same again changes nothing there."""
    of, now = _found(call, assignment), call.parts.now()
    return _score(grading.send_score(of, body.student, body.given, body.comment, tool=call.parts.lti, now=now))


def _found(call: Call, assignment: str) -> Assignment:
    return call.parts.lti.store.assignment(call.caller.school, assignment)


def _shown(each: Assignment) -> schemas.Assignment:
    return schemas.Assignment.model_validate(each, from_attributes=True)


def _seat(seat: grading.Seat) -> schemas.Seat:
    essay = seat.essay
    return schemas.Seat(
        student=seat.subject,
        name=seat.name,
        email=seat.email,
        handed_in=essay.at if essay else None,
        feedback=seat.feedback,
        approved=seat.approved,
        score=_score(essay.score) if essay and essay.score else None,
    )


def _score(score: Score) -> schemas.SentScore:
    return schemas.SentScore.model_validate(score, from_attributes=True)
