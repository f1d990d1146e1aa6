"""People, API keys, tickets, account services (OpenID Connect) and settings of a school."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from hmac import new as hmac
from typing import Any


class KeyScope(StrEnum):
    """Role of a key or a person; each includes the ones before it."""

    STUDENT = "student"
    TEACHER = "teacher"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A school's key to the HTTP interface; its secret is stored as a digest. expires, revoked: UTC, None for never."""

    id: str
    school: str
    scope: KeyScope
    note: str
    created: datetime
    expires: datetime | None = None
    revoked: datetime | None = None


@dataclass(frozen=True, slots=True)
class Provider:
    """A school's own account service (OpenID Connect). id: unique across schools; client: our client id there.

    domains: e-mail domains of the school; vouched: trust an address in them even if the provider does not verify it."""

    id: str
    school: str
    title: str
    issuer: str
    client: str
    domains: tuple[str, ...] = ()
    vouched: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """An account at an issuer; its subject is unique there for ever (OpenID Connect Core 1.0, 2)."""

    school: str
    issuer: str
    subject: str


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a school, unique by school and e-mail address. email: in lower case."""

    school: str
    email: str
    name: str
    role: KeyScope
    created: datetime


class Purpose(StrEnum):
    """What a ticket is for."""

    LINK = "link"  # signing in, once
    SESSION = "session"  # every request until it expires


@dataclass(frozen=True, slots=True)
class Ticket:
    """A sign-in link or session of a person; its secret is stored as a digest. expires: UTC."""

    digest: str
    purpose: Purpose
    school: str
    email: str
    expires: datetime


Value = str | int | float


@dataclass(frozen=True, slots=True)
class StoredSetting:
    """One setting of a school. value: None after a return to the default; by: e-mail address or key of its author."""

    value: Value | None
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SchoolSettings:
    """The settings of a school; None: the default. tone, grade: of its
    feedback; approval: students see feedback only after a teacher released it; codes: students may sign in by a code;
    keep_days: that essays, feedback and conversations are stored, where these are fewer than the operator's; transcripts: what
    is said in lectures is stored with their citations."""

    tone: str | None = None
    grade: int | None = None
    approval: bool | None = None
    codes: bool | None = None
    keep_days: int | None = None
    transcripts: bool | None = None

    @classmethod
    def of(cls, stored: Mapping[str, StoredSetting]) -> "SchoolSettings":
        """From stored settings; unknown names are left out."""
        names = [field.name for field in fields(cls)]
        known: dict[str, Any] = {name: stored[name].value for name in names if name in stored}
        return cls(**known)


Claims = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Flow:
    """A sign-in that was begun. secret: stays in the browser; provider: its id; next: the page to open afterwards."""

    secret: str
    provider: str
    next: str

    @property
    def state(self) -> str:
        """Must come back with the code; else another site began the sign-in."""
        return self._derived("state")

    @property
    def nonce(self) -> str:
        """Must be in the token; else it was made for another sign-in."""
        return self._derived("nonce")

    @property
    def verifier(self) -> str:
        """Proves that the code is redeemed by the one who began; 43 characters, the minimum of RFC 7636, 4.1."""
        return self._derived("verifier")

    def _derived(self, what: str) -> str:
        digest = hmac(self.secret.encode(), f"{what} {self.provider}".encode(), sha256).digest()
        return urlsafe_b64encode(digest).rstrip(b"=").decode()
