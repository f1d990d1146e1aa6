"""Authentication: API keys, sessions of browsers, and services. A key or session alone decides the school; nothing in the
request can name another.

A browser sends its cookies with requests from pages of any site, but also says which site made the page: Sec-Fetch-Site (W3C
Fetch Metadata, 2.4), or Origin before 2023. So changes are accepted from our own pages only, without a token in each form (as
in Go's net/http, CrossOriginProtection).

Services (Cloud Tasks, Cloud Scheduler, Cloud Run) send a token signed by Google as `Authorization: Bearer` (OpenID Connect
Core, 3.1.3.7). A private service of Cloud Run gets a token that Cloud Run has verified, without its signature."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import Response, g, request
from google.auth.exceptions import GoogleAuthError, TransportError
from google.auth.transport import Request as GoogleRequest
from google.auth.transport import Response as TransportResponse

from chapterverse.accounts.keys import as_wide, check_key
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.sign_in import who_is
from chapterverse.core.book import BookId
from chapterverse.core.errors import CertsUnavailable, Forbidden, Unauthenticated
from chapterverse.core.hits import Scope
from chapterverse.web.limits import RateLimit

if TYPE_CHECKING:
    from chapterverse.web.context import AppContext

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})  # RFC 9110, 9.2.1
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
PERSON = "X-Chapterverse-Person"  # header: for whom a program with a key asks
MAX_PERSON = 255  # characters
COOKIE = "chapterverse"
HOST_COOKIE = f"__Host-{COOKIE}"  # RFC 6265bis, 4.1.3.2: only of this host, only over https


def secret_in_cookie(what: str = "") -> str:
    """The session's secret from its cookie, or another one of that name; empty if there is none."""
    return request.cookies.get(_name(what), "")


def keep(response: Response, secret: str, lives: timedelta, what: str = "", *, in_frame: bool = False) -> None:
    """Set the session's cookie, hidden from scripts; browsers send it when a link leads here, as from a letter (Lax). what:
    name of another secret to keep the same way. in_frame: it comes back even if a learning platform's page frames ours or posts
    a form. Partitioned (CHIPS): browsers that block cookies of third parties keep it for that platform's pages."""
    response.set_cookie(_name(what), secret, lives, httponly=True, path="/", **_options(in_frame))


def drop(response: Response, what: str = "", *, in_frame: bool = False) -> None:
    """Delete the cookie of the session, or of the other secret."""
    response.delete_cookie(_name(what), httponly=True, path="/", **_options(in_frame))


def _options(in_frame: bool) -> dict[str, Any]:
    if in_frame:
        return {"secure": True, "samesite": "None", "partitioned": True}
    return {"secure": not _on_this_machine(), "samesite": "Lax"}


def refuse_other_sites() -> None:
    """Raises Forbidden if a page of another site requests a change."""
    if request.method in SAFE_METHODS:
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    is_own = origin is None or origin.partition("://")[2] == request.host  # None: no browser, which was given the cookie
    if site not in {None, "same-origin", "none"} or (site is None and not is_own):
        raise Forbidden("other_site")


def _name(what: str) -> str:
    return f"{COOKIE if _on_this_machine() else HOST_COOKIE}{what and f'-{what}'}"


def _on_this_machine() -> bool:
    """Whether we are on localhost, where not all browsers accept a secure cookie without https."""
    return request.host.rpartition(":")[0] in LOOPBACK or request.host in LOOPBACK


@dataclass(frozen=True, slots=True)
class Caller:
    """The owner of the key or session. id: unique; person, name: e-mail address and name of the signed-in person; None and
    empty for a key. user: for whom the program with the key asks, as it named them; empty if it named nobody."""

    school: str
    role: KeyScope
    id: str
    person: str | None = None
    name: str = ""
    user: str = ""

    @property
    def counted_as(self) -> str:
        """Whose requests are counted together: those of one person, or of one key."""
        return f"{self.id}/{self.user}" if self.user else self.id

    def scope(self, books: Sequence[str]) -> Scope:
        """These books of the school; all if none is named."""
        return Scope(self.school, tuple(BookId(book) for book in books))


