"""Classes and assignments: create, join by a code, submit, upload, list, release.

A student without an e-mail address is a person of the school, too, at an address that no letter reaches (RFC 2606, 2), and
signs in by a personal code. The code of an assignment only adds a new student to its class; it never leads to one who is
there."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from secrets import choice, token_hex

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.sign_in import SignIn, enrol, is_address
from chapterverse.assignments import model
from chapterverse.assignments.model import Assignment, AssignmentSubmission, ClassStudent
from chapterverse.assignments.store import SqlAssignments
from chapterverse.core.book import BookId
from chapterverse.core.errors import BadRequest, ChangedMeanwhile, Forbidden, NotFound, TooLarge
from chapterverse.core.hits import Scope
from chapterverse.core.names import fingerprint, one_line
from chapterverse.core.paid_model import ESSAY, MICROS, PaidModel
from chapterverse.core.requests import Record
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.files import BatchOrder, content_of, feedback_id, scope_of
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.batch.service import begin_batch, remove_batch, submit_batch
from chapterverse.essays.history import FeedbackHistory, visible_feedback
from chapterverse.essays.model import NO_EDITS, StoredFeedback
from chapterverse.essays.service import FeedbackOptions, FeedbackRequest, essay_in
from chapterverse.essays.task import WritingTask, read_rubric
from chapterverse.library.scope import open_books
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from chapterverse.messages import message

NOWHERE = "class.invalid"
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that is taken for another one
JOIN_LENGTH, PERSONAL_LENGTH = 8, 12  # characters of a code: 39 and 58 random bits
GROUP = 4  # characters of a code that are written together
ID_BYTES = 8
HEAD_START = 3  # seconds in which a student's page asks for the feedback, to see it come; without it the task writes it
MAX_STUDENTS = 300  # of a class
MAX_NAME = 200  # characters
HEADINGS = frozenset({"name", "names", "student", "students", "vorname", "nachname", "schüler", "schülerin", "lernende"})


@dataclass(frozen=True, slots=True)
class AssignmentContext:
    """What assignments need. services: of the school's books and settings."""

    store: SqlAssignments
    sign_in: SignIn
    batches: BatchContext
    services: CollectionServices
    now: Callable[[], datetime]

    @property
    def history(self) -> FeedbackHistory:
        """Where feedback is stored."""
        return self.batches.history


class AssignmentCost(Record):
    """What the language model costs, in the currency of its prices. essay: of one of 400 words, about; class_essays: of one of
    each student; spent: on the assignment so far; limit: for all of it, null: only that of the school's day; course_…: the same
    of all assignments of its class or course."""

    essay: float
    class_essays: float
    spent: float
    limit: float | None
    course_spent: float = 0.0
    course_limit: float | None = None


def create_assignment(school: str, wanted: model.NewAssignment, context: AssignmentContext) -> Assignment:
    """Store a new assignment with its join code. With the key and title of an earlier one it replaces that, but for its class:
    its answer was lost. Raises BadRequest, NotFound for an unknown class or book."""
    now, title = context.now(), _title_if_usable(wanted, school, context)
    id = fingerprint(school, wanted.key, title, digits=2 * ID_BYTES) if wanted.key else token_hex(ID_BYTES)
    with suppress(NotFound):
        return change_assignment(context.store.assignment(school, id), wanted, context)
    if wanted.class_id:
        of = context.store.school_class(school, wanted.class_id)
    else:
        name, class_id = one_line(wanted.class_name) or title, fingerprint("class", id, digits=2 * ID_BYTES)
        of = model.SchoolClass(id=class_id, school=school, name=name, created=now)
        context.store.keep_class(of)
    new = Assignment(id, school, None, "", "", (), model.DEFAULT_POINTS, now, class_id=of.id)
    return change_assignment(replace(new, code=random_code(JOIN_LENGTH)), wanted, context)


