"""Callers that are services: a token signed by Google, for us, of an account that may call (OpenID Connect Core, 3.1.3.7).

Cloud Tasks, Cloud Scheduler and Cloud Run send one as `Authorization: Bearer`."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import requests
from google.auth.exceptions import GoogleAuthError, TransportError
from google.auth.transport import Request as GoogleRequest
from google.auth.transport import Response
from google.auth.transport.requests import Request
from google.oauth2 import id_token

from chapterverse.errors import CertsUnavailable, Forbidden, Unauthenticated

ISSUERS = {"https://accounts.google.com", "accounts.google.com"}
KEPT = 300.0  # seconds; Google announces new keys hours before they are used
WITHIN = 10.0  # seconds


@dataclass
class KeptAnswers(GoogleRequest):
    """google.auth's way to the network; it remembers, because it would ask for the same public keys at every request."""

    send: Callable[..., Response] = field(default_factory=lambda: Request(requests.Session()))
    clock: Callable[[], float] = time.monotonic
    _answers: dict[str, tuple[Response, float]] = field(default_factory=dict)

    def __call__(self, url: str, method: str = "GET", *rest: Any, **how: Any) -> Response:
        """What that address answers, or did not long ago."""
        answer, when = self._answers.get(url, (None, 0.0))
        if answer is None or self.clock() - when > KEPT:
            answer = self.send(url, method, *rest, **{"timeout": WITHIN} | how)
            if answer.status == HTTPStatus.OK:
                self._answers[url] = answer, self.clock()
        return answer


@dataclass(frozen=True)
class OidcDoor:
    """audience: the address of the service called; callers: e-mail addresses of the accounts that may call it."""

    audience: str
    callers: frozenset[str]
    certs_url: str
    transport: GoogleRequest = field(default_factory=KeptAnswers)

    def admit(self, authorization: str) -> str:
        """The e-mail address of the account that sent this header. Raises Unauthenticated, Forbidden, CertsUnavailable."""
        claims = self._claims(_bearer(authorization))
        if claims.get("iss") not in ISSUERS:
            raise Unauthenticated("token_not_google")
        email = claims.get("email")
        if claims.get("email_verified") is not True or email not in self.callers:
            raise Forbidden("account_not_allowed")
        return str(email)

    def _claims(self, token: str) -> Mapping[str, Any]:
        try:
            claims: Mapping[str, Any] = id_token.verify_token(token, self.transport, self.audience, self.certs_url)
        except TransportError as error:
            raise CertsUnavailable("token_keys_away") from error
        except (
            GoogleAuthError,
            ValueError,
        ) as error:  # its own errors for what a token says, ValueError for one it cannot read
            raise Unauthenticated("token_not_valid", audience=self.audience) from error
        return claims


def _bearer(authorization: str) -> str:
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("token_missing")
    return token.strip()
