"""HTTP: classes, assignments, what students submit for them, and scores for a learning platform's gradebook."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Self

from flask import Response
from pydantic import Field

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.assignments import model, overview, service
from chapterverse.assignments.overview import class_archive
from chapterverse.assignments.service import is_nowhere, written_code
from chapterverse.core import errors
from chapterverse.core.requests import Record, Request, Words
from chapterverse.essays.batch.api import TAKES, ZIP, read_entries
from chapterverse.library.schemas import Name
from chapterverse.lti.hand_ins import report_again
from chapterverse.lti.launching import roster_of_course
from chapterverse.lti.launching import send_score as send
from chapterverse.messages import ENGLISH
from chapterverse.web.language import in_readers_words, readers_language
from chapterverse.web.operations import ApiTopic, Call


class UploadQuery(Request):
    """Options of an upload."""

    replace: bool = Field(
        False, strict=False, description="Store it also where students have handed in another text, or are new."
    )


class ClassStudentInfo(Record):
    """A student of a class. email: null for a student without one; code: the personal code that signs such a student in;
    joined: null if nobody has signed in as the student yet."""

    id: str
    name: str
    email: str | None
    code: str | None
    joined: datetime | None

    @classmethod
    def of(cls, student: model.ClassStudent) -> Self:
        """The response for a student."""
        email, code = None if is_nowhere(student.email) else student.email, student.code and written_code(student.code)
        return cls(id=student.id, name=student.name, email=email, code=code, joined=student.joined)


class ClassDetail(model.SchoolClass):
    """A class with its students, by name. skipped: lines of the list that were left out: their students are in the class
    already; wrong: those that hold no e-mail address where one should be."""

    students: list[ClassStudentInfo]
    skipped: int = 0
    wrong: tuple[str, ...] = ()


class AssignmentInfo(model.AssignmentDetails, extra="ignore"):
    """An essay assignment of a class or a course. most: the highest score. join_code: by which students join the class; null
    for a course, and for students."""

    id: str
    most: float
    created: datetime
    class_id: str | None
    join_code: str | None

    @classmethod
    def of(cls, assignment: model.Assignment, role: KeyScope = KeyScope.TEACHER) -> "AssignmentInfo":
        """The response for an assignment. role: of the reader."""
        own = {name: getattr(assignment, name) for name in cls.model_fields if name != "join_code"}
        may_invite = assignment.code and role is not KeyScope.STUDENT
        code = written_code(assignment.code) if assignment.code and may_invite else None
        return cls.model_construct(**own, join_code=code)  # a platform's titles have no limits


class SubmissionInfo(Record):
    """A student's essay for an assignment. handed_in: when; feedback: its id, which the student may read, null: not written or
    not released yet; failed_because: why there will be none."""

    handed_in: datetime
    feedback: str | None
    failed_because: Words | None


class ScoreRequest(Request):
    """An entry for the gradebook."""

    student: str = Field(max_length=255, description="The student's id, as in the roster.")
    given: float | None = Field(None, ge=0, description="The score; null: only a comment.")
    comment: str = Field("", max_length=2000)


class Released(Record):
    """feedback: the ids whose state has changed; the same request with them and `released` reversed undoes it."""

    feedback: list[str]
    released: bool


class Uploaded(Record):
    """essays: how many will get feedback; problems: why others will not, each after its student."""

    essays: int
    problems: list[str]


FeedbackIds = Annotated[list[Name] | None, Field(max_length=1000)]
ClassName = Annotated[str, Field(min_length=1, max_length=200)]
ListOfNames = Annotated[str, Field(min_length=1, max_length=100_000)]
topic = ApiTopic("Assignments")
classes_topic = ApiTopic("Classes")
ARCHIVE = {ZIP: {"type": "string", "format": "binary", "description": "A file per student."}}
TABLE = {"text/csv": {"type": "string", "description": "A row per student."}}


@topic.operation("GET", "/assignments", KeyScope.TEACHER, field="assignments")
def assignments(call: Call) -> list[AssignmentInfo]:
    """The school's assignments, newest first, also those that were created in Moodle or Canvas."""
    return [AssignmentInfo.of(each) for each in call.context.assignments.assignments(call.school)]


@topic.operation("POST", "/assignments", KeyScope.TEACHER, success=HTTPStatus.CREATED)
def new_assignment(call: Call, body: model.NewAssignment) -> AssignmentInfo:
    """Create an assignment for a class, with a code by which students join."""
    return AssignmentInfo.of(service.create_assignment(call.school, body, call.context.coursework))


@topic.operation("GET", "/assignments/{assignment}", KeyScope.STUDENT)
def assignment(call: Call, assignment: str) -> AssignmentInfo:
    """One assignment. Students see those of their classes, and those of courses."""
    return AssignmentInfo.of(found_assignment(call, assignment), call.caller.role)


