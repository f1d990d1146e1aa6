"""Tables of essays that are handed in together."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.adapters.sql_message import MessageText
from chapterverse.adapters.sql_table import Table, UtcTime
from chapterverse.messages import Message


class BatchRow(Table):
    """Essays of one class. A higher id was created later. began, due: the window that it was last begun in."""

    __tablename__ = "batches"
    __table_args__ = (UniqueConstraint("school", "batch"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    batch: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(UtcTime)
    began: Mapped[datetime | None] = mapped_column(UtcTime)
    due: Mapped[datetime | None] = mapped_column(UtcTime)
    job: Mapped[str | None] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text, default="", server_default="")


class EssayRow(Table):
    """One essay of a batch, by its number: who wrote it, and what, is in the bucket."""

    __tablename__ = "batch_essays"

    batch_id: Mapped[int] = mapped_column(ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(String(64))
    message: Mapped[Message | None] = mapped_column(MessageText)
    changed: Mapped[datetime] = mapped_column(UtcTime)