def change_assignment(of: Assignment, wanted: model.AssignmentRequest, context: AssignmentContext) -> Assignment:
    """Store what is decided about an assignment; its class stays. Raises BadRequest, NotFound for an unknown book."""
    if wanted.course_limit is not None and of.charged == (of.id,):  # no course is known
        raise BadRequest("limit_counts_nothing")
    written = {name: getattr(wanted, name) for name in ("instructions", "sources", "rubric")}
    texts = {name: text.replace("\0", "").replace("\r\n", "\n").strip() for name, text in written.items()}
    details = {name: getattr(wanted, name) for name in model.AssignmentDetails.model_fields}
    changed = replace(of, **details | texts | {"title": _title_if_usable(wanted, of.school, context)})
    context.store.keep_assignment(changed)
    if paid := priced_model(of.school, context):
        for each, name in zip(of.charged, ("cost_limit", "course_limit"), strict=False):  # a course may be unknown
            if name in wanted.model_fields_set:
                limit = getattr(wanted, name)
                paid.ledger.set_limit(of.school, each, None if limit is None else round(limit * MICROS))
    return changed


def _title_if_usable(wanted: model.AssignmentRequest, school: str, context: AssignmentContext) -> str:
    """The title, on one line. Raises BadRequest without one or for a limit without prices, NotFound for an unknown book."""
    if not (title := one_line(wanted.title)):
        raise BadRequest("assignment_without_title")
    if (wanted.cost_limit, wanted.course_limit) != (None, None) and priced_model(school, context) is None:
        raise BadRequest("limit_counts_nothing")
    for book in wanted.books:
        context.services.catalog.book(school, BookId(book))
    return title


def priced_model(school: str, context: AssignmentContext) -> PaidModel | None:
    """The school's language model, if it has one whose prices are known."""
    paid = context.batches.essays.writing.for_school(school).paid
    return paid if paid and paid.price.micros(ESSAY) else None


def cost_of(of: Assignment, context: AssignmentContext) -> AssignmentCost | None:
    """What an assignment costs; None if nothing is known to."""
    if (paid := priced_model(of.school, context)) is None:
        return None
    essay, students = paid.price.micros(ESSAY) / MICROS, context.store.class_sizes(of.school).get(of.class_id or "", 0)
    known: dict[str, float | None] = {}
    for kind, each in zip(("", "course_"), of.charged, strict=False):
        limit = paid.ledger.limit(of.school, each)
        known[f"{kind}spent"] = paid.ledger.spent(of.school, each) / MICROS
        known[f"{kind}limit"] = None if limit is None else limit / MICROS
    return AssignmentCost.model_validate({"essay": essay, "class_essays": students * essay, **known})


def assignment_for(person: Person, id: str, context: AssignmentContext) -> Assignment:
    """The assignment. Raises NotFound, also for a student who is not in its class."""
    found = context.store.assignment(person.school, id)
    if person.role is KeyScope.STUDENT and found.class_id and found.class_id not in classes_of(person, context.store):
        raise NotFound("no_such_assignment")
    return found


def classes_of(student: Person, store: SqlAssignments) -> set[str]:
    """The ids of the student's classes."""
    return {each.class_id for each in store.places_of(student.school, student.email)}


def assignments_of(student: Person, store: SqlAssignments) -> list[Assignment]:
    """The assignments of the student's classes, and those for which they have submitted, newest first."""
    classes = classes_of(student, store)
    submitted = {each.assignment for each in store.of_student(student.school, student.email)}
    return [each for each in store.assignments(student.school) if each.class_id in classes or each.id in submitted]


def titles_of(school: str, student: str, essays: Sequence[StoredFeedback], store: SqlAssignments) -> dict[str, str]:
    """The titles of the assignments that a student's essays, newest first, were handed in for, by the ids of their feedback."""
    titles = {each.id: each.title for each in store.assignments(school)}
    known = {each.feedback: titles.get(each.assignment, "") for each in store.of_student(school, student)}
    found: dict[str, str] = {}
    for each in essays:
        if title := found.get(each.id) or known.get(each.id):
            found[each.id] = title
            found |= {each.version_of: title} if each.version_of else {}
    return found


