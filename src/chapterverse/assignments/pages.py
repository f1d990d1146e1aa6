"""Pages of assignments and classes for teachers, the page on which students join by a code, and the start page."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from flask import Response, request
from markupsafe import Markup

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.pages import REMEMBERED, begin_browser_session
from chapterverse.accounts.sign_in import begin_session, who_is
from chapterverse.assignments import api, service
from chapterverse.assignments.model import Assignment, AssignmentSubmission
from chapterverse.assignments.overview import EssayProgress, submissions_of
from chapterverse.core.book import Collection
from chapterverse.core.errors import ChapterverseError, NotFound, Unauthenticated
from chapterverse.core.names import LOOPBACK
from chapterverse.essays.api import feedback_versions, own_essays
from chapterverse.essays.history import essay_of, find_feedback, find_own, list_feedback, versions_of
from chapterverse.essays.task import BUILT_IN, read_rubric, rubric_table
from chapterverse.lectures.schemas import Session
from chapterverse.library.model import CatalogBook, VersionState
from chapterverse.library.versions import count_unread, ready_books
from chapterverse.messages import from_json
from chapterverse.questions.model import HandOff
from chapterverse.texts import SAMPLE_BOOK, samples
from chapterverse.web import auth
from chapterverse.web.bare import problem_of
from chapterverse.web.context import AppContext
from chapterverse.web.frame import Pages, own_path, page, see_other
from chapterverse.web.language import readers_language
from chapterverse.web.limits import RateLimit
from chapterverse.web.operations import answer_to

MAX_LISTED = 6  # books, lectures: the rest is on their own pages
TRIES_PER_MINUTE = 600  # of all who enter a code: several lessons begin at once; nobody guesses one of 2 to the 39 at this rate
MAX_LECTURES = 100  # of the school, the newest, among which those of a class are looked for
MAX_EARLIER = 20  # rubrics of earlier assignments to choose from
MAX_OTHERS = 100  # essays without an assignment that are listed, the newest
NEWEST, LATELY = 10, timedelta(days=7)  # essays among which those are counted on which the language model failed
MODEL_FAILED = ("note_no_model", "note_some_failed")
QR_MODULE = 4  # units of the picture
pages = Pages()


@pages.offer("GET", "/essay/assignments", KeyScope.TEACHER)
def assignments(who: Person, context: AppContext) -> Response:
    """All assignments, and the form of a new one."""
    others = list_feedback(who.school, context.essays.history, alone=True, limit=MAX_OTHERS)
    shown: dict[str, Any] = {"assignment": None, "rubric": "", "cost": None, **_choices(who, context)}
    shown |= {"has_prices": service.priced_model(who.school, context.coursework) is not None}
    shown |= {"lines": lines_of(who.school, context), "is_new": "new" in request.args}
    shown |= {"others": [(each, essay_of(each)) for each in others]}
    return page("assignments", "Assignments", who, **shown)


@pages.offer("GET", "/essay/assignments/<assignment>", KeyScope.TEACHER)
def one(who: Person, context: AppContext, assignment: str) -> Response:
    """An assignment with its students, how to join it, and the form to change it."""
    of = context.assignments.assignment(who.school, assignment)
    submitted = context.assignments.submitted(who.school).get(of.id, 0)
    shown = {**_of_class(who, of, context), "max_essays": context.batches.limits.essays, "submitted": submitted}
    cost = service.cost_of(of, context.coursework)
    shown |= {"cost": cost, "has_prices": cost is not None, "roster": None, "is_changed": "change" in request.args}
    if "students" in request.args:  # asked for by the page, which is there before: a course's are read from its platform
        shown["roster"] = answer_to(who, context, api.students, of.id)
    else:
        shown |= {"rubric": rubric_table(read_rubric(of.rubric)) if of.rubric else "", **_choices(who, context)}
    return page("assignment", "Assignment", who, **shown)


@pages.offer("GET", "/essay/assignments/<assignment>/essays/<feedback>", KeyScope.TEACHER)
def essay(who: Person, context: AppContext, assignment: str, feedback: str) -> Response:
    """One essay with its feedback, as the teacher reviews it."""
    return review_page(who, feedback, context.assignments.assignment(who.school, assignment), context)


def _choices(who: Person, context: AppContext) -> dict[str, Any]:
    """The classes, books and rubrics of a form. earlier: rubrics of assignments by title, each once, the newest first."""
    store = context.assignments
    titles = {each.rubric: each.title for each in reversed(store.assignments(who.school)) if each.rubric}
    earlier = {title: rubric_table(read_rubric(text)) for text, title in reversed(titles.items())}
    return {
        "classes": store.classes(who.school),
        "books": list(ready_books(who.school, context.services)),
        "reading": count_unread(who.school, context.services),
        "built_in": {name: rubric_table(read_rubric(name, readers_language())) for name in BUILT_IN},
        "earlier": dict(islice(earlier.items(), MAX_EARLIER)),
    }


def _of_class(who: Person, of: Assignment, context: AppContext) -> dict[str, Any]:
    """What pages show of the class: how students join it."""
    site = context.sign_in.site or request.host_url.rstrip("/")
    link = f"{site}/join/{of.code}"
    return {
        "assignment": of,
        "class": context.assignments.school_class(who.school, of.class_id) if of.class_id else None,
        "members": answer_to(who, context, api.one_class, of.class_id)["students"] if of.class_id else [],
        "code": service.written_code(of.code) if of.code else None,
        "codes": context.services.settings_of(who.school).codes is not False,
        "link": link,
        "join_address": f"{site.partition('://')[2]}/join",
        "qr": qr_code(link) if of.code else "",
        "is_local": urlsplit(site).hostname in LOOPBACK,  # only this computer can open it
    }


def review_page(who: Person, feedback: str, of: Assignment | None, context: AppContext) -> Response:
    """The teacher's page of one essay, with that feedback. Raises NotFound."""
    find_feedback(who.school, feedback, context.essays.history)
    versions = answer_to(who, context, feedback_versions, feedback)
    return page("class_essay", "Essay", who, feedback=feedback, versions=versions, assignment=of)


