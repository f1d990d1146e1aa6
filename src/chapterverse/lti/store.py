"""Learning platforms, courses, assignments and grades in the catalogue's database: tables and SqlLti."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import JSON, ColumnElement, Float, ForeignKey, Index, String, Text, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.store import GuestRow
from chapterverse.core.errors import NotFound
from chapterverse.infrastructure.sql.engine import CatalogTable, SqlStore, UtcTime, found, storable
from chapterverse.lti.model import Assignment, AssignmentSubmission, CourseServices, Guest, Pending, Platform, SentScore
from chapterverse.messages import message


class PlatformRow(CatalogTable):
    """A learning platform. told: its addresses, deployments and the widest role."""

    __tablename__ = "lti_platforms"
    __table_args__ = (Index(None, "issuer", "client_id", unique=True),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    issuer: Mapped[str] = mapped_column(String(255))
    client_id: Mapped[str] = mapped_column(String(255))
    told: Mapped[dict[str, Any]] = mapped_column(JSON)
    created: Mapped[datetime] = mapped_column(UtcTime)


class PendingRow(CatalogTable):
    """Something begun with it that has to come back."""

    __tablename__ = "lti_pending"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    told: Mapped[dict[str, str]] = mapped_column(JSON)
    expires: Mapped[datetime] = mapped_column(UtcTime, index=True)


class AssignmentRow(CatalogTable):
    """An essay that is asked for in a course. services: what the platform offers for its link."""

    __tablename__ = "lti_assignments"
    __table_args__ = (Index(None, "platform", "link"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    link: Mapped[str] = mapped_column(String(255))
    title: Mapped[str] = mapped_column(Text)
    instructions: Mapped[str] = mapped_column(Text)
    books: Mapped[list[str]] = mapped_column(JSON)
    most: Mapped[float] = mapped_column(Float)
    services: Mapped[dict[str, Any]] = mapped_column(JSON)
    created: Mapped[datetime] = mapped_column(UtcTime)


class SubmissionRow(CatalogTable):
    """That somebody has handed in. score: what was sent to the gradebook of it."""

    __tablename__ = "lti_handed_in"

    assignment: Mapped[str] = mapped_column(ForeignKey("lti_assignments.id", ondelete="CASCADE"), primary_key=True)
    email: Mapped[str] = mapped_column(String(320), primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    feedback: Mapped[str | None] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(UtcTime)
    score: Mapped[dict[str, Any] | None] = mapped_column(JSON)


SERVICES = TypeAdapter(CourseServices)

SCORE = TypeAdapter(SentScore)

Row = TypeVar("Row")


class SqlLti(SqlStore):
    """SqlLti on any database that SQLAlchemy speaks."""

    def keep_platform(self, platform: Platform) -> None:
        self._keep(_platform_row(platform))

    def platform(self, id: str) -> Platform:
        with self._reading() as session:
            return _platform(
                found(session, select(PlatformRow).where(PlatformRow.id == storable(id)), _no("learning_platform"))
            )

    def platforms(self, school: str) -> list[Platform]:
        return self._platforms(PlatformRow.school == storable(school))

    def of_issuer(self, issuer: str) -> list[Platform]:
        return self._platforms(PlatformRow.issuer == storable(issuer))

    def remove_platform(self, school: str, id: str) -> None:
        ours = (PlatformRow.school == storable(school), PlatformRow.id == storable(id))
        with self._writing() as session:
            found(session, select(PlatformRow).where(*ours), _no("learning_platform"))
            _empty(session, id)
        self._forget(PlatformRow.id, *ours)

    def begin(self, pending: Pending) -> None:
        row = PendingRow(digest=pending.digest, platform=pending.platform, told=dict(pending.told), expires=pending.expires)
        self._keep(row)

    def forget(self, before: datetime) -> int:
        with self._writing() as session:
            gone = delete(PendingRow).where(PendingRow.expires < before).returning(PendingRow.digest)
            return len(session.scalars(gone).all())

    def take(self, digest: str, now: datetime) -> Pending:
        gone = delete(PendingRow).where(PendingRow.digest == storable(digest), PendingRow.expires > now)
        with self._writing() as session:
            for row in session.scalars(gone.returning(PendingRow)):
                return Pending(row.digest, row.platform, row.told, row.expires)
        raise _no("waiting_login")

    def keep_guest(self, guest: Guest) -> None:
        told = {"school": guest.school, "email": guest.email, "role": guest.role}
        self._keep(GuestRow(platform=guest.platform, subject=guest.subject, **told))

    def guest(self, platform: str, subject: str) -> Guest:
        wanted = select(GuestRow).where(GuestRow.platform == platform, GuestRow.subject == storable(subject))
        with self._reading() as session:
            return _guest(found(session, wanted, _no("guest")))

    def guests(self, platform: str) -> list[Guest]:
        with self._reading() as session:
            return [_guest(row) for row in session.scalars(select(GuestRow).where(GuestRow.platform == platform))]

    def keep_assignment(self, assignment: Assignment) -> None:
        self._keep(_assignment_row(assignment))

    def assignment(self, school: str, id: str) -> Assignment:
        return self._assignment(AssignmentRow.school == storable(school), AssignmentRow.id == storable(id))

    def on_link(self, platform: str, link: str) -> Assignment:
        return self._assignment(AssignmentRow.platform == platform, AssignmentRow.link == storable(link))

    def assignments(self, school: str) -> list[Assignment]:
        wanted = select(AssignmentRow).where(AssignmentRow.school == storable(school)).order_by(AssignmentRow.created.desc())
        with self._reading() as session:
            return [_assignment(row) for row in session.scalars(wanted)]

    def submit(self, essay: AssignmentSubmission) -> None:
        score = SCORE.dump_python(essay.score, mode="json") if essay.score else None
        who = {"assignment": essay.assignment, "email": essay.email, "school": essay.school}
        self._keep(SubmissionRow(**who, feedback=essay.feedback, at=essay.at, score=score))

    def submissions(self, assignment: str) -> list[AssignmentSubmission]:
        wanted = select(SubmissionRow).where(SubmissionRow.assignment == storable(assignment)).order_by(SubmissionRow.email)
        with self._reading() as session:
            return [_submission(row) for row in session.scalars(wanted)]

    def _keep(self, row: Any) -> None:
        with self._writing() as session:
            session.merge(row)

    def _platforms(self, which: ColumnElement[bool]) -> list[Platform]:
        wanted = select(PlatformRow).where(which).order_by(PlatformRow.created, PlatformRow.id)
        with self._reading() as session:
            return [_platform(row) for row in session.scalars(wanted)]

    def _assignment(self, *which: ColumnElement[bool]) -> Assignment:
        with self._reading() as session:
            wanted = select(AssignmentRow).where(*which).order_by(AssignmentRow.created).limit(1)
            return _assignment(found(session, wanted, _no("assignment")))


def _empty(session: Session, platform: str) -> None:
    """All rows that are a platform's: SQLite leaves foreign keys alone unless it is asked."""
    its = select(AssignmentRow.id).where(AssignmentRow.platform == platform)
    session.execute(delete(SubmissionRow).where(SubmissionRow.assignment.in_(its)))
    for table in (AssignmentRow, GuestRow, PendingRow):
        session.execute(delete(table).where(table.platform == platform))


