"""A school's people over HTTP: list, invite, change, remove; and its settings: number of citations, tone, grade, release,
codes."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from chapterverse.accounts import sign_in as our
from chapterverse.accounts.model import KeyScope, Person, StoredSetting
from chapterverse.core import errors
from chapterverse.core.requests import Request, whole
from chapterverse.essays.model import Tone
from chapterverse.essays.schemas import MAX_EVIDENCES
from chapterverse.web.context import AppContext
from chapterverse.web.language import readers_language
from chapterverse.web.operations import ApiTopic, Call


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
    """role: of a new person, by default student; send: whether to send an e-mail with a link."""

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
    """Invite a person: they get a link that signs them in once, within a week. A person who is here already keeps the
    role and gets the name, if one is given."""
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


settings_topic = ApiTopic("Settings")


class SettingsRequest(Request):
    """Settings of a school; null means the default."""

    evidences: Annotated[int, Field(ge=1, le=MAX_EVIDENCES), BeforeValidator(whole)] | None = Field(
        None, description="Sentences of the books for an essay; null: one for each paragraph."
    )
    tone: Tone | None = Field(None, description="kind encourages, plain is brief.")
    grade: Annotated[int, Field(ge=3, le=13, strict=False), BeforeValidator(whole)] | None = Field(
        None, description="School grade that feedback is written for."
    )
    approval: bool | None = Field(None, description="Students see feedback only after a teacher has released it.")
    codes: bool | None = Field(None, description="Students may join classes and sign in by a code, without an e-mail address.")
    transcripts: bool | None = Field(None, description="What is said in lectures is stored, as long as their citations.")


class Setting(BaseModel):
    """value: null for the default. default: null if it depends on the essay. changed_by, changed: who set it last and when,
    null if never."""

    value: bool | int | float | str | None
    default: bool | int | float | str | None
    changed_by: str | None
    changed: datetime | None


class SettingsResponse(BaseModel):
    """Settings for feedback, used where a request has none of its own."""

    evidences: Setting
    tone: Setting
    grade: Setting
    approval: Setting
    codes: Setting
    transcripts: Setting


@settings_topic.operation("GET", "/settings", KeyScope.TEACHER)
def settings(call: Call) -> SettingsResponse:
    """The school's settings, with who changed each last, when, and its default."""
    return settings_response(call.caller.school, call.context)


@settings_topic.operation("PATCH", "/settings", KeyScope.TEACHER)
def change_settings(call: Call, body: SettingsRequest) -> SettingsResponse:
    """Set the settings that are named; null means the default. They take effect at once for essays and batches, where a
    request has no settings of its own. Repeatable."""
    changed = body.model_dump(exclude_unset=True)
    call.context.school_settings.change(call.caller.school, changed, who(call), call.context.now())
    return settings_response(call.caller.school, call.context)


def who(call: Call) -> str:
    """The caller as teachers of the school see it: an e-mail address, or the id of an API key."""
    return call.caller.person or f"API key {call.caller.id}"


def settings_response(school: str, context: AppContext) -> SettingsResponse:
    """The current settings. Raises CatalogUnavailable."""
    style, stored = context.essays.writing.style, context.school_settings.of_school(school)
    defaults = {"tone": style.tone.value, "grade": style.grade, "approval": False, "codes": True, "transcripts": False}
    names = SettingsResponse.model_fields
    return SettingsResponse(**{name: _setting(stored.get(name), defaults.get(name)) for name in names})


def _setting(stored: StoredSetting | None, default: bool | int | str | None) -> Setting:
    value, by, at = (stored.value, stored.by, stored.at) if stored else (None, None, None)
    return Setting(value=value, default=default, changed_by=by, changed=at)