def qr_code(text: str) -> Markup:
    """The text as a QR code: an SVG element without styles, which the pages' policy would refuse."""
    import segno  # at the first code: pages without one start faster

    svg: str = segno.make(text, error="m").svg_inline(scale=QR_MODULE, omitsize=True, svgclass=None, lineclass=None)
    return Markup(svg.replace("<svg", '<svg role="img" aria-label="QR"', 1))  # noqa: S704  # made of modules, not of the text


@pages.offer("GET", "/join", None)
def ask(_: AppContext) -> Response:
    """The form for a code."""
    return _form()


@pages.offer("GET", "/join/<code>", None)
def show(context: AppContext, code: str) -> Response:
    """The assignment with this code, and a form for a name; for a teacher of the school, the assignment itself."""
    RateLimit(TRIES_PER_MINUTE, context.rates, "join codes", who="one_address").take("all")
    try:
        of = context.assignments.with_code(service.plain_code(code))
        who = _student_of(of, context)
        if who is None:
            service.refuse_joining(of.school, context.coursework)
    except ChapterverseError as error:
        return _form(error=error, code=code)
    if who and as_wide(who.role, KeyScope.TEACHER):
        return see_other(f"/essay/assignments/{of.id}")
    return _form(assignment=of, visitor=who, code=of.code or "")


@pages.offer("POST", "/join", None)
def enter(context: AppContext) -> Response:
    """Join, or sign in by a personal code."""
    RateLimit(TRIES_PER_MINUTE, context.rates, "join codes", who="one_address").take("all")
    code, name = service.plain_code(request.form.get("code", "")), request.form.get("name", "")
    try:
        of = context.assignments.with_code(code)
    except NotFound:
        return _sign_in(code, context)
    who = _student_of(of, context)
    if who is None and not name.strip():
        return see_other(f"/join/{of.code}")
    try:
        _, student, person = service.join(code, name, who, context.coursework)
    except ChapterverseError as error:
        return _form(assignment=of, visitor=None, error=error, code=code, name=name)
    if who:
        return see_other(f"/essay?assignment={of.id}")
    secret = begin_session(person, context.sign_in, context.now())
    personal = service.written_code(student.code or "")
    welcome = page("join", "Welcome", personal=personal, student_name=student.name, assignment=of)
    auth.keep(welcome, secret, context.sign_in.session + REMEMBERED)
    return welcome


