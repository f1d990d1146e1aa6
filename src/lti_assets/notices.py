"""Notices: read the body of a request, check signatures, parse. Claims of LTI 1.3 Core, of the
Platform Notification Service 1.0 (PNS) and of the Asset Processor, and its content item. Errors of this package."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import AliasPath, BaseModel, Field, ValidationError

if TYPE_CHECKING:
    import jwt


class AssetError(Exception):
    """Base of all errors of this package."""


class NoticeInvalid(AssetError):
    """A notice or message is not signed by the platform, not for this tool, or lacks a claim. The text says which."""


class PlatformAway(AssetError):
    """The platform does not answer, or asks to try again later."""


class ServiceRefused(AssetError):
    """The platform refused a call, or its answer violates the specification. status: of HTTP, 0 if there is none."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


class AssetTooLarge(AssetError):
    """The file is larger than the tool takes."""


LTI = "https://purl.imsglobal.org/spec/lti/claim/"
SCOPE = "https://purl.imsglobal.org/spec/lti/scope/"
NOTICES, READ_ASSETS, WRITE_REPORTS = f"{SCOPE}noticehandlers", f"{SCOPE}asset.readonly", f"{SCOPE}report"
EULA_USER = f"{SCOPE}eula/user"
SCOPES = (NOTICES, READ_ASSETS, WRITE_REPORTS)  # that every asset processor needs
ASSET_PROCESSOR = "ltiAssetProcessor"  # type of a content item (Deep Linking 2.0)
Id = Annotated[str, Field(min_length=1, max_length=255)]
Such = TypeVar("Such", bound=BaseModel)


class MessageType(StrEnum):
    """Types of messages that come with the Asset Processor."""

    SETTINGS = "LtiAssetProcessorSettingsRequest"
    REVIEW = "LtiReportReviewRequest"
    EULA = "LtiEulaRequest"


class NoticeType(StrEnum):
    """Types of notices (PNS; Asset Processor)."""

    HELLO = "LtiHelloWorldNotice"
    SUBMISSION = "LtiAssetProcessorSubmissionNotice"


class AssetClaims(BaseModel, extra="ignore", frozen=True):
    """Base of groups of claims; unknown claims are ignored (LTI 1.3 Core, 4.3)."""


class AssetFile(AssetClaims):
    """A file that was handed in. sha256_checksum: in Base64; size: bytes; None where the platform does not say."""

    asset_id: Id
    url: str
    title: str | None = None
    filename: str | None = None
    sha256_checksum: str | None = None
    size: int | None = None
    content_type: str | None = None
    timestamp: datetime | None = None


class Notice(AssetClaims):
    """A notice. id: the same for a repetition; type: of NoticeType, or one that this package does not know."""

    id: Id = Field(validation_alias=AliasPath(f"{LTI}notice", "id"))
    type: str = Field(validation_alias=AliasPath(f"{LTI}notice", "type"))
    at: datetime = Field(validation_alias=AliasPath(f"{LTI}notice", "timestamp"))
    deployment: Id = Field(validation_alias=f"{LTI}deployment_id")


class SubmissionNotice(Notice):
    """A student handed in files, at an activity. user: the student's id; report_url: where reports on the files go. A
    resubmission has another submission id; the files of a submission never change."""

    user: Id = Field(validation_alias=AliasPath(f"{LTI}for_user", "user_id"))
    activity: Id = Field(validation_alias=AliasPath(f"{LTI}activity", "id"))
    submission: Id = Field(validation_alias=AliasPath(f"{LTI}submission", "id"))
    report_url: str = Field(validation_alias=AliasPath(f"{LTI}assetreport", "report_url"))
    files: list[AssetFile] = Field(validation_alias=AliasPath(f"{LTI}assetservice", "assets"))
    custom: dict[str, Any] | None = Field(None, validation_alias=f"{LTI}custom")


class NoticeService(AssetClaims):
    """Where notices of a deployment are subscribed to (PNS)."""

    url: str = Field(alias="platform_notification_service_url")
    types: tuple[str, ...] = Field((), alias="notice_types_supported")


@dataclass(frozen=True, slots=True)
class ProcessorItem:
    """An asset processor to attach to an activity. custom: comes back with each notice and message; review_url: where reports
    are opened."""

    title: str
    text: str
    custom: Mapping[str, str]
    review_url: str

    def to_dict(self) -> dict[str, Any]:
        """The content item."""
        report = {"url": self.review_url, "custom": {}, "indicator": False}
        shown = {"title": self.title, "text": self.text}
        return {"type": ASSET_PROCESSOR, **shown, "custom": dict(self.custom), "report": report}


def parsed(kind: type[Such], value: Any) -> Such:
    """The value as this kind. Raises NoticeInvalid, which names the first claim that is wrong, and no value."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        named = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"])
        raise NoticeInvalid(f"{kind.__name__}: {named.removeprefix(LTI) or 'no object'}") from None


ALGORITHM = "RS256"  # which every platform supports (1EdTech Security Framework 1.0, 5.1.3, point 6)
LEEWAY = 60  # seconds of difference between clocks
REQUIRED = ("exp", "iat", "iss", "aud", "nonce")
MAX_NOTICES = 100  # of a request


class _Signed(AssetClaims):
    jwt: str


class _Body(AssetClaims):
    notices: list[_Signed] = Field(min_length=1, max_length=MAX_NOTICES)


def jwts_in(body: Any) -> list[str]:
    """The signed notices in the JSON body of a request. Raises NoticeInvalid."""
    return [each.jwt for each in parsed(_Body, body).notices]


def named_in(token: str) -> tuple[str, Sequence[str], str]:
    """Issuer, audiences and key id of a token that is not checked yet: to find the platform and its key. Raises
    NoticeInvalid."""
    import jwt

    try:
        claims = jwt.decode(token, options={"verify_signature": False})
        kid = jwt.get_unverified_header(token).get("kid", "")
    except jwt.InvalidTokenError as error:
        raise NoticeInvalid(str(error)) from None
    audience = claims.get("aud", "")
    audiences = [str(each) for each in (audience if isinstance(audience, list) else [audience])]
    return str(claims.get("iss", "")), audiences, str(kid)


def verified(
    token: str, *, issuer: str, client_id: str, key: "jwt.PyJWK", required: Sequence[str] = REQUIRED
) -> Mapping[str, Any]:
    """The claims of a token that the platform signed for this client (1EdTech Security Framework 1.0, 5.1.3). Raises
    NoticeInvalid."""
    import jwt

    try:
        options: Any = {"require": list(required)}
        claims: dict[str, Any] = jwt.decode(token, key, [ALGORITHM], options, audience=client_id, issuer=issuer, leeway=LEEWAY)
    except jwt.InvalidTokenError as error:
        raise NoticeInvalid(str(error)) from None
    if claims["aud"] not in (client_id, [client_id]):
        raise NoticeInvalid("It is for other clients, too.")
    if claims.get("azp", client_id) != client_id:
        raise NoticeInvalid("The authorized party is another client.")
    return claims


def read_notice(claims: Mapping[str, Any]) -> Notice:
    """The notice of checked claims, a SubmissionNotice where it is one. Raises NoticeInvalid."""
    if claims.get(f"{LTI}version") != "1.3.0":
        raise NoticeInvalid("version")
    notice = parsed(Notice, claims)
    return parsed(SubmissionNotice, claims) if notice.type == NoticeType.SUBMISSION else notice
