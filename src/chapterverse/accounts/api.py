"""A school over HTTP. Its people: list, invite, change, remove. Its settings: tone, grade, release, codes.
What an admin sets up: mail, language model, sign-in services, learning platforms, language of letters; secrets can be written
and are never read back. And a copy of what is stored about oneself, and for admins of all that is stored for their school."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any, Literal
from zipfile import ZIP_DEFLATED, ZipFile

from flask import Response
from pydantic import BeforeValidator, Field

from chapterverse.accounts import sign_in as our
from chapterverse.accounts.model import KeyScope, Person, Provider, StoredSetting
from chapterverse.accounts.setup import LANGUAGE, MAIL, MODEL, MailSetup, ModelSetup
from chapterverse.accounts.sign_in import is_address
from chapterverse.accounts.sign_in import register as register_provider
from chapterverse.assignments.api import AssignmentInfo, roster_for
from chapterverse.assignments.model import NO_SERVICES
from chapterverse.assignments.overview import csv_of_roster
from chapterverse.core import errors
from chapterverse.core.errors import NotFound
from chapterverse.core.names import one_line
from chapterverse.core.paid_model import ESSAY, MICROS
from chapterverse.core.requests import Record, Request, Words, whole
from chapterverse.essays.batch.api import ZIP
from chapterverse.essays.history import essay_of, list_own, visible_feedback
from chapterverse.essays.model import Tone
from chapterverse.essays.render import feedback_html
from chapterverse.essays.writing.trial import try_model
from chapterverse.infrastructure.storage.folder import ZipParts
from chapterverse.lti import launching
from chapterverse.lti.model import Platform
from chapterverse.messages import in_words, message
from chapterverse.operations.archive import school_archive
from chapterverse.web.context import AppContext
from chapterverse.web.language import readers_language
from chapterverse.web.operations import ApiTopic, Call


class PersonInfo(Record, from_attributes=True):
    """A person who may sign in. you: whether it is the caller."""

    email: str
    name: str
    role: KeyScope
    created: datetime
    you: bool = False


class SentLink(Record):
    """sent: an e-mail was sent; link: to give to the person if none was sent."""

    sent: bool
    link: str | None = None


class Invitation(PersonInfo, SentLink):
    """new: the person was not here before."""

    new: bool


Email = Annotated[str, Field(max_length=320)]
PersonName = Annotated[str, Field(max_length=200)]
topic = ApiTopic("People")


@topic.operation("GET", "/people", KeyScope.ADMIN, field="people")
def people(call: Call) -> list[PersonInfo]:
    """The people who may sign in, sorted by e-mail address."""
    return [_info(person, call) for person in call.context.sign_in.people.of_school(call.school)]


@topic.operation("POST", "/people", KeyScope.ADMIN, success=HTTPStatus.CREATED)
def invite_person(
    call: Call, *, email: Email, name: PersonName = "", role: KeyScope | None = None, send: bool = True
) -> Invitation:
    """Invite a person, by default a student: a link signs them in once, and is sent by e-mail if `send` is true. Who is here
    already keeps the role, and gets the name if one is given."""
    person, is_new, link = our.invite(_context(call), email, name, role, send=send)
    sent = is_new and send and not link and bool(call.context.sign_in.site)
    return Invitation(**_info(person, call).model_dump(), new=is_new, sent=sent, link=link or None)


@topic.operation("PUT", "/people/{email}", KeyScope.ADMIN)
def change_person(call: Call, email: str, *, role: KeyScope, name: PersonName = "") -> PersonInfo:
    """Change a person's role or name, at once; an empty name leaves it as it is. Admins cannot demote themselves or the last
    admin."""
    return _info(our.change(_context(call), email, role, name), call)


@topic.operation("DELETE", "/people/{email}", KeyScope.ADMIN)
def remove_person(call: Call, email: str) -> None:
    """Remove a person. Their sessions and links end at once; their essays stay with the school until they expire."""
    our.remove(_context(call), email)


@topic.operation("POST", "/people/{email}/link", KeyScope.ADMIN, success=HTTPStatus.CREATED)
def send_link(call: Call, email: str) -> SentLink:
    """Make a person another link, which works once, and send it."""
    context = _context(call)
    context.sign_in.own_site()
    link = our.send_invitation(context.sign_in.people.find(context.school, email), context)
    return SentLink(sent=not link, link=link or None)


def _context(call: Call) -> our.PeopleContext:
    language = call.context.setups.language(call.school) or readers_language()
    return our.PeopleContext(call.school, call.caller.person or "", call.context.sign_in, call.context.now(), language)


def _info(person: Person, call: Call) -> PersonInfo:
    return PersonInfo.model_validate(person).model_copy(update={"you": call.caller.person == person.email})


settings_topic = ApiTopic("Settings")


class SettingsRequest(Request):
    """Settings of a school; null means the default."""

    tone: Tone | None = Field(None, description="kind encourages, plain is brief, questions only asks.")
    grade: Annotated[int, Field(ge=3, le=13, strict=False), BeforeValidator(whole)] | None = Field(
        None, description="School grade that feedback is written for."
    )
    approval: bool | None = Field(None, description="Students see feedback only after a teacher has released it.")
    codes: bool | None = Field(None, description="Students may join classes and sign in by a code, without an e-mail address.")
    transcripts: bool | None = Field(None, description="Lectures' words are stored, too; an admin decides.")


class Setting(Record):
    """value: null for the default. default: null if it depends on the essay. changed_by, changed: who set it last and when,
    null if never."""

    value: bool | int | float | str | None
    default: bool | int | float | str | None
    changed_by: str | None
    changed: datetime | None


class SettingsResponse(Record):
    """Settings for feedback, used where a request has none of its own."""

    tone: Setting
    grade: Setting
    approval: Setting
    codes: Setting
    transcripts: Setting


@settings_topic.operation("GET", "/settings", KeyScope.TEACHER)
def settings(call: Call) -> SettingsResponse:
    """The school's settings, with who changed each last, when, and its default."""
    style, stored = call.context.essays.writing.style, call.context.school_settings.of_school(call.school)
    defaults = {"tone": style.tone.value, "grade": style.grade, "approval": False, "codes": True, "transcripts": False}
    return SettingsResponse(**{name: _setting(stored.get(name), default) for name, default in defaults.items()})


