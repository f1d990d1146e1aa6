"""People sign in: somebody of the school is sent a link, the link begins a session, the session is theirs until it ends.

A link and a session are 256 random bits each, of which only SHA-256 is kept (as of API keys, api_keys.py). A link is good once
and for a short time, because mail lies around (NIST SP 800-63B-4, 3.1.3.1: ten minutes for what is sent out of band; a school's
mail is slower, so it is a setting).

People sign in by the account that their school gave them (OpenID Connect Core 1.0, the code flow with PKCE, RFC 7636).

What is under way is known to the browser alone, by one secret: state, nonce and verifier are made of it (HMAC, RFC 2104), so
that nothing is kept here until somebody is in. Whose account it is says its subject; an e-mail address leads to somebody who is
here already only where it was verified."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import new as hmac
from secrets import token_urlsafe
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit

from chapterverse.accounts.keys import as_wide, digest_of, refuse_no_school
from chapterverse.accounts.model import Account, KeyScope, Person, Provider, Purpose, Ticket
from chapterverse.accounts.store import SqlAccounts, SqlPeople
from chapterverse.core.errors import BadRequest, Forbidden, NotFound, PostUnavailable, SignInRefused, Unauthenticated
from chapterverse.core.names import one_line
from chapterverse.core.ports import Post
from chapterverse.core.safe_address import is_safe

BITS = 256

_ADDRESS = re.compile(
    r"[^@\s\x00-\x1f\x7f\ud800-\udfff]{1,64}@[^@\s\x00-\x1f\x7f\ud800-\udfff]{1,255}"
)  # what is written to it tells whether it is one

LETTER = """Hello, hallo {name},

this link signs you in to Chapterverse at {school}. It is good once, for {minutes} minutes.
If you did not ask for it, do nothing.

dieser Link meldet dich bei Chapterverse an {school} an. Er gilt einmal, {minutes} Minuten lang.
Hast du ihn nicht verlangt, tu nichts.

{link}
"""


@dataclass(frozen=True, slots=True)
class SignIn:
    """Where people sign in. post: how links reach them; link, session: how long each is good for; site: where the pages are,
    "https://…" without a slash, as it is to stand in letters: what a request says of that anybody can make up.
    is_outbox: whether letters only lie in a folder, for whoever runs this."""

    people: SqlPeople
    post: Post
    link: timedelta = timedelta(minutes=20)
    session: timedelta = timedelta(hours=12)
    site: str = ""
    is_outbox: bool = False

    def find(self, school: str, email: str) -> Person | None:
        """Whoever of the school has that address; None: nobody."""
        try:
            return self.people.find(school, email)
        except NotFound:
            return None

    def own_site(self) -> str:
        """Where links lead. Raises PostUnavailable where nobody has said it yet."""
        if not self.site:
            raise PostUnavailable("links_need_site")
        return self.site


def enrol(school: str, email: str, name: str, role: KeyScope, *, sign_in: SignIn, now: datetime) -> Person:
    """Somebody who may sign in from now on, or the same person with another name or role. Raises BadRequest."""
    refuse_no_school(school)
    person = Person(school, _email(email), one_line(name) or _email(email), role, now)
    sign_in.people.keep(person)
    return person


def link_for(person: Person, sign_in: SignIn, now: datetime, *, good_for: timedelta | None = None) -> str:
    """The secret of a link that signs that person in, once."""
    return _issue(person, Purpose.LINK, now + (good_for or sign_in.link), sign_in)


def send_links(email: str, sign_in: SignIn, now: datetime) -> None:
    """A link to everybody of that address, one for each school; to nobody, where there is nobody. Raises BadRequest for what is
    no address, PostUnavailable."""
    site = sign_in.own_site()
    for person in sign_in.people.with_email(_email(email)):
        link = address_of(link_for(person, sign_in, now), site)
        text = LETTER.format(name=person.name, school=person.school, link=link, minutes=sign_in.link // timedelta(minutes=1))
        sign_in.post.send(person.email, "Your link to Chapterverse", text)


def address_of(link: str, site: str) -> str:
    """Where a link leads. The secret stands behind the #: browsers send that to nobody, so no balancer's log has it."""
    return f"{site}/sign-in/link#{urlencode({'link': link})}"


