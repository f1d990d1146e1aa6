"""What is sent and answered about a school's people.

The school's people: who may sign in to the pages, and as what."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, Field

from chapterverse.accounts import people as our
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core import errors
from chapterverse.web.operations import ApiTopic, Call
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


topic = ApiTopic("People")


@topic.operation("GET", "/people", KeyScope.ADMIN)
def people(call: Call) -> PeopleList:
    """Everybody who may sign in."""
    found = call.context.sign_in.people.of_school(call.caller.school)
    return PeopleList(people=[_told(person, call) for person in found])


@topic.operation("POST", "/people", KeyScope.ADMIN, errors.Forbidden, success=HTTPStatus.CREATED)
def invite_person(call: Call, body: InvitationRequest) -> Invitation:
    """Let somebody sign in, and send them a link that is good once, within a week. Here already: another name or role, and no
    letter."""
    return _invitation(our.invite(_school(call), body.email, body.name, body.role, send=body.send), call)


@topic.operation("POST", "/people/list", KeyScope.ADMIN, errors.TooLarge)
def invite_people(call: Call, body: InvitationsRequest) -> Invitations:
    """The same with several, a line each. Lines that cannot be used are told by number, all others are done; the same list
    again changes nothing."""
    done, wrong = our.invite_all(_school(call), body.people, body.role, send=body.send)
    lines = [WrongLine(line=each.line, why=each.why) for each in wrong]
    return Invitations(invited=[_invitation(each, call) for each in done], wrong=lines)


@topic.operation("PUT", "/people/{email}", KeyScope.ADMIN, errors.NotFound, errors.Forbidden)
def change_person(call: Call, email: str, body: PersonRequest) -> PersonInfo:
    """Another role or name, at once. Nobody takes being an admin from themselves or from the last one."""
    return _told(our.change(_school(call), email, body.role, body.name), call)


@topic.operation("DELETE", "/people/{email}", KeyScope.ADMIN, errors.NotFound, errors.Forbidden, success=HTTPStatus.NO_CONTENT)
def remove_person(call: Call, email: str) -> None:
    """Let somebody sign in no more. Their sessions and links end at once; what they handed in stays the school's until its time
    is over."""
    our.remove(_school(call), email)


@topic.operation(
    "POST", "/people/{email}/link", KeyScope.ADMIN, errors.NotFound, errors.PostUnavailable, success=HTTPStatus.NO_CONTENT
)
def send_link(call: Call, email: str) -> None:
    """Send somebody another link, good once, within a week."""
    our.send_again(_school(call), email)


def _school(call: Call) -> our.School:
    return our.School(call.caller.school, call.caller.person or "", call.context.sign_in, call.context.now())


def _told(person: Person, call: Call) -> PersonInfo:
    return PersonInfo(**_named(person, call))


def _invitation(done: our.Invited, call: Call) -> Invitation:
    return Invitation(**_named(done.person, call), new=done.is_new, sent=done.is_sent)


def _named(person: Person, call: Call) -> dict[str, Any]:
    you = call.caller.person == person.email
    return {"email": person.email, "name": person.name, "role": person.role, "created": person.created, "you": you}
