"""Learning platforms (Moodle, Canvas) that open Chapterverse by LTI 1.3, with their launches and the people they send."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from chapterverse.accounts.model import KeyScope
from chapterverse.assignments.model import CourseServices
from lti_assets.notices import AssetFile, MessageType

ANY_DEPLOYMENT = "*"


@dataclass(frozen=True, slots=True)
class PlatformAddresses:
    """Issuer and addresses of a learning platform. login_url, token_url, keys_url: for browsers, for our tokens, for its public
    keys. origins: "https://host" of the pages that may frame ours."""

    issuer: str
    login_url: str
    token_url: str
    keys_url: str
    origins: tuple[str, ...]

    @property
    def called(self) -> tuple[str, str]:
        """Those that our server calls."""
        return self.token_url, self.keys_url


@dataclass(frozen=True, slots=True)
class Platform(PlatformAddresses):
    """A learning platform of a school, unique by issuer and client_id. deployments: ids that it may launch with, ANY_DEPLOYMENT
    if it registered itself and deploys later."""

    id: str
    school: str
    client_id: str
    deployments: tuple[str, ...]
    created: datetime

    def has(self, deployment: str) -> bool:
        """Whether the platform may launch with this deployment."""
        return ANY_DEPLOYMENT in self.deployments or deployment in self.deployments


@dataclass(frozen=True, slots=True)
class Pending:
    """A login or choice that was begun with a platform and must return once, in time. digest: of the secret that it returns
    with; data: what we need then."""

    digest: str
    platform: str
    data: Mapping[str, str]
    expires: datetime


class LaunchKind(StrEnum):
    """Supported message types (LTI 1.3 Core; Deep Linking 2.0; Asset Processor)."""

    LINK = "LtiResourceLinkRequest"
    CHOICE = "LtiDeepLinkingRequest"
    SETTINGS = MessageType.SETTINGS.value
    REVIEW = MessageType.REVIEW.value
    EULA = MessageType.EULA.value


@dataclass(frozen=True, slots=True)
class Launch:
    """A checked launch message. subject: the person's id at the platform; email, name: empty if the platform does not send
    them; roles: URNs. link, title: of the opened link; chosen: its assignment. return_url, data: of a choice; takes_processors:
    what is chosen processes what students hand in at the platform. notices_url: where notices of such are subscribed to; asset:
    whose report is opened; eula_url: where an agreement is recorded."""

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
    takes_processors: bool = False
    notices_url: str = ""
    asset: str = ""
    eula_url: str = ""


class HandInState(StrEnum):
    """WAITING: there is no report yet; DONE, FAILED: it was sent."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class HandIn:
    """A file that a student handed in at a platform. id: made of platform and asset; subject: the student's id at the platform;
    file: as the platform describes it; report_url: where its report goes; at: when it was handed in. feedback: its id, None if
    there is none; error: code of what failed."""

    id: str
    school: str
    platform: str
    assignment: str
    subject: str
    file: AssetFile
    report_url: str
    at: datetime
    state: HandInState = HandInState.WAITING
    feedback: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """A student's answer to the terms at a platform."""

    platform: str
    subject: str
    accepted: bool
    at: datetime


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