@settings_topic.operation("PATCH", "/settings", KeyScope.TEACHER)
def change_settings(call: Call, body: SettingsRequest) -> SettingsResponse:
    """Set the settings that are named; null means the default. They take effect at once for essays and batches, where a
    request has no settings of its own. Repeatable."""
    changed = body.model_dump(exclude_unset=True)
    if "transcripts" in changed and call.caller.role is not KeyScope.ADMIN:
        raise errors.Forbidden("only_admins_change")
    call.context.school_settings.change(call.school, changed, who(call), call.context.now())
    return settings(call)


def who(call: Call) -> str:
    """The caller as teachers of the school see it: an e-mail address, or the id of an API key."""
    return call.caller.person or f"API key {call.caller.id}"


def _setting(stored: StoredSetting | None, default: bool | int | str | None) -> Setting:
    value, by, at = (stored.value, stored.by, stored.at) if stored else (None, None, None)
    return Setting(value=value, default=default, changed_by=by, changed=at)


setup_topic = ApiTopic("Setup")
COST_DAYS = 30


class Removable(StrEnum):
    """What can be removed."""

    MAIL = "mail"
    MODEL = "model"


class SettingOrigin(Record):
    """variable: the operator's setting that decides, which cannot be changed here; null: the school does. changed_by, changed:
    who set it up last and when, null if nobody."""

    variable: str | None
    changed_by: str | None
    changed: datetime | None


class MailStatus(SettingOrigin):
    """is_set: letters are sent. server, sender, user: as set up here; has_password: whether one is stored."""

    is_set: bool
    server: str = ""
    sender: str = ""
    user: str = ""
    has_password: bool = False


