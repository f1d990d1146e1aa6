"""LTI 1.3 messages by PyLTI1p3: begin a login, check a launch, answer a choice (LTI 1.3 Core; Deep Linking 2.0).

The library leaves some checks to its users: here only RS256 is accepted, and iss, aud, azp, exp and iat are checked (1EdTech
Security Framework 1.0, 5.1.3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self

import jwt
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pylti1p3.cookie import CookieService
from pylti1p3.deep_link import DeepLink
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.deployment import Deployment
from pylti1p3.exception import LtiException, OIDCException
from pylti1p3.launch_data_storage.base import LaunchDataStorage
from pylti1p3.lineitem import LineItem
from pylti1p3.message_launch import MessageLaunch
from pylti1p3.oidc_login import OIDCLogin
from pylti1p3.redirect import Redirect
from pylti1p3.registration import Registration
from pylti1p3.request import Request
from pylti1p3.session import SessionService
from pylti1p3.tool_config.abstract import ToolConfAbstract

from chapterverse.assignments.model import Assignment, CourseServices
from chapterverse.core.errors import Unauthenticated
from chapterverse.core.names import one_line
from chapterverse.lti.keys import ALGORITHM, KeySets, private_pem
from chapterverse.lti.model import Launch, LaunchKind, Platform, ToolKey
from chapterverse.messages import Message, message, plain
from lti_assets import EulaService, MessageType, NoticeInvalid, NoticeService, NoticeType, ProcessorItem, accepts_processors
from lti_assets.notices import ASSET_PROCESSOR, Notice, named_in, read_notice, verified

OF_LTI = "https://purl.imsglobal.org/spec/lti/claim/"
OF_CHOICES = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
OF_MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
OF_GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
PRODUCT = "Chapterverse"
REQUIRED = ("exp", "iat", "iss", "aud", "sub", "nonce")
ASSIGNMENT_PARAMETER = "chapterverse_assignment"  # custom parameter of our links
MAX_NAME = 200  # characters
Id = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")]  # storable in every database


NEEDED = {  # claims of a message type
    LaunchKind.LINK: "resource_link",
    LaunchKind.CHOICE: "choice",
    LaunchKind.REVIEW: "asset",
    LaunchKind.EULA: "eula",
}


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Link(_Part):
    id: Id
    title: str | None = None


class _Members(_Part):
    context_memberships_url: str = ""


class _Grades(_Part):
    scope: list[str] = []
    lineitems: str = ""
    lineitem: str = ""


class _Choice(_Part):
    deep_link_return_url: str
    accept_types: list[str] = []
    data: str | None = None


class _Asset(_Part):
    id: Id


class Claims(_Part):
    """The body of an id_token."""

    iss: str
    nonce: str
    sub: Id
    azp: str | None = None
    email: str | None = None
    name: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    message_type: LaunchKind = Field(alias=f"{OF_LTI}message_type")
    version: Literal["1.3.0"] = Field(alias=f"{OF_LTI}version")
    deployment_id: Id = Field(alias=f"{OF_LTI}deployment_id")
    roles: list[str] = Field(alias=f"{OF_LTI}roles")
    resource_link: _Link | None = Field(None, alias=f"{OF_LTI}resource_link")
    custom: dict[str, Any] | None = Field(None, alias=f"{OF_LTI}custom")
    choice: _Choice | None = Field(None, alias=OF_CHOICES)
    members: _Members | None = Field(None, alias=OF_MEMBERS)
    grades: _Grades | None = Field(None, alias=OF_GRADES)
    notices: NoticeService | None = Field(None, alias=f"{OF_LTI}platformnotificationservice")
    asset: _Asset | None = Field(None, alias=f"{OF_LTI}asset")
    eula: EulaService | None = Field(None, alias=f"{OF_LTI}eulaservice")

    @model_validator(mode="after")
    def _is_about_something(self) -> Self:
        needed = NEEDED.get(self.message_type)
        if needed and not getattr(self, needed):
            raise ValueError(needed)
        return self

    def launch(self) -> Launch:
        """The launch of these claims."""
        link, choice = self.resource_link, self.choice
        return Launch(
            kind=self.message_type,
            subject=self.sub,
            email=(self.email or "").strip().lower(),
            name=one_line(self.name or f"{self.given_name or ''} {self.family_name or ''}")[:MAX_NAME],
            roles=tuple(self.roles),
            deployment=self.deployment_id,
            link=link.id if link else "",
            title=one_line(link.title or "")[:MAX_NAME] if link else "",
            chosen=str((self.custom or {}).get(ASSIGNMENT_PARAMETER, "")),
            services=self._services(),
            return_url=choice.deep_link_return_url if choice else "",
            data=(choice.data or "") if choice else "",
            takes_processors=choice is not None and ASSET_PROCESSOR in choice.accept_types,
            notices_url=self.notices.url if self.notices and NoticeType.SUBMISSION in self.notices.types else "",
            asset=self.asset.id if self.asset else "",
            eula_url=self.eula.url if self.eula else "",
        )

    def _services(self) -> CourseServices:
        grades, members = self.grades or _Grades(), self.members or _Members()
        return CourseServices(members.context_memberships_url, grades.lineitems, grades.lineitem, tuple(grades.scope))


class _Parameters(Request):
    """The parameters of a request, as the library wants them."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self._parameters = parameters

    @property
    def session(self) -> dict[str, Any]:
        return {}

    def is_secure(self) -> bool:
        return True

    def get_param(self, key: str) -> str:
        return self._parameters.get(key, "")


