"""Tables of what is done for learning platforms; sql_tables has all others."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Float, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.adapters.sql_table import Table, UtcTime


class PlatformRow(Table):
    """A learning platform. told: its addresses, deployments and the widest role."""

    __tablename__ = "lti_platforms"
    __table_args__ = (Index(None, "issuer", "client_id", unique=True),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    issuer: Mapped[str] = mapped_column(String(255))
    client_id: Mapped[str] = mapped_column(String(255))
    told: Mapped[dict[str, Any]] = mapped_column(JSON)
    created: Mapped[datetime] = mapped_column(UtcTime)


class PendingRow(Table):
    """Something begun with it that has to come back."""

    __tablename__ = "lti_pending"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"))
    told: Mapped[dict[str, str]] = mapped_column(JSON)
    expires: Mapped[datetime] = mapped_column(UtcTime, index=True)


class GuestRow(Table):
    """Somebody whom it has sent."""

    __tablename__ = "lti_guests"

    platform: Mapped[str] = mapped_column(ForeignKey("lti_platforms.id", ondelete="CASCADE"), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    email: Mapped[str] = mapped_column(String(320))
    role: Mapped[str | None] = mapped_column(String(16))


class AssignmentRow(Table):
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


class HandedInRow(Table):
    """That somebody has handed in. score: what was sent to the gradebook of it."""

    __tablename__ = "lti_handed_in"

    assignment: Mapped[str] = mapped_column(ForeignKey("lti_assignments.id", ondelete="CASCADE"), primary_key=True)
    email: Mapped[str] = mapped_column(String(320), primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    feedback: Mapped[str | None] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(UtcTime)
    score: Mapped[dict[str, Any] | None] = mapped_column(JSON)
