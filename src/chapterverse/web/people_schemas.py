"""What is sent and answered about a school's people."""

from datetime import datetime

from pydantic import BaseModel, Field

from chapterverse.model import KeyScope
from chapterverse.web.schemas import Request


class PersonInfo(BaseModel):
    """Somebody who may sign in. you: whether it is whoever asks."""

    email: str
    name: str
    role: KeyScope
    created: datetime
    you: bool = False


class PeopleList(BaseModel):
    """By e-mail address."""

    people: list[PersonInfo]


class InvitationRequest(Request):
    """role: none is student, or what they are already; send: whether they get a letter with a link."""

    email: str = Field(max_length=320)
    name: str = Field("", max_length=200)
    role: KeyScope | None = None
    send: bool = True


class Invitation(PersonInfo):
    """new: nobody of that address was here; sent: a letter is on its way."""

    new: bool
    sent: bool


class InvitationsRequest(Request):
    """people: a line each: e-mail address, name, role, apart by commas, semicolons or tabs, as a spreadsheet gives
    them, with its headings. role: of those who have none there."""

    people: str = Field(max_length=100_000)
    role: KeyScope = KeyScope.STUDENT
    send: bool = True


class WrongLine(BaseModel):
    """line: from 1; why: no_address, no_role, or locks_out: it would leave the school, or you, without an admin."""

    line: int
    why: str


class Invitations(BaseModel):
    """Lines that could be used, and those that could not, with which nothing was done."""

    invited: list[Invitation]
    wrong: list[WrongLine]


class PersonRequest(Request):
    """What somebody is from now on; name: stays where none is given."""

    role: KeyScope
    name: str = Field("", max_length=200)