def caller_of(person: Person) -> Caller:
    """A signed-in person as the caller of an operation."""
    return Caller(person.school, person.role, f"{person.school}/{person.email}", person.email, person.name)


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Checks key or session, role and rate of a request. often: rate of frequent operations, counted apart. of_school: of all
    programs with a key of one school, because they may name any number of people."""

    context: "AppContext"
    rate: RateLimit
    often: RateLimit
    of_school: RateLimit

    def admit(self, needed: KeyScope, often: bool = False) -> Caller:
        """The caller. often: whether the operation is a frequent one. Raises Unauthenticated, RateLimited, Forbidden,
        CatalogUnavailable."""
        caller = self.caller()
        g.school = caller.school  # for the log
        rate = self.often if often else self.rate
        if caller.person is None:
            self.of_school.take(caller.school)
        if caller.user:
            rate = replace(rate, who="this_user")
        rate.take(caller.counted_as)
        if not as_wide(caller.role, needed):
            raise Forbidden("scope_too_narrow", needed=needed, scope=caller.role)
        return caller

    def caller(self) -> Caller:
        """The caller by key, else by session. Raises Unauthenticated, Forbidden, CatalogUnavailable."""
        if given := request.headers.get("Authorization", ""):
            key = check_key(_bearer(given, "key_missing"), self.context.keys, self.context.now())
            return Caller(key.school, key.scope, key.id, user=request.headers.get(PERSON, "").strip()[:MAX_PERSON])
        if secret := secret_in_cookie():
            refuse_other_sites()
            return caller_of(who_is(secret, self.context.sign_in, self.context.now()))
        raise Unauthenticated("key_missing")


def _bearer(authorization: str, missing: str = "token_missing") -> str:
    """The token of the header. Raises Unauthenticated, with that message, where there is none."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated(missing)
    return token.strip()


ISSUERS = {"https://accounts.google.com", "accounts.google.com"}
SIGNATURE_REMOVED = "SIGNATURE_REMOVED_BY_GOOGLE"  # https://docs.cloud.google.com/run/docs/authenticating/service-to-service
MAX_AGE = 300.0  # seconds; Google announces new keys hours before it uses them
TIMEOUT = 10.0  # seconds


def send(url: str, method: str, **options: Any) -> TransportResponse:
    """The response of that address. Imported here, because Cloud Run has verified nearly all tokens, and starts without."""
    from google.auth.transport.requests import Request

    return Request()(url, method, **options)  # type: ignore[no-any-return]


@dataclass
class CachedRequests(GoogleRequest):
    """Requests of google.auth, cached: it would fetch the same public keys at every request."""

    send: Callable[..., TransportResponse] = send
    clock: Callable[[], float] = time.monotonic
    _answers: dict[str, tuple[TransportResponse, float]] = field(default_factory=dict)

    def __call__(self, url: str, method: str = "GET", *rest: Any, **options: Any) -> TransportResponse:
        """The response of that address, or a recent one."""
        answer, when = self._answers.get(url, (None, 0.0))
        if answer is None or self.clock() - when > MAX_AGE:
            answer = self.send(url, method, *rest, **{"timeout": TIMEOUT} | options)
            if answer.status == HTTPStatus.OK:
                self._answers[url] = answer, self.clock()
        return answer


@dataclass(frozen=True)
class ServiceAuthenticator:
    """Checks tokens of services. audience: the address of the called service; callers: e-mail addresses of accounts that may
    call it. verified: whether Cloud Run's own check of callers stands before this program: it puts a fixed word in the place of
    each signature that it has verified."""

    audience: str
    callers: frozenset[str]
    certs_url: str = "https://www.googleapis.com/oauth2/v1/certs"
    transport: GoogleRequest = field(default_factory=CachedRequests)
    verified: bool = False

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
        from google.auth import jwt  # likewise
        from google.oauth2 import id_token

        claims: Mapping[str, Any]
        try:
            if self.verified and token.endswith(f".{SIGNATURE_REMOVED}"):
                claims = jwt.decode(token, verify=False)  # type: ignore[no-untyped-call]
                if claims.get("aud") != self.audience:
                    raise ValueError(self.audience)
            else:
                claims = id_token.verify_token(token, self.transport, self.audience, self.certs_url)
        except TransportError as error:
            raise CertsUnavailable("token_keys_away") from error
        except (GoogleAuthError, ValueError) as error:  # ValueError: not a token, or one for another service
            raise Unauthenticated("token_not_valid", audience=self.audience) from error
        return claims
