"""HTTP: classes, assignments, what students submit for them, and scores for a learning platform's gradebook."""

from http import HTTPStatus

from flask import Response

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.assignments import overview, schemas, service
from chapterverse.assignments.model import Assignment, AssignmentSubmission, SentScore
from chapterverse.assignments.overview import class_archive
from chapterverse.core import errors
from chapterverse.essays.batch.api import TAKES, ZIP, FileQuery, read_entries
from chapterverse.essays.batch.files import with_semicolons
from chapterverse.lti.hand_ins import report_again
from chapterverse.lti.launching import roster_of_course
from chapterverse.lti.launching import send_score as send
from chapterverse.web.language import readers_language
from chapterverse.web.operations import ApiTopic, Call

topic = ApiTopic("Assignments")
classes_topic = ApiTopic("Classes")
NO_CONTENT = HTTPStatus.NO_CONTENT
OF_PLATFORMS = (errors.NotFound, errors.PlatformRefused, errors.PlatformUnavailable)
OF_ESSAYS = (errors.NotFound, errors.TooLarge, errors.BucketUnavailable, errors.QueueUnavailable)
ARCHIVE = {ZIP: {"type": "string", "format": "binary", "description": "A file per student."}}
TABLE = {"text/csv": {"type": "string", "description": "A row per student."}}
OF_CLASSES = (errors.NotFound, errors.TooLarge)


@topic.operation("GET", "/assignments", KeyScope.TEACHER)
def assignments(call: Call) -> schemas.AssignmentList:
    """The school's assignments, newest first, also those that were created in Moodle or Canvas."""
    found = call.context.assignments.assignments(call.caller.school)
    return schemas.AssignmentList(assignments=[schemas.AssignmentInfo.of(each) for each in found])


@topic.operation("POST", "/assignments", KeyScope.TEACHER, errors.NotFound, success=HTTPStatus.CREATED)
def new_assignment(call: Call, body: schemas.NewAssignmentRequest) -> schemas.AssignmentInfo:
    """Create an assignment for a class, with a code by which students join."""
    draft = body.draft(body.class_id or "", body.class_name)
    return schemas.AssignmentInfo.of(service.create_assignment(call.caller.school, draft, call.context.coursework))


@topic.operation("GET", "/assignments/{assignment}", KeyScope.STUDENT, errors.NotFound)
def assignment(call: Call, assignment: str) -> schemas.AssignmentInfo:
    """One assignment. Students see those of their classes, and those of courses."""
    return schemas.AssignmentInfo.of(found_assignment(call, assignment), call.caller.role)


@topic.operation("PUT", "/assignments/{assignment}", KeyScope.TEACHER, errors.NotFound)
def change_assignment(call: Call, assignment: str, body: schemas.AssignmentRequest) -> schemas.AssignmentInfo:
    """Change an assignment. Feedback that is written already stays as it is."""
    of = found_assignment(call, assignment)
    return schemas.AssignmentInfo.of(service.change_assignment(of, body.draft(), call.context.coursework))


@topic.operation("DELETE", "/assignments/{assignment}", KeyScope.TEACHER, errors.NotFound, success=NO_CONTENT)
def remove_assignment(call: Call, assignment: str) -> None:
    """Remove an assignment with its list of submissions. Feedback stays until it expires."""
    call.context.assignments.remove_assignment(call.caller.school, assignment)


@topic.operation("GET", "/assignments/{assignment}/students", KeyScope.TEACHER, errors.NotFound)
def students(call: Call, assignment: str) -> schemas.RosterInfo:
    """The students of the class or the course, with their submissions."""
    return schemas.RosterInfo.of(_roster(call, found_assignment(call, assignment)))


@topic.operation("GET", "/assignments/{assignment}/glance", KeyScope.TEACHER, errors.NotFound, errors.BucketUnavailable)
def class_at_a_glance(call: Call, assignment: str) -> overview.ClassGlance:
    """What the essays have in common: needs, passages of the books, chapters that none uses, what later versions improved."""
    return overview.at_a_glance(found_assignment(call, assignment), call.context.coursework)


