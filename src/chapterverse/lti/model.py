"""Learning platforms (Moodle, Canvas) that open Chapterverse for a school's people by LTI 1.3, and what is done for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from chapterverse.accounts.model import KeyScope


@dataclass(frozen=True, slots=True)
class Platform:
    """A learning platform of a school; of an issuer and client_id there is one. deployments: ids that it may launch with.
    login_url, token_url, keys_url: where people, we, and whoever checks its signatures turn to. origins: "https://host" of
    the pages that may hold ours in a frame. widest: no launch makes anybody more than that."""

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
    """Something begun with a platform that has to come back once, in time: a login, a choice. digest: of the secret that it
    comes back with; told: what is to be remembered meanwhile."""

    digest: str
    platform: str
    told: Mapping[str, str]
    expires: datetime


@dataclass(frozen=True, slots=True)
class CourseServices:
    """What the platform offers for the link that was opened; empty where it does not. members_url: Names and Roles (NRPS 2.0);
    line_items_url, line_item_url, scopes: Assignment and Grade Services (AGS 2.0)."""

    members_url: str = ""
    line_items_url: str = ""
    line_item_url: str = ""
    scopes: tuple[str, ...] = ()


class LaunchKind(StrEnum):
    """Message types that are taken (LTI 1.3 Core; Deep Linking 2.0)."""

    LINK = "LtiResourceLinkRequest"
    CHOICE = "LtiDeepLinkingRequest"


@dataclass(frozen=True, slots=True)
class Launch:
    """What a checked message says. subject: the person's id at the platform; email, name: empty where the platform does not
    tell; roles: URNs. link, title: of the link that was opened; chosen: the assignment that it was made for. return_url, data:
    of a choice."""

    kind: LaunchKind
    subject: str
    email: str
    name: str
    roles: tuple[str, ...]
    deployment: str
    link: str = ""
    title: str = ""
    chosen: str = ""
    services: CourseServices = CourseServices()
    return_url: str = ""
    data: str = ""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody whom a platform has sent: which person of the school they are, and the role that it last gave them, None: the
    school has."""

    platform: str
    subject: str
    school: str
    email: str
    role: KeyScope | None


@dataclass(frozen=True, slots=True)
class Assignment:
    """An essay that is asked for in a course. books: looked in, none: in all; most: the highest score. link: the platform's id
    of its link, once that was opened; services: of that link."""

    id: str
    school: str
    platform: str
    title: str
    instructions: str
    books: tuple[str, ...]
    most: float
    created: datetime
    link: str = ""
    services: CourseServices = CourseServices()


@dataclass(frozen=True, slots=True)
class SentScore:
    """What was sent to the gradebook. given: of at most `most`, None: no score, just the comment. at: when that was decided, by
    which the platform tells a newer one from the same one again (AGS 2.0, timestamp)."""

    given: float | None
    most: float
    comment: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AssignmentSubmission:
    """A student's last essay for an assignment. email: whose of the school; feedback: the id that it is kept under, None where
    nothing is kept."""

    school: str
    assignment: str
    email: str
    feedback: str | None
    at: datetime
    score: SentScore | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a course, as the platform tells. roles: URNs."""

    subject: str
    name: str
    email: str
    roles: tuple[str, ...]
    active: bool = True


@dataclass(frozen=True, slots=True)
class ToolKey:
    """A key pair of ours, as JSON Web Keys (RFC 7517). private: signs, and is told to nobody. retired: since when a newer one
    signs, None: this one does."""

    private: Mapping[str, Any]
    retired: datetime | None = None

    @property
    def public(self) -> dict[str, Any]:
        """What may be known of it."""
        return {name: self.private[name] for name in ("kty", "kid", "alg", "use", "n", "e")}


class KeyRing(Protocol):
    """The keys that platforms know us by; tests/contract/test_key_ring.py. Raises BadRequest where there are none to be had."""

    def all(self) -> Sequence[ToolKey]:
        """Newest first; that one signs. Of none yet, the first is made."""

    def rotate(self, now: datetime, published: float) -> Sequence[ToolKey]:
        """With a new one in front; those that retired more than `published` seconds ago are gone. Raises BadRequest where keys
        are kept elsewhere: its message says how they are changed there."""