# Students of a class


def add_names(school: str, class_id: str, text: str, context: AssignmentContext) -> tuple[int, list[str]]:
    """Add the students of a list: a line has a name and optionally an e-mail address, separated by a comma, semicolon or tab.
    Sending it again changes nothing. Returns how many are in the class already, and the lines with something that stands for an
    e-mail address and is none. Raises NotFound, TooLarge."""
    named, wrong = list[tuple[str, str]](), list[str]()
    for cells in _named_in(text):
        email = next((cell.lower() for cell in cells if is_address(cell)), "")
        if not email and any("@" in cell or (at and cell.islower() and " " not in cell) for at, cell in enumerate(cells)):
            wrong.append(", ".join(cells))
        elif name := one_line(" ".join(cell for cell in cells if not is_address(cell))) or email:
            named.append((name, email))
    _, added = _placed(school, class_id, named, context)
    _add(school, class_id, added, context)
    return len(named) - len(added), wrong


def rename_student(school: str, class_id: str, id: str, name: str, context: AssignmentContext) -> ClassStudent:
    """Give a student another name. Raises NotFound, BadRequest without one."""
    student = context.store.student(school, class_id, id)
    renamed = replace(student, name=_name(name))
    if is_nowhere(student.email) and (person := context.sign_in.find(school, student.email)):
        context.sign_in.people.keep(replace(person, name=renamed.name))
    context.store.add_students(school, class_id, [renamed])
    return renamed


def new_code(school: str, class_id: str, id: str, context: AssignmentContext) -> ClassStudent:
    """Give a student another personal code; the earlier one ends, and so do their sessions. Raises NotFound."""
    student = context.store.student(school, class_id, id)
    person = context.sign_in.people.find(school, student.email)
    context.sign_in.people.remove(school, student.email)  # ends the sessions
    context.sign_in.people.keep(person)
    changed = replace(student, code=random_code(PERSONAL_LENGTH))
    context.store.add_students(school, class_id, [changed])
    return changed


def join(code: str, name: str, person: Person | None, context: AssignmentContext) -> tuple[Assignment, ClassStudent, Person]:
    """Add a student to the class of the assignment with this code: the person who is signed in, or a new one of that name.

    Raises NotFound, Forbidden if the school lets nobody join by a code, BadRequest for a name that is in the class already."""
    of = context.store.with_code(plain_code(code))
    class_id = of.class_id or ""
    if person and person.school == of.school and person.role is KeyScope.STUDENT:
        return of, _joined(class_id, person, context), person
    refuse_joining(of.school, context)
    there = context.store.students(of.school, class_id)
    if _plain(_name(name)) in {_plain(each.name) for each in there}:
        raise BadRequest("name_in_class", name=one_line(name))
    if len(there) >= MAX_STUDENTS:
        raise TooLarge("class_too_large", max_students=MAX_STUDENTS)
    new = new_student(of.school, class_id, _name(name), "", context, there=there, is_known=False)
    student = replace(new, joined=context.now())
    _add(of.school, class_id, [student], context)
    return of, student, context.sign_in.people.find(of.school, student.email)


def _joined(class_id: str, person: Person, context: AssignmentContext) -> ClassStudent:
    places = context.store.places_of(person.school, person.email)
    if there := next((each for each in places if each.class_id == class_id), None):
        return there
    student = ClassStudent(token_hex(ID_BYTES), person.school, class_id, person.email, person.name, None, context.now())
    context.store.add_students(person.school, class_id, [student])
    return student


def enter(code: str, context: AssignmentContext) -> Person:
    """The person with this personal code. Raises NotFound, Forbidden if the school lets nobody in by a code."""
    student = context.store.student_with_code(plain_code(code))
    refuse_joining(student.school, context)
    person = context.sign_in.find(student.school, student.email)
    if person is None or person.role is not KeyScope.STUDENT:
        raise NotFound("no_such_code")
    if student.joined is None:
        context.store.add_students(student.school, student.class_id, [replace(student, joined=context.now())])
    return person


