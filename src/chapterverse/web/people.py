"""The school's people: who may sign in to the pages, and as what."""

from http import HTTPStatus
from typing import Any

from chapterverse import errors
from chapterverse.model import KeyScope, Person
from chapterverse.usecases import people as our
from chapterverse.web import people_schemas as schemas
from chapterverse.web.operations import Call, Topic

topic = Topic("People")


@topic.operation("GET", "/people", KeyScope.ADMIN)
def people(call: Call) -> schemas.PeopleList:
    """Everybody who may sign in."""
    found = call.parts.reception.people.of_school(call.caller.school)
    return schemas.PeopleList(people=[_told(person, call) for person in found])


@topic.operation("POST", "/people", KeyScope.ADMIN, errors.Forbidden, success=HTTPStatus.CREATED)
def invite_person(call: Call, body: schemas.InvitationRequest) -> schemas.Invitation:
    """Let somebody sign in, and send them a link that is good once, within a week. Here already: another name or role, and no
    letter."""
    return _invitation(our.invite(_school(call), body.email, body.name, body.role, send=body.send), call)


@topic.operation("POST", "/people/list", KeyScope.ADMIN, errors.TooLarge)
def invite_people(call: Call, body: schemas.InvitationsRequest) -> schemas.Invitations:
    """The same with several, a line each. Lines that cannot be used are told by number, all others are done; the same list
    again changes nothing."""
    done, wrong = our.invite_all(_school(call), body.people, body.role, send=body.send)
    lines = [schemas.WrongLine(line=each.line, why=each.why) for each in wrong]
    return schemas.Invitations(invited=[_invitation(each, call) for each in done], wrong=lines)


@topic.operation("PUT", "/people/{email}", KeyScope.ADMIN, errors.NotFound, errors.Forbidden)
def change_person(call: Call, email: str, body: schemas.PersonRequest) -> schemas.PersonInfo:
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
    return our.School(call.caller.school, call.caller.person or "", call.parts.reception, call.parts.now())


def _told(person: Person, call: Call) -> schemas.PersonInfo:
    return schemas.PersonInfo(**_named(person, call))


def _invitation(done: our.Invited, call: Call) -> schemas.Invitation:
    return schemas.Invitation(**_named(done.person, call), new=done.is_new, sent=done.is_sent)


def _named(person: Person, call: Call) -> dict[str, Any]:
    you = call.caller.person == person.email
    return {"email": person.email, "name": person.name, "role": person.role, "created": person.created, "you": you}
