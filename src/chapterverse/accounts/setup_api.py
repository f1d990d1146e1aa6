"""HTTP: what an admin sets up for the school: mail, language model, sign-in services, learning platforms, language of letters.
Secrets can be written and are never read back."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.accounts.api import who
from chapterverse.accounts.model import KeyScope, Provider, StoredSetting
from chapterverse.accounts.setup import LANGUAGE, MAIL, MODEL, MailSetup, ModelSetup
from chapterverse.accounts.sign_in import is_address
from chapterverse.accounts.sign_in import register as register_provider
from chapterverse.core import errors
from chapterverse.core.names import is_safe, one_line
from chapterverse.core.paid_model import ESSAY, MICROS
from chapterverse.core.requests import Request, Words
from chapterverse.essays.writing.trial import try_model
from chapterverse.lti import PlatformKind, registering
from chapterverse.lti.model import PlatformAddresses
from chapterverse.messages import in_words, message
from chapterverse.web.context import AppContext
from chapterverse.web.language import readers_language
from chapterverse.web.operations import ApiTopic, Call

topic = ApiTopic("Setup")
COST_DAYS = 30


class Removable(StrEnum):
    """What can be removed."""

    MAIL = "mail"
    MODEL = "model"


class SettingOrigin(BaseModel):
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
    has_key: bool = False
    prompt_price: float = 0.0
    answer_price: float = 0.0
    per_day: float | None = None
    spent_today: float = 0.0
    spent: float = 0.0
    essay_cost: float = 0.0


class ProviderStatus(BaseModel):
    """A sign-in service of the school. address: to register there for the way back."""

    id: str
    title: str
    issuer: str
    client: str
    domains: tuple[str, ...]
    has_secret: bool
    address: str


class PlatformStatus(BaseModel):
    """A learning platform of the school."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    issuer: str
    client_id: str
    deployments: list[str]
    login_url: str
    token_url: str
    keys_url: str


class SetupStatus(BaseModel):
    """What is set up. can_store: whether secrets can be stored here. keep_days: how long essays, feedback and conversations are
    stored; max_keep_days: by the operator, 0 for not at all. language: of letters, null for the page's."""

    can_store: bool
    mail: MailStatus
    model: ModelStatus
    sign_in: list[ProviderStatus]
    platforms: list[PlatformStatus]
    addresses: registering.OurAddresses | None
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


class PlatformRequest(Request):
    """A learning platform. host: its https:// address; issuer and the addresses: only of another kind than Moodle or Canvas."""

    kind: PlatformKind = Field(strict=False)
    host: str = Field(max_length=500, pattern="^https?://")
    client_id: str = Field(min_length=1, max_length=255)
    deployment: str = Field(min_length=1, max_length=255)
    issuer: str = Field("", max_length=255)
    login_url: str = Field("", max_length=500)
    token_url: str = Field("", max_length=500)
    keys_url: str = Field("", max_length=500)


class TestResult(BaseModel):
    """seconds: until the answer; cost: of the call, in the prices' currency, if the server counts tokens; message: what does
    not work and what to do, null if all does."""

    seconds: float
    cost: float
    message: Words | None = None


class TestLetter(Request):
    """to: an e-mail address."""

    to: str = Field(max_length=320)


@topic.operation("GET", "/setup", KeyScope.ADMIN)
def setup(call: Call) -> SetupStatus:
    """What is set up for the school, and what the operator decides instead."""
    return _status(call)


@topic.operation("PUT", "/setup/mail", KeyScope.ADMIN, errors.Forbidden)
def set_mail(call: Call, body: MailSetup) -> SetupStatus:
    """Set up the school's mail server. Letters go out through it at once."""
    call.context.setups.keep_mail(call.caller.school, body, who(call), call.context.now())
    return _status(call)


@topic.operation("DELETE", "/setup/{what}", KeyScope.ADMIN, errors.Forbidden)
def remove_setup(call: Call, what: Removable) -> SetupStatus:
    """Remove the school's mail server: links are then shown for copying; or its language model: without one, only language and
    quotations are checked."""
    call.context.setups.remove(call.caller.school, f"setup_{what}", who(call), call.context.now())
    return _status(call)


@topic.operation(
    "POST", "/setup/mail/test", KeyScope.ADMIN, errors.NotFound, errors.PostUnavailable, success=HTTPStatus.NO_CONTENT
)
def send_test_letter(call: Call, body: TestLetter) -> None:
    """Send a test e-mail to the address."""
    sign_in, school = call.context.sign_in, call.caller.school
    if not sign_in.has_post(school):
        raise errors.NotFound("setup_no_mail")
    if not is_address(body.to.strip()):
        raise errors.BadRequest("not_an_email")
    language = call.context.setups.language(school) or readers_language()
    texts = (message("letter_test_subject"), message("letter_test", school=school))
    sign_in.post_for(school).send(body.to.strip(), *(in_words(text, language) for text in texts))


@topic.operation("PUT", "/setup/model", KeyScope.ADMIN, errors.Forbidden)
def set_model(call: Call, body: ModelSetup) -> SetupStatus:
    """Set up the school's language model. Essays and questions are sent to it from now on."""
    call.context.setups.keep_model(call.caller.school, body, who(call), call.context.now())
    return _status(call)


@topic.operation("POST", "/setup/model/test", KeyScope.ADMIN, errors.NotFound)
def call_model(call: Call) -> TestResult:
    """Let the language model comment on a paragraph of ours, as it does for an essay. The call is paid for like any other."""
    school, writing = call.caller.school, call.context.essays.writing
    if not (paid := writing.for_school(school).paid):
        raise errors.NotFound("setup_no_model")
    trial = try_model(paid, school, writing.seconds)
    remarks = message("several_remarks", remarks=list(trial.remarks)) if trial.remarks else None
    return TestResult(seconds=round(trial.seconds, 2), cost=paid.price.micros(trial.usage) / MICROS, message=remarks)