class ModelStatus(SettingOrigin):
    """is_set: a language model writes. has_key: whether one is stored. spent_today, spent: cost of today (UTC) and of the last
    30 days, essay_cost: of an essay of 400 words, about, in the prices' currency; per_day: the ceiling."""

    is_set: bool
    url: str = ""
    model: str = ""
    checker: str = ""
    has_key: bool = False
    prompt_price: float = 0.0
    answer_price: float = 0.0
    per_day: float | None = None
    spent_today: float = 0.0
    spent: float = 0.0
    essay_cost: float = 0.0


@dataclass(frozen=True, slots=True)
class ProviderStatus(Provider):
    """A sign-in service of the school. address: to register there for the way back."""

    has_secret: bool = False
    address: str = ""


class SetupStatus(Record):
    """What is set up. can_store: whether secrets can be stored here. keep_days: how long essays, feedback and conversations are
    stored; max_keep_days: by the operator, 0 for not at all. language: of letters, null for the page's."""

    can_store: bool
    mail: MailStatus
    model: ModelStatus
    sign_in: list[ProviderStatus]
    platforms: list[Platform]
    keep_days: int
    max_keep_days: int
    language: str | None


class RulesRequest(Request):
    """keep_days: that essays, feedback and conversations are stored, at most the operator's days; null for these. language: of
    letters; null: that of the page on which they are sent."""

    keep_days: int | None = Field(None, ge=1)
    language: Literal["en", "de"] | None = None


class ProviderRequest(Request):
    """A sign-in service (OpenID Connect). id: short, in its address here. secret: of our client there; empty to leave the
    stored one of this issuer. domains: the school's e-mail domains, separated by commas; trusted: addresses in them count as
    verified."""

    id: str = Field(max_length=63)
    title: str = Field(min_length=1, max_length=200)
    issuer: str = Field(max_length=500)
    client: str = Field(min_length=1, max_length=200)
    secret: str = Field("", max_length=500)
    domains: str = Field(max_length=1000)
    trusted: bool = False


class TestResult(Record):
    """seconds: until the answer; cost: of the call, in the prices' currency, if the server counts tokens; message: what does
    not work and what to do, null if all does."""

    seconds: float
    cost: float
    message: Words | None = None


@setup_topic.operation("GET", "/setup", KeyScope.ADMIN)
def setup(call: Call) -> SetupStatus:
    """What is set up for the school, and what the operator decides instead."""
    school, context = call.school, call.context
    tool, setups = context.lti, context.setups
    secrets, site = setups.secrets(school), context.sign_in.site
    return SetupStatus(
        can_store=setups.seal is not None,
        mail=_mail_status(school, context),
        model=_model_status(school, context),
        sign_in=[
            ProviderStatus(**asdict(each), has_secret=each.id in secrets, address=f"{site}/sign-in/school/{each.id}/back")
            for each in context.schools.accounts.providers(school)
        ],
        platforms=tool.store.platforms(school),
        keep_days=context.essays.history.days_for(school),
        max_keep_days=context.essays.history.days,
        language=setups.language(school),
    )


@setup_topic.operation("PUT", "/setup/mail", KeyScope.ADMIN)
def set_mail(call: Call, body: MailSetup) -> SetupStatus:
    """Set up the school's mail server, after a test e-mail to the admin; to the sender's address, where a program asks."""
    letter = (call.caller.person or body.sender, *_test_letter(call))
    call.context.setups.keep_mail(call.school, body, who(call), call.context.now(), letter)
    return setup(call)


@setup_topic.operation("DELETE", "/setup/{what}", KeyScope.ADMIN)
def remove_setup(call: Call, what: Removable) -> SetupStatus:
    """Remove the school's mail server: links are then shown for copying; or its language model: without one, only language and
    quotations are checked."""
    call.context.setups.remove(call.school, f"setup_{what}", who(call), call.context.now())
    return setup(call)


