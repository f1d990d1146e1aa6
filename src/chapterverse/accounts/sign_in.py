"""Sign in by a link in an e-mail, or by an account of the school (OpenID Connect); both begin a session.

Links and sessions are 256 random bits each, stored as SHA-256 digests. A link works once and for a short time, because
letters lie around (NIST SP 800-63B-4, 3.1.3.1, allows ten minutes; a school's mail is slower).

Accounts of the school use the code flow with PKCE (OpenID Connect Core 1.0, RFC 7636). Nothing is stored until a person has
signed in: the browser holds one secret, and state, nonce and verifier are derived from it (HMAC, RFC 2104). An account is
recognised by its subject. An e-mail address leads to a person who is here already only if it was verified.

A school always keeps an admin, even if two admins remove each other at the same moment."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_urlsafe
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from chapterverse.accounts.keys import digest_of, refuse_no_school
from chapterverse.accounts.model import Account, Claims, KeyScope, Person, Provider, Purpose, Ticket
from chapterverse.core.errors import BadRequest, Forbidden, NotFound, PostUnavailable, SignInRefused, Unauthenticated
from chapterverse.core.names import is_safe, one_line
from chapterverse.core.ports import Post
from chapterverse.messages import in_words, message

if TYPE_CHECKING:
    from chapterverse.accounts.oidc import OidcProvider
    from chapterverse.accounts.store import Guard, SqlAccounts, SqlPeople


INVITATION = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class PeopleContext:
    """The school whose people are changed, and who changes them. by: the admin's e-mail address; empty for a key. language: of
    letters."""

    school: str
    by: str
    sign_in: "SignIn"
    now: datetime
    language: str = "en"


def invite(context: PeopleContext, email: str, name: str, role: KeyScope | None, *, send: bool) -> tuple[Person, bool, str]:
    """Invite a person by e-mail, by default as a student. A person who is here already keeps the role and gets the name, if one
    is given. Returns the person, whether they are new, and the link to give to them where none was sent, else empty. Raises
    BadRequest, Forbidden."""
    if there := context.sign_in.find(context.school, email.strip().lower()):
        return change(context, there.email, there.role, name), False, ""
    person = enrol(context.school, email, name, role or KeyScope.STUDENT, sign_in=context.sign_in, now=context.now)
    return person, True, send_invitation(person, context) if send else ""


def change(context: PeopleContext, email: str, role: KeyScope, name: str = "") -> Person:
    """Change a person's role, in open sessions too, and name if one is given. Raises NotFound, Forbidden."""
    person = context.sign_in.people.find(context.school, email)
    changed = replace(person, role=role, name=one_line(name) or person.name)
    if changed != person:
        context.sign_in.people.keep(changed, None if role is KeyScope.ADMIN else _not_locking_out(person, context))
    return changed


def remove(context: PeopleContext, email: str) -> None:
    """Remove a person with sessions and links; their essays stay with the school. Raises NotFound, Forbidden."""
    person = context.sign_in.people.find(context.school, email)
    if person.email == context.by:
        raise Forbidden("cannot_remove_yourself")
    context.sign_in.people.remove(context.school, person.email, _not_locking_out(person, context))


def _not_locking_out(person: Person, context: PeopleContext) -> "Guard":
    """A guard that raises Forbidden if the person is the acting admin, or the last one."""

    def guard(everyone: Sequence[Person]) -> None:
        admins = [each.email for each in everyone if each.role is KeyScope.ADMIN]
        if person.email not in admins:
            return
        if person.email == context.by:
            raise Forbidden("cannot_demote_yourself")
        if len(admins) == 1:
            raise Forbidden("last_admin")

    return guard


def send_invitation(person: Person, context: PeopleContext) -> str:
    """Send a link that signs the person in once. Returns "", or the link where it was not sent: without a mail server, or if
    that fails."""
    sign_in, until = context.sign_in, context.now + INVITATION
    if not sign_in.site:
        return ""
    link = address_of(link_for(person, sign_in, context.now, good_for=INVITATION), sign_in.site)
    if not sign_in.has_post(context.school):
        return link
    from babel.dates import format_date

    letter = message(
        "letter_invitation",
        name=person.name,
        school=person.school,
        link=link,
        site=sign_in.site,
        until=format_date(until, "long", locale=context.language),
    )
    subject = in_words(message("letter_invitation_subject", school=person.school), context.language)
    try:
        sign_in.post_for(context.school).send(person.email, subject, in_words(letter, context.language))
    except PostUnavailable:
        return link
    return ""


