"""What a platform's message says, field by field (LTI 1.3 Core; Deep Linking, Names and Roles, Assignment and Grades 2.0).

LTI 1.3 messages by PyLTI1p3: a login begun, a launch checked, a choice answered.

What the library leaves to its user is done here: RS256 alone is taken, and iss, aud, azp, exp and iat are checked (1EdTech
Security Framework 1.0, 5.1.3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Self

import jwt
from jwcrypto.jwk import JWK
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

from chapterverse.core.errors import Unauthenticated
from chapterverse.core.names import one_line
from chapterverse.lti.keys import ALGORITHM, KeySets
from chapterverse.lti.model import Assignment, CourseServices, Launch, LaunchKind, Platform, ToolKey
from chapterverse.messages import Message, message, plain

OF_LTI = "https://purl.imsglobal.org/spec/lti/claim/"

OF_CHOICES = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"

OF_MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"

OF_GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"

CHOSEN = "chapterverse_assignment"  # the custom parameter that our links carry

LONGEST_NAME = 200  # characters

Id = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")]  # which a database takes


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
    data: str | None = None


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
    deployment_id: Id = Field(alias=f"{OF_LTI}deployment_id")
    roles: list[str] = Field(alias=f"{OF_LTI}roles")
    resource_link: _Link | None = Field(None, alias=f"{OF_LTI}resource_link")
    custom: dict[str, Any] | None = Field(None, alias=f"{OF_LTI}custom")
    choice: _Choice | None = Field(None, alias=OF_CHOICES)
    members: _Members | None = Field(None, alias=OF_MEMBERS)
    grades: _Grades | None = Field(None, alias=OF_GRADES)

    @model_validator(mode="after")
    def _is_about_something(self) -> Self:
        if self.message_type is LaunchKind.LINK and not self.resource_link:
            raise ValueError("resource_link")
        return self

    def launch(self) -> Launch:
        """The same as the use cases take it."""
        link, choice = self.resource_link, self.choice
        return Launch(
            kind=self.message_type,
            subject=self.sub,
            email=(self.email or "").strip().lower(),
            name=one_line(self.name or f"{self.given_name or ''} {self.family_name or ''}")[:LONGEST_NAME],
            roles=tuple(self.roles),
            deployment=self.deployment_id,
            link=link.id if link else "",
            title=one_line(link.title or "")[:LONGEST_NAME] if link else "",
            chosen=str((self.custom or {}).get(CHOSEN, "")),
            services=self._services(),
            return_url=choice.deep_link_return_url if choice else "",
            data=(choice.data or "") if choice else "",
        )

    def _services(self) -> CourseServices:
        grades, members = self.grades or _Grades(), self.members or _Members()
        return CourseServices(members.context_memberships_url, grades.lineitems, grades.lineitem, tuple(grades.scope))


LEEWAY = 60  # seconds that clocks may differ by


class _Told(Request):
    """What a request says, out of its context."""

    def __init__(self, told: Mapping[str, str]) -> None:
        self._told = told

    @property
    def session(self) -> dict[str, Any]:
        return {}

    def is_secure(self) -> bool:
        return True

    def get_param(self, key: str) -> str:
        return self._told.get(key, "")


class _Cookies(CookieService):
    """Those of one request; the web layer has the browser's."""

    def __init__(self, kept: dict[str, str]) -> None:
        self.kept = kept

    def get_cookie(self, name: str) -> str | None:
        return self.kept.get(name)

    def set_cookie(self, name: str, value: str | int, exp: int | None = 3600) -> None:  # noqa: ARG002
        self.kept[name] = str(value)


class _Memory(LaunchDataStorage[Any]):
    """What the library notes within one request; what outlives it is in our store."""

    def __init__(self, *nonces: str) -> None:
        super().__init__()
        self.noted: dict[str, Any] = {f"lti1p3-nonce-{nonce}": True for nonce in nonces}

    @property
    def nonce(self) -> str:
        """The one that was noted."""
        return next(name.removeprefix("lti1p3-nonce-") for name in self.noted if name.startswith("lti1p3-nonce-"))

    def get_session_cookie_name(self) -> str | None:
        return None

    def can_set_keys_expiration(self) -> bool:
        return True

    def get_value(self, key: str) -> Any:
        return self.noted.get(self._prepare_key(key))

    def set_value(self, key: str, value: Any, exp: int | None = None) -> None:  # noqa: ARG002
        self.noted[self._prepare_key(key)] = value

    def check_value(self, key: str) -> bool:
        return self._prepare_key(key) in self.noted


