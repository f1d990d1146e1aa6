"""Tables and store of learning platforms and the people they send, in the catalogue's database."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ColumnElement, ForeignKey, Index, String, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.accounts.store import GuestRow
from chapterverse.assignments.store import AssignmentRow
from chapterverse.core.errors import NotFound
from chapterverse.infrastructure.sql import CatalogTable, SqlStore, UtcTime, fact_of, found, of_one, row_of, storable
from chapterverse.lti.model import Agreement, Guest, HandIn, HandInState, Pending, Platform
from chapterverse.messages import message


class PlatformRow(CatalogTable):
    """A learning platform. details: the fields of Platform without a column."""

    __tablename__ = "lti_platforms"
    __table_args__ = (Index(None, "issuer", "client_id", unique=True),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    issuer: Mapped[str] = mapped_column(String(255))
    client_id: Mapped[str] = mapped_column(String(255))
    details: Mapped[dict[str, Any]] = mapped_column(JSON)
    created: Mapped[datetime] = mapped_column(UtcTime)


class PendingRow(CatalogTable):
    """A login or choice that was begun with a platform."""

    __tablename__ = "lti_pending"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    data: Mapped[dict[str, str]] = mapped_column(JSON)
    expires: Mapped[datetime] = mapped_column(UtcTime, index=True)


class HandInRow(CatalogTable):
    """A file that a student handed in at a platform. details: the fields of HandIn without a column."""

    __tablename__ = "lti_hand_ins"
    __table_args__ = (Index(None, "state", "at"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"), index=True)
    assignment: Mapped[str] = mapped_column(String(64))
    feedback: Mapped[str | None] = mapped_column(String(64), index=True)
    state: Mapped[str] = mapped_column(String(16))
    at: Mapped[datetime] = mapped_column(UtcTime)
    details: Mapped[dict[str, Any]] = mapped_column(JSON)


class AgreementRow(CatalogTable):
    """A student's answer to the terms at a platform."""

    __tablename__ = "lti_agreements"

    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    accepted: Mapped[bool]
    at: Mapped[datetime] = mapped_column(UtcTime)


ROWS: Mapping[type, type[CatalogTable]] = {Platform: PlatformRow, Pending: PendingRow, Guest: GuestRow, Agreement: AgreementRow}


class SqlLti(SqlStore):
    """Learning platforms, and the people they sent. Each method is one transaction and raises CatalogUnavailable."""

    def keep(self, fact: Platform | Pending | Guest | Agreement) -> None:
        """Create or replace it, by its id, its secret's digest, or its platform and subject."""
        self._put(row_of(ROWS[type(fact)], fact))

    def platform(self, id: str) -> Platform:
        """Raises NotFound."""
        wanted = select(PlatformRow).where(PlatformRow.id == storable(id))
        return fact_of(Platform, self._row(wanted, _no("learning_platform")))

    def platforms(self, school: str) -> list[Platform]:
        """The school's platforms, oldest first."""
        return self._platforms(PlatformRow.school == storable(school))

    def of_issuer(self, issuer: str) -> list[Platform]:
        """The platforms of all schools with this issuer: a cloud service has one issuer for many schools."""
        return self._platforms(PlatformRow.issuer == storable(issuer))

    def remove_platform(self, school: str, id: str) -> None:
        """Remove the platform with its guests and assignments. Raises NotFound."""
        ours = (PlatformRow.school == storable(school), PlatformRow.id == storable(id))
        with self._writing() as session:
            found(session, select(PlatformRow).where(*ours), _no("learning_platform"))
            for table in (AssignmentRow, GuestRow, PendingRow, HandInRow, AgreementRow):
                session.execute(delete(table).where(table.platform == id))
        self._forget(PlatformRow.id, *ours)

    def forget(self, before: datetime) -> int:
        """Remove what expired before then; returns the number."""
        with self._writing() as session:
            gone = delete(PendingRow).where(PendingRow.expires < before).returning(PendingRow.digest)
            return len(session.scalars(gone).all())

    def take(self, digest: str, now: datetime) -> Pending:
        """What was begun, which is removed: of two concurrent calls one succeeds. Raises NotFound, also if it has expired."""
        gone = delete(PendingRow).where(PendingRow.digest == storable(digest), PendingRow.expires > now)
        with self._writing() as session:
            for row in session.scalars(gone.returning(PendingRow)):
                return fact_of(Pending, row)
        raise _no("waiting_login")

    def guest(self, platform: str, subject: str) -> Guest:
        """Raises NotFound."""
        wanted = select(GuestRow).where(GuestRow.platform == platform, GuestRow.subject == storable(subject))
        return fact_of(Guest, self._row(wanted, _no("guest")))

    def guests(self, platform: str) -> list[Guest]:
        """All people that the platform has sent."""
        return self._facts(Guest, select(GuestRow).where(GuestRow.platform == platform))

    def add_hand_in(self, new: HandIn) -> HandIn:
        """Store a file that was handed in; one that is there stays as it is, but waits again if it failed. Returns what is
        stored."""
        with self._writing() as session:
            row = session.scalar(select(HandInRow).where(HandInRow.id == new.id).with_for_update())
            known = fact_of(HandIn, row) if row else None
            if known and known.state is not HandInState.FAILED:
                return known
            session.merge(row_of(HandInRow, new))
        return new

    def keep_hand_in(self, changed: HandIn) -> None:
        """Replace a file's record. Raises NotFound if it was removed meanwhile."""
        with self._writing() as session:
            found(session, select(HandInRow).where(HandInRow.id == changed.id), _no("hand_in"), alone=True)
            session.merge(row_of(HandInRow, changed))

    def hand_in(self, id: str) -> HandIn:
        """Raises NotFound."""
        return fact_of(HandIn, self._row(select(HandInRow).where(HandInRow.id == storable(id)), _no("hand_in")))

    def waiting_hand_ins(self) -> list[HandIn]:
        """Those of all schools that have no report yet, oldest first."""
        waiting = select(HandInRow).where(HandInRow.state == HandInState.WAITING).order_by(HandInRow.at, HandInRow.id)
        return self._facts(HandIn, waiting)

    def hand_ins_with(self, school: str, feedback: Iterable[str]) -> list[HandIn]:
        """Those with this feedback."""
        return self._facts(HandIn, select(HandInRow).where(HandInRow.school == school, HandInRow.feedback.in_(list(feedback))))

    def forget_hand_ins(self, before: datetime, school: str | None = None) -> int:
        """Remove those of the school, else of all, from before then; returns the number."""
        return self._forget(HandInRow.id, HandInRow.at < before, *of_one(HandInRow.school, school))

    def has_declined(self, platform: str, subject: str) -> bool:
        """Whether the student's last answer was no."""
        ours = (AgreementRow.platform == platform, AgreementRow.subject == storable(subject))
        return bool(self._rows(select(AgreementRow).where(*ours, AgreementRow.accepted.is_(False))))

    def _platforms(self, which: ColumnElement[bool]) -> list[Platform]:
        return self._facts(Platform, select(PlatformRow).where(which).order_by(PlatformRow.created, PlatformRow.id))


def _no(what: str) -> NotFound:
    return NotFound("no_such_lti_record", what=message(what))
