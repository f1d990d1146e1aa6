"""Keys of LTI: ours, in a file or a secret, and the public keys of platforms, cached."""

import json
import os
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from socket import IPPROTO_TCP, getaddrinfo
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import jwt
import requests
from jwcrypto.jwk import JWK
from pydantic import TypeAdapter, ValidationError

from chapterverse.core.errors import BadRequest, PlatformUnavailable, Unauthenticated
from chapterverse.core.names import is_safe
from chapterverse.infrastructure.storage.folder import locked
from chapterverse.lti.model import ToolKey
from chapterverse.messages import message

WAIT = 30.0  # seconds
BITS = 2048  # RS256, which every platform takes (1EdTech Security Framework 1.0, 6.1)
KEYS = TypeAdapter(list[ToolKey])


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
    """The keys as one line of JSON for SecretKeys."""
    return KEYS.dump_json(list(keys)).decode()


@dataclass(frozen=True)
class SecretKeys:
    """KeyRing in a setting that as_secret wrote, shared by all processes."""

    secret: str

    def all(self) -> Sequence[ToolKey]:
        try:
            return KEYS.validate_json(self.secret)
        except ValidationError:
            raise BadRequest("lti_keys_unreadable") from None  # pydantic's own error quotes the secret

    def rotate(self, now: datetime, published: float) -> Sequence[ToolKey]:  # noqa: ARG002  # a setting cannot be written
        raise BadRequest("lti_keys_in_settings")


class FileKeys:
    """KeyRing in a file that only its owner can read. Processes that start together get the same first key."""

    def __init__(self, path: Path) -> None:
        self._path, self._read, self._one = path, list[ToolKey](), Lock()
        self._seen = 0

    def all(self) -> Sequence[ToolKey]:
        with self._one:
            if not self._path.exists():
                self._change(lambda keys: keys or [new_key()])
            if (changed := self._path.stat().st_mtime_ns) != self._seen:  # another process has rotated them
                self._read, self._seen = self._load(), changed
            return list(self._read)

    def rotate(self, now: datetime, published: float) -> Sequence[ToolKey]:
        with self._one:
            self._change(lambda keys: rotated(keys, now, published))
        return self.all()

    def _change(self, change: Callable[[list[ToolKey]], list[ToolKey]]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with locked(self._path.with_suffix(".lock"), WAIT):
            self._write(change(self._load() if self._path.exists() else []))

    def _load(self) -> list[ToolKey]:
        try:
            return KEYS.validate_json(self._path.read_bytes())
        except (ValidationError, OSError):
            raise BadRequest("lti_key_file_unreadable", path=self._path) from None

    def _write(self, keys: Sequence[ToolKey]) -> None:
        fresh = self._path.with_name(f"{self._path.name}.{secrets.token_hex(8)}")
        with open(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write(as_secret(keys))
        fresh.replace(self._path)


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
            keys = self._fetch(url)
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

    def _fetch(self, url: str) -> dict[str, dict[str, Any]]:
        try:
            self.check(url)
            answer = self.session.get(url, timeout=TIMEOUT, allow_redirects=False)
            answer.raise_for_status()
            return {str(key["kid"]): key for key in answer.json()["keys"] if key.get("kty") == "RSA" and "kid" in key}
        except (requests.RequestException, OSError, KeyError, TypeError, AttributeError) as error:
            raise PlatformUnavailable("lms_keys_away") from error
