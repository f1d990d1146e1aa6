"""The help desk's tables. A change here needs a migration; a test compares the two."""

from datetime import datetime

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.adapters.sql_table import Table, UtcTime


class ConversationRow(Table):
    """A conversation with the help desk. What is said in it is JSON in a text: no database looks into it. agent: who has it;
    led_by: its user."""

    __tablename__ = "conversations"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    waiting: Mapped[datetime | None] = mapped_column(UtcTime)
    said: Mapped[str] = mapped_column(Text)
    led_by: Mapped[str] = mapped_column(String(255), server_default="", index=True)
    agent: Mapped[str | None] = mapped_column(String(320))
    closed: Mapped[datetime | None] = mapped_column(UtcTime)


class FaqRow(Table):
    """A question that is answered once and for all; not approved: a draft, which nobody finds; archived: put aside."""

    __tablename__ = "faq"
    __table_args__ = (Index(None, "source_id", "school", "type", unique=True),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    type: Mapped[str] = mapped_column(String(16))
    department: Mapped[str | None] = mapped_column(String(255))
    conversation: Mapped[str | None] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(UtcTime)
    approved: Mapped[datetime | None] = mapped_column(UtcTime)
    question: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    source_id: Mapped[str] = mapped_column(String(255), server_default="")
    archived: Mapped[datetime | None] = mapped_column(UtcTime)