@topic.operation("PUT", "/assignments/{assignment}", KeyScope.TEACHER)
def change_assignment(call: Call, assignment: str, body: model.AssignmentRequest) -> AssignmentInfo:
    """Change an assignment. Feedback that is written already stays as it is."""
    of = found_assignment(call, assignment)
    return AssignmentInfo.of(service.change_assignment(of, body, call.context.coursework))


@topic.operation("DELETE", "/assignments/{assignment}", KeyScope.TEACHER)
def remove_assignment(call: Call, assignment: str) -> None:
    """Remove an assignment with its list of submissions. Feedback stays until it expires."""
    call.context.assignments.remove_assignment(call.school, assignment)


@topic.operation("GET", "/assignments/{assignment}/cost", KeyScope.TEACHER)
def assignment_cost(call: Call, assignment: str) -> service.AssignmentCost:
    """What the language model has cost for an assignment, and about how much the essays of its class will. Not found without a
    language model whose prices are set."""
    if cost := service.cost_of(found_assignment(call, assignment), call.context.coursework):
        return cost
    raise errors.NotFound("assignment_costs_nothing")


@topic.operation("GET", "/assignments/{assignment}/students", KeyScope.TEACHER)
def students(call: Call, assignment: str) -> overview.Roster:
    """The students of the class or the course, with their submissions."""
    return roster_for(call, found_assignment(call, assignment))


@topic.operation("GET", "/assignments/{assignment}/students.csv", KeyScope.TEACHER, media=TABLE)
def students_table(call: Call, assignment: str) -> Response:
    """A row per student: name, time of submission, progress, version, first need, numbers of comments and evidence, grade,
    note, version with these, points, the most that they can be, and the level of each criterion."""
    separator = "," if readers_language() == ENGLISH else ";"  # German spreadsheets need semicolons
    data = overview.csv_of_roster(roster_for(call, found_assignment(call, assignment)), separator)
    as_file = {"Content-Disposition": 'attachment; filename="students.csv"'}
    return Response(data, headers=as_file, content_type="text/csv; charset=utf-8")


@topic.operation("GET", "/assignments/{assignment}/feedback.zip", KeyScope.TEACHER, media=ARCHIVE)
def class_feedback(call: Call, assignment: str) -> Response:
    """The feedback on every essay as a PDF a student, and the table of students, as they are now."""
    roster = roster_for(call, found_assignment(call, assignment))
    parts = class_archive(call.school, roster, call.context.coursework, call.context.printer, readers_language())
    as_file = {"Content-Disposition": 'attachment; filename="feedback.zip"'}
    return Response(parts, headers=as_file, content_type=ZIP)


@topic.operation("PUT", "/assignments/{assignment}/essay", KeyScope.STUDENT)
def hand_in_essay(call: Call, assignment: str, *, essay: str) -> SubmissionInfo:
    """Hand in an essay, as plain text or Markdown, in place of the same person's earlier one. It is stored before this answers,
    and its feedback is written afterwards. The same text again changes nothing. Needs a session, not a key: only people hand
    in."""
    of = found_assignment(call, assignment)
    if call.caller.person is None:
        raise errors.Forbidden("only_people_submit")
    return _submission(call, of, service.hand_in(of, call.caller.person, essay, call.context.coursework))


@topic.operation("GET", "/assignments/{assignment}/essay", KeyScope.STUDENT)
def own_submission(call: Call, assignment: str) -> SubmissionInfo:
    """The essay that the signed-in person has handed in, and its feedback once they may read it."""
    of = found_assignment(call, assignment)
    if essay := call.context.assignments.essay_of(of.id, call.caller.person or ""):
        return _submission(call, of, essay)
    raise errors.NotFound("nothing_submitted")


def _submission(call: Call, of: model.Assignment, essay: model.AssignmentSubmission) -> SubmissionInfo:
    entry = overview.submissions_of(of, call.context.coursework, [essay]).entry("", "", essay.email, call.context.coursework)
    readable = entry.feedback if entry.approved else None
    problem = entry.failed_because if entry.progress is overview.EssayProgress.FAILED else None
    return SubmissionInfo(handed_in=essay.at, feedback=readable, failed_because=problem)


@topic.operation("POST", "/assignments/{assignment}/essays", KeyScope.TEACHER, success=HTTPStatus.CREATED, takes=TAKES)
def upload_essays(call: Call, assignment: str, query: UploadQuery) -> Uploaded:
    """Submit the essays of a class for its students, in the forms that POST /batches takes. Each essay's id names its student.
    A text that is there already changes nothing. Where students have handed in others, or are new in a class that has some, the
    answer names them and nothing is stored, unless `replace` is set: versions are kept, and the new students are added."""
    of, given = found_assignment(call, assignment), read_entries(call)
    entries = service.upload(of, given, call.context.coursework, replacing=query.replace)
    problems = [f"{each.id}: {in_readers_words(each.problem)}" for each in entries if each.problem]
    return Uploaded(essays=len(entries) - len(problems), problems=problems)