@topic.operation("PATCH", "/setup/rules", KeyScope.ADMIN)
def set_rules(call: Call, body: RulesRequest) -> SetupStatus:
    """Set what is named: the language of letters to people who have not chosen one; how long essays, feedback and conversations
    are stored. What is older is deleted within a day."""
    school, most = call.caller.school, call.context.essays.history.days
    if body.keep_days and body.keep_days > most:
        raise errors.BadRequest("setup_too_many_days", max_days=most)
    days = None if body.keep_days == most else body.keep_days
    values = {"keep_days": ("keep_days", days), "language": (LANGUAGE, body.language)}
    named = dict(values[name] for name in body.model_fields_set)
    call.context.school_settings.change(school, named, who(call), call.context.now())
    return _status(call)


@topic.operation("POST", "/setup/sign-in", KeyScope.ADMIN, errors.Forbidden)
def set_provider(call: Call, body: ProviderRequest) -> SetupStatus:
    """Create or replace a sign-in service of the school."""
    school, context, provider = call.caller.school, call.context, body.id
    before = next((each for each in context.schools.accounts.providers(school) if each.id == provider), None)
    domains = tuple(filter(None, (each.strip().lower().lstrip("@") for each in body.domains.split(","))))
    made = Provider(provider, school, one_line(body.title), body.issuer.strip(), one_line(body.client), domains, body.trusted)
    register_provider(made, context.schools.accounts)
    if body.secret or (before and before.issuer != made.issuer):
        context.setups.keep_secret(school, provider, body.secret or None, who(call), context.now())
    return _status(call)


@topic.operation("DELETE", "/setup/sign-in/{provider}", KeyScope.ADMIN, errors.NotFound)
def remove_provider(call: Call, provider: str) -> SetupStatus:
    """Remove a sign-in service. Its people stay and can sign in by a link."""
    school, context = call.caller.school, call.context
    context.schools.accounts.remove_provider(school, provider)
    if provider in context.setups.secrets(school):
        context.setups.keep_secret(school, provider, None, who(call), context.now())
    return _status(call)


@topic.operation("POST", "/setup/platforms", KeyScope.ADMIN)
def add_platform(call: Call, body: PlatformRequest) -> SetupStatus:
    """Register a learning platform by LTI 1.3. Again: update its addresses, add a deployment."""
    if not is_safe(body.host):
        raise errors.BadRequest("not_https", url=body.host)
    at = registering.canvas(body.host) if body.kind is PlatformKind.CANVAS else registering.moodle(body.host)
    if body.kind is PlatformKind.OTHER:
        issuer = one_line(body.issuer) or body.host.rstrip("/")
        addresses = (body.login_url.strip(), body.token_url.strip(), body.keys_url.strip())
        at = PlatformAddresses(issuer, *addresses, (registering.origin(body.host),))
    call.context.setups.refuse_private(*at.called)
    given = (one_line(body.client_id), [one_line(body.deployment)])
    registering.register(call.caller.school, at, *given, tool=call.context.lti, now=call.context.now())
    return _status(call)


@topic.operation("POST", "/setup/platforms/link", KeyScope.ADMIN)
def registration_link(call: Call) -> registering.RegistrationLink:
    """An address that an admin pastes into Moodle or Canvas, which then registers Chapterverse itself (LTI Dynamic
    Registration)."""
    return registering.registration_link(call.caller.school, call.context.lti, call.context.now())


@topic.operation("DELETE", "/setup/platforms/{platform}", KeyScope.ADMIN, errors.NotFound)
def remove_platform(call: Call, platform: str) -> SetupStatus:
    """Remove a learning platform with its assignments. The people stay."""
    call.context.lti.store.remove_platform(call.caller.school, platform)
    return _status(call)


def _status(call: Call) -> SetupStatus:
    return setup_status(call.caller.school, call.context)


def setup_status(school: str, context: AppContext) -> SetupStatus:
    """What is set up for the school. Raises CatalogUnavailable."""
    tool, setups = context.lti, context.setups
    return SetupStatus(
        can_store=setups.seal is not None,
        mail=_mail_status(school, context),
        model=_model_status(school, context),
        sign_in=list(_provider_statuses(school, context)),
        platforms=[PlatformStatus.model_validate(each) for each in tool.store.platforms(school)],
        addresses=registering.our_addresses(tool) if tool.site else None,
        keep_days=context.essays.history.days_for(school),
        max_keep_days=context.essays.history.days,
        language=setups.language(school),
    )


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
    made, origin = context.setups.model(school), _origin(school, MODEL, context)
    paid = context.essays.writing.for_school(school).paid
    status = ModelStatus(is_set=paid is not None, **origin)
    if paid:
        today = paid.today()
        costs = [paid.ledger.spent(school, today - timedelta(days=before)) / MICROS for before in range(COST_DAYS)]
        spent = {"spent_today": costs[0], "spent": sum(costs), "per_day": paid.ceiling / MICROS, "model": paid.model.model}
        spent["essay_cost"] = paid.price.micros(ESSAY) / MICROS
        status = status.model_copy(update=spent)
    if made:
        status = status.model_copy(update={**made.model_dump(exclude={"key"}), "has_key": bool(made.key)})
    return status


def _provider_statuses(school: str, context: AppContext) -> Iterator[ProviderStatus]:
    secrets = context.setups.secrets(school)
    for each in context.schools.accounts.providers(school):
        address = f"{context.sign_in.site}/sign-in/school/{each.id}/back"
        yield ProviderStatus(**asdict(each), has_secret=each.id in secrets, address=address)