def refuse_joining(school: str, context: AssignmentContext) -> None:
    """Raises Forbidden if the school has switched codes off."""
    if context.services.settings_of(school).codes is False:
        raise Forbidden("codes_switched_off")


def is_nowhere(email: str) -> bool:
    """Whether this stands in for an address of somebody who has none."""
    return email.endswith(f"@{NOWHERE}")


def plain_code(text: str) -> str:
    """The code as it is stored, however somebody has typed it."""
    return re.sub(r"[\s-]+", "", text).upper()[:PERSONAL_LENGTH]


def written_code(code: str) -> str:
    """The code as it is shown: in groups."""
    return "-".join(code[at : at + GROUP] for at in range(0, len(code), GROUP))


def random_code(length: int) -> str:
    """A new code of so many letters and digits, as it is stored."""
    return "".join(choice(LETTERS) for _ in range(length))


def new_student(
    school: str, class_id: str, name: str, email: str, context: AssignmentContext, *, there: list[ClassStudent], is_known: bool
) -> ClassStudent:
    """A student who is not stored yet, with a personal code if no letter can reach them. there: those of the class. is_known: a
    teacher says who it is, so that one who was in the class under that name has their essays again."""
    id = fingerprint("student", class_id, _plain(name), digits=2 * ID_BYTES)
    is_taken = any(each.id == id for each in there)  # by somebody who has another name by now
    if email or is_taken or (not is_known and context.store.of_student(school, f"{id}@{NOWHERE}")):
        id = token_hex(ID_BYTES)
    code = None if email and context.sign_in.has_post(school) else random_code(PERSONAL_LENGTH)
    joined = context.now() if email and context.sign_in.find(school, email) else None
    return ClassStudent(id, school, class_id, email or f"{id}@{NOWHERE}", name, code, joined)


def _add(school: str, class_id: str, students: Sequence[ClassStudent], context: AssignmentContext) -> None:
    """Add students to a class, as persons if they are none yet. Raises NotFound."""
    for each in students:
        if context.sign_in.find(school, each.email) is None:
            enrol(school, each.email, each.name, KeyScope.STUDENT, sign_in=context.sign_in, now=context.now())
    context.store.add_students(school, class_id, students)


def _named_in(text: str) -> Iterator[list[str]]:
    """The cells of each line with a student, between tabs, semicolons or commas, whichever of these the line has first in this
    order. Two cells without an address are a last and a first name, or the other way round; a later one in small letters is
    meant as an address."""
    for line in filter(str.strip, text.splitlines()):
        [given] = csv.reader([line], delimiter=next((mark for mark in "\t;" if mark in line), ","))
        cells = [cell for each in given if (cell := each.strip().strip("\ufeff"))]
        if cells and _plain(cells[0]) not in HEADINGS:
            yield cells


def _name(name: str) -> str:
    if not one_line(name):
        raise BadRequest("student_without_name")
    return one_line(name)[:MAX_NAME]


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def rename_class(school: str, class_id: str, name: str, context: AssignmentContext) -> None:
    """Give a class another name. Raises NotFound, BadRequest without one."""
    renamed = context.store.school_class(school, class_id).model_copy(update={"name": _name(name)})
    context.store.keep_class(renamed)


def remove_student(school: str, class_id: str, id: str, context: AssignmentContext) -> None:
    """Remove a student from the class; a person who was only known by a code is removed, too. Their essays stay: whoever is
    added by the same address, or by a teacher under the same name, has them again. Raises NotFound."""
    student = context.store.student(school, class_id, id)
    context.store.remove_student(school, class_id, id)
    if is_nowhere(student.email):
        context.sign_in.people.remove(school, student.email)


