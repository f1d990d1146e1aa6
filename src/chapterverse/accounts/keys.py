"""A school's API keys: create, check.

A key's token is `cv_{id}_{secret}`: the id finds the key, the secret proves it. The secret is stored as its SHA-256 digest. A
slow hash would protect a password that can be guessed; a secret of 256 random bits cannot, and every request checks one."""

import re
import string
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from secrets import choice
from typing import TYPE_CHECKING

from chapterverse.accounts.model import ApiKey, KeyScope
from chapterverse.core.errors import BadRequest, NotFound, Unauthenticated

if TYPE_CHECKING:
    from chapterverse.accounts.store import SqlKeys

BASE62 = string.digits + string.ascii_letters
ID_LENGTH = 12
SECRET_LENGTH = 43  # of 62 characters each: 256 bits
_FINGERPRINT = re.compile(rf"[0-9A-Za-z]{{{ID_LENGTH}}}\.[0-9a-f]{{64}}")
_FOLDER = re.compile(r"[^/\\\x00-\x1f\x7f]+")


def digest_of(secret: str) -> str:
    """The digest under which a secret of 256 random bits is stored."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def new_token() -> tuple[str, str]:
    """The fingerprint of a new token (its id and digest: enough to create the key), and the token, which cannot be recovered
    later."""
    id, secret = _random(ID_LENGTH), _random(SECRET_LENGTH)
    return f"{id}.{digest_of(secret)}", f"cv_{id}_{secret}"


def keep_key(
    fingerprint: str, school: str, scope: KeyScope, note: str, *, keys: "SqlKeys", now: datetime, expires: datetime | None
) -> ApiKey:
    """Create the key of a token. now, expires: with their zone; None: it does not expire. Raises BadRequest for what is no
    fingerprint, and as refuse_no_school."""
    refuse_no_school(school)
    if not _FINGERPRINT.fullmatch(fingerprint):
        raise BadRequest("key_print_invalid")
    id, _, digest = fingerprint.partition(".")
    key = ApiKey(id, school, scope, note, now, expires)
    keys.add(key, digest)
    return key


def refuse_no_school(school: str) -> None:
    """Raises BadRequest for a name that is no safe folder name: the school's files would land elsewhere."""
    if school.startswith(".") or not _FOLDER.fullmatch(school):
        raise BadRequest("school_name_invalid")


def check_key(token: str, keys: "SqlKeys", now: datetime) -> ApiKey:
    """The key of that token. Raises Unauthenticated, with one message for every reason (malformed, unknown, wrong
    secret, expired, revoked); the comparison takes constant time."""
    id, _, secret = token.removeprefix("cv_").partition("_")
    key, digest = None, digest_of("")  # of no secret: none is empty
    with suppress(NotFound):
        key, digest = keys.find(id)
    is_right = compare_digest(digest, digest_of(secret))
    if key and is_right and token.startswith("cv_") and key.revoked is None and (key.expires is None or now < key.expires):
        return key
    raise Unauthenticated("key_not_valid")


def as_wide(has: KeyScope, needed: KeyScope) -> bool:
    """Whether the first role includes the second."""
    order = list(KeyScope)
    return order.index(has) >= order.index(needed)


def _random(length: int) -> str:
    return "".join(choice(BASE62) for _ in range(length))
