"""Tables of what schools set and have measured for themselves."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.adapters.sql_message import MessageText
from chapterverse.adapters.sql_table import Table, UtcTime
from chapterverse.messages import Message


class ChoiceRow(Table):
    """One thing that a school has set for itself; value: null where it went back to the default."""

    __tablename__ = "choices"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    changed_by: Mapped[str] = mapped_column(String(320))
    changed: Mapped[datetime] = mapped_column(UtcTime)


class MeasurementRow(Table):
    """What is measured of the search on a school's own texts. result: JSON in a text."""

    __tablename__ = "measurements"

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    about: Mapped[str] = mapped_column(String(255))
    n: Mapped[int]
    seed: Mapped[int]
    asked_by: Mapped[str] = mapped_column(String(320))
    created: Mapped[datetime] = mapped_column(UtcTime)
    state: Mapped[str] = mapped_column(String(16), index=True)
    done: Mapped[int]
    total: Mapped[int]
    message: Mapped[Message | None] = mapped_column(MessageText)
    result: Mapped[str] = mapped_column(Text)