def redeem_link(secret: str, sign_in: SignIn, now: datetime) -> tuple[Person, str]:
    """Whose link it was, and the secret of their new session. Raises Unauthenticated where it is none, or was one."""
    try:
        person = sign_in.people.spend(digest_of(secret), Purpose.LINK, now)
    except NotFound:
        raise Unauthenticated("link_not_valid") from None
    return person, begin_session(person, sign_in, now)


def begin_session(person: Person, sign_in: SignIn, now: datetime) -> str:
    """The secret of a new session of somebody who has shown who they are."""
    sign_in.people.forget(now)
    return _issue(person, Purpose.SESSION, now + sign_in.session, sign_in)


def who_is(secret: str, sign_in: SignIn, now: datetime) -> Person:
    """Whose session it is. Raises Unauthenticated."""
    try:
        return sign_in.people.holder(digest_of(secret), Purpose.SESSION, now)
    except NotFound:
        raise Unauthenticated("session_ended") from None


def sign_out(secret: str, sign_in: SignIn, now: datetime) -> None:
    """The session is over. It was: nothing happens."""
    try:
        sign_in.people.spend(digest_of(secret), Purpose.SESSION, now)
    except NotFound:
        return


def _issue(person: Person, purpose: Purpose, expires: datetime, sign_in: SignIn) -> str:
    secret = token_urlsafe(BITS // 8)
    sign_in.people.issue(Ticket(digest_of(secret), purpose, person.school, person.email, expires))
    return secret


def is_address(text: str) -> bool:
    """Whether a letter can be tried."""
    return _ADDRESS.fullmatch(text) is not None


def _email(text: str) -> str:
    if not is_address(text.strip()):
        raise BadRequest("not_an_email")
    return text.strip().lower()


Claims = Mapping[str, Any]

LONGEST = 255  # characters of a subject (OpenID Connect Core 1.0, 2)

_ID = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Flow:
    """A sign-in that is under way. secret: the browser's; provider: by which; next: the page that was wanted."""

    secret: str
    provider: str
    next: str

    @property
    def state(self) -> str:
        """What has to come back with the code, or another site began this."""
        return self._made("state")

    @property
    def nonce(self) -> str:
        """What the token has to hold, or it was made for another sign-in."""
        return self._made("nonce")

    @property
    def verifier(self) -> str:
        """What only whoever began can show for the code; 43 characters, as RFC 7636, 4.1, asks for at least."""
        return self._made("verifier")

    def _made(self, what: str) -> str:
        made = hmac(self.secret.encode(), f"{what} {self.provider}".encode(), sha256).digest()
        return urlsafe_b64encode(made).rstrip(b"=").decode()


class SignsIn(Protocol):
    """What a school's own sign-in is asked. Raises ProviderUnavailable."""

    def begin(self, flow: Flow, back: str) -> str:
        """Where the browser goes; back: where it comes back to."""

    def finish(self, flow: Flow, code: str, back: str) -> Claims:
        """What the checked token says of somebody. Raises SignInRefused."""

    def end(self, after: str) -> str | None:
        """Where they are signed out there, too, and what page comes after; None where that is not offered."""


@dataclass(frozen=True, slots=True)
class SchoolSignIns:
    """Schools' own sign-ins. ask: how each is asked, by what is known of it."""

    accounts: SqlAccounts
    ask: Callable[[Provider], SignsIn]


def register(provider: Provider, accounts: SqlAccounts) -> None:
    """People of the school may sign in by it from now on. Raises BadRequest."""
    refuse_no_school(provider.school)
    if not _ID.fullmatch(provider.id):
        raise BadRequest("provider_name_invalid")
    _refuse_issuer(provider.issuer)
    if not provider.client:
        raise BadRequest("provider_without_client")
    if not provider.domains and not provider.required:
        raise BadRequest("provider_without_members")
    if provider.vouched and not provider.domains:
        raise BadRequest("provider_trusted_without_domain")
    accounts.keep_provider(provider)


@dataclass(frozen=True, slots=True)
class SchoolSignInResult:
    """Somebody whom the school's sign-in has let in, as its checked claims tell of them."""

    claims: Claims
    provider: Provider

    @property
    def account(self) -> Account:
        """Raises SignInRefused."""
        subject = self.claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST or not subject.isprintable():
            raise SignInRefused("invalid", "account_without_name")
        return Account(self.provider.school, self.provider.issuer, subject)

    @property
    def email(self) -> str:
        """In lower case. Raises SignInRefused for somebody who is not of the school."""
        told, provider = self.claims.get("email"), self.provider
        email = told.strip().lower() if isinstance(told, str) else ""
        if not is_address(email):
            raise SignInRefused("unverified", "account_without_email")
        is_ours = not provider.domains or email.rpartition("@")[2] in provider.domains
        if not is_ours or not all(value in self._values(name) for name, value in provider.required):
            raise SignInRefused("stranger", "account_not_of_school")
        return email

    @property
    def is_verified(self) -> bool:
        """Entra says nothing of it; some say it in words."""
        told = self.claims.get("email_verified")
        return self.provider.vouched if told is None else told is True or told == "true"

    @property
    def role(self) -> KeyScope | None:
        """The widest that is told; None where no claim is to tell it."""
        if not self.provider.role_claim:
            return None
        there = self._values(self.provider.role_claim)
        roles = [role for value, role in self.provider.roles if value in there]
        return next((role for role in roles if all(as_wide(role, other) for other in roles)), KeyScope.STUDENT)

    def _values(self, name: str) -> list[str]:
        """A claim has one value, or several."""
        told = self.claims.get(name)
        return [str(each) for each in (told if isinstance(told, list) else [told]) if each is not None]


def let_in(arrival: SchoolSignInResult, doors: SchoolSignIns, sign_in: SignIn, now: datetime) -> Person:
    """Whose account it is: the one who had it before, else the one whose verified e-mail address it names, else somebody new.
    Raises SignInRefused."""
    account, email, role = arrival.account, arrival.email, arrival.role
    try:
        person = doors.accounts.holder(account)
    except NotFound:
        person = _by_address(arrival, email, sign_in, now)
    if role and role is not person.role and person.role is not KeyScope.ADMIN:  # who is one here stays it until somebody says
        person = enrol(person.school, person.email, person.name, role, sign_in=sign_in, now=person.created)
    doors.accounts.link(account, person)
    return person


def _by_address(arrival: SchoolSignInResult, email: str, sign_in: SignIn, now: datetime) -> Person:
    """Also nobody new by an address that is not verified: its owner would come into somebody else's account later."""
    if not arrival.is_verified:
        raise SignInRefused("unverified", "email_not_verified")
    school, name = arrival.provider.school, str(arrival.claims.get("name") or "")[:LONGEST]
    there = sign_in.find(school, email)
    return there or enrol(school, email, name, arrival.role or KeyScope.STUDENT, sign_in=sign_in, now=now)


def _refuse_issuer(issuer: str) -> None:
    at = urlsplit(issuer)
    if not is_safe(issuer) or not at.hostname or at.query or at.fragment:
        raise BadRequest("issuer_not_https")


def provider_of(id: str, doors: SchoolSignIns) -> Provider:
    """Raises Forbidden for one that is not there: a page says so, and leads nowhere."""
    try:
        return doors.accounts.provider(id)
    except NotFound:
        raise Forbidden("school_without_sign_in") from None
