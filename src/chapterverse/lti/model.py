"""Learning platforms (Moodle, Canvas) that open Chapterverse by LTI 1.3, with their launches and the people they send."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, AliasPath, BeforeValidator, Field, model_validator

from chapterverse.accounts.model import KeyScope
from chapterverse.assignments.model import CourseServices, Id
from chapterverse.core.names import one_line
from chapterverse.core.requests import Record
from lti_assets.notices import ASSET_PROCESSOR, AssetFile, MessageType, NoticeService, NoticeType

ANY_DEPLOYMENT = "*"
OF_LTI = "https://purl.imsglobal.org/spec/lti/claim/"
OF_CHOICES = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
OF_MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
OF_GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
ASSIGNMENT_PARAMETER = "chapterverse_assignment"  # custom parameter of our links
LINK_ITEM = "ltiResourceLink"  # type of a content item (Deep Linking 2.0)
MAX_NAME = 200  # characters


@dataclass(frozen=True, slots=True)
class Platform:
    """A learning platform of a school, unique by issuer and client_id. login_url, token_url, keys_url: for browsers, for our
    tokens, for its public keys. origins: "https://host" of the pages that may frame ours. deployments: ids that it may launch
    with, ANY_DEPLOYMENT if it registered itself and deploys later."""

    issuer: str
    login_url: str
    token_url: str
    keys_url: str
    origins: tuple[str, ...]
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


NEEDED = {LaunchKind.LINK: "link", LaunchKind.CHOICE: "return_url", LaunchKind.REVIEW: "asset", LaunchKind.EULA: "eula_url"}
"""The field without which a message of that type says nothing."""


class PlatformPerson(Record, frozen=True):
    """A person as messages and rosters of platforms describe them. subject: the person's id there; roles: URNs."""

    subject: str = Field(validation_alias=AliasChoices("sub", "user_id"))
    full_name: str | None = Field(None, alias="name")
    given_name: str | None = None
    family_name: str | None = None
    address: str | None = Field(None, alias="email")
    roles: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """On one line; empty if the platform does not send it."""
        return one_line(self.full_name or f"{self.given_name or ''} {self.family_name or ''}")[:MAX_NAME]

    @property
    def email(self) -> str:
        """In lower case; empty if the platform does not send it."""
        return (self.address or "").strip().lower()


class Launch(PlatformPerson, frozen=True):
    """A launch message; other claims are ignored. link, title: of the opened link; chosen: its assignment; members_url to
    scopes: as in CourseServices. return_url, data, accept_types: of a choice. notices: where notices of hand-ins are subscribed
    to; asset: whose report is opened; eula_url: where an agreement is recorded."""

    subject: Id = Field(alias="sub")
    kind: LaunchKind = Field(alias=f"{OF_LTI}message_type")
    version: Literal["1.3.0"] = Field(alias=f"{OF_LTI}version")
    nonce: str
    roles: tuple[str, ...] = Field(alias=f"{OF_LTI}roles")
    deployment: Id = Field(alias=f"{OF_LTI}deployment_id")
    link: Id = Field("", validation_alias=AliasPath(f"{OF_LTI}resource_link", "id"))
    title: str | None = Field(None, validation_alias=AliasPath(f"{OF_LTI}resource_link", "title"))
    chosen: Annotated[str, BeforeValidator(str)] = Field(
        "", validation_alias=AliasPath(f"{OF_LTI}custom", ASSIGNMENT_PARAMETER)
    )
    members_url: str = Field("", validation_alias=AliasPath(OF_MEMBERS, "context_memberships_url"))
    line_items_url: str = Field("", validation_alias=AliasPath(OF_GRADES, "lineitems"))
    line_item_url: str = Field("", validation_alias=AliasPath(OF_GRADES, "lineitem"))
    scopes: tuple[str, ...] = Field((), validation_alias=AliasPath(OF_GRADES, "scope"))
    return_url: str = Field("", validation_alias=AliasPath(OF_CHOICES, "deep_link_return_url"))
    data: str | None = Field(None, validation_alias=AliasPath(OF_CHOICES, "data"))
    accept_types: tuple[str, ...] = Field((), validation_alias=AliasPath(OF_CHOICES, "accept_types"))
    notices: NoticeService | None = Field(None, alias=f"{OF_LTI}platformnotificationservice")
    asset: Id = Field("", validation_alias=AliasPath(f"{OF_LTI}asset", "id"))
    eula_url: str = Field("", validation_alias=AliasPath(f"{OF_LTI}eulaservice", "url"))

    @model_validator(mode="after")
    def _is_about_something(self) -> Self:
        needed = NEEDED.get(self.kind)
        if needed and not getattr(self, needed):
            raise ValueError(needed)
        if self.kind is LaunchKind.CHOICE and not {LINK_ITEM, ASSET_PROCESSOR} & set(self.accept_types):
            raise ValueError("accept_types")
        return self

    @property
    def services(self) -> CourseServices:
        return CourseServices(self.members_url, self.line_items_url, self.line_item_url, self.scopes)

    @property
    def takes_processors(self) -> bool:
        """Whether what is chosen processes what students hand in at the platform."""
        return ASSET_PROCESSOR in self.accept_types

    @property
    def notices_url(self) -> str:
        """Where notices of hand-ins are subscribed to; empty if the platform sends none."""
        return self.notices.url if self.notices and NoticeType.SUBMISSION in self.notices.types else ""


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


class Member(PlatformPerson, frozen=True):
    """A member of a course, from the platform's roster."""

    status: str | None = None

    @property
    def active(self) -> bool:
        """Whether the member has not left the course."""
        return self.status in {None, "Active"}


@dataclass(frozen=True, slots=True)
class ToolKey:
    """A key pair of ours as a JSON Web Key (RFC 7517). private: the whole key, secret. retired: since when a newer key signs;
    None: this one signs."""

    private: Mapping[str, Any]
    retired: datetime | None = None

    @property
    def public(self) -> dict[str, Any]:
        return {name: self.private[name] for name in ("kty", "kid", "alg", "use", "n", "e")}