@topic.operation("GET", "/assignments/{assignment}/students.csv", KeyScope.TEACHER, errors.NotFound, media=TABLE)
def students_table(call: Call, assignment: str, query: FileQuery) -> Response:
    """A row per student: name, time of submission, progress, version, first need, numbers of comments and evidence, grade."""
    data = overview.csv_of_roster(_roster(call, found_assignment(call, assignment)))
    data = with_semicolons(data) if query.separator == "semicolon" else data
    as_file = {"Content-Disposition": 'attachment; filename="students.csv"'}
    return Response(data, headers=as_file, content_type="text/csv; charset=utf-8")


@topic.operation("GET", "/assignments/{assignment}/feedback.zip", KeyScope.TEACHER, errors.NotFound, media=ARCHIVE)
def class_feedback(call: Call, assignment: str) -> Response:
    """The feedback on every essay as a PDF a student, and the table of students, as they are now."""
    roster = _roster(call, found_assignment(call, assignment))
    parts = class_archive(call.caller.school, roster, call.context.coursework, call.context.printer, readers_language())
    as_file = {"Content-Disposition": 'attachment; filename="feedback.zip"'}
    return Response(parts, headers=as_file, content_type=ZIP)


@topic.operation("PUT", "/assignments/{assignment}/essay", KeyScope.STUDENT, *OF_ESSAYS)
def hand_in_essay(call: Call, assignment: str, body: schemas.SubmissionRequest) -> schemas.SubmissionInfo:
    """Hand in an essay in place of the same person's earlier one. It is stored before this answers, and its feedback is written
    afterwards. The same text again changes nothing. Needs a session, not a key: only people hand in."""
    of = found_assignment(call, assignment)
    if call.caller.person is None:
        raise errors.Forbidden("only_people_submit")
    return _submission(call, of, service.hand_in(of, call.caller.person, body.essay, call.context.coursework))


@topic.operation("GET", "/assignments/{assignment}/essay", KeyScope.STUDENT, errors.NotFound)
def own_submission(call: Call, assignment: str) -> schemas.SubmissionInfo:
    """The essay that the signed-in person has handed in, and its feedback once they may read it."""
    of = found_assignment(call, assignment)
    if essay := call.context.assignments.essay_of(of.id, call.caller.person or ""):
        return _submission(call, of, essay)
    raise errors.NotFound("nothing_submitted")


def _submission(call: Call, of: Assignment, essay: AssignmentSubmission) -> schemas.SubmissionInfo:
    entry = overview.submissions_of(of, call.context.coursework, [essay]).entry("", "", essay.email, call.context.coursework)
    readable = entry.feedback if entry.approved else None
    problem = entry.problem if entry.state is overview.EssayProgress.FAILED else None
    return schemas.SubmissionInfo(handed_in=essay.at, feedback=readable, failed_because=problem)


@topic.operation(
    "POST",
    "/assignments/{assignment}/essays",
    KeyScope.TEACHER,
    errors.BadRequest,
    *OF_ESSAYS,
    success=HTTPStatus.CREATED,
    takes=TAKES,
)
def upload_essays(call: Call, assignment: str) -> schemas.Uploaded:
    """Submit the essays of a class for its students, in the forms that POST /batches takes. Each essay's id names its student;
    an unknown one is added to the class. The same essays again change nothing."""
    of, entries = found_assignment(call, assignment), read_entries(call)
    batch = service.upload(of, entries, call.context.coursework)
    problems = [each.problem for each in entries if each.problem]
    state = batch.state(call.context.now())
    return schemas.Uploaded(essays=len(entries) - len(problems), problems=problems, state=state.value)


@topic.operation("POST", "/assignments/{assignment}/release", KeyScope.TEACHER, errors.NotFound, errors.QueueUnavailable)
def release_essays(call: Call, assignment: str, body: schemas.ReleaseRequest) -> schemas.Released:
    """Release feedback to students, or take it back: one, several, or all that is on the assignment."""
    of = found_assignment(call, assignment)
    changed = overview.release(of, body.feedback, body.released, call.context.coursework)
    report_again(call.caller.school, changed, call.context.hand_ins)
    return schemas.Released(feedback=changed, released=body.released)


