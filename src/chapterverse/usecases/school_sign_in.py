"""People sign in by the account that their school gave them (OpenID Connect Core 1.0, the code flow with PKCE, RFC 7636).

What is under way is known to the browser alone, by one secret: state, nonce and verifier are made of it (HMAC, RFC 2104), so
that nothing is kept here until somebody is in. Whose account it is says its subject; an e-mail address leads to somebody who is
here already only where it was verified."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from hmac import new as hmac
from typing import Any, Protocol
from urllib.parse import urlsplit

from chapterverse.errors import BadRequest, Forbidden, NotFound, SignInRefused
from chapterverse.model import Account, KeyScope, Person, Provider
from chapterverse.ports import AccountStore
from chapterverse.usecases.api_keys import as_wide, refuse_no_school
from chapterverse.usecases.safe_address import is_safe
from chapterverse.usecases.sign_in import Reception, enrol, is_address

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
class SchoolDoors:
    """Schools' own sign-ins. ask: how each is asked, by what is known of it."""

    accounts: AccountStore
    ask: Callable[[Provider], SignsIn]


def register(provider: Provider, accounts: AccountStore) -> None:
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
class Arrival:
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


def let_in(arrival: Arrival, doors: SchoolDoors, reception: Reception, now: datetime) -> Person:
    """Whose account it is: the one who had it before, else the one whose verified e-mail address it names, else somebody new.
    Raises SignInRefused."""
    account, email, role = arrival.account, arrival.email, arrival.role
    try:
        person = doors.accounts.holder(account)
    except NotFound:
        person = _by_address(arrival, email, reception, now)
    if role and role is not person.role and person.role is not KeyScope.ADMIN:  # who is one here stays it until somebody says
        person = enrol(person.school, person.email, person.name, role, reception=reception, now=person.created)
    doors.accounts.link(account, person)
    return person


def _by_address(arrival: Arrival, email: str, reception: Reception, now: datetime) -> Person:
    """Also nobody new by an address that is not verified: its owner would come into somebody else's account later."""
    if not arrival.is_verified:
        raise SignInRefused("unverified", "email_not_verified")
    school, name = arrival.provider.school, str(arrival.claims.get("name") or "")[:LONGEST]
    there = reception.find(school, email)
    return there or enrol(school, email, name, arrival.role or KeyScope.STUDENT, reception=reception, now=now)


def _refuse_issuer(issuer: str) -> None:
    at = urlsplit(issuer)
    if not is_safe(issuer) or not at.hostname or at.query or at.fragment:
        raise BadRequest("issuer_not_https")


def provider_of(id: str, doors: SchoolDoors) -> Provider:
    """Raises Forbidden for one that is not there: a page says so, and leads nowhere."""
    try:
        return doors.accounts.provider(id)
    except NotFound:
        raise Forbidden("school_without_sign_in") from None
