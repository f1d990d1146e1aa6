"""Learning platforms (Moodle, Canvas) that open Chapterverse by LTI 1.3, with their launches and the people they send."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from chapterverse.accounts.model import KeyScope
from chapterverse.assignments.model import CourseServices


@dataclass(frozen=True, slots=True)
class Platform:
    """A learning platform of a school, unique by issuer and client_id. deployments: ids that it may launch with. login_url,
    token_url, keys_url: for browsers, for our tokens, for its public keys. origins: "https://host" of the pages that may frame
    ours. widest: the highest role that a launch can give."""

    id: str
    school: str
    issuer: str
    client_id: str
    deployments: tuple[str, ...]
    login_url: str
    token_url: str
    keys_url: str
    origins: tuple[str, ...]
    widest: KeyScope
    created: datetime


@dataclass(frozen=True, slots=True)
class Pending:
    """A login or choice that was begun with a platform and must return once, in time. digest: of the secret that it returns
    with; data: what we need then."""

    digest: str
    platform: str
    data: Mapping[str, str]
    expires: datetime


class LaunchKind(StrEnum):
    """Supported message types (LTI 1.3 Core; Deep Linking 2.0)."""

    LINK = "LtiResourceLinkRequest"
    CHOICE = "LtiDeepLinkingRequest"


@dataclass(frozen=True, slots=True)
class Launch:
    """A checked launch message. subject: the person's id at the platform; email, name: empty if the platform does not send
    them; roles: URNs. link, title: of the opened link; chosen: its assignment. return_url, data: of a choice."""

    kind: LaunchKind
    subject: str
    email: str
    name: str
    roles: tuple[str, ...]
    deployment: str
    link: str = ""
    title: str = ""
    chosen: str = ""
    services: CourseServices = field(default_factory=CourseServices)
    return_url: str = ""
    data: str = ""


@dataclass(frozen=True, slots=True)
class Guest:
    """A person whom a platform has sent, with the person of the school that they are. role: as last given by the platform;
    None: given by the school."""

    platform: str
    subject: str
    school: str
    email: str
    role: KeyScope | None


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a course, from the platform's roster. roles: URNs."""

    subject: str
    name: str
    email: str
    roles: tuple[str, ...]
    active: bool = True


@dataclass(frozen=True, slots=True)
class ToolKey:
    """A key pair of ours as a JSON Web Key (RFC 7517). private: the whole key, secret. retired: since when a newer key signs;
    None: this one signs."""

    private: Mapping[str, Any]
    retired: datetime | None = None

    @property
    def public(self) -> dict[str, Any]:
        """The public part."""
        return {name: self.private[name] for name in ("kty", "kid", "alg", "use", "n", "e")}


class KeyRing(Protocol):
    """The keys that we sign with; tests/contract/test_key_ring.py. Raises BadRequest if they cannot be read."""

    def all(self) -> Sequence[ToolKey]:
        """The keys, newest first; that one signs. If there is none, one is made."""

    def rotate(self, now: datetime, published: float) -> Sequence[ToolKey]:
        """Add a new key and drop those that retired more than `published` seconds ago; returns all. Raises BadRequest if the
        keys are stored elsewhere; the message says how to change them there."""