@topic.operation("PUT", "/assignments/{assignment}/score", KeyScope.TEACHER, *OF_PLATFORMS)
def send_score(call: Call, assignment: str, body: schemas.ScoreRequest) -> SentScore:
    """Send a comment, with or without a score, to the course's gradebook. Sending it again changes nothing there."""
    of, now = found_assignment(call, assignment), call.context.now()
    if of.platform is None:
        raise errors.NotFound("assignment_without_gradebook")
    return send(of, body.student, body.given, body.comment, tool=call.context.lti, now=now)


def found_assignment(call: Call, assignment: str) -> Assignment:
    """The assignment, if the caller may see it. Raises NotFound."""
    caller = call.caller
    if caller.person is None:
        return call.context.assignments.assignment(caller.school, assignment)
    person = Person(caller.school, caller.person, caller.name, caller.role, call.context.now())
    return service.assignment_for(person, assignment, call.context.coursework)


def _roster(call: Call, of: Assignment) -> overview.Roster:
    context = call.context.coursework
    if of.platform is None:
        return overview.roster_of_class(of, context)
    return roster_of_course(of, tool=call.context.lti, context=context)


@classes_topic.operation("GET", "/classes", KeyScope.TEACHER)
def classes(call: Call) -> schemas.ClassList:
    """The school's classes, by name."""
    found = call.context.assignments.classes(call.caller.school)
    return schemas.ClassList(classes=[schemas.ClassInfo.of(each) for each in found])


@classes_topic.operation("GET", "/classes/{school_class}", KeyScope.TEACHER, errors.NotFound)
def one_class(call: Call, school_class: str) -> schemas.ClassDetail:
    """A class with its students, and the codes by which those without an e-mail address sign in."""
    return _detail(call, school_class)


@classes_topic.operation("PUT", "/classes/{school_class}", KeyScope.TEACHER, errors.NotFound, success=NO_CONTENT)
def rename_class(call: Call, school_class: str, body: schemas.ClassRequest) -> None:
    """Give a class another name."""
    service.rename_class(call.caller.school, school_class, body.name, call.context.coursework)


@classes_topic.operation("DELETE", "/classes/{school_class}", KeyScope.TEACHER, errors.NotFound, success=NO_CONTENT)
def remove_class(call: Call, school_class: str) -> None:
    """Remove a class with its students and assignments. Feedback stays until it expires."""
    service.remove_class(call.caller.school, school_class, call.context.coursework)


@classes_topic.operation("POST", "/classes/{school_class}/students", KeyScope.TEACHER, *OF_CLASSES)
def add_students(call: Call, school_class: str, body: schemas.NamesRequest) -> schemas.ClassDetail:
    """Add students to a class. Sending the list again changes nothing."""
    done = service.add_names(call.caller.school, school_class, body.names, call.context.coursework)
    return _detail(call, school_class, done.skipped)


@classes_topic.operation("PUT", "/classes/{school_class}/students/{student}", KeyScope.TEACHER, errors.NotFound)
def rename_student(call: Call, school_class: str, student: str, body: schemas.ClassRequest) -> schemas.ClassStudentInfo:
    """Give a student another name or pseudonym."""
    context = call.context.coursework
    return schemas.ClassStudentInfo.of(service.rename_student(call.caller.school, school_class, student, body.name, context))


@classes_topic.operation("POST", "/classes/{school_class}/students/{student}/code", KeyScope.TEACHER, errors.NotFound)
def renew_code(call: Call, school_class: str, student: str) -> schemas.ClassStudentInfo:
    """Give a student another personal code. The earlier one and the student's sessions end."""
    return schemas.ClassStudentInfo.of(service.new_code(call.caller.school, school_class, student, call.context.coursework))


@classes_topic.operation(
    "DELETE", "/classes/{school_class}/students/{student}", KeyScope.TEACHER, errors.NotFound, success=NO_CONTENT
)
def remove_student(call: Call, school_class: str, student: str) -> None:
    """Remove a student from a class. Feedback on their essays stays until it expires."""
    service.remove_student(call.caller.school, school_class, student, call.context.coursework)


def _detail(call: Call, school_class: str, skipped: int = 0) -> schemas.ClassDetail:
    store, school = call.context.assignments, call.caller.school
    of = store.school_class(school, school_class)
    students = [schemas.ClassStudentInfo.of(each) for each in store.students(school, of.id)]
    return schemas.ClassDetail(**schemas.ClassInfo.of(of).model_dump(), students=students, skipped=skipped)
