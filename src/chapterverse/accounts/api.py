"""A school's people over HTTP: list, invite, change, remove."""

from datetime import datetime
from http import HTTPStatus

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.accounts import people as our
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core import errors
from chapterverse.web.language import readers_language
from chapterverse.web.operations import ApiTopic, Call, Request


class PersonInfo(BaseModel):
    """A person who may sign in. you: whether it is the caller."""

    model_config = ConfigDict(from_attributes=True)

    email: str
    name: str
    role: KeyScope
    created: datetime
    you: bool = False


class PeopleList(BaseModel):
    """The people who may sign in, sorted by e-mail address."""

    people: list[PersonInfo]


class InvitationRequest(Request):
    """role: by default student, or the role that the person has; send: whether to send an e-mail with a link."""

    email: str = Field(max_length=320)
    name: str = Field("", max_length=200)
    role: KeyScope | None = None
    send: bool = True


class Invitation(PersonInfo):
    """new: the person was not here before; sent: an e-mail was sent; link: to give to the person if none was sent."""

    new: bool
    sent: bool
    link: str | None = None


class SentLink(BaseModel):
    """sent: an e-mail was sent; link: to give to the person if none was sent."""

    sent: bool
    link: str | None = None


class InvitationsRequest(Request):
    """people: per line e-mail address, name, role, separated by commas, semicolons or tabs, as copied from a spreadsheet, with
    or without its headings. role: of people without one."""

    people: str = Field(max_length=100_000)
    role: KeyScope = KeyScope.STUDENT
    send: bool = True


class Invitations(BaseModel):
    """The invited people, and the lines that were skipped."""

    invited: list[Invitation]
    wrong: list[our.RejectedLine]


class PersonRequest(Request):
    """The new role; name: empty to leave it as it is."""

    role: KeyScope
    name: str = Field("", max_length=200)


topic = ApiTopic("People")


@topic.operation("GET", "/people", KeyScope.ADMIN)
def people(call: Call) -> PeopleList:
    """The people who may sign in."""
    everyone = call.context.sign_in.people.of_school(call.caller.school)
    return PeopleList(people=[_info(person, call) for person in everyone])


@topic.operation("POST", "/people", KeyScope.ADMIN, errors.Forbidden, success=HTTPStatus.CREATED)
def invite_person(call: Call, body: InvitationRequest) -> Invitation:
    """Invite a person: they get a link that signs them in once, within a week. A person who is here already only gets another
    name or role."""
    return _invitation(our.invite(_context(call), body.email, body.name, body.role, send=body.send), call)


@topic.operation("POST", "/people/list", KeyScope.ADMIN, errors.TooLarge)
def invite_people(call: Call, body: InvitationsRequest) -> Invitations:
    """Invite the people of a list, one per line. Unusable lines are reported by number and skipped. Sending the list again
    changes nothing."""
    done, rejected = our.invite_all(_context(call), body.people, body.role, send=body.send)
    return Invitations(invited=[_invitation(each, call) for each in done], wrong=rejected)


@topic.operation("PUT", "/people/{email}", KeyScope.ADMIN, errors.NotFound, errors.Forbidden)
def change_person(call: Call, email: str, body: PersonRequest) -> PersonInfo:
    """Change a person's role or name, at once. Admins cannot demote themselves or the last admin."""
    return _info(our.change(_context(call), email, body.role, body.name), call)


@topic.operation("DELETE", "/people/{email}", KeyScope.ADMIN, errors.NotFound, errors.Forbidden, success=HTTPStatus.NO_CONTENT)
def remove_person(call: Call, email: str) -> None:
    """Remove a person. Their sessions and links end at once; their essays stay with the school until they expire."""
    our.remove(_context(call), email)


@topic.operation(
    "POST", "/people/{email}/link", KeyScope.ADMIN, errors.NotFound, errors.PostUnavailable, success=HTTPStatus.CREATED
)
def send_link(call: Call, email: str) -> SentLink:
    """Make a person another link, which works once, within a week, and send it."""
    link = our.send_again(_context(call), email)
    return SentLink(sent=not link, link=link or None)


def _context(call: Call) -> our.PeopleContext:
    language = call.context.setups.language(call.caller.school) or readers_language()
    return our.PeopleContext(call.caller.school, call.caller.person or "", call.context.sign_in, call.context.now(), language)


def _info(person: Person, call: Call) -> PersonInfo:
    return PersonInfo.model_validate(person).model_copy(update={"you": call.caller.person == person.email})


def _invitation(done: our.Invited, call: Call) -> Invitation:
    return Invitation(**_info(done.person, call).model_dump(), new=done.is_new, sent=done.is_sent, link=done.link or None)
