"""Assignments of learning platforms (LTI 1.3) over HTTP: submissions of a course, and scores for its gradebook."""

from datetime import datetime
from http import HTTPStatus

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.essays.history import feedback_of, find_own
from chapterverse.lti import assignments as grading
from chapterverse.lti.model import Assignment, SentScore
from chapterverse.web.operations import ApiTopic, Call, Request


class AssignmentInfo(BaseModel):
    """An essay assignment of a course. books: the books to search; empty: all. most: the highest score."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    title: str
    instructions: str
    books: list[str]
    most: float
    created: datetime


class AssignmentList(BaseModel):
    """Newest first."""

    model_config = ConfigDict(from_attributes=True)

    assignments: list[AssignmentInfo]


class SubmissionRequest(Request):
    """The essay to submit."""

    feedback: str | None = Field(max_length=64, description="The id of the feedback on it; null if it is not stored.")


class ScoreRequest(Request):
    """An entry for the gradebook."""

    student: str = Field(max_length=255, description="The student's id, as in the roster.")
    given: float | None = Field(None, ge=0, description="The score; null: only a comment.")
    comment: str = Field("", max_length=2000)


topic = ApiTopic("Assignments")
OF_PLATFORMS = (errors.NotFound, errors.PlatformRefused, errors.PlatformUnavailable)


@topic.operation("GET", "/assignments", KeyScope.TEACHER)
def assignments(call: Call) -> AssignmentList:
    """The school's assignments, newest first. They are created in Moodle or Canvas."""
    return AssignmentList(assignments=list(map(_info, call.context.lti.store.assignments(call.caller.school))))


@topic.operation("GET", "/assignments/{assignment}", KeyScope.STUDENT, errors.NotFound)
def assignment(call: Call, assignment: str) -> AssignmentInfo:
    """One assignment."""
    return _info(_found(call, assignment))


@topic.operation("GET", "/assignments/{assignment}/students", KeyScope.TEACHER, errors.NotFound)
def students(call: Call, assignment: str) -> grading.Roster:
    """The course's roster, with the students' submissions."""
    context = call.context
    return grading.roster_of(
        _found(call, assignment), tool=context.lti, sign_in=context.sign_in, history=context.essays.history
    )


@topic.operation("PUT", "/assignments/{assignment}/essay", KeyScope.STUDENT, errors.NotFound, success=HTTPStatus.NO_CONTENT)
def hand_in_essay(call: Call, assignment: str, body: SubmissionRequest) -> None:
    """Submit the essay that has this feedback. It replaces the same person's earlier submission. Needs a session, not a key:
    only people submit."""
    if call.caller.person is None:
        raise errors.Forbidden("only_people_submit")
    if body.feedback is not None:
        given = feedback_of(find_own(call.caller.school, call.caller.person, body.feedback, call.context.essays.history))
        grading.refuse_other_books(given.evidence.evidence, _found(call, assignment))
    grading.submit(
        call.caller.school, assignment, call.caller.person, body.feedback, tool=call.context.lti, now=call.context.now()
    )


@topic.operation("PUT", "/assignments/{assignment}/score", KeyScope.TEACHER, *OF_PLATFORMS)
def send_score(call: Call, assignment: str, body: ScoreRequest) -> SentScore:
    """Send a comment, with or without a score, to the course's gradebook. Sending it again changes nothing there."""
    of, now = _found(call, assignment), call.context.now()
    return grading.send_score(of, body.student, body.given, body.comment, tool=call.context.lti, now=now)


def _found(call: Call, assignment: str) -> Assignment:
    return call.context.lti.store.assignment(call.caller.school, assignment)


def _info(each: Assignment) -> AssignmentInfo:
    return AssignmentInfo.model_validate(each)
