"""A school's API keys: made, checked, rotated, revoked.

A key's token is `cv_{id}_{secret}`: the id finds the key, the secret proves it. Of the secret only SHA-256 is kept. A slow hash
is for passwords, which can be guessed; 256 random bits cannot, and a check stands before every request."""

import re
import string
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from secrets import choice

from chapterverse.accounts.model import ApiKey, KeyScope
from chapterverse.accounts.store import SqlKeys
from chapterverse.core.errors import BadRequest, NotFound, Unauthenticated

BASE62 = string.digits + string.ascii_letters

ID_LENGTH = 12

SECRET_LENGTH = 43  # of 62 characters each: 256 bits

OVERLAP = timedelta(days=7)

_DRAWN = re.compile(rf"([0-9A-Za-z]{{{ID_LENGTH}}})\.([0-9a-f]{{64}})")

_FOLDER = re.compile(r"[^/\\\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is kept of a key's token. Whoever keeps it where others read along needs not know the token."""

    id: str
    digest: str

    def __str__(self) -> str:
        return f"{self.id}.{self.digest}"

    @classmethod
    def read(cls, text: str) -> "Drawn":
        """What str makes of one. Raises BadRequest."""
        if found := _DRAWN.fullmatch(text):
            return cls(*found.groups())
        raise BadRequest("key_print_invalid")


def digest_of(secret: str) -> str:
    """What is kept of a secret of 256 random bits."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def draw() -> tuple[Drawn, str]:
    """What is to be kept of a new token, and the token, which nobody can be told again."""
    id, secret = _random(ID_LENGTH), _random(SECRET_LENGTH)
    return Drawn(id, digest_of(secret)), f"cv_{id}_{secret}"


def make_key(
    school: str, scope: KeyScope, note: str, keys: SqlKeys, now: datetime, *, expires: datetime | None = None
) -> tuple[ApiKey, str]:
    """A new key and its token. Else as keep_key."""
    drawn, token = draw()
    return keep_key(drawn, school, scope, note, keys=keys, now=now, expires=expires), token


def keep_key(
    drawn: Drawn,
    school: str,
    scope: KeyScope,
    note: str,
    *,
    keys: SqlKeys,
    now: datetime,
    expires: datetime | None = None,
) -> ApiKey:
    """A new key, of the token that was drawn. now, expires: with their zone; None: it does not expire.

    Raises BadRequest for a school whose files would be in no folder of its own, or in another one's."""
    refuse_no_school(school)
    key = ApiKey(drawn.id, school, scope, note, now, expires)
    keys.add(key, drawn.digest)
    return key


def refuse_no_school(school: str) -> None:
    """Raises BadRequest for a name whose files would be in no folder of its own, or in another one's."""
    if school.startswith(".") or not _FOLDER.fullmatch(school):
        raise BadRequest("school_name_invalid")


def check_key(token: str, keys: SqlKeys, now: datetime) -> ApiKey:
    """The key of that token. Raises Unauthenticated with the same words whatever is wrong with it: malformed, unknown, of
    another secret, expired or revoked; how long that takes does not tell, either, how much of a secret is right."""
    id, _, secret = token.removeprefix("cv_").partition("_")
    key, digest = _found(id, keys)
    is_right = compare_digest(digest, digest_of(secret))
    if key and is_right and token.startswith("cv_") and _is_valid(key, now):
        return key
    raise Unauthenticated("key_not_valid")


def rotate_key(drawn: Drawn, school: str, id: str, keys: SqlKeys, now: datetime, *, overlap: timedelta = OVERLAP) -> ApiKey:
    """A new key like that one, of the token that was drawn; the old one is good for `overlap` more at most. Raises NotFound.

    The new key lives as long as the old one was given: from its making to its end."""
    old, digest = _of_school(school, id, keys)
    lives_until = old.expires and now + (old.expires - old.created)
    new = keep_key(drawn, school, old.scope, old.note, keys=keys, now=now, expires=lives_until)
    keys.change(replace(old, expires=min(now + overlap, old.expires or now + overlap)), digest)
    return new


def revoke_key(school: str, id: str, keys: SqlKeys, now: datetime) -> ApiKey:
    """The key, good for nothing from now on. Raises NotFound."""
    key, digest = _of_school(school, id, keys)
    revoked = replace(key, revoked=key.revoked or now)
    keys.change(revoked, digest)
    return revoked


def list_keys(school: str, keys: SqlKeys) -> list[ApiKey]:
    """The school's keys, oldest first, those that are good no more among them."""
    return keys.of_school(school)


def as_wide(has: KeyScope, needed: KeyScope) -> bool:
    """Whether who has that scope may do what the other one may."""
    order = list(KeyScope)
    return order.index(has) >= order.index(needed)


def _found(id: str, keys: SqlKeys) -> tuple[ApiKey | None, str]:
    try:
        return keys.find(id)
    except NotFound:
        return None, digest_of("")  # of no key's secret: none is empty


def _of_school(school: str, id: str, keys: SqlKeys) -> tuple[ApiKey, str]:
    key, digest = keys.find(id)
    if key.school != school:
        raise NotFound("no_such_key")
    return key, digest


def _is_valid(key: ApiKey, now: datetime) -> bool:
    return key.revoked is None and (key.expires is None or now < key.expires)


def _random(length: int) -> str:
    return "".join(choice(BASE62) for _ in range(length))