@setup_topic.operation("POST", "/setup/mail/test", KeyScope.ADMIN)
def send_test_letter(call: Call, *, to: Email) -> None:
    """Send a test e-mail to the address."""
    sign_in, school = call.context.sign_in, call.school
    if not sign_in.has_post(school):
        raise errors.NotFound("setup_no_mail")
    if not is_address(to.strip()):
        raise errors.BadRequest("not_an_email")
    sign_in.post_for(school).send(to.strip(), *_test_letter(call))


def _test_letter(call: Call) -> tuple[str, str]:
    language = call.context.setups.language(call.school) or readers_language()
    text = message("letter_test", school=call.school)
    return in_words(message("letter_test_subject"), language), in_words(text, language)


@setup_topic.operation("PUT", "/setup/model", KeyScope.ADMIN)
def set_model(call: Call, body: ModelSetup) -> SetupStatus:
    """Set up the school's language model. Essays and questions are sent to it from now on."""
    call.context.setups.keep_model(call.school, body, who(call), call.context.now())
    return setup(call)


@setup_topic.operation("POST", "/setup/model/test", KeyScope.ADMIN)
def call_model(call: Call) -> TestResult:
    """Let the language model comment on a paragraph of ours, as it does for an essay. The call is paid for like any other."""
    school, writing = call.school, call.context.essays.writing
    if not (paid := writing.for_school(school).paid):
        raise errors.NotFound("setup_no_model")
    trial = try_model(paid, school, writing.seconds)
    remarks = message("several_remarks", remarks=list(trial.remarks)) if trial.remarks else None
    return TestResult(seconds=round(trial.seconds, 2), cost=paid.price.micros(trial.usage) / MICROS, message=remarks)


@setup_topic.operation("PATCH", "/setup/rules", KeyScope.ADMIN)
def set_rules(call: Call, body: RulesRequest) -> SetupStatus:
    """Set what is named: the language of letters to people who have not chosen one; how long essays, feedback and conversations
    are stored. What is older is deleted within a day."""
    school, most = call.school, call.context.essays.history.days
    if body.keep_days and body.keep_days > most:
        raise errors.BadRequest("setup_too_many_days", max_days=most)
    days = None if body.keep_days == most else body.keep_days
    values = {"keep_days": ("keep_days", days), "language": (LANGUAGE, body.language)}
    named = dict(values[name] for name in body.model_fields_set)
    call.context.school_settings.change(school, named, who(call), call.context.now())
    return setup(call)


@setup_topic.operation("POST", "/setup/sign-in", KeyScope.ADMIN)
def set_provider(call: Call, body: ProviderRequest) -> SetupStatus:
    """Create or replace a sign-in service of the school, which has to answer."""
    school, context, provider = call.school, call.context, body.id
    before = next((each for each in context.schools.accounts.providers(school) if each.id == provider), None)
    domains = tuple(filter(None, (each.strip().lower().removeprefix("@") for each in body.domains.split(","))))
    made = Provider(provider, school, one_line(body.title), body.issuer.strip(), one_line(body.client), domains, body.trusted)
    register_provider(made, context.schools)
    if body.secret or (before and before.issuer != made.issuer):
        context.setups.keep_secret(school, provider, body.secret or None, who(call), context.now())
    return setup(call)


@setup_topic.operation("DELETE", "/setup/sign-in/{provider}", KeyScope.ADMIN)
def remove_provider(call: Call, provider: str) -> SetupStatus:
    """Remove a sign-in service. Its people stay and can sign in by a link."""
    school, context = call.school, call.context
    context.schools.accounts.remove_provider(school, provider)
    if provider in context.setups.secrets(school):
        context.setups.keep_secret(school, provider, None, who(call), context.now())
    return setup(call)


@setup_topic.operation("POST", "/setup/platforms/link", KeyScope.ADMIN)
def registration_link(call: Call) -> launching.RegistrationLink:
    """An address that an admin pastes into Moodle or Canvas, which then registers Chapterverse itself (LTI Dynamic
    Registration)."""
    return launching.registration_link(call.school, call.context.lti, call.context.now())