def _sign_in(code: str, context: AppContext) -> Response:
    try:
        person = service.enter(code, context.coursework)
    except ChapterverseError as error:
        return _form(error=error, code=code)
    secret = begin_session(person, context.sign_in, context.now())
    return begin_browser_session(secret, request.form.get("next", "/"), context)


def _student_of(of: Assignment, context: AppContext) -> Person | None:
    """The person who is signed in, if of the assignment's school."""
    try:
        who = who_is(auth.secret_in_cookie(), context.sign_in, context.now())
    except Unauthenticated:
        return None
    return who if who.school == of.school else None


def _form(
    *,
    assignment: Assignment | None = None,
    visitor: Person | None = None,
    error: ChapterverseError | None = None,
    code: str = "",
    name: str = "",
) -> Response:
    """The form for a code, and for a name once the assignment is known; with what is wrong with those that were given."""
    problem = problem_of(error) if error else None
    status = problem.status if problem else 200
    filled: dict[str, Any] = {"assignment": assignment, "code": code, "student_name": name, "personal": ""}
    filled["next"] = own_path(request.values.get("next", "/"))
    return page("join", "Join", visitor, status=status, problem=problem and problem.detail, **filled)


def assignment_of(who: Person, context: AppContext) -> Assignment | None:
    """The assignment in the query, or that of the earlier version in it; None: there is none. Raises NotFound."""
    named = request.args.get("assignment") or _assignment_of_version(who, request.args.get("version_of", ""), context)
    return service.assignment_for(who, named, context.coursework) if named else None


def _assignment_of_version(who: Person, feedback: str, context: AppContext) -> str | None:
    """The id of the assignment for which the person has submitted a version of the essay with that feedback."""
    try:
        versions = versions_of(find_own(who.school, who.email, feedback, context.essays.history), context.essays.history)
    except NotFound:
        return None
    ids = {each.id for each in versions}
    submitted = context.assignments.of_student(who.school, who.email)
    return next((each.assignment for each in submitted if each.feedback in ids), None)


@dataclass(frozen=True, slots=True)
class AssignmentLine:
    """An assignment in a list. students: of its class, None for a course; submitted, ready: how many essays, and how many of
    them have feedback to release; has_submitted: of the student who sees the list."""

    assignment: Assignment
    class_name: str = ""
    students: int | None = None
    submitted: int = 0
    ready: int = 0
    has_submitted: bool = False


def lines_of(school: str, context: AppContext) -> list[AssignmentLine]:
    """The school's assignments as teachers see them, newest first."""
    store, since = context.assignments, context.essays.history.since
    names = {each.id: each.name for each in store.classes(school)}
    sizes, submitted, ready = store.class_sizes(school), store.submitted(school), store.unreleased(school, since)
    return [
        AssignmentLine(
            each,
            name if (name := names.get(each.class_id or "", "")) != each.title else "",
            sizes.get(each.class_id, 0) if each.class_id else None,
            submitted.get(each.id, 0),
            ready.get(each.id, 0),
        )
        for each in store.assignments(school)
    ]


@pages.offer("GET", "/")
def start(who: Person, context: AppContext) -> Response:
    """The page for the person's role."""
    if as_wide(who.role, KeyScope.TEACHER):
        return page("start", "Home", who, **_for_teacher(who.school, context), **_for_admin(who, context))
    return page("start_student", "Home", who, **_for_student(who, context))


@pages.offer("GET", f"/samples/{SAMPLE_BOOK}", KeyScope.TEACHER)
def sample_book(_: Person, __: AppContext) -> Response:
    """The PDF of the sample book. Raises NotFound where the program was installed without it."""
    file = samples() / SAMPLE_BOOK
    if not file.is_file():
        raise NotFound("no_such_asset")
    return Response(file.read_bytes(), content_type="application/pdf")


def _for_teacher(school: str, context: AppContext) -> dict[str, Any]:
    books = context.services.catalog.books(school)
    failed = [each for each in books if each.newest and each.newest.state is VersionState.FAILED]
    lines = lines_of(school, context)
    return {
        "lines": lines,
        "ready": [line for line in lines if line.ready],
        "waiting": len(context.helpdesk.in_state(school, HandOff.WAITING)),
        "failed": failed[:MAX_LISTED],
        "reading": count_unread(school, context.services),
        "books": len(books),
        "listed": [each for each in books if each.active][:MAX_LISTED],
        "searchable": sum(each.active is not None for each in books),
        "sample": SAMPLE_BOOK,
        "sample_source": next((each.id for each in books if each.file_name == SAMPLE_BOOK), None),
        "direct_upload": context.files is not None,
    }


