"""Classes with their students and teachers from a OneRoster 1.2 CSV export (1EdTech OneRoster 1.2, CSV Binding).

Students without an e-mail address get a personal code. Only rows marked "tobedeleted" remove a student from a class."""

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from bookreader.errors import BadFile
from bookreader.html.files import read_within, refuse_unsafe, zip_errors_as_ours
from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import enrol, is_address
from chapterverse.assignments.model import ClassStudent, SchoolClass
from chapterverse.assignments.service import (
    MAX_NAME,
    MAX_STUDENTS,
    AssignmentContext,
    enrol_students,
    new_student,
    remove_student,
)
from chapterverse.core.errors import BadRequest, NotFound, TooLarge
from chapterverse.core.names import fingerprint, one_line
from chapterverse.messages import Message, message

USERS, CLASSES, ENROLLMENTS = "users.csv", "classes.csv", "enrollments.csv"
NEEDED: Mapping[str, tuple[str, ...]] = {
    USERS: ("sourcedId", "givenName", "familyName"),
    CLASSES: ("sourcedId", "title"),
    ENROLLMENTS: ("classSourcedId", "userSourcedId", "role"),
}
GONE = "tobedeleted"  # status of a row in a delta file; empty in a bulk file
MAX_BYTES = 64 * 2**20  # of the files, unpacked
MAX_ROWS = 200_000  # of a file
ID_DIGITS = 16
Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ImportedRoster:
    """What an import did. students, teachers: places in classes, new or known; removed: places that were marked as deleted.
    skipped: rows that could not be used, with the reason of the first of a kind."""

    classes: int
    students: int
    teachers: int
    removed: int
    skipped: int
    problems: tuple[Message, ...]


def import_roster(school: str, data: bytes, context: AssignmentContext) -> ImportedRoster:
    """Import a zip of CSV files. The same file again changes nothing. Raises BadRequest, TooLarge."""
    files = _files_in(data)
    users = {row["sourcedId"]: row for row in files[USERS] if row.get("status") != GONE}
    classes = {row["sourcedId"]: row for row in files[CLASSES]}
    known = {each.id: each for each in context.store.classes(school)}
    for id, row in classes.items():
        if row.get("status") != GONE:
            name, ours = one_line(row["title"])[:MAX_NAME] or id, class_id(school, id)
            new = known.get(ours) or SchoolClass(ours, school, name, context.now())
            context.store.keep_class(replace(new, name=name))
    return _Import(school, users, classes, context).run(files[ENROLLMENTS])


def class_id(school: str, sourced_id: str) -> str:
    """Our id of a class of the export."""
    return fingerprint("oneroster", school, sourced_id, digits=ID_DIGITS)


class _Import:
    """One import."""

    def __init__(self, school: str, users: Mapping[str, Row], classes: Mapping[str, Row], context: AssignmentContext) -> None:
        self._school, self._users, self._classes, self._context = school, users, classes, context
        self._known = dict[str, dict[str, ClassStudent]]()
        self._problems = dict[str, Message]()
        self._skipped = 0

    def run(self, enrollments: list[Row]) -> ImportedRoster:
        students = dict[str, dict[str, ClassStudent]]()
        teachers = removed = 0
        for row in enrollments:
            of, user = self._classes.get(row["classSourcedId"]), self._users.get(row["userSourcedId"])
            if of is None or of.get("status") == GONE or (user is None and row.get("status") != GONE):
                self._skip(message("roster_row_without_user", file=ENROLLMENTS))
            elif row.get("status") == GONE:
                removed += self._remove(row)
            elif user and row["role"].lower() == "student":
                student = self._student(row, user)
                students.setdefault(student.class_id, {})[student.id] = student
            elif user and row["role"].lower() in {"teacher", "proctor", "administrator"}:
                teachers += self._teacher(user)
            else:
                self._skip(message("roster_role_unknown", role=row["role"]))
        for id, those in students.items():
            if len(those) > MAX_STUDENTS:
                raise TooLarge("class_too_large", max_students=MAX_STUDENTS)
            enrol_students(those.values(), self._context)
            self._context.store.add_students(self._school, id, those.values())
        return ImportedRoster(
            classes=sum(row.get("status") != GONE for row in self._classes.values()),
            students=sum(map(len, students.values())),
            teachers=teachers,
            removed=removed,
            skipped=self._skipped,
            problems=tuple(self._problems.values()),
        )

    def _student(self, row: Row, user: Row) -> ClassStudent:
        of, id = class_id(self._school, row["classSourcedId"]), self._student_id(row)
        name, email = _name(user), user.get("email", "").strip().lower()
        known = self._known_in(of)
        there = known.get(id) or known.get(email)
        if there:
            return replace(there, name=name)
        return replace(new_student(self._school, of, name, email if is_address(email) else "", self._context), id=id)

    def _known_in(self, of: str) -> Mapping[str, ClassStudent]:
        """The students of a class before the import, by id and by e-mail address."""
        if of not in self._known:
            there = self._context.store.students(self._school, of)
            self._known[of] = {each.email: each for each in there} | {each.id: each for each in there}
        return self._known[of]

    def _student_id(self, row: Row) -> str:
        return fingerprint("oneroster", self._school, row["classSourcedId"], row["userSourcedId"], digits=ID_DIGITS)

    def _teacher(self, user: Row) -> int:
        """A teacher may sign in; who has a wider role keeps it."""
        email, context = user.get("email", "").strip().lower(), self._context
        if not is_address(email):
            self._skip(message("roster_teacher_without_address"))
            return 0
        there = context.sign_in.find(self._school, email)
        if there is None or not as_wide(there.role, KeyScope.TEACHER):
            enrol(self._school, email, _name(user), KeyScope.TEACHER, sign_in=context.sign_in, now=context.now())
        return 1

    def _remove(self, row: Row) -> int:
        try:
            remove_student(self._school, class_id(self._school, row["classSourcedId"]), self._student_id(row), self._context)
        except NotFound:
            return 0
        return 1

    def _skip(self, why: Message) -> None:
        self._skipped += 1
        self._problems.setdefault(why.id, why)


def _name(user: Row) -> str:
    return one_line(f"{user['givenName']} {user['familyName']}")[:MAX_NAME] or user["sourcedId"]


def _files_in(data: bytes) -> dict[str, list[Row]]:
    """The rows of each needed file. Raises BadRequest, TooLarge."""
    try:
        with zip_errors_as_ours(), zipfile.ZipFile(io.BytesIO(data)) as archive:
            refuse_unsafe(archive.infolist())
            entries = {one.filename.rpartition("/")[2].lower(): one for one in archive.infolist()}
            if absent := [name for name in NEEDED if name not in entries]:
                raise BadRequest("roster_file_missing", file=", ".join(absent))
            read = read_within(archive, [entries[name] for name in NEEDED], MAX_BYTES)
            return {name: list(_rows(name, file.data)) for name, file in zip(NEEDED, read, strict=True)}
    except BadFile as error:
        raise BadRequest(error.message) from error


def _rows(name: str, data: bytes) -> Iterator[Row]:
    try:
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig")), strict=True)
        if absent := [column for column in NEEDED[name] if column not in (reader.fieldnames or ())]:
            raise BadRequest("roster_column_missing", file=name, column=", ".join(absent))
        for number, row in enumerate(reader):
            if number >= MAX_ROWS:
                raise TooLarge("roster_too_long", file=name, max_rows=MAX_ROWS)
            yield {column: value or "" for column, value in row.items() if isinstance(column, str)}
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadRequest("roster_unreadable", file=name) from error