class _Cookies(CookieService):
    """Cookies of one request; lti.pages sets the browser's."""

    def __init__(self, values: dict[str, str]) -> None:
        self.values = values

    def get_cookie(self, name: str) -> str | None:
        return self.values.get(name)

    def set_cookie(self, name: str, value: str | int, exp: int | None = 3600) -> None:  # noqa: ARG002
        self.values[name] = str(value)


class _Memory(LaunchDataStorage[Any]):
    """The library's storage within one request; SqlLti stores what must last longer."""

    def __init__(self, *nonces: str) -> None:
        super().__init__()
        self._values: dict[str, Any] = {f"lti1p3-nonce-{nonce}": True for nonce in nonces}

    @property
    def nonce(self) -> str:
        """The nonce that the library made."""
        return next(name.removeprefix("lti1p3-nonce-") for name in self._values if name.startswith("lti1p3-nonce-"))

    def get_session_cookie_name(self) -> str | None:
        return None

    def can_set_keys_expiration(self) -> bool:
        return True

    def get_value(self, key: str) -> Any:
        return self._values.get(self._prepare_key(key))

    def set_value(self, key: str, value: Any, exp: int | None = None) -> None:  # noqa: ARG002
        self._values[self._prepare_key(key)] = value

    def check_value(self, key: str) -> bool:
        return self._prepare_key(key) in self._values


class _OnePlatform(ToolConfAbstract[Any]):
    """The library's configuration, with the one platform of the request."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    def check_iss_has_one_client(self, iss: str) -> bool:  # noqa: ARG002  # the library's own names
        return False

    def find_registration_by_issuer(self, iss: str, *args: Any, **kwargs: Any) -> Registration:  # noqa: ARG002  # the library's own names
        return registration_of(self._platform)

    def find_registration_by_params(self, iss: str, client_id: str, *args: Any, **kwargs: Any) -> Registration:  # noqa: ARG002  # the library's own names
        return registration_of(self._platform)

    def find_deployment(self, iss: str, deployment_id: str) -> Deployment | None:  # noqa: ARG002  # the library's own names
        return Deployment().set_deployment_id(deployment_id) if self._platform.has(deployment_id) else None

    def find_deployment_by_params(self, iss: str, deployment_id: str, *args: Any, **kwargs: Any) -> Deployment | None:  # noqa: ARG002
        return self.find_deployment(iss, deployment_id)


class _Address(Redirect[str]):
    """An address to redirect to, which lti.pages does itself."""

    def __init__(self, url: str) -> None:
        self.url = url

    def do_redirect(self) -> str:
        return self.url

    def do_js_redirect(self) -> str:
        return self.url

    def set_redirect_url(self, location: str) -> None:
        self.url = location

    def get_redirect_url(self) -> str:
        return self.url


class _Login(OIDCLogin[Any, Any, Any, Any, str]):
    def get_redirect(self, url: str) -> Redirect[str]:
        return _Address(url)


class _Launch(MessageLaunch[Any, Any, Any, Any]):
    """The library's launch, with stricter checks of the signature."""

    def __init__(self, platform: Platform, keys: KeySets, parameters: _Parameters, cookies: _Cookies, memory: _Memory) -> None:
        super().__init__(parameters, _OnePlatform(platform), SessionService(parameters), cookies, memory)
        self._platform, self._keys = platform, keys

    def _get_request_param(self, key: str) -> str:
        return str(self._request.get_param(key))

    def get_client_id(self) -> str:
        """The registered client id; the audience is checked with the signature."""
        return self._platform.client_id

    def validate_jwt_signature(self) -> "_Launch":
        header = self._jwt["header"]
        if header.get("alg") != ALGORITHM:
            raise LtiException(message("lms_wrong_algorithm", algorithm=ALGORITHM))
        key = self._keys.find(self._platform.keys_url, str(header.get("kid")))
        at = self._platform
        try:
            verified(self._get_id_token(), issuer=at.issuer, client_id=at.client_id, key=key, required=REQUIRED)
        except NoticeInvalid as error:
            raise LtiException(str(error)) from error
        return self

    def validate_message(self) -> "_Launch":
        """The library knows the messages of LTI Advantage; Claims has checked those of the Asset Processor."""
        body = self._get_jwt_body()
        if body.get(f"{OF_LTI}message_type") not in set(MessageType) and not accepts_processors(body):
            super().validate_message()
        return self


