"""Tables and store of classes, assignments and submissions, in the catalogue's database."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ColumnElement, Float, ForeignKey, Index, Select, String, Text, and_, func, select
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.assignments.model import Assignment, AssignmentSubmission, ClassStudent, SchoolClass
from chapterverse.core.errors import NotFound
from chapterverse.essays.store import FeedbackRow
from chapterverse.infrastructure.sql import CatalogTable, SqlStore, UtcTime, fact_of, found, one_at_a_time, row_of, storable


class ClassRow(CatalogTable):
    """A class of a school."""

    __tablename__ = "classes"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    name: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(UtcTime)


class StudentRow(CatalogTable):
    """A student of a class."""

    __tablename__ = "class_students"
    __table_args__ = (
        Index(None, "class_id", "email", unique=True),
        Index("ix_class_students_person", "school", "email"),
        Index(None, "code", unique=True),
    )

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    class_id: Mapped[str] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"))
    email: Mapped[str] = mapped_column(String(320))
    name: Mapped[str] = mapped_column(Text)
    code: Mapped[str | None] = mapped_column(String(16))
    joined: Mapped[datetime | None] = mapped_column(UtcTime)


class AssignmentRow(CatalogTable):
    """An essay assignment of a class or a course. services: what the platform offers for its link; details: the fields of
    Assignment without a column."""

    __tablename__ = "assignments"
    __table_args__ = (Index(None, "platform", "link"), Index(None, "code", unique=True))

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    platform: Mapped[str | None] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    class_id: Mapped[str | None] = mapped_column(ForeignKey("classes.id", ondelete="CASCADE"))
    link: Mapped[str] = mapped_column(String(255))
    code: Mapped[str | None] = mapped_column(String(16))
    title: Mapped[str] = mapped_column(Text)
    instructions: Mapped[str] = mapped_column(Text)
    books: Mapped[list[str]] = mapped_column(JSON)
    most: Mapped[float] = mapped_column(Float)
    services: Mapped[dict[str, Any]] = mapped_column(JSON)
    created: Mapped[datetime] = mapped_column(UtcTime)
    due: Mapped[datetime | None] = mapped_column(UtcTime)
    details: Mapped[dict[str, Any]] = mapped_column(JSON)


class SubmissionRow(CatalogTable):
    """A student's last submission. score: what was sent to the gradebook."""

    __tablename__ = "submissions"

    assignment: Mapped[str] = mapped_column(ForeignKey("assignments.id", ondelete="CASCADE"), primary_key=True)
    email: Mapped[str] = mapped_column(String(320), primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    feedback: Mapped[str | None] = mapped_column(String(64), index=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    score: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    batch: Mapped[str | None] = mapped_column(String(64))
    number: Mapped[int | None]


class SqlAssignments(SqlStore):
    """Classes, assignments and submissions of all schools, on SQLite or PostgreSQL; behaviour:
    tests/contract/test_assignment_store.py. Each method is one transaction and raises CatalogUnavailable."""

    def keep_class(self, school_class: SchoolClass) -> None:
        """Create or replace the class with this id."""
        self._put(row_of(ClassRow, school_class))

    def school_class(self, school: str, id: str) -> SchoolClass:
        """Raises NotFound."""
        return fact_of(SchoolClass, self._row(select(ClassRow).where(*_of(ClassRow, school, id)), NotFound("no_such_class")))

    def classes(self, school: str) -> list[SchoolClass]:
        """The school's classes, by name."""
        wanted = select(ClassRow).where(ClassRow.school == storable(school)).order_by(ClassRow.name, ClassRow.id)
        return self._facts(SchoolClass, wanted)

    def remove_class(self, school: str, id: str) -> None:
        """Remove the class with its students, assignments and their submissions. Raises NotFound."""
        self._forget(ClassRow.id, *_of(ClassRow, school, id), missing=NotFound("no_such_class"))

    def add_students(self, school: str, class_id: str, students: Iterable[ClassStudent]) -> None:
        """Add or replace students of a class. Raises NotFound for an unknown class."""
        with self._writing() as session:
            one_at_a_time(session.connection(), school)
            found(session, select(ClassRow).where(*_of(ClassRow, school, class_id)), NotFound("no_such_class"))
            for each in students:
                session.merge(row_of(StudentRow, each))

    def students(self, school: str, class_id: str) -> list[ClassStudent]:
        """The students of a class, by name."""
        ours = (StudentRow.school == storable(school), StudentRow.class_id == storable(class_id))
        return self._students(*ours)

    def student(self, school: str, class_id: str, id: str) -> ClassStudent:
        """Raises NotFound."""
        ours = (*_of(StudentRow, school, id), StudentRow.class_id == storable(class_id))
        return fact_of(ClassStudent, self._row(select(StudentRow).where(*ours), NotFound("no_such_student")))

    def student_with_code(self, code: str) -> ClassStudent:
        """The student of any school with that personal code. Raises NotFound."""
        wanted = select(StudentRow).where(StudentRow.code == storable(code))
        return fact_of(ClassStudent, self._row(wanted, NotFound("no_such_code")))

    def places_of(self, school: str, email: str) -> list[ClassStudent]:
        """What the person is in each of their classes."""
        return self._students(StudentRow.school == storable(school), StudentRow.email == storable(email))

    def remove_student(self, school: str, class_id: str, id: str) -> None:
        """Remove a student from the class. Raises NotFound."""
        ours = (*_of(StudentRow, school, id), StudentRow.class_id == storable(class_id))
        self._forget(StudentRow.id, *ours, missing=NotFound("no_such_student"))

    def keep_assignment(self, assignment: Assignment) -> None:
        """Create or replace the assignment with this id."""
        self._put(row_of(AssignmentRow, assignment))

    def assignment(self, school: str, id: str) -> Assignment:
        """Raises NotFound."""
        return self._assignment(*_of(AssignmentRow, school, id))

    def with_code(self, code: str) -> Assignment:
        """The assignment of any school with that join code. Raises NotFound."""
        return self._assignment(AssignmentRow.code == storable(code), missing="no_such_code")

    def on_link(self, platform: str, link: str) -> Assignment:
        """The assignment of a platform's link. Raises NotFound."""
        return self._assignment(AssignmentRow.platform == platform, AssignmentRow.link == storable(link))

    def assignments(self, school: str) -> list[Assignment]:
        """The school's assignments, newest first."""
        wanted = select(AssignmentRow).where(AssignmentRow.school == storable(school)).order_by(AssignmentRow.created.desc())
        return self._facts(Assignment, wanted)

    def remove_assignment(self, school: str, id: str) -> None:
        """Remove the assignment and its submissions; the feedback stays. Raises NotFound."""
        self._forget(AssignmentRow.id, *_of(AssignmentRow, school, id), missing=NotFound("no_such_assignment"))

    def submit(self, *essays: AssignmentSubmission) -> None:
        """Store submissions in place of the students' earlier ones."""
        with self._writing() as session:
            for each in essays:
                session.merge(row_of(SubmissionRow, each))

    def submissions(self, assignment: str) -> list[AssignmentSubmission]:
        """The submissions of an assignment, by e-mail address."""
        return self._submissions(SubmissionRow.assignment == storable(assignment))

    def of_student(self, school: str, email: str) -> list[AssignmentSubmission]:
        """A student's submissions."""
        return self._submissions(SubmissionRow.school == storable(school), SubmissionRow.email == storable(email))

    def essay_of(self, assignment: str, email: str) -> AssignmentSubmission | None:
        """The last submission of that person; None: there is none."""
        ours = (SubmissionRow.assignment == storable(assignment), SubmissionRow.email == storable(email))
        return next(iter(self._submissions(*ours)), None)

    def submitted(self, school: str) -> dict[str, int]:
        """How many students have submitted, by assignment."""
        counted = select(SubmissionRow.assignment, func.count()).where(SubmissionRow.school == storable(school))
        return self._counts(counted.group_by(SubmissionRow.assignment))

    def class_sizes(self, school: str) -> dict[str, int]:
        """How many students there are, by class."""
        counted = select(StudentRow.class_id, func.count()).where(StudentRow.school == storable(school))
        return self._counts(counted.group_by(StudentRow.class_id))

    def unreleased(self, school: str, since: datetime) -> dict[str, int]:
        """How many submissions have feedback, created since then, that is not released, by assignment."""
        theirs = and_(FeedbackRow.school == SubmissionRow.school, FeedbackRow.id == SubmissionRow.feedback)
        counted = select(SubmissionRow.assignment, func.count()).join(FeedbackRow, theirs)
        counted = counted.where(SubmissionRow.school == storable(school), FeedbackRow.approved.is_(None))
        counted = counted.where(FeedbackRow.created >= since)
        return self._counts(counted.group_by(SubmissionRow.assignment))

    def _counts(self, counted: "Select[str, int]") -> dict[str, int]:
        with self._reading() as session:
            return {row[0]: row[1] for row in session.execute(counted)}

    def _assignment(self, *which: ColumnElement[bool], missing: str = "no_such_assignment") -> Assignment:
        wanted = select(AssignmentRow).where(*which).order_by(AssignmentRow.created).limit(1)
        return fact_of(Assignment, self._row(wanted, NotFound(missing)))

    def _students(self, *which: ColumnElement[bool]) -> list[ClassStudent]:
        return self._facts(ClassStudent, select(StudentRow).where(*which).order_by(StudentRow.name, StudentRow.id))

    def _submissions(self, *which: ColumnElement[bool]) -> list[AssignmentSubmission]:
        return self._facts(AssignmentSubmission, select(SubmissionRow).where(*which).order_by(SubmissionRow.email))


def _of(table: Any, school: str, id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return table.school == storable(school), table.id == storable(id)