def _no(what: str) -> NotFound:
    return NotFound("no_such_lti_record", what=message(what))


def _platform_row(platform: Platform) -> PlatformRow:
    told: dict[str, str | Sequence[str]] = {
        "deployments": list(platform.deployments),
        "login_url": platform.login_url,
        "token_url": platform.token_url,
        "keys_url": platform.keys_url,
        "origins": list(platform.origins),
        "widest": platform.widest.value,
    }
    named = {"id": platform.id, "school": platform.school, "issuer": platform.issuer, "client_id": platform.client_id}
    return PlatformRow(**named, told=told, created=platform.created)


def _platform(row: PlatformRow) -> Platform:
    told = row.told
    return Platform(
        id=row.id,
        school=row.school,
        issuer=row.issuer,
        client_id=row.client_id,
        deployments=tuple(told["deployments"]),
        login_url=told["login_url"],
        token_url=told["token_url"],
        keys_url=told["keys_url"],
        origins=tuple(told["origins"]),
        widest=KeyScope(told["widest"]),
        created=row.created,
    )


def _guest(row: GuestRow) -> Guest:
    return Guest(row.platform, row.subject, row.school, row.email, KeyScope(row.role) if row.role else None)


def _assignment_row(each: Assignment) -> AssignmentRow:
    return AssignmentRow(
        id=each.id,
        school=each.school,
        platform=each.platform,
        link=each.link,
        title=each.title,
        instructions=each.instructions,
        books=list(each.books),
        most=each.most,
        services=SERVICES.dump_python(each.services, mode="json"),
        created=each.created,
    )


def _assignment(row: AssignmentRow) -> Assignment:
    return Assignment(
        id=row.id,
        school=row.school,
        platform=row.platform,
        title=row.title,
        instructions=row.instructions,
        books=tuple(row.books),
        most=row.most,
        created=row.created,
        link=row.link,
        services=SERVICES.validate_python(row.services),
    )


def _submission(row: SubmissionRow) -> AssignmentSubmission:
    score = SCORE.validate_python(row.score) if row.score else None
    return AssignmentSubmission(row.school, row.assignment, row.email, row.feedback, row.at, score)