BITS = 256

# only an e-mail can tell whether the address exists
_ADDRESS = re.compile(r"[^@\s\x00-\x1f\x7f\ud800-\udfff]{1,64}@[^@\s\x00-\x1f\x7f\ud800-\udfff]{1,255}")


@dataclass(frozen=True, slots=True)
class SignIn:
    """What sign-in needs. link, session: how long each is valid; site: address of the pages for letters, "https://…" without a
    slash at the end; never taken from a request, which can be forged. is_outbox: letters are only written to a folder.
    school_post: the client of a school's own mail server, None without one."""

    people: "SqlPeople"
    post: Post
    link: timedelta = timedelta(minutes=20)
    session: timedelta = timedelta(hours=12)
    site: str = ""
    is_outbox: bool = False
    school_post: Callable[[str], Post | None] = lambda _school: None

    def post_for(self, school: str) -> Post:
        """What sends the letters of a school: the operator's mail server, else the school's, else the folder."""
        return (self.school_post(school) if self.is_outbox else None) or self.post

    def has_post(self, school: str) -> bool:
        """Whether letters of the school are really sent."""
        return not self.is_outbox or self.school_post(school) is not None

    def find(self, school: str, email: str) -> Person | None:
        """The person of the school with that address; None: there is none."""
        try:
            return self.people.find(school, email)
        except NotFound:
            return None

    def own_site(self) -> str:
        """The site. Raises PostUnavailable if it is not set."""
        if not self.site:
            raise PostUnavailable("links_need_site")
        return self.site


def enrol(school: str, email: str, name: str, role: KeyScope, *, sign_in: SignIn, now: datetime) -> Person:
    """Create or replace a person who may sign in. Raises BadRequest."""
    refuse_no_school(school)
    person = Person(school, plain_email(email), one_line(name) or plain_email(email), role, now)
    sign_in.people.keep(person)
    return person


def link_for(person: Person, sign_in: SignIn, now: datetime, *, good_for: timedelta | None = None) -> str:
    """The secret of a new link that signs the person in once."""
    return _issue(person, Purpose.LINK, now + (good_for or sign_in.link), sign_in)


def send_links(email: str, sign_in: SignIn, now: datetime, *, wanted: str = "/", language: str = "en") -> None:
    """Send a link to each person with that address, one per school; nothing without such a person. wanted: the page of ours to
    open after it. language: of the letter.

    Raises BadRequest if it is no address, PostUnavailable."""
    site = sign_in.own_site()
    for person in sign_in.people.with_email(plain_email(email)):
        link = address_of(link_for(person, sign_in, now), site, wanted)
        minutes = sign_in.link // timedelta(minutes=1)
        letter = message("letter_sign_in", name=person.name, school=person.school, link=link, minutes=minutes)
        subject = in_words(message("letter_sign_in_subject"), language)
        sign_in.post_for(person.school).send(person.email, subject, in_words(letter, language))


def address_of(link: str, site: str, wanted: str = "/") -> str:
    """The address of a link. The secret follows the #, which browsers do not send, so that no log has it. wanted: the page to
    open afterwards."""
    named = {"link": link} | ({"next": wanted} if wanted != "/" else {})
    return f"{site}/sign-in/link#{urlencode(named)}"


def redeem_link(secret: str, sign_in: SignIn, now: datetime) -> tuple[Person, str]:
    """The person of the link, and the secret of their new session. Raises Unauthenticated if it is not valid."""
    try:
        person = sign_in.people.spend(digest_of(secret), Purpose.LINK, now)
    except NotFound:
        minutes = sign_in.link // timedelta(minutes=1)
        raise Unauthenticated("link_not_valid", minutes=minutes, days=INVITATION.days) from None
    return person, begin_session(person, sign_in, now)


def begin_session(person: Person, sign_in: SignIn, now: datetime) -> str:
    """The secret of a new session for a person whose identity is proven."""
    sign_in.people.forget(now)
    return _issue(person, Purpose.SESSION, now + sign_in.session, sign_in)


