"""LTI 1.3 messages: begin a login, check a launch, answer a choice (LTI 1.3 Core; Deep Linking 2.0; 1EdTech Security Framework
1.0, 5.1). The answer is signed by PyLTI1p3, which leaves most checks of a launch to its users.

Keys: ours, in a file or a setting, and the public keys of platforms, cached."""

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from socket import IPPROTO_TCP, getaddrinfo
from typing import Any
from urllib.parse import urlencode, urlsplit

import jwt
import requests
from jwcrypto.common import JWException
from jwcrypto.jwk import JWK
from pydantic import ValidationError
from pylti1p3.deep_link import DeepLink
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.lineitem import LineItem
from pylti1p3.registration import Registration

from chapterverse.assignments.model import Assignment
from chapterverse.core.errors import BadRequest, PlatformUnavailable, Unauthenticated
from chapterverse.core.names import is_safe
from chapterverse.core.requests import adapter
from chapterverse.infrastructure.storage.folder import locked
from chapterverse.lti.model import ASSIGNMENT_PARAMETER, Launch, Platform, ToolKey
from chapterverse.messages import Message, message, plain
from lti_assets.notices import REQUIRED as OF_A_NOTICE
from lti_assets.notices import Notice, NoticeInvalid, ProcessorItem, named_in, read_notice, verified

WAIT = 30.0  # seconds
BITS = 2048  # RS256, which every platform takes (1EdTech Security Framework 1.0, 6.1)


def new_key() -> ToolKey:
    """A new key pair. Its id is its thumbprint (RFC 7638), which is unique."""
    key = JWK.generate(kty="RSA", size=BITS)
    private: Mapping[str, Any] = json.loads(key.export_private())
    return ToolKey({**private, "kid": key.thumbprint(), "alg": "RS256", "use": "sig"})


def private_pem(key: ToolKey) -> bytes:
    """The whole key as PEM, to sign with."""
    return bytes(JWK(**key.private).export_to_pem(private_key=True, password=None))


def rotated(keys: Sequence[ToolKey], now: datetime, published: float) -> list[ToolKey]:
    """The keys with a new one first, without those that retired more than `published` seconds ago."""
    retired = [replace(each, retired=each.retired or now) for each in keys]
    gone = now - timedelta(seconds=published)
    return [new_key(), *(each for each in retired if each.retired and each.retired > gone)]


def as_secret(keys: Sequence[ToolKey]) -> str:
    """The keys as one line of JSON for ToolKeys."""
    return adapter(list[ToolKey]).dump_json(list(keys)).decode()