@setup_topic.operation("DELETE", "/setup/platforms/{platform}", KeyScope.ADMIN)
def remove_platform(call: Call, platform: str) -> SetupStatus:
    """Remove a learning platform with its assignments. The people stay."""
    call.context.lti.store.remove_platform(call.school, platform)
    return setup(call)


def _origin(school: str, name: str, context: AppContext) -> dict[str, str | datetime | None]:
    stored: StoredSetting | None = context.setups.stored(school, name)
    variable = context.setups.by_operator.get(name)
    return {"variable": variable, "changed_by": stored.by if stored else None, "changed": stored.at if stored else None}


def _mail_status(school: str, context: AppContext) -> MailStatus:
    made, origin = context.setups.mail(school), _origin(school, MAIL, context)
    if made is None:
        return MailStatus(is_set=context.sign_in.has_post(school), **origin)
    return MailStatus(is_set=True, has_password=bool(made.password), **made.model_dump(exclude={"password"}), **origin)


def _model_status(school: str, context: AppContext) -> ModelStatus:
    made, paid = context.setups.model(school), context.essays.writing.for_school(school).paid
    known: dict[str, Any] = {"is_set": paid is not None, **_origin(school, MODEL, context)}
    if paid:
        today = paid.today()
        costs = [paid.ledger.spent(school, today - timedelta(days=before)) / MICROS for before in range(COST_DAYS)]
        known |= {"spent_today": costs[0], "spent": sum(costs), "essay_cost": paid.price.micros(ESSAY) / MICROS}
        known |= {"per_day": paid.ceiling / MICROS, "model": paid.model.model}
    if made:
        known |= {**made.model_dump(exclude={"key"}), "has_key": bool(made.key)}
    return ModelStatus(**known)


data_topic = ApiTopic("Copies of data")
ARCHIVE = {ZIP: {"type": "string", "format": "binary", "description": "A zip file."}}


@data_topic.operation("GET", "/me/data.zip", KeyScope.STUDENT, media=ARCHIVE)
def own_data(call: Call) -> Response:
    """What is stored about the signed-in person: essays as text, the feedback that they may read as web pages, everything else
    as JSON lines; and for teachers each assignment of the school, with its table of the students known here, asking no learning
    platform. Needs a session, not a key."""
    if call.caller.person is None:
        raise errors.BadRequest("only_people_have_data")
    return _download("my-data.zip", _own_files(call, call.caller.person, readers_language()))


@data_topic.operation("GET", "/school/data.zip", KeyScope.ADMIN, media=ARCHIVE)
def school_data(call: Call) -> Response:
    """All that is stored for the school."""
    return _download(f"{call.school}.zip", school_archive(call.school, call.context.archive()))


def _own_files(call: Call, person: str, language: str) -> Iterator[bytes]:
    parts, school, history = ZipParts(), call.school, call.context.essays.history
    with ZipFile(parts, "w", ZIP_DEFLATED) as archive:
        for table, lines in call.context.archive().rows.of_person(school, person).items():
            archive.writestr(f"{table}.jsonl", lines)
        is_teacher = call.caller.role is not KeyScope.STUDENT
        for number, of in enumerate(call.context.assignments.assignments(school) if is_teacher else (), start=1):
            archive.writestr(f"assignments/{number:03}.json", AssignmentInfo.of(of).model_dump_json(indent=1))
            archive.writestr(f"assignments/{number:03}.csv", csv_of_roster(roster_for(call, replace(of, services=NO_SERVICES))))
            yield parts.take()
        for number, stored in enumerate(list_own(school, person, history), start=1):
            archive.writestr(f"essays/{number:03}.txt", essay_of(stored).text)
            with suppress(NotFound):  # written by another version of chapterverse
                if stored.approved:
                    archive.writestr(f"essays/{number:03}.html", feedback_html(visible_feedback(stored), language=language))
            yield parts.take()
    yield parts.take()


def _download(name: str, parts: Iterator[bytes]) -> Response:
    return Response(parts, headers={"Content-Disposition": f'attachment; filename="{name}"'}, content_type=ZIP)