class _OnePlatform(ToolConfAbstract[Any]):
    """A configuration of the platform that the request is about, and no other."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    def check_iss_has_one_client(self, iss: str) -> bool:  # noqa: ARG002  # the library's own names
        return False

    def find_registration_by_issuer(self, iss: str, *args: Any, **kwargs: Any) -> Registration:  # noqa: ARG002  # the library's own names
        return registration_of(self._platform)

    def find_registration_by_params(self, iss: str, client_id: str, *args: Any, **kwargs: Any) -> Registration:  # noqa: ARG002  # the library's own names
        return registration_of(self._platform)

    def find_deployment(self, iss: str, deployment_id: str) -> Deployment | None:  # noqa: ARG002  # the library's own names
        return Deployment().set_deployment_id(deployment_id) if deployment_id in self._platform.deployments else None

    def find_deployment_by_params(self, iss: str, deployment_id: str, *args: Any, **kwargs: Any) -> Deployment | None:  # noqa: ARG002
        return self.find_deployment(iss, deployment_id)


class _Address(Redirect[str]):
    """Where somebody is to go: we send them there ourselves."""

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
    """The library's, stricter about signatures."""

    def __init__(self, platform: Platform, keys: KeySets, told: _Told, cookies: _Cookies, memory: _Memory) -> None:
        super().__init__(told, _OnePlatform(platform), SessionService(told), cookies, memory)
        self._platform, self._keys = platform, keys

    def _get_request_param(self, key: str) -> str:
        return str(self._request.get_param(key))

    def get_client_id(self) -> str:
        """The registered one: that it is among the audience, wherever, is checked with the signature."""
        return self._platform.client_id

    def validate_jwt_signature(self) -> "_Launch":
        header = self._jwt["header"]
        if header.get("alg") != ALGORITHM:
            raise LtiException(message("lms_wrong_algorithm", algorithm=ALGORITHM))
        key = self._keys.find(self._platform.keys_url, str(header.get("kid")))
        try:
            told = jwt.decode(
                self._get_id_token(),
                key,
                [ALGORITHM],
                {"require": ["exp", "iat", "iss", "aud", "sub", "nonce"]},
                audience=self._platform.client_id,
                issuer=self._platform.issuer,
                leeway=LEEWAY,
            )
        except jwt.InvalidTokenError as error:
            raise LtiException(str(error)) from error
        _check_party(told, self._platform.client_id)
        return self


def _check_party(told: Mapping[str, Any], client_id: str) -> None:
    """OpenID Connect Core, 3.1.3.7: of several audiences, or where it is named, the authorized party is us."""
    several = isinstance(told["aud"], list) and len(told["aud"]) > 1
    if (several or told.get("azp")) and told.get("azp") != client_id:
        raise LtiException(message("lms_other_audience"))


@dataclass(frozen=True)
class LtiMessages:
    """Logins, launches and choices, of any platform."""

    keys: KeySets = field(default_factory=KeySets)

    def begin(self, platform: Platform, told: Mapping[str, str], launch_url: str) -> tuple[str, str, str]:
        """Where to send the browser, the state and the nonce that have to come back. Raises Unauthenticated."""
        cookies, memory, request = _Cookies({}), _Memory(), _Told(told)
        login = _Login(request, _OnePlatform(platform), SessionService(request), cookies, memory)
        try:
            address = login.get_redirect_object(launch_url).get_redirect_url()
        except OIDCException as error:
            raise Unauthenticated("lms_not_trusted", reason=plain(str(error).lower())) from error
        [state] = cookies.kept
        return address, state, memory.nonce

    def read(self, platform: Platform, form: Mapping[str, str], state: str, nonce: str) -> Launch:
        """What a message says that comes back with that state and nonce. Raises Unauthenticated, PlatformUnavailable."""
        try:
            claims = _claims(form.get("id_token", ""))
            _Launch(platform, self.keys, _Told(form), _Cookies({state: state}), _Memory(nonce)).validate()
        except (LtiException, jwt.InvalidTokenError) as error:
            raise Unauthenticated("lms_not_trusted", reason=why_not(error)) from error
        return claims.launch()

    def named(self, form: Mapping[str, str]) -> tuple[str, str]:
        """Issuer and client id that a message names, which nobody has checked; empty where it names none."""
        try:
            told = jwt.decode(form.get("id_token", ""), options={"verify_signature": False})
        except jwt.InvalidTokenError:
            return "", ""
        audience = told.get("aud", "")
        return str(told.get("iss", "")), str(next(iter(audience), "") if isinstance(audience, list) else audience)

    def choose(self, platform: Platform, told: Mapping[str, str], chosen: Assignment, url: str, key: ToolKey) -> str:
        """The signed answer to a choice: one link to that assignment, with a column in the gradebook."""
        column = LineItem().set_label(chosen.title).set_score_maximum(chosen.most).set_resource_id(chosen.id)
        link = DeepLinkResource().set_title(chosen.title).set_url(url).set_lineitem(column)
        link.set_custom_params({CHOSEN: chosen.id})
        settings: Any = {"data": told["data"]} if told.get("data") else {}
        answer = DeepLink(registration_of(platform, key), told["deployment"], settings)
        return str(answer.get_response_jwt([link]))


class _Registration(Registration):
    """With the id of our key: the library's makes its own."""

    kid: str | None = None

    def get_kid(self) -> str | None:
        return self.kid


def registration_of(platform: Platform, key: ToolKey | None = None) -> Registration:
    """As the library wants it. key: what we sign with, where we have to."""
    made = _Registration()
    made.set_issuer(platform.issuer).set_client_id(platform.client_id).set_auth_login_url(platform.login_url)
    made.set_auth_token_url(platform.token_url).set_key_set_url(platform.keys_url)
    if key:
        pem = JWK(**key.private).export_to_pem(private_key=True, password=None)
        made.set_tool_private_key(pem.decode())
        made.kid = key.private["kid"]
    return made


def why_not(error: Exception) -> Message:
    """What is wrong, in our words where the check is ours, else in the library's."""
    [reason, *_] = error.args or [""]
    return reason if isinstance(reason, Message) else plain(str(error))


def _claims(id_token: str) -> Claims:
    """What it says, not trusted yet: the library takes fields to be of the right type. Raises LtiException,
    InvalidTokenError."""
    try:
        return Claims.model_validate(jwt.decode(id_token, options={"verify_signature": False}))
    except ValidationError as error:
        named = error.errors(include_input=False)[0]["loc"] or ("resource_link",)
        raise LtiException(message("lms_claim_missing", claim=str(named[0]).rpartition("/")[2])) from None