def remove_class(school: str, class_id: str, context: AssignmentContext) -> None:
    """Remove a class with its students and assignments; feedback stays until it expires. Raises NotFound."""
    students = context.store.students(school, class_id)
    context.store.remove_class(school, class_id)
    for each in students:
        if is_nowhere(each.email):
            context.sign_in.people.remove(school, each.email)


# Essays of an assignment


def task_of(of: Assignment) -> WritingTask | None:
    """What the assignment's essays are about; None if it does not say."""
    return WritingTask(of.instructions, (of.sources,) if of.sources else ()) if of.instructions or of.sources else None


def books_of(of: Assignment, catalog: SqlCatalog) -> list[BookId]:
    """The books to search that have not been removed since; empty without a choice: all of the school's. Raises NotFound if
    none is left of those that were chosen."""
    left = [BookId(each) for each in of.books if catalog.find(of.school, BookId(each))]
    if of.books and not left:
        raise NotFound("assignment_books_removed")
    return left


def options_for(of: Assignment, options: FeedbackOptions) -> FeedbackOptions:
    """The options with the assignment's rubric, and its task if they have none."""
    rubric = read_rubric(of.rubric) if of.rubric else options.rubric
    return replace(options, rubric=rubric, task=options.task or task_of(of))


def hand_in(of: Assignment, email: str, text: str, context: AssignmentContext) -> AssignmentSubmission:
    """Store a student's essay, begin its feedback, and return the submission. The same text as before is the same submission,
    unless its task, rubric or books have changed; another one is a version of it, and keeps its score. Without any book,
    the feedback has no passages, and says so; while the first one is read, it waits.

    Raises BadRequest and TooLarge for an essay that cannot be used, NotFound as books_of does."""
    before, batches = context.store.essay_of(of.id, email), context.batches
    essay_in(FeedbackRequest(text, Scope(of.school), options_for(of, FeedbackOptions())), batches.essays)
    entries = [EssayEntry(1, email, text=text)]
    earlier = {1: before.feedback} if before and before.feedback else {}
    order = BatchOrder(of.id, of.is_held, of.rubric, {1: email}, task_of(of), earlier, of.charged)
    books = books_of(of, context.services.catalog)
    batch = submit_batch(of.school, entries, books, batches, of.title, order=order)
    if batch.failed or _now_has_books(batch.key, batches):
        remove_batch(batch.key, batches)  # deleted, or not written, or without books, for a reason that may be gone
        submit_batch(of.school, entries, books, batches, of.title, order=order)
    if before and before.batch == batch.key.batch:
        new = before
    else:
        new = AssignmentSubmission(of.school, of.id, email, feedback_id(batch.key, 1), context.now(), None, batch.key.batch, 1)
        new = replace(new, score=before.score) if before else new
        context.store.submit(new)
    with suppress(NotFound):
        begin_batch(batch.key, batches, email, 0 if of.is_held else HEAD_START)
    return new


def _now_has_books(key: BatchKey, context: BatchContext) -> bool:
    """Whether there are books now that its feedback lacked, and no teacher has worked on that."""
    with suppress(NotFound):
        stored = context.history.store.find(key.school, feedback_id(key, 1))
        if visible_feedback(stored).evidence.lacked_books and not stored.choices and stored.edits == NO_EDITS:
            return bool(open_books(scope_of(key, context), context.services.catalog, context.services.embedder.model))
    return False


def text_of_submission(of: AssignmentSubmission, context: AssignmentContext) -> str:
    """The essay as it was handed in; empty if its feedback was written before it was."""
    with suppress(NotFound):
        if of.batch and of.number:
            return content_of(BatchKey(of.school, of.batch), context.batches).entries[of.number].text
    return ""