def who_is(secret: str, sign_in: SignIn, now: datetime) -> Person:
    """The person of the session. Raises Unauthenticated."""
    try:
        return sign_in.people.holder(digest_of(secret), Purpose.SESSION, now)
    except NotFound:
        raise Unauthenticated("session_ended") from None


def sign_out(secret: str, sign_in: SignIn, now: datetime) -> None:
    """End the session; nothing happens if it has ended."""
    with suppress(NotFound):
        sign_in.people.spend(digest_of(secret), Purpose.SESSION, now)


def _issue(person: Person, purpose: Purpose, expires: datetime, sign_in: SignIn) -> str:
    secret = token_urlsafe(BITS // 8)
    sign_in.people.issue(Ticket(digest_of(secret), purpose, person.school, person.email, expires))
    return secret


def is_address(text: str) -> bool:
    """Whether the text looks like an e-mail address."""
    return _ADDRESS.fullmatch(text) is not None


def plain_email(text: str) -> str:
    """The e-mail address in lower case. Raises BadRequest if it is none."""
    if not is_address(text.strip()):
        raise BadRequest("not_an_email")
    return text.strip().lower()


MAX_SUBJECT = 255  # characters (OpenID Connect Core 1.0, 2)
_ID = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class SchoolSignIns:
    """The schools' account services. ask: the client of a provider. check: raises ProviderUnavailable for what is none."""

    accounts: "SqlAccounts"
    ask: Callable[[Provider], "OidcProvider"]
    check: Callable[[Provider], None] = lambda _provider: None


def register(provider: Provider, schools: SchoolSignIns) -> None:
    """Create or replace a provider by which people of its school may sign in. Raises BadRequest, ProviderUnavailable."""
    refuse_no_school(provider.school)
    if not _ID.fullmatch(provider.id):
        raise BadRequest("provider_name_invalid")
    at = urlsplit(provider.issuer if is_safe(provider.issuer) else "")
    if not at.hostname or at.query or at.fragment:
        raise BadRequest("issuer_not_https")
    if not provider.client:
        raise BadRequest("provider_without_client")
    if not provider.domains or any("@" in each for each in provider.domains):
        raise BadRequest("provider_without_members")
    if provider.issuer not in {each.issuer for each in schools.accounts.providers(provider.school)}:  # it may be away later
        schools.check(provider)
    schools.accounts.keep_provider(provider)


def person_for(claims: Claims, provider: Provider, schools: SchoolSignIns, sign_in: SignIn, now: datetime) -> Person:
    """The person of the account: the one who used it before, else the one with its verified e-mail address, else a new one.
    claims: checked, of the account that signed in at the provider. Raises SignInRefused."""
    account, email = _account_in(claims, provider), _email_in(claims, provider)
    try:
        person = schools.accounts.holder(account)
    except NotFound:
        claim = claims.get("email_verified")  # Entra does not say; some providers say it as text
        is_verified = provider.vouched if claim is None else claim is True or claim == "true"
        if not is_verified:  # else the true owner would later get the account of another person
            raise SignInRefused("unverified", "email_not_verified") from None
        name = str(claims.get("name") or "")[:MAX_SUBJECT]
        there = sign_in.find(provider.school, email)
        person = there or enrol(provider.school, email, name, KeyScope.STUDENT, sign_in=sign_in, now=now)
    schools.accounts.link(account, person)
    return person


def _account_in(claims: Claims, provider: Provider) -> Account:
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT or not subject.isprintable():
        raise SignInRefused("invalid", "account_without_name")
    return Account(provider.school, provider.issuer, subject)


def _email_in(claims: Claims, provider: Provider) -> str:
    """The e-mail address in lower case. Raises SignInRefused if the person is not of the school."""
    claim = claims.get("email")
    email = claim.strip().lower() if isinstance(claim, str) else ""
    if not is_address(email):
        raise SignInRefused("unverified", "account_without_email")
    if email.rpartition("@")[2] not in provider.domains:
        raise SignInRefused("stranger", "account_not_of_school")
    return email


def provider_of(id: str, schools: SchoolSignIns) -> Provider:
    """The provider with that id. Raises Forbidden if there is none."""
    try:
        return schools.accounts.provider(id)
    except NotFound:
        raise Forbidden("school_without_sign_in") from None