@dataclass(frozen=True)
class LtiMessages:
    """Speaks LTI 1.3 with browsers that come from platforms. keys: public keys of the platforms."""

    keys: KeySets = field(default_factory=KeySets)

    def begin(self, platform: Platform, hints: Mapping[str, str], launch_url: str) -> tuple[str, str, str]:
        """The address to send the browser to, and the state and nonce that must come back. Raises Unauthenticated."""
        cookies, memory, request = _Cookies({}), _Memory(), _Parameters(hints)
        login = _Login(request, _OnePlatform(platform), SessionService(request), cookies, memory)
        try:
            address = login.get_redirect_object(launch_url).get_redirect_url()
        except OIDCException as error:
            raise Unauthenticated("lms_not_trusted", reason=plain(str(error).lower())) from error
        [state] = cookies.values
        return address, state, memory.nonce

    def read(self, platform: Platform, form: Mapping[str, str], state: str, nonce: str) -> Launch:
        """The launch of a message with that state and nonce. Raises Unauthenticated, PlatformUnavailable."""
        try:
            claims = _claims(form.get("id_token", ""))
            _Launch(platform, self.keys, _Parameters(form), _Cookies({state: state}), _Memory(nonce)).validate()
        except (LtiException, jwt.InvalidTokenError) as error:
            raise Unauthenticated("lms_not_trusted", reason=why_not(error)) from error
        return claims.launch()

    def notice(self, platform: Platform, token: str) -> Notice:
        """The notice of a token. Raises Unauthenticated, PlatformUnavailable."""
        try:
            _, _, kid = named_in(token)
            key = self.keys.find(platform.keys_url, kid)
            read = read_notice(verified(token, issuer=platform.issuer, client_id=platform.client_id, key=key))
        except (LtiException, NoticeInvalid) as error:
            raise Unauthenticated("lms_not_trusted", reason=why_not(error)) from error
        if not platform.has(read.deployment):
            raise Unauthenticated("lms_not_trusted", reason=plain("deployment"))
        return read

    def named(self, form: Mapping[str, str]) -> tuple[str, str]:
        """Issuer and client id of a message, not checked: only to say what is wrong with it. Empty if it names none."""
        try:
            issuer, clients, _ = named_in(form.get("id_token", ""))
        except NoticeInvalid:
            return "", ""
        return issuer, next(iter(clients), "")

    def choose(self, platform: Platform, begun: Mapping[str, str], chosen: Assignment, url: str, key: ToolKey) -> str:
        """The signed answer to a choice: one link to that assignment, with a column in the gradebook; or a processor of what
        students hand in at the platform."""
        named = {ASSIGNMENT_PARAMETER: chosen.id}
        column = LineItem().set_label(chosen.title).set_score_maximum(chosen.most).set_resource_id(chosen.id)
        link = DeepLinkResource().set_title(chosen.title).set_url(url).set_lineitem(column).set_custom_params(named)
        item: Any = ProcessorItem(chosen.title, PRODUCT, named, url) if begun.get("takes_processors") else link
        settings: Any = {"data": begun["data"]} if begun.get("data") else {}  # comes back as it came (Deep Linking 2.0, 4.5.5)
        answer = DeepLink(registration_of(platform, key), begun["deployment"], settings)
        return str(answer.get_response_jwt([item]))


class _Registration(Registration):
    """A registration with the id of our key, which the library would make itself."""

    kid: str | None = None

    def get_kid(self) -> str | None:
        return self.kid


def registration_of(platform: Platform, key: ToolKey | None = None) -> Registration:
    """The platform as the library wants it. key: our key, if something is to be signed."""
    registration = _Registration()
    registration.set_issuer(platform.issuer).set_client_id(platform.client_id).set_auth_login_url(platform.login_url)
    registration.set_auth_token_url(platform.token_url).set_key_set_url(platform.keys_url)
    if key:
        registration.set_tool_private_key(private_pem(key).decode())
        registration.kid = key.private["kid"]
    return registration


def why_not(error: Exception) -> Message:
    """The reason of the error: our message, or the library's text."""
    [reason, *_] = error.args or [""]
    return reason if isinstance(reason, Message) else plain(str(error))


def _claims(id_token: str) -> Claims:
    """The claims, unverified, with the right types, which the library relies on. Raises LtiException, InvalidTokenError."""
    try:
        return Claims.model_validate(jwt.decode(id_token, options={"verify_signature": False}))
    except ValidationError as error:
        named = error.errors(include_input=False)[0]["loc"] or ("resource_link",)
        raise LtiException(message("lms_claim_missing", claim=str(named[0]).rpartition("/")[2])) from None
