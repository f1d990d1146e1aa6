"""A school's own sign-in: an OpenID Connect provider on this machine, with keys that change.

As much of Discovery 1.0, Core 1.0 (the code flow, 3.1), PKCE (RFC 7636) and RP-Initiated Logout 1.0 as a client sees, on real
HTTP with real RSA keys; what it says can be turned wrong."""

import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any
from urllib.parse import unquote_plus, urlencode

from flask import Flask, redirect, request
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.support.few import one_of_a_few
from tests.support.serving import serving

CLIENT, SECRET = "chapterverse-at-lessing", "a client's secret"
ANNA = {"sub": "anna-248289", "email": "Anna@lessing.example", "email_verified": True, "name": "Anna Berg"}


def _new_key(kid: str) -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": kid, "use": "sig", "alg": "RS256"}, private=True)


@dataclass
class School:
    """The provider. who: its claims of whoever is signed in there; turned: changes the token's claims before they are signed;
    code_seconds: how long a code is good for."""

    issuer: str = ""
    who: dict[str, Any] = field(default_factory=lambda: dict(ANNA))
    turned: Callable[[dict[str, Any]], dict[str, Any]] = lambda claims: claims
    metadata: dict[str, Any] = field(default_factory=dict)
    code_seconds: float = 60.0
    lets_in: bool = True
    asked: list[str] = field(default_factory=list)  # paths, in order
    userinfo: dict[str, Any] = field(default_factory=dict)
    key: RSAKey = field(default_factory=one_of_a_few(lambda: _new_key("first")))
    header: dict[str, Any] = field(default_factory=dict)
    _codes: dict[str, tuple[dict[str, str], float]] = field(default_factory=dict)

    def rotate(self) -> None:
        """From now on it signs with another key, and shows no other."""
        self.key = _new_key(token_urlsafe(6))

    def discovery(self) -> dict[str, Any]:
        places = {f"{each}_endpoint": f"{self.issuer}/{each}" for each in ("authorization", "token", "userinfo")}
        told = {
            "issuer": self.issuer,
            **places,
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/leave",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }
        return told | self.metadata

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser is sent back to (3.1.2.5), or that it is refused (3.1.2.6)."""
        assert (asked["response_type"], asked["client_id"], asked["code_challenge_method"]) == ("code", CLIENT, "S256")
        assert "openid" in asked["scope"].split()
        if not self.lets_in:
            return f"{asked['redirect_uri']}?{urlencode({'error': 'access_denied', 'state': asked['state']})}"
        code = token_urlsafe(16)
        self._codes[code] = asked, time.monotonic()
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state'], 'iss': self.issuer})}"

    def exchange(self, authorization: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """A token for a code, once (3.1.3)."""
        shown = b64decode(authorization.removeprefix("Basic ")).decode().split(":")
        if [unquote_plus(each) for each in shown] != [CLIENT, SECRET]:
            return 401, {"error": "invalid_client"}
        asked, when = self._codes.pop(form["code"], ({}, 0.0))
        challenge = urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        is_good = asked and asked["code_challenge"] == challenge and asked["redirect_uri"] == form["redirect_uri"]
        if not is_good or time.monotonic() - when > self.code_seconds:
            return 400, {"error": "invalid_grant"}
        return 200, {
            "access_token": "access",
            "token_type": "Bearer",
            "expires_in": 300,
            "id_token": self._token(asked["nonce"]),
        }

    def _token(self, nonce: str) -> str:
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **self.who}
        return jwt.encode({"alg": "RS256", "kid": self.key.kid} | self.header, self.turned(claims), self.key)


def _app(school: School) -> Flask:
    app = Flask("school")
    app.before_request(lambda: school.asked.append(request.path))
    app.add_url_rule("/authorization", "authorization", lambda: redirect(school.authorize(request.args.to_dict())))
    app.add_url_rule("/leave", "leave", lambda: redirect(request.args["post_logout_redirect_uri"]))
    app.add_url_rule("/.well-known/openid-configuration", "discovery", school.discovery)

    @app.get("/userinfo")
    def userinfo() -> tuple[dict[str, Any], int]:
        return school.userinfo, 200 if request.headers["Authorization"] == "Bearer access" else 401

    @app.get("/keys")
    def keys() -> dict[str, Any]:
        return {"keys": [{"kty": "oct", "use": "enc", "k": "eA"}, school.key.as_dict(private=False)]}

    @app.post("/token")
    def token() -> tuple[dict[str, Any], int]:
        status, told = school.exchange(request.headers.get("Authorization", ""), request.form.to_dict())
        return told, status

    return app


@contextmanager
def a_school() -> Iterator[School]:
    """The provider, at an address of its own."""
    school = School()
    with serving(_app(school)) as school.issuer:
        yield school
