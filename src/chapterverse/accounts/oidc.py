"""Client of a school's account service (OpenID Connect). Authlib speaks OAuth and checks claims, joserfc checks signatures."""

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

from chapterverse.accounts.model import Claims, Flow, Provider
from chapterverse.core.errors import ProviderUnavailable, SignInRefused
from chapterverse.core.names import is_safe

TIMEOUT = (3.0, 7.0)  # seconds, to connect and to answer: a person is waiting
MAX_AGE = 3600.0  # seconds that a provider's metadata and keys are used
REFETCH_AFTER = 60.0  # seconds between two fetches of keys, however many tokens name unknown keys
LEEWAY = 60  # seconds of difference between clocks
SCOPES = "openid email profile"

# never HS256 or none: everyone could sign with them
SIGNED_BY = ["RS256", "PS256", "ES256", "RS384", "PS384", "ES384", "RS512", "PS512", "ES512", "Ed25519", "EdDSA"]
FOR_SIGNING = {"RSA", "EC", "OKP"}


@dataclass
class OidcProvider:
    """The client of one provider, shared by all requests because it caches metadata and keys. secret: of our client id.

    Each method raises ProviderUnavailable."""

    registered: Provider
    secret: str
    clock: Callable[[], float] = time.monotonic
    _cached: Mapping[str, Any] = field(default_factory=dict)
    _cached_at: float = 0.0
    _keys: KeySet | None = None
    _keys_at: float = 0.0

    def check(self) -> None:
        """Raise ProviderUnavailable unless it says where people sign in."""
        with provider_errors_as_ours():
            self._at("authorization_endpoint")

    def begin(self, flow: Flow, back: str) -> str:
        """The address to send the browser to. back: where the provider sends it afterwards."""
        with provider_errors_as_ours():
            extra = {"nonce": flow.nonce, "state": flow.state, "code_verifier": flow.verifier}
            address, _ = self._client(back).create_authorization_url(self._at("authorization_endpoint"), **extra)
            return str(address)

    def finish(self, flow: Flow, code: str, back: str) -> Claims:
        """The checked claims of the person. Raises SignInRefused."""
        with provider_errors_as_ours():
            client = self._client(back)
            extra = {"grant_type": "authorization_code", "code": code, "code_verifier": flow.verifier, "timeout": TIMEOUT}
            token = client.fetch_token(self._at("token_endpoint"), **extra)
            claims = self._checked(str(token.get("id_token") or ""), flow, token.get("access_token"))
            return claims if "email" in claims else {**self._more(client, claims), **claims}

    def end(self, after: str) -> str | None:
        """The address that signs the person out at the provider. after: the page to open then. None: not offered."""
        with provider_errors_as_ours():
            address = self._metadata().get("end_session_endpoint")
        if not is_safe(address):
            return None
        query = urlencode({"client_id": self.registered.client, "post_logout_redirect_uri": after})
        return f"{address}{'&' if '?' in str(address) else '?'}{query}"

    def _client(self, back: str) -> OAuth2Session:
        methods = self._metadata().get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        method = "client_secret_basic" if "client_secret_basic" in methods else "client_secret_post"
        options = {"token_endpoint_auth_method": method, "code_challenge_method": "S256", "redirect_uri": back}
        return OAuth2Session(self.registered.client, self.secret, scope=SCOPES, **options)

    def _checked(self, token: str, flow: Flow, access_token: str | None) -> dict[str, Any]:
        """The claims, checked by OpenID Connect Core 1.0, 3.1.3.7."""
        decoded, issuer, client = self._decoded(token), self.registered.issuer, self.registered.client
        must = {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client}}
        expected = {"nonce": flow.nonce, "client_id": client, "access_token": access_token}
        claims = CodeIDToken(decoded.claims, decoded.header, must, expected)
        claims.validate(leeway=LEEWAY)
        return dict(claims)

    def _decoded(self, token: str) -> jwt.Token:
        """The token with checked signature. An unknown key may be new: the keys are fetched again."""
        registry = JWSRegistry(algorithms=SIGNED_BY, strict_check_header=False)
        try:
            return jwt.decode(token, self._key_set(), registry=registry)
        except InvalidKeyIdError:
            return jwt.decode(token, self._key_set(anew=True), registry=registry)

    def _more(self, client: OAuth2Session, claims: Mapping[str, Any]) -> Mapping[str, Any]:
        """Claims of the userinfo endpoint, where some providers give the address (5.3); empty if of another person (5.3.2)."""
        if not is_safe(address := self._metadata().get("userinfo_endpoint")):
            return {}
        answer = client.get(address, timeout=TIMEOUT, allow_redirects=False)
        answer.raise_for_status()
        more: Mapping[str, Any] = answer.json()
        return more if more.get("sub") == claims["sub"] else {}

    def _at(self, what: str) -> str:
        if not is_safe(address := self._metadata().get(what)):
            raise ProviderUnavailable("provider_url_unsafe", issuer=self.registered.issuer, what=what)
        return str(address)

    def _metadata(self) -> Mapping[str, Any]:
        """The provider's metadata (OpenID Connect Discovery 1.0, 4)."""
        if not self._cached or self.clock() - self._cached_at > MAX_AGE:
            fetched = _fetched(f"{self.registered.issuer.rstrip('/')}/.well-known/openid-configuration")
            if fetched.get("issuer") != self.registered.issuer:
                raise ProviderUnavailable("provider_other_issuer", issuer=self.registered.issuer)
            self._cached, self._cached_at = fetched, self.clock()
        return self._cached

    def _key_set(self, anew: bool = False) -> KeySet:
        age = self.clock() - self._keys_at
        if self._keys is None or age > MAX_AGE or (anew and age > REFETCH_AFTER):
            found = _fetched(self._at("jwks_uri")).get("keys") or []
            keys = [key for key in found if key.get("kty") in FOR_SIGNING and key.get("use", "sig") == "sig"]
            self._keys, self._keys_at = KeySet.import_key_set({"keys": keys}), self.clock()
        return self._keys


@contextmanager
def provider_errors_as_ours() -> Iterator[None]:
    """Translate the errors of Authlib 1.9, joserfc 1.8 and requests; their texts may quote tokens and are left out."""
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
    answer = requests.get(address, timeout=TIMEOUT, allow_redirects=False)
    answer.raise_for_status()
    fetched = answer.json()
    if answer.is_redirect or not isinstance(fetched, dict):
        raise ProviderUnavailable("school_sign_in_away")
    return fetched