def upload(of: Assignment, given: list[EssayEntry], context: AssignmentContext, *, replacing: bool = False) -> list[EssayEntry]:
    """Submit the essays of a class, begin them, and return them, a second one of a student with that problem. An entry's id
    names its student, who is added to the class if unknown. The text that a student has handed in already changes nothing;
    another one is a version of it.

    Raises BadRequest, also for an assignment of a course, TooLarge, NotFound as books_of does; ChangedMeanwhile with
    the students who have handed in another text or are new in a class, unless `replacing`, before anything is stored."""
    if of.class_id is None:
        raise BadRequest("upload_without_class")
    usable = [each for each in given if each.problem is None]
    ids = [each.id.strip() for each in usable]
    students_given = [(id, id.lower()) if is_address(id) else (_spaced(id), "") for id in ids]
    students, added = _placed(of.school, of.class_id, students_given, context)
    named = {each.number: student for each, student in zip(usable, students, strict=True)}
    numbers = {student.email: number for number, student in reversed(named.items())}  # of the first essay of each
    owners = {number: email for email, number in sorted(numbers.items(), key=lambda each: each[1])}
    entries = [one if one.problem or one.number in owners else replace(one, problem=message("essay_twice")) for one in given]
    there = {each.email: each for each in context.store.submissions(of.id)}
    before = {number: there[email] for number, email in owners.items() if email in there}
    texts = {number: text_of_submission(each, context) for number, each in before.items()}
    new = [each for each in entries if texts.get(each.number) != each.text]
    if owners and not any(each.problem is None for each in new):
        return entries
    names = ", ".join(named[each.number].name for each in new if each.number in before)
    if not replacing and added and context.store.students(of.school, of.class_id):
        raise ChangedMeanwhile("essays_of_new_students", added=", ".join(each.name for each in added), names=names or "–")
    if not replacing and names:
        raise ChangedMeanwhile("essays_handed_in", names=names)
    books = books_of(of, context.services.catalog)
    _add(of.school, of.class_id, added, context)
    owners = {each.number: owners[each.number] for each in new if each.problem is None}
    earlier = {number: each.feedback for number, each in before.items() if each.feedback}
    order = BatchOrder(of.id, of.is_held, of.rubric, owners, task_of(of), earlier, of.charged)
    key = submit_batch(of.school, new, books, context.batches, of.title, order=order).key
    now, scores = context.now(), {number: each.score for number, each in before.items()}
    context.store.submit(
        *(
            AssignmentSubmission(of.school, of.id, email, feedback_id(key, n), now, scores.get(n), key.batch, n)
            for n, email in owners.items()
        )
    )
    with suppress(NotFound):  # while the first book is read
        begin_batch(key, context.batches)
    return entries


def _placed(
    school: str, class_id: str, named: Sequence[tuple[str, str]], context: AssignmentContext
) -> tuple[list[ClassStudent], list[ClassStudent]]:
    """The student of each name and e-mail address, which may be empty: the one of the class with that address, or that name in
    any order of its parts and no other address, else a new one; and those that are new. Raises TooLarge."""
    there = context.store.students(school, class_id)
    known = {key: each for each in there for key in (each.email, _parts(each.name))}
    found, added = list[ClassStudent](), list[ClassStudent]()
    for given, email in named:
        name = one_line(given)[:MAX_NAME]
        namesake = known.get(_parts(name))
        student = known.get(email) or (None if namesake and email and not is_nowhere(namesake.email) else namesake)
        if student is None:
            student = new_student(school, class_id, name, email, context, there=[*there, *added], is_known=True)
            known |= {student.email: student, _parts(name): student}
            added.append(student)
        found.append(student)
    if len(added) + len(there) > MAX_STUDENTS:
        raise TooLarge("class_too_large", max_students=MAX_STUDENTS)
    return found, added


def _spaced(name: str) -> str:
    """The name of a file as a name: "Ada_Lovelace" is "Ada Lovelace"."""
    return one_line(name.replace("_", " ")) or name


def _parts(name: str) -> tuple[str, ...]:
    """The words of a name in one order, so that "Lovelace, Ada" is "Ada Lovelace"."""
    return tuple(sorted(re.findall(r"\w+", _spaced(name).casefold()))) or (name,)
