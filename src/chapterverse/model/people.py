"""People who come by a browser: who they are, and the tickets that prove it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chapterverse.model.service import KeyScope


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of a school; of one e-mail address there is one in each school. email: in lower case; role: what they may do."""

    school: str
    email: str
    name: str
    role: KeyScope
    created: datetime


class Purpose(StrEnum):
    """What a ticket is good for."""

    LINK = "link"  # signing in, once
    SESSION = "session"  # every request until it expires


@dataclass(frozen=True, slots=True)
class Ticket:
    """What somebody was given to show that they are that person; of its secret only a digest is kept. expires: UTC."""

    digest: str
    purpose: Purpose
    school: str
    email: str
    expires: datetime
