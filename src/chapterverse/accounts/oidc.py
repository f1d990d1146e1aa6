"""A school's own sign-in, asked by OpenID Connect. Authlib speaks OAuth and knows what a token must say; joserfc checks its
signature."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from chapterverse.accounts.model import Provider
from chapterverse.accounts.sign_in import Claims, Flow
from chapterverse.core.errors import ProviderUnavailable, SignInRefused
from chapterverse.core.safe_address import is_safe

WITHIN = (3.0, 7.0)  # seconds, to connect and to answer: somebody waits

KEPT = 3600.0  # seconds that what a provider says of itself is believed

APART = 60.0  # seconds between two looks for new keys, however many tokens name keys that nobody knows

LEEWAY = 60  # seconds that two clocks may differ

SCOPES = "openid email profile"

SIGNED_BY = [
    "RS256",
    "PS256",
    "ES256",
    "RS384",
    "PS384",
    "ES384",
    "RS512",
    "PS512",
    "ES512",
    "Ed25519",
    "EdDSA",
]  # never HS256 or none: their key is no secret

FOR_SIGNING = {"RSA", "EC", "OKP"}


@dataclass
class OidcProvider:
    """SignsIn by the provider that is registered; one for all requests, because it remembers addresses and keys; two that
    fetch them at once do no harm. secret: that of the client."""

    registered: Provider
    secret: str
    clock: Callable[[], float] = time.monotonic
    _told: Mapping[str, Any] = field(default_factory=dict)
    _told_at: float = 0.0
    _keys: KeySet | None = None
    _keys_at: float = 0.0

    def begin(self, flow: Flow, back: str) -> str:
        with provider_errors_as_ours():
            asked = {"nonce": flow.nonce, "state": flow.state, "code_verifier": flow.verifier}
            address, _ = self._client(back).create_authorization_url(self._at("authorization_endpoint"), **asked)
            return str(address)

    def finish(self, flow: Flow, code: str, back: str) -> Claims:
        with provider_errors_as_ours():
            client = self._client(back)
            asked = {"grant_type": "authorization_code", "code": code, "code_verifier": flow.verifier, "timeout": WITHIN}
            token = client.fetch_token(self._at("token_endpoint"), **asked)
            claims = self._checked(str(token.get("id_token") or ""), flow, token.get("access_token"))
            return claims if "email" in claims else {**self._more(client, claims), **claims}

    def end(self, after: str) -> str | None:
        with provider_errors_as_ours():
            there = self._metadata().get("end_session_endpoint")
        if not is_safe(there):
            return None
        named = urlencode({"client_id": self.registered.client, "post_logout_redirect_uri": after})
        return f"{there}{'&' if '?' in str(there) else '?'}{named}"

    def _client(self, back: str) -> OAuth2Session:
        takes = self._metadata().get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        shown = "client_secret_basic" if "client_secret_basic" in takes else "client_secret_post"
        how = {"token_endpoint_auth_method": shown, "code_challenge_method": "S256", "redirect_uri": back}
        return OAuth2Session(self.registered.client, self.secret, scope=SCOPES, **how)

    def _checked(self, token: str, flow: Flow, access_token: str | None) -> dict[str, Any]:
        """What OpenID Connect Core 1.0, 3.1.3.7 asks for."""
        found, issuer, client = self._opened(token), self.registered.issuer, self.registered.client
        must = {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client}}
        beside = {"nonce": flow.nonce, "client_id": client, "access_token": access_token}
        claims = CodeIDToken(found.claims, found.header, must, beside)
        claims.validate(leeway=LEEWAY)
        return dict(claims)

    def _opened(self, token: str) -> jwt.Token:
        """A key that nobody knows is a new one: schools' providers change them without a word."""
        by = JWSRegistry(algorithms=SIGNED_BY, strict_check_header=False)
        try:
            return jwt.decode(token, self._key_set(), registry=by)
        except InvalidKeyIdError:
            return jwt.decode(token, self._key_set(anew=True), registry=by)

    def _more(self, client: OAuth2Session, claims: Mapping[str, Any]) -> Mapping[str, Any]:
        """Some tell the address only where it is asked for (5.3); of somebody else it is not believed (5.3.2)."""
        if not is_safe(there := self._metadata().get("userinfo_endpoint")):
            return {}
        answer = client.get(there, timeout=WITHIN, allow_redirects=False)
        answer.raise_for_status()
        told: Mapping[str, Any] = answer.json()
        return told if told.get("sub") == claims["sub"] else {}

    def _at(self, what: str) -> str:
        if not is_safe(address := self._metadata().get(what)):
            raise ProviderUnavailable("provider_url_unsafe", issuer=self.registered.issuer, what=what)
        return str(address)

    def _metadata(self) -> Mapping[str, Any]:
        """What it says of itself (OpenID Connect Discovery 1.0, 4)."""
        if not self._told or self.clock() - self._told_at > KEPT:
            told = _fetched(f"{self.registered.issuer.rstrip('/')}/.well-known/openid-configuration")
            if told.get("issuer") != self.registered.issuer:
                raise ProviderUnavailable("provider_other_issuer", issuer=self.registered.issuer)
            self._told, self._told_at = told, self.clock()
        return self._told

    def _key_set(self, anew: bool = False) -> KeySet:
        age = self.clock() - self._keys_at
        if self._keys is None or age > KEPT or (anew and age > APART):
            self._keys, self._keys_at = _key_set_of(_fetched(self._at("jwks_uri"))), self.clock()
        return self._keys


@contextmanager
def provider_errors_as_ours() -> Iterator[None]:
    """What Authlib 1.9, joserfc 1.8 and requests raise. Nothing of it is passed on: it may quote tokens and addresses."""
    try:
        yield
    except OAuthError as error:
        if error.error == "invalid_grant":  # RFC 6749, 5.2: the code has expired or was used
            raise SignInRefused("stale", "sign_in_too_slow") from None
        raise ProviderUnavailable("provider_refused_client") from None
    except (requests.RequestException, TypeError) as error:
        raise ProviderUnavailable("school_sign_in_away") from error
    except (JoseError, ValueError):
        raise SignInRefused("invalid", "school_sign_in_not_trusted") from None


def _fetched(address: str) -> Mapping[str, Any]:
    answer = requests.get(address, timeout=WITHIN, allow_redirects=False)
    answer.raise_for_status()
    try:
        told = answer.json()
    except ValueError:
        told = None
    if answer.is_redirect or not isinstance(told, dict):
        raise ProviderUnavailable("school_sign_in_away")
    return told


def _key_set_of(told: Mapping[str, Any]) -> KeySet:
    """Those that tokens may be signed with; of others we need know nothing."""
    keys = [key for key in told.get("keys") or [] if key.get("kty") in FOR_SIGNING and key.get("use", "sig") == "sig"]
    return KeySet.import_key_set({"keys": keys})