@dataclass(frozen=True)
class ToolKeys:
    """The keys that we sign with: in a setting that as_secret wrote, shared by all machines, or else in a file that only its
    owner can read. Processes that start together get the same first key. Raises BadRequest for what cannot be read."""

    path: Path
    secret: str = ""

    @property
    def exist(self) -> bool:
        return bool(self.secret) or self.path.exists()

    def all(self) -> Sequence[ToolKey]:
        """The keys, newest first; that one signs. If there is none, one is made."""
        if not self.exist:
            self._change(lambda keys: keys or [new_key()])
        return self._load()

    def rotate(self, now: datetime, published: float) -> Sequence[ToolKey]:
        """Add a new key and drop those that retired more than `published` seconds ago; returns all. Raises BadRequest if the
        keys are in a setting, which cannot be written."""
        if self.secret:
            raise BadRequest("lti_keys_in_settings")
        self._change(lambda keys: rotated(keys, now, published))
        return self._load()

    def _change(self, change: Callable[[list[ToolKey]], list[ToolKey]]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with locked(self.path.with_suffix(".lock"), WAIT):
            keys = change(self._load() if self.path.exists() else [])
            fresh = self.path.with_name(f"{self.path.name}.new")
            with open(os.open(fresh, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
                file.write(as_secret(keys))
            fresh.replace(self.path)

    def _load(self) -> list[ToolKey]:
        try:
            keys = adapter(list[ToolKey]).validate_json(self.secret or self.path.read_bytes())
            private_pem(keys[0])
            [each.public for each in keys]
        except (ValueError, LookupError, JWException, OSError):  # whose texts may quote the keys
            raise BadRequest("lti_keys_unreadable" if self.secret else "lti_key_file_unreadable", path=self.path) from None
        return keys


ALGORITHM = "RS256"  # which every platform supports (Security Framework 1.0, 5.1.3); a message cannot choose another
TIMEOUT = 10.0  # seconds
MAX_AGE = 3600.0  # seconds that a platform's keys are used
REFETCH_AFTER = 30.0  # seconds before an unknown key id causes another fetch: forged ids cause no load


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses of a host by DNS. Raises OSError."""
    return [str(found[4][0]).partition("%")[0] for found in getaddrinfo(host, port, proto=IPPROTO_TCP)]


@dataclass
class KeySets:
    """The public keys of platforms, cached by address; fetched over https, without redirects. resolve: the addresses of a
    host and port."""

    session: requests.Session = field(default_factory=requests.Session)
    resolve: Callable[[str, int], Iterable[str]] = addresses_of
    _sets: dict[str, tuple[float, dict[str, dict[str, Any]]]] = field(default_factory=dict)

    def find(self, url: str, kid: str) -> jwt.PyJWK:
        """The key with that id. Keys are fetched again if they are old or lack the id.

        Raises Unauthenticated, PlatformUnavailable."""
        when, keys = self._sets.get(url, (float("-inf"), {}))
        age = time.monotonic() - when
        if age > MAX_AGE or (kid not in keys and age > REFETCH_AFTER):
            keys = self.fetch(url)
            self._sets[url] = time.monotonic(), keys
        if kid not in keys:
            raise Unauthenticated("lms_not_trusted", reason=message("lms_unknown_key"))
        try:
            return jwt.PyJWK.from_dict(keys[kid], ALGORITHM)
        except (jwt.PyJWTError, ValueError, TypeError, AttributeError) as error:
            raise Unauthenticated("lms_not_trusted", reason=message("lms_unreadable_key")) from error

    def check(self, url: str) -> None:
        """Raises PlatformUnavailable for an address on this machine or of a service of its platform (169.254.169.254 gives out
        credentials). A school's own network is allowed: its Moodle may stand there. http, which is_safe allows to this machine
        only, is for trials."""
        if not is_safe(url) or self._leads_inside(url):
            raise PlatformUnavailable("lms_keys_elsewhere")

    def _leads_inside(self, url: str) -> bool:
        at = urlsplit(url)
        if at.scheme == "http":
            return False
        try:
            given = [ip_address(each) for each in self.resolve(at.hostname or "", at.port or 443)]
        except OSError as error:
            raise PlatformUnavailable("lms_keys_away") from error
        found = [getattr(each, "ipv4_mapped", None) or each for each in given]
        return any(each.is_loopback or each.is_link_local or each.is_multicast or each.is_unspecified for each in found)

    def fetch(self, url: str) -> dict[str, dict[str, Any]]:
        """The keys there by id, not from the cache. Raises PlatformUnavailable."""
        try:
            self.check(url)
            answer = self.session.get(url, timeout=TIMEOUT, allow_redirects=False)
            answer.raise_for_status()
            return {str(key["kid"]): key for key in answer.json()["keys"] if key.get("kty") == "RSA" and "kid" in key}
        except (requests.RequestException, OSError, KeyError, TypeError, AttributeError) as error:
            raise PlatformUnavailable("lms_keys_away") from error


PRODUCT = "Chapterverse"
REQUIRED = ("exp", "iat", "iss", "aud", "sub", "nonce")


@dataclass(frozen=True)
class LtiMessages:
    """Speaks LTI 1.3 with browsers that come from platforms. keys: public keys of the platforms."""

    keys: KeySets = field(default_factory=KeySets)

    def begin(self, platform: Platform, hints: Mapping[str, str], launch_url: str) -> tuple[str, str, str]:
        """The address to send the browser to, and the state and nonce that must come back (Security Framework 1.0, 5.1.1.2).
        Raises Unauthenticated."""
        if not hints.get("login_hint"):
            raise _not_trusted("could not find login hint")
        state, nonce = token_urlsafe(), token_urlsafe()
        asked = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}
        asked |= {"client_id": platform.client_id, "redirect_uri": launch_url, "state": state, "nonce": nonce}
        asked |= {name: hints[name] for name in ("login_hint", "lti_message_hint") if hints.get(name)}
        return f"{platform.login_url}{'&' if '?' in platform.login_url else '?'}{urlencode(asked)}", state, nonce

    def read(self, platform: Platform, form: Mapping[str, str], nonce: str) -> Launch:
        """The launch of a message with that nonce. Raises Unauthenticated, PlatformUnavailable."""
        claims = self._verified(platform, form.get("id_token", ""), REQUIRED)
        try:
            launch = Launch.model_validate(claims)
        except ValidationError as error:
            named = error.errors(include_input=False)[0]["loc"] or ("resource_link",)
            raise _not_trusted(message("lms_claim_missing", claim=str(named[0]).rpartition("/")[2])) from None
        if launch.nonce != nonce:
            raise _not_trusted("nonce")
        if not platform.has(launch.deployment):
            raise _not_trusted("deployment")
        return launch

    def notice(self, platform: Platform, token: str) -> Notice:
        """The notice of a token. Raises Unauthenticated, PlatformUnavailable."""
        body = self._verified(platform, token, OF_A_NOTICE)
        try:
            read = read_notice(body)
        except NoticeInvalid as error:
            raise _not_trusted(str(error)) from error
        if not platform.has(read.deployment):
            raise _not_trusted("deployment")
        return read

    def _verified(self, platform: Platform, token: str, required: Sequence[str]) -> Mapping[str, Any]:
        """The claims of a token that the platform signed for us. Raises Unauthenticated, PlatformUnavailable."""
        try:
            _, _, kid = named_in(token)
            key = self.keys.find(platform.keys_url, kid)
            return verified(token, issuer=platform.issuer, client_id=platform.client_id, key=key, required=required)
        except NoticeInvalid as error:
            raise _not_trusted(str(error)) from error

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


def registration_of(platform: Platform, key: ToolKey) -> Registration:
    """The platform as the library wants it, with our key."""
    registration = _Registration()
    registration.set_issuer(platform.issuer).set_client_id(platform.client_id).set_auth_login_url(platform.login_url)
    registration.set_auth_token_url(platform.token_url).set_key_set_url(platform.keys_url)
    registration.set_tool_private_key(private_pem(key).decode())
    registration.kid = key.private["kid"]
    return registration


def _not_trusted(reason: str | Message) -> Unauthenticated:
    return Unauthenticated("lms_not_trusted", reason=reason if isinstance(reason, Message) else plain(reason))
