"""Invite people, one or a list, change their roles, remove them.

A school always keeps an admin, even if two admins remove each other at the same moment."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from babel.dates import format_date

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.sign_in import SignIn, address_of, enrol, is_address, link_for
from chapterverse.accounts.store import Guard
from chapterverse.core.errors import Forbidden, PostUnavailable, TooLarge
from chapterverse.core.names import one_line
from chapterverse.messages import in_words, message

INVITATION = timedelta(days=7)
MAX_LINES = 300  # of a list: each e-mail takes a mail server up to a second while a person waits

ROLES = {role.value: role for role in KeyScope} | {
    **dict.fromkeys(("schüler", "schülerin", "schüler:in", "pupil"), KeyScope.STUDENT),
    **dict.fromkeys(("lehrer", "lehrerin", "lehrer:in", "lehrkraft"), KeyScope.TEACHER),
}

HEADINGS = frozenset({"email", "e-mail", "mail", "e-mail address", "e-mail-adresse", "address", "adresse"})
_NAMED = re.compile(r"(.*)<([^<>]+)>\s*")  # as mail programs write people: Anna Berg <anna@school.example>


@dataclass(frozen=True, slots=True)
class PeopleContext:
    """The school whose people are changed, and who changes them. by: the admin's e-mail address; empty for a key. language: of
    letters."""

    school: str
    by: str
    sign_in: SignIn
    now: datetime
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Invited:
    """The result of an invitation. is_new: the person was not here before; is_sent: an e-mail was sent; link: to give to the
    person where none was sent, else empty."""

    person: Person
    is_new: bool
    is_sent: bool
    link: str = ""


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """A line of a list that was skipped. line: from 1; why: no_address, no_role, or locks_out: it would leave the school, or
    you, without an admin."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class _InvitedPerson:
    email: str
    name: str
    role: KeyScope | None


def invite(context: PeopleContext, email: str, name: str, role: KeyScope | None, *, send: bool = True) -> Invited:
    """Invite a person by e-mail, by default as a student. A person who is here already only gets the name and role, if given.

    Raises BadRequest, Forbidden."""
    if there := context.sign_in.find(context.school, email.strip().lower()):
        changed = change(context, there.email, role or there.role, name or there.name)
        return Invited(changed, is_new=False, is_sent=False)
    person = enrol(context.school, email, name, role or KeyScope.STUDENT, sign_in=context.sign_in, now=context.now)
    link = _send(person, context) if send else ""
    return Invited(person, is_new=True, is_sent=send and not link and bool(context.sign_in.site), link=link)


def invite_all(
    context: PeopleContext, text: str, role: KeyScope, *, send: bool = True
) -> tuple[list[Invited], list[RejectedLine]]:
    """Invite the people of a list; unusable lines are skipped and returned.

    A line has e-mail address, name and role, separated by commas, semicolons or tabs. role: of new people without one. Raises
    TooLarge."""
    if sum(1 for line in text.splitlines() if line.strip()) > MAX_LINES:
        raise TooLarge("people_list_too_long", max_people=MAX_LINES)
    done: list[Invited] = []
    rejected: list[RejectedLine] = []
    for number, line in _lines(text):
        try:
            wanted = _read(line)
            new = wanted.role or (None if context.sign_in.find(context.school, wanted.email) else role)
            done.append(invite(context, wanted.email, wanted.name, new, send=send))
        except _NotUsable as error:
            rejected.append(RejectedLine(number, error.why))
        except Forbidden:
            rejected.append(RejectedLine(number, "locks_out"))
    return done, rejected


def change(context: PeopleContext, email: str, role: KeyScope, name: str = "") -> Person:
    """Change a person's role, in open sessions too, and name if one is given. Raises NotFound, Forbidden."""
    person = context.sign_in.people.find(context.school, email)
    changed = replace(person, role=role, name=one_line(name) or person.name)
    if changed != person:
        context.sign_in.people.keep(changed, None if role is KeyScope.ADMIN else _not_locking_out(person, context))
    return changed


def remove(context: PeopleContext, email: str) -> None:
    """Remove a person with sessions and links; their essays stay with the school. Raises NotFound, Forbidden."""
    person = context.sign_in.people.find(context.school, email)
    if person.email == context.by:
        raise Forbidden("cannot_remove_yourself")
    context.sign_in.people.remove(context.school, person.email, _not_locking_out(person, context))


def send_again(context: PeopleContext, email: str) -> str:
    """Send a person another link; returns the link if it could not be sent, else "". Raises NotFound, PostUnavailable."""
    context.sign_in.own_site()
    return _send(context.sign_in.people.find(context.school, email), context)


class _NotUsable(Exception):
    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line, without empty lines and table headings."""
    return ((number, cells) for number, cells in table_lines(text) if cells[0].lower() not in HEADINGS)


def table_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Number, from 1, and stripped cells of each line of a list that is not empty: cells stand between tabs, semicolons or
    commas, whichever of these the line has first in this order."""
    for number, line in enumerate(text.splitlines(), 1):
        separator = next((mark for mark in "\t;" if mark in line), ",")
        [cells] = csv.reader([line], delimiter=separator) if line.strip() else [[]]
        stripped = [cell.strip().strip("\ufeff") for cell in cells]
        if any(stripped):
            yield number, stripped


def _read(cells: list[str]) -> _InvitedPerson:
    email, name, role = (*cells, "", "")[:3]
    if named := _NAMED.fullmatch(email):
        name, email = name or named[1].strip(' "'), named[2]
    if not is_address(email.strip()):
        raise _NotUsable("no_address")
    if role and role.lower() not in ROLES:
        raise _NotUsable("no_role")
    return _InvitedPerson(email.strip().lower(), name, ROLES[role.lower()] if role else None)


def _not_locking_out(person: Person, context: PeopleContext) -> Guard:
    """A guard that raises Forbidden if the person is the acting admin, or the last one."""

    def guard(everyone: Sequence[Person]) -> None:
        admins = [each.email for each in everyone if each.role is KeyScope.ADMIN]
        if person.email not in admins:
            return
        if person.email == context.by:
            raise Forbidden("cannot_demote_yourself")
        if len(admins) == 1:
            raise Forbidden("last_admin")

    return guard


def _send(person: Person, context: PeopleContext) -> str:
    """Send an invitation. Returns "", or its link where it was not sent: without a mail server, or if that fails."""
    sign_in, until = context.sign_in, context.now + INVITATION
    if not sign_in.site:
        return ""
    link = address_of(link_for(person, sign_in, context.now, good_for=INVITATION), sign_in.site)
    if not sign_in.has_post(context.school):
        return link
    letter = message(
        "letter_invitation",
        name=person.name,
        school=person.school,
        link=link,
        site=sign_in.site,
        until=format_date(until, "long", locale=context.language),
    )
    subject = in_words(message("letter_invitation_subject", school=person.school), context.language)
    try:
        sign_in.post_for(context.school).send(person.email, subject, in_words(letter, context.language))
    except PostUnavailable:
        return link
    return ""
