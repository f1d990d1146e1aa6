"""Who calls: an API key, or a person's session in a browser. It alone says which school's books are meant; nothing in the
request can name another."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import g, request

from chapterverse.errors import Forbidden, Unauthenticated
from chapterverse.model import BookId, KeyScope, Scope
from chapterverse.usecases.api_keys import as_wide, check_key
from chapterverse.usecases.sign_in import who_is
from chapterverse.web import cookies
from chapterverse.web.limits import RateLimit
from chapterverse.web.parts import Parts


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever holds the key or the session. school: whose books they may see; role: what they may do; id: unlike anybody
    else's; person, name: the e-mail address and the name of who is signed in, None and empty for a key."""

    school: str
    role: KeyScope
    id: str
    person: str | None = None
    name: str = ""

    def scope(self, books: Sequence[str]) -> Scope:
        """Those books of the school; all of them if none is named."""
        return Scope(self.school, tuple(BookId(book) for book in books))


@dataclass(frozen=True, slots=True)
class Door:
    """Lets in those whose key or session is good, wide enough and not used too often."""

    parts: Parts
    rate: RateLimit
    often: RateLimit

    def admit(self, needed: KeyScope, often: bool = False) -> Caller:
        """often: whether it comes all the time, and is counted apart. Raises Unauthenticated, RateLimited, Forbidden,
        CatalogUnavailable."""
        caller = self.caller()
        g.school = caller.school  # for the log
        (self.often if often else self.rate).take(caller.id)
        if not as_wide(caller.role, needed):
            raise Forbidden("scope_too_narrow", needed=needed, scope=caller.role)
        return caller

    def caller(self) -> Caller:
        """A key goes before a session: who sends both means the key. Raises Unauthenticated, Forbidden, CatalogUnavailable."""
        if token := presented():
            key = check_key(token, self.parts.keys, self.parts.now())
            return Caller(key.school, key.scope, key.id)
        if secret := cookies.session():
            cookies.refuse_other_sites()
            person = who_is(secret, self.parts.reception, self.parts.now())
            return Caller(person.school, person.role, f"{person.school}/{person.email}", person.email, person.name)
        raise Unauthenticated("key_missing")


def presented() -> str:
    """The key in the request's headers; empty where there is none. Raises Unauthenticated for what is no key."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    if scheme:
        raise Unauthenticated("key_missing")
    return request.headers.get("X-Api-Key", "").strip()
