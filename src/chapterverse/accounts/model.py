"""What a school's programs and people send: files, work for later, keys.

The accounts that schools give their people, by which they may sign in here, too (OpenID Connect).

People who come by a browser: who they are, and the tickets that prove it.

What a school sets for itself, beside what the operator has set for all."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from chapterverse.core.book import Collection


class KeyScope(StrEnum):
    """What an API key may do; each may do what those before it may."""

    STUDENT = "student"
    TEACHER = "teacher"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A school's key to the HTTP interface; of its secret only a digest is kept. expires, revoked: UTC, None for never."""

    id: str
    school: str
    scope: KeyScope
    note: str
    created: datetime
    expires: datetime | None = None
    revoked: datetime | None = None


@dataclass(frozen=True, slots=True)
class Provider:
    """A school's own sign-in. id: unlike any other's; title: what people call it; issuer, client: as it knows itself and us.

    domains: of e-mail addresses that the school alone gives away; vouched: whether an address in one of them is believed where
    nobody says that it was verified. required: claims that the school's people have, with their values. role_claim: which
    claim says what somebody is; roles: what that value makes of them here."""

    id: str
    school: str
    title: str
    issuer: str
    client: str
    domains: tuple[str, ...] = ()
    vouched: bool = False
    required: tuple[tuple[str, str], ...] = ()
    role_claim: str = ""
    roles: tuple[tuple[str, KeyScope], ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody at an issuer, who goes by that subject there as nobody else ever will (OpenID Connect Core 1.0, 2)."""

    school: str
    issuer: str
    subject: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of a school; of one e-mail address there is one in each school. email: in lower case; role: what they may do."""

    school: str
    email: str
    name: str
    role: KeyScope
    created: datetime


class Purpose(StrEnum):
    """What a ticket is good for."""

    LINK = "link"  # signing in, once
    SESSION = "session"  # every request until it expires


@dataclass(frozen=True, slots=True)
class Ticket:
    """What somebody was given to show that they are that person; of its secret only a digest is kept. expires: UTC."""

    digest: str
    purpose: Purpose
    school: str
    email: str
    expires: datetime


Value = str | int | float


@dataclass(frozen=True, slots=True)
class Chosen:
    """One thing as a school has set it. value: None where it went back to the default; by: who did, as a school knows them."""

    value: Value | None
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SchoolChoices:
    """None: the default. evidences: sentences on an essay, at most (S1-17); tone, grade: of its feedback.

    least_…: the score from which something counts as found: for the books the re-scored cosine of a sentence, else the
    confidence that a question is answered, where the school has accepted a calibration (evaluation/calibration.py)."""

    evidences: int | None = None
    tone: str | None = None
    grade: int | None = None
    least_books: float | None = None
    least_documents: float | None = None
    least_textbook: float | None = None
    least_helpdesk: float | None = None

    @classmethod
    def of(cls, chosen: Mapping[str, Chosen]) -> "SchoolChoices":
        """What is kept under names that are not known (any more) is left out."""
        known: dict[str, Any] = {name: chosen[name].value for name in NAMES if name in chosen}
        return cls(**known)

    def least(self, collection: Collection) -> float | None:
        """Of that collection."""
        found: float | None = getattr(self, f"least_{collection.value}", None)
        return found


NAMES = tuple(field.name for field in fields(SchoolChoices))
