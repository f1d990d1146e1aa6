"""Who calls: an API key. It alone says which school's books are meant; nothing in the request can name another."""

from dataclasses import dataclass

from flask import g, request

from chapterverse.errors import Forbidden, Unauthenticated
from chapterverse.model import ApiKey, BookId, KeyScope, Scope
from chapterverse.usecases.api_keys import allows, check_key
from chapterverse.web.limits import RateLimit
from chapterverse.web.parts import Parts


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever holds the key."""

    key: ApiKey

    @property
    def school(self) -> str:
        """Whose books the caller may see."""
        return self.key.school

    def scope(self, books: list[str]) -> Scope:
        """Those books of the school; all of them if none is named."""
        return Scope(self.school, tuple(BookId(book) for book in books))


@dataclass(frozen=True, slots=True)
class Door:
    """Lets in those whose key is good, wide enough and not used too often."""

    parts: Parts
    rate: RateLimit

    def admit(self, needed: KeyScope) -> Caller:
        """Raises Unauthenticated, RateLimited, Forbidden, CatalogUnavailable."""
        key = check_key(presented(), self.parts.keys, self.parts.now())
        g.school = key.school  # for the log
        self.rate.take(key.id)
        if not allows(key, needed):
            raise Forbidden(f"This needs a key of scope {needed} or wider; this one is of scope {key.scope}.")
        return Caller(key)


def presented() -> str:
    """The key in the request's headers. Raises Unauthenticated."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    if token := request.headers.get("X-Api-Key", "").strip():
        return token
    raise Unauthenticated("Send an API key: Authorization: Bearer cv_… . `chapterverse keys create` makes one.")