def _for_admin(who: Person, context: AppContext) -> dict[str, Any]:
    """is_alone: nobody else was invited yet; lacks_mail: links have to be passed on by hand;
    unwritten: on how many of the `newest` essays the language model failed. All are false for others."""
    sign_in, is_admin = context.sign_in, as_wide(who.role, KeyScope.ADMIN)
    is_alone = is_admin and len(sign_in.people.of_school(who.school)) < 2
    newest = _notes(who.school, context) if is_admin else []
    unwritten = sum(not ids.isdisjoint(MODEL_FAILED) for ids in newest)
    shown = {"is_alone": is_alone, "lacks_mail": is_admin and not sign_in.has_post(who.school)}
    return shown | {"unwritten": unwritten, "newest": len(newest)}


def _notes(school: str, context: AppContext) -> list[set[str]]:
    """The ids of the notes of the newest feedback."""
    history, since = context.essays.history, context.now() - LATELY
    newest = (each for each in list_feedback(school, history, limit=NEWEST) if each.created >= since)
    return [{from_json(note).id for note in json.loads(each.answer).get("notes", ())} for each in newest]


def _for_student(who: Person, context: AppContext) -> dict[str, Any]:
    store, history = context.assignments, context.essays.history
    handed_in = store.of_student(who.school, who.email)
    submitted = {each.assignment for each in handed_in}
    lines = [AssignmentLine(each, has_submitted=each.id in submitted) for each in service.assignments_of(who, store)]
    writing = _being_written(handed_in, context)  # before the essays: what is done in between is one of these
    essays, numbers = answer_to(who, context, own_essays), dict[str, int]()
    for each in reversed(essays):  # counted among those that still exist
        numbers[each["id"]] = numbers.get(each["version_of"], 1 if each["version_of"] else 0) + 1
    dates = {each["id"]: each["approved"] for each in essays if each["approved"] != each["created"]}
    return {
        "lines": lines,
        "released": {each.assignment: day for each in handed_in if (day := dates.get(each.feedback))},
        "essays": essays,
        "numbers": numbers,
        "days": history.days_for(who.school),
        "is_writing": not writing <= numbers.keys(),
        "books": _class_books(who, context),
        "reading": count_unread(who.school, context.services),
        "lectures": _class_lectures(who, context),
        "answered": [each for each in context.helpdesk.of_user(who.school, who.email) if each.is_unread],
        "asks": any(ready_books(who.school, context.collections[each]) for each in (Collection.DOCUMENTS, Collection.TEXTBOOK)),
    }


def _being_written(handed_in: Iterable[AssignmentSubmission], context: AppContext) -> set[str | None]:
    """The ids of the feedback on what is handed in that is still to come."""
    store, coursework, history = context.assignments, context.coursework, context.essays.history
    recent, rows = [each for each in handed_in if each.at >= history.since], dict[str | None, EssayProgress]()
    ids = [each.feedback for each in recent if each.feedback]
    stored = {each.id for each in history.store.with_ids(recent[0].school, ids, history.since)} if ids else set[str]()
    for each in recent:
        if each.feedback not in stored:
            of = submissions_of(store.assignment(each.school, each.assignment), coursework, [each])
            rows[each.feedback] = of.entry("", "", each.email, coursework).progress
    return {feedback for feedback, progress in rows.items() if progress is EssayProgress.WAITING}


def _class_lectures(who: Person, context: AppContext) -> list[Session]:
    """The lectures of the student's classes that can be followed, newest first."""
    lectures, classes = context.lectures.context, service.classes_of(who, context.assignments)
    found = lectures.store.of_school(who.school, lectures.since, MAX_LECTURES) if classes else []
    shared = [each for each in found if each.code and each.decided.class_id in classes]
    return [Session.of(each, lectures, may_change=True) for each in shared[:MAX_LISTED]]  # with its code


def _class_books(who: Person, context: AppContext) -> list[CatalogBook]:
    """The books of the student's classes, else the first of the school, by title."""
    wanted = context.class_sources(who, Collection.BOOKS)
    found = ready_books(who.school, context.collections[Collection.BOOKS])
    return [each for each in found if each.id in wanted] or found[:MAX_LISTED]
