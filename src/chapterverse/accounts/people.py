"""A school's people: who may sign in, as what. An admin invites them, one or a list, changes their roles and removes them; the
school is never left without an admin, also where two remove each other at one moment."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.sign_in import SignIn, address_of, enrol, is_address, link_for
from chapterverse.accounts.store import Guard
from chapterverse.core.errors import Forbidden, PostUnavailable, TooLarge
from chapterverse.core.names import one_line

INVITATION = timedelta(days=7)

MOST = 300  # lines of a list: each letter takes a mail server up to a second, and somebody waits

ROLES = {role.value: role for role in KeyScope} | {
    **dict.fromkeys(("schüler", "schülerin", "schüler:in", "pupil"), KeyScope.STUDENT),
    **dict.fromkeys(("lehrer", "lehrerin", "lehrer:in", "lehrkraft"), KeyScope.TEACHER),
}

HEADINGS = frozenset({"email", "e-mail", "mail", "e-mail address", "e-mail-adresse", "address", "adresse"})

_NAMED = re.compile(r"(.*)<([^<>]+)>\s*")  # as mail programs write people: Anna Berg <anna@school.example>

LETTER = """Hello {name},

you are invited to Chapterverse at {school}. This link signs you in; it is good once, until {until:%Y-%m-%d}:

{link}

Afterwards you get a new one whenever you give your e-mail address at {site}/sign-in.


Hallo {name},

du bist zu Chapterverse an {school} eingeladen. Dieser Link meldet dich an; er gilt einmal, bis {until:%d.%m.%Y}:

{link}

Danach bekommst du jederzeit einen neuen, wenn du auf {site}/sign-in deine E-Mail-Adresse angibst.
"""


@dataclass(frozen=True, slots=True)
class School:
    """Whose people, and who says so. by: the e-mail address of the admin; empty for a key."""

    name: str
    by: str
    sign_in: SignIn
    now: datetime


@dataclass(frozen=True, slots=True)
class Invited:
    """is_new: nobody of that address was here; is_sent: a letter is on its way."""

    person: Person
    is_new: bool
    is_sent: bool


@dataclass(frozen=True, slots=True)
class Wrong:
    """A line of a list, from 1, that nothing was done with. why: no_address, no_role, locks_out."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class _Wanted:
    email: str
    name: str
    role: KeyScope | None


def invite(school: School, email: str, name: str, role: KeyScope | None, *, send: bool = True) -> Invited:
    """Somebody may sign in, and is sent a link; whoever is here already gets the name and role, where any is given, and no
    other letter. Without a role they are students. Raises BadRequest, Forbidden."""
    if not (there := school.sign_in.find(school.name, email.strip().lower())):
        person = enrol(school.name, email, name, role or KeyScope.STUDENT, sign_in=school.sign_in, now=school.now)
        return Invited(person, is_new=True, is_sent=send and _sent(person, school))
    return Invited(change(school, there.email, role or there.role, name or there.name), is_new=False, is_sent=False)


def invite_all(school: School, text: str, role: KeyScope, *, send: bool = True) -> tuple[list[Invited], list[Wrong]]:
    """Each line of a list: e-mail address, name, role, apart by commas, semicolons or tabs; a role is that of those who have
    none and are new. Lines that cannot be used are told, all others are done. Raises TooLarge."""
    if sum(1 for line in text.splitlines() if line.strip()) > MOST:
        raise TooLarge("people_list_too_long", max_people=MOST)
    done: list[Invited] = []
    wrong: list[Wrong] = []
    for number, line in _lines(text):
        try:
            wanted = _read(line)
            new = wanted.role or (None if school.sign_in.find(school.name, wanted.email) else role)
            done.append(invite(school, wanted.email, wanted.name, new, send=send))
        except _NotUsable as error:
            wrong.append(Wrong(number, error.why))
        except Forbidden:
            wrong.append(Wrong(number, "locks_out"))
    return done, wrong


def change(school: School, email: str, role: KeyScope, name: str = "") -> Person:
    """Another role from now on, in open sessions, too. Raises NotFound, Forbidden."""
    person = school.sign_in.people.find(school.name, email)
    changed = replace(person, role=role, name=one_line(name) or person.name)
    if changed != person:
        school.sign_in.people.keep(changed, None if role is KeyScope.ADMIN else _not_locking_out(person, school))
    return changed


def remove(school: School, email: str) -> None:
    """Their sessions and links end at once; what they handed in stays the school's. Raises NotFound, Forbidden."""
    person = school.sign_in.people.find(school.name, email)
    if person.email == school.by:
        raise Forbidden("cannot_remove_yourself")
    school.sign_in.people.remove(school.name, person.email, _not_locking_out(person, school))


def send_again(school: School, email: str) -> None:
    """Another link to somebody who is here. Raises NotFound, PostUnavailable."""
    _send(school.sign_in.people.find(school.name, email), school)


class _NotUsable(Exception):
    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Those that say something, with their numbers and what stands between the separators; not the headings of a table."""
    for number, line in enumerate(text.splitlines(), 1):
        apart = next((mark for mark in "\t;" if mark in line), ",")
        [cells] = csv.reader([line], delimiter=apart) if line.strip() else [[]]
        told = [cell.strip().strip("\ufeff") for cell in cells]
        if any(told) and told[0].lower() not in HEADINGS:
            yield number, told


def _read(cells: list[str]) -> _Wanted:
    email, name, role = (*cells, "", "")[:3]
    if named := _NAMED.fullmatch(email):
        name, email = name or named[1].strip(' "'), named[2]
    if not is_address(email.strip()):
        raise _NotUsable("no_address")
    if role and role.lower() not in ROLES:
        raise _NotUsable("no_role")
    return _Wanted(email.strip().lower(), name, ROLES[role.lower()] if role else None)


def _not_locking_out(person: Person, school: School) -> Guard:
    """Raises Forbidden where that person is the admin who does it, or the last one."""

    def guard(everybody: Sequence[Person]) -> None:
        admins = [each.email for each in everybody if each.role is KeyScope.ADMIN]
        if person.email not in admins:
            return
        if person.email == school.by:
            raise Forbidden("cannot_demote_yourself")
        if len(admins) == 1:
            raise Forbidden("last_admin")

    return guard


def _sent(person: Person, school: School) -> bool:
    """Whether that worked: who is invited is in either way, and can be sent another one."""
    try:
        _send(person, school)
    except PostUnavailable:
        return False
    return True


def _send(person: Person, school: School) -> None:
    site = school.sign_in.own_site()
    link = address_of(link_for(person, school.sign_in, school.now, good_for=INVITATION), site)
    told = {"name": person.name, "school": person.school, "link": link, "site": site, "until": school.now + INVITATION}
    school.sign_in.post.send(person.email, "Chapterverse", LETTER.format(**told))
