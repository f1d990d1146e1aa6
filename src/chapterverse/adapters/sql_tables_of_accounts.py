"""Tables of schools' own sign-ins."""

from typing import Any

from sqlalchemy import JSON, ForeignKeyConstraint, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from chapterverse.adapters.sql_table import Table


class ProviderRow(Table):
    """A school's own sign-in. told: who is let in by it, and as what."""

    __tablename__ = "providers"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    title: Mapped[str] = mapped_column(Text)
    issuer: Mapped[str] = mapped_column(Text)
    client: Mapped[str] = mapped_column(Text)
    told: Mapped[dict[str, Any]] = mapped_column(JSON)


class AccountRow(Table):
    """Whose account that is."""

    __tablename__ = "accounts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["school", "email"], ["people.school", "people.email"], ondelete="CASCADE", name="fk_accounts_person"
        ),
    )

    school: Mapped[str] = mapped_column(String(255), primary_key=True)
    issuer: Mapped[str] = mapped_column(String(255), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    email: Mapped[str] = mapped_column(String(320))