@topic.operation("POST", "/assignments/{assignment}/release", KeyScope.TEACHER)
def release_essays(call: Call, assignment: str, *, feedback: FeedbackIds = None, released: bool = True) -> Released:
    """Release feedback to students, or take it back (`released`: false): by ids, or all that is on the assignment (null)."""
    of = found_assignment(call, assignment)
    changed = overview.release(of, feedback, released, call.context.coursework)
    report_again(call.school, changed, call.context.hand_ins)
    return Released(feedback=changed, released=released)


@topic.operation("PUT", "/assignments/{assignment}/score", KeyScope.TEACHER)
def send_score(call: Call, assignment: str, body: ScoreRequest) -> model.SentScore:
    """Send a comment, with or without a score, to the course's gradebook. Sending it again changes nothing there."""
    of, now = found_assignment(call, assignment), call.context.now()
    if of.platform is None:
        raise errors.NotFound("assignment_without_gradebook")
    return send(of, body.student, body.given, body.comment, tool=call.context.lti, now=now)


def found_assignment(call: Call, assignment: str) -> model.Assignment:
    """The assignment, if the caller may see it. Raises NotFound."""
    caller = call.caller
    if caller.person is None:
        return call.context.assignments.assignment(caller.school, assignment)
    person = Person(caller.school, caller.person, caller.name, caller.role, call.context.now())
    return service.assignment_for(person, assignment, call.context.coursework)


def roster_for(call: Call, of: model.Assignment) -> overview.Roster:
    """The students of the class or the course, with their submissions."""
    context = call.context.coursework
    if of.platform is None:
        return overview.roster_of_class(of, context)
    return roster_of_course(of, tool=call.context.lti, context=context)


@classes_topic.operation("GET", "/classes", KeyScope.TEACHER, field="classes")
def classes(call: Call) -> list[model.SchoolClass]:
    """The school's classes, by name."""
    return call.context.assignments.classes(call.school)


@classes_topic.operation("GET", "/classes/{school_class}", KeyScope.TEACHER)
def one_class(call: Call, school_class: str) -> ClassDetail:
    """A class with its students, and the codes by which those without an e-mail address sign in."""
    store, school = call.context.assignments, call.school
    of = store.school_class(school, school_class)
    students = [ClassStudentInfo.of(each) for each in store.students(school, of.id)]
    return ClassDetail(**dict(of), students=students)


@classes_topic.operation("PUT", "/classes/{school_class}", KeyScope.TEACHER)
def rename_class(call: Call, school_class: str, *, name: ClassName) -> None:
    """Give a class another name."""
    service.rename_class(call.school, school_class, name, call.context.coursework)


@classes_topic.operation("DELETE", "/classes/{school_class}", KeyScope.TEACHER)
def remove_class(call: Call, school_class: str) -> None:
    """Remove a class with its students and assignments. Feedback stays until it expires."""
    service.remove_class(call.school, school_class, call.context.coursework)


@classes_topic.operation("POST", "/classes/{school_class}/students", KeyScope.TEACHER)
def add_students(call: Call, school_class: str, *, names: ListOfNames) -> ClassDetail:
    """Add students to a class. names: a student per line; an e-mail address may follow the name, after a comma, semicolon or
    tab. Sending the list again changes nothing."""
    skipped, wrong = service.add_names(call.school, school_class, names, call.context.coursework)
    return one_class(call, school_class).model_copy(update={"skipped": skipped, "wrong": tuple(wrong)})


@classes_topic.operation("PUT", "/classes/{school_class}/students/{student}", KeyScope.TEACHER)
def rename_student(call: Call, school_class: str, student: str, *, name: ClassName) -> ClassStudentInfo:
    """Give a student another name or pseudonym."""
    context = call.context.coursework
    return ClassStudentInfo.of(service.rename_student(call.school, school_class, student, name, context))


@classes_topic.operation("POST", "/classes/{school_class}/students/{student}/code", KeyScope.TEACHER)
def renew_code(call: Call, school_class: str, student: str) -> ClassStudentInfo:
    """Give a student another personal code. The earlier one and the student's sessions end."""
    return ClassStudentInfo.of(service.new_code(call.school, school_class, student, call.context.coursework))


@classes_topic.operation("DELETE", "/classes/{school_class}/students/{student}", KeyScope.TEACHER)
def remove_student(call: Call, school_class: str, student: str) -> None:
    """Remove a student from a class. Feedback on their essays stays until it expires."""
    service.remove_student(call.school, school_class, student, call.context.coursework)
