"""People sign in: somebody of the school is sent a link, the link begins a session, the session is theirs until it ends.

A link and a session are 256 random bits each, of which only SHA-256 is kept (as of API keys, api_keys.py). A link is good once
and for a short time, because mail lies around (NIST SP 800-63B-4, 3.1.3.1: ten minutes for what is sent out of band; a school's
mail is slower, so it is a setting)."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_urlsafe
from urllib.parse import urlencode

from chapterverse.errors import BadRequest, NotFound, PostUnavailable, Unauthenticated
from chapterverse.model import KeyScope, Person, Purpose, Ticket
from chapterverse.names import one_line
from chapterverse.ports import PeopleStore, Post
from chapterverse.usecases.api_keys import digest_of, refuse_no_school

BITS = 256
_ADDRESS = re.compile(
    r"[^@\s\x00-\x1f\x7f\ud800-\udfff]{1,64}@[^@\s\x00-\x1f\x7f\ud800-\udfff]{1,255}"
)  # what is written to it tells whether it is one

LETTER = """Hello, hallo {name},

this link signs you in to Chapterverse at {school}. It is good once, for {minutes} minutes.
If you did not ask for it, do nothing.

dieser Link meldet dich bei Chapterverse an {school} an. Er gilt einmal, {minutes} Minuten lang.
Hast du ihn nicht verlangt, tu nichts.

{link}
"""


@dataclass(frozen=True, slots=True)
class Reception:
    """Where people sign in. post: how links reach them; link, session: how long each is good for; site: where the pages are,
    "https://…" without a slash, as it is to stand in letters: what a request says of that anybody can make up.
    is_outbox: whether letters only lie in a folder, for whoever runs this."""

    people: PeopleStore
    post: Post
    link: timedelta = timedelta(minutes=20)
    session: timedelta = timedelta(hours=12)
    site: str = ""
    is_outbox: bool = False

    def find(self, school: str, email: str) -> Person | None:
        """Whoever of the school has that address; None: nobody."""
        try:
            return self.people.find(school, email)
        except NotFound:
            return None

    def own_site(self) -> str:
        """Where links lead. Raises PostUnavailable where nobody has said it yet."""
        if not self.site:
            raise PostUnavailable("links_need_site")
        return self.site


def enrol(school: str, email: str, name: str, role: KeyScope, *, reception: Reception, now: datetime) -> Person:
    """Somebody who may sign in from now on, or the same person with another name or role. Raises BadRequest."""
    refuse_no_school(school)
    person = Person(school, _email(email), one_line(name) or _email(email), role, now)
    reception.people.keep(person)
    return person


def link_for(person: Person, reception: Reception, now: datetime, *, good_for: timedelta | None = None) -> str:
    """The secret of a link that signs that person in, once."""
    return _issue(person, Purpose.LINK, now + (good_for or reception.link), reception)


def send_links(email: str, reception: Reception, now: datetime) -> None:
    """A link to everybody of that address, one for each school; to nobody, where there is nobody. Raises BadRequest for what is
    no address, PostUnavailable."""
    site = reception.own_site()
    for person in reception.people.with_email(_email(email)):
        link = address_of(link_for(person, reception, now), site)
        text = LETTER.format(name=person.name, school=person.school, link=link, minutes=reception.link // timedelta(minutes=1))
        reception.post.send(person.email, "Your link to Chapterverse", text)


def address_of(link: str, site: str) -> str:
    """Where a link leads. The secret stands behind the #: browsers send that to nobody, so no balancer's log has it."""
    return f"{site}/sign-in/link#{urlencode({'link': link})}"


def sign_in(secret: str, reception: Reception, now: datetime) -> tuple[Person, str]:
    """Whose link it was, and the secret of their new session. Raises Unauthenticated where it is none, or was one."""
    try:
        person = reception.people.spend(digest_of(secret), Purpose.LINK, now)
    except NotFound:
        raise Unauthenticated("link_not_valid") from None
    return person, begin_session(person, reception, now)


def begin_session(person: Person, reception: Reception, now: datetime) -> str:
    """The secret of a new session of somebody who has shown who they are."""
    reception.people.forget(now)
    return _issue(person, Purpose.SESSION, now + reception.session, reception)


def who_is(secret: str, reception: Reception, now: datetime) -> Person:
    """Whose session it is. Raises Unauthenticated."""
    try:
        return reception.people.holder(digest_of(secret), Purpose.SESSION, now)
    except NotFound:
        raise Unauthenticated("session_ended") from None


def sign_out(secret: str, reception: Reception, now: datetime) -> None:
    """The session is over. It was: nothing happens."""
    try:
        reception.people.spend(digest_of(secret), Purpose.SESSION, now)
    except NotFound:
        return


def _issue(person: Person, purpose: Purpose, expires: datetime, reception: Reception) -> str:
    secret = token_urlsafe(BITS // 8)
    reception.people.issue(Ticket(digest_of(secret), purpose, person.school, person.email, expires))
    return secret


def is_address(text: str) -> bool:
    """Whether a letter can be tried."""
    return _ADDRESS.fullmatch(text) is not None


def _email(text: str) -> str:
    if not is_address(text.strip()):
        raise BadRequest("not_an_email")
    return text.strip().lower()
