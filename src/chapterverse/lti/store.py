"""Tables and store of learning platforms and the people they send, in the catalogue's database."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ColumnElement, ForeignKey, Index, String, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from chapterverse.accounts.store import GuestRow
from chapterverse.assignments.store import assignments_of_platform
from chapterverse.core.errors import NotFound
from chapterverse.infrastructure.sql.engine import CatalogTable, SqlStore, UtcTime, fact_of, found, row_of, storable
from chapterverse.lti.model import Guest, Pending, Platform
from chapterverse.messages import message


class PlatformRow(CatalogTable):
    """A learning platform. details: the fields of Platform without a column."""

    __tablename__ = "lti_platforms"
    __table_args__ = (Index(None, "issuer", "client_id", unique=True),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    issuer: Mapped[str] = mapped_column(String(255))
    client_id: Mapped[str] = mapped_column(String(255))
    details: Mapped[dict[str, Any]] = mapped_column("told", JSON)
    created: Mapped[datetime] = mapped_column(UtcTime)


class PendingRow(CatalogTable):
    """A login or choice that was begun with a platform."""

    __tablename__ = "lti_pending"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    data: Mapped[dict[str, str]] = mapped_column("told", JSON)
    expires: Mapped[datetime] = mapped_column(UtcTime, index=True)


class SqlLti(SqlStore):
    """Learning platforms, and the people they sent. Each method is one transaction and raises
    CatalogUnavailable."""

    def keep_platform(self, platform: Platform) -> None:
        """Create or replace the platform with this id."""
        self._put(row_of(PlatformRow, platform))

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
            _empty(session, id)
        self._forget(PlatformRow.id, *ours)

    def begin(self, pending: Pending) -> None:
        """Store a begun login or choice."""
        self._put(row_of(PendingRow, pending))

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

    def keep_guest(self, guest: Guest) -> None:
        """Create or replace the guest with this platform and subject."""
        self._put(row_of(GuestRow, guest))

    def guest(self, platform: str, subject: str) -> Guest:
        """Raises NotFound."""
        wanted = select(GuestRow).where(GuestRow.platform == platform, GuestRow.subject == storable(subject))
        return fact_of(Guest, self._row(wanted, _no("guest")))

    def guests(self, platform: str) -> list[Guest]:
        """All people that the platform has sent."""
        return [fact_of(Guest, row) for row in self._rows(select(GuestRow).where(GuestRow.platform == platform))]

    def _platforms(self, which: ColumnElement[bool]) -> list[Platform]:
        wanted = select(PlatformRow).where(which).order_by(PlatformRow.created, PlatformRow.id)
        return [fact_of(Platform, row) for row in self._rows(wanted)]


def _empty(session: Session, platform: str) -> None:
    """Remove all rows of a platform."""
    session.execute(assignments_of_platform(platform))
    for table in (GuestRow, PendingRow):
        session.execute(delete(table).where(table.platform == platform))


def _no(what: str) -> NotFound:
    return NotFound("no_such_lti_record", what=message(what))
