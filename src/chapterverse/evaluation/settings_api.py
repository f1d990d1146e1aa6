"""What a school sets for itself (evidence, tone, grade, thresholds), and the calibrations that thresholds are set by."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from chapterverse.accounts.model import Chosen, KeyScope
from chapterverse.core import errors
from chapterverse.core.book import Collection
from chapterverse.core.hits import Scope
from chapterverse.essays.service import Change, choose
from chapterverse.evaluation import measurements, picture, settings_schemas
from chapterverse.evaluation.measurements import MeasurementOrder
from chapterverse.evaluation.model import Measured
from chapterverse.evaluation.model import Measurement as Model
from chapterverse.library.scope import open_books
from chapterverse.questions.helpdesk import judge_of
from chapterverse.questions.judging import Judge, forget_accepted, judge_for
from chapterverse.questions.styles import DOCUMENT_QA
from chapterverse.web.context import AppContext
from chapterverse.web.operations import ApiTopic, Call

topic = ApiTopic("Settings")

MAY_RAISE = (errors.NotFound, errors.BucketUnavailable)


@topic.operation("GET", "/settings", KeyScope.TEACHER)
def settings(call: Call) -> settings_schemas.SchoolSettings:
    """What the school has set for itself, with who did and when, and the defaults beside it."""
    return settings_of(call.caller.school, call.context)


@topic.operation("PUT", "/settings", KeyScope.TEACHER)
def set_settings(call: Call, body: settings_schemas.SettingsRequest) -> settings_schemas.SchoolSettings:
    """Set all of it: what is null or left out is default again. Essays by day and by night, and answers, go by it at once,
    wherever a request does not say otherwise. The same again changes nothing."""
    change = Change(who(call), call.context.now())
    choose(call.caller.school, body.choices, change, call.context.choices)
    return settings_of(call.caller.school, call.context)


@topic.operation("GET", "/calibrations/{collection}", KeyScope.TEACHER, *MAY_RAISE)
def calibration(call: Call, collection: str) -> settings_schemas.CalibrationStatus:
    """How sure scores are in the school's own texts: what each threshold would do, by questions made of them."""
    return _calibration(call, _collection(collection))


@topic.operation(
    "POST", "/calibrations/{collection}", KeyScope.TEACHER, *MAY_RAISE, errors.QueueUnavailable, success=HTTPStatus.ACCEPTED
)
def measure(call: Call, collection: str, body: settings_schemas.MeasurementRequest) -> settings_schemas.MeasurementStatus:
    """Measure it anew in the background, as `chapterverse calibrate` does; nothing goes by it before it is accepted."""
    about = _collection(collection)
    wish = MeasurementOrder(call.caller.school, Measured.CALIBRATION, about.value, body.n, body.seed, who(call))
    return settings_schemas.MeasurementStatus.model_validate(measurement_json(measurements.begin(wish, call.context.measuring)))


@topic.operation("PUT", "/calibrations/{collection}", KeyScope.TEACHER, *MAY_RAISE)
def accept_calibration(call: Call, collection: str, body: settings_schemas.AcceptRequest) -> settings_schemas.CalibrationStatus:
    """Answers go by what that measurement found from now on, as after `chapterverse calibrate --accept`."""
    about = _collection(collection)
    picture.go_by(call.caller.school, about, body.measurement, call.context.measuring)
    return _calibration(call, about)


@topic.operation("DELETE", "/calibrations/{collection}", KeyScope.TEACHER, *MAY_RAISE)
def forget_calibration(call: Call, collection: str) -> settings_schemas.CalibrationStatus:
    """Answers go by the fixed thresholds again; what was measured stays to be looked at."""
    about = _collection(collection)
    forget_accepted(call.caller.school, call.context.shelves[about])
    return _calibration(call, about)


def who(call: Call) -> str:
    """As other teachers of the school know them: their e-mail address, or that a program did it."""
    return call.caller.person or f"API key {call.caller.id}"


def measurement_json(of: Model) -> dict[str, Any]:
    """Without what came out."""
    names = ("id", "about", "n", "seed", "by", "created", "state", "done", "total", "message")
    return {name: getattr(of, name) for name in names}


def _collection(name: str) -> Collection:
    """Raises NotFound."""
    if name in settings_schemas.MEASURABLE:
        return Collection(name)
    raise errors.NotFound("no_such_collection", known=", ".join(settings_schemas.MEASURABLE))


def settings_of(school: str, context: AppContext) -> settings_schemas.SchoolSettings:
    """As they are now. Raises CatalogUnavailable."""
    usual, chosen = context.essays.writing.style, context.choices.of_school(school)
    defaults = {"tone": usual.tone.value, "grade": usual.grade}
    names = settings_schemas.SchoolSettings.model_fields
    return settings_schemas.SchoolSettings(**{name: _setting(chosen.get(name), defaults.get(name)) for name in names})


def _setting(chosen: Chosen | None, default: int | str | None) -> settings_schemas.Setting:
    value, by, at = (chosen.value, chosen.by, chosen.at) if chosen else (None, None, None)
    return settings_schemas.Setting(value=value, default=default, changed_by=by, changed=at)


def _calibration(call: Call, about: Collection) -> settings_schemas.CalibrationStatus:
    school, context = call.caller.school, call.context
    found, in_use = picture.shown(school, about, context.measuring)
    last = picture.newest(school, about, context.measuring)
    return settings_schemas.CalibrationStatus.model_validate(
        {
            "collection": about.value,
            "in_use": in_use,
            "default": _least_of_books(call) if about is Collection.BOOKS else None,
            "bands": list(_bands(call, about)),
            "picture": found and picture.picture_json(found, about),
            "measurement": last and measurement_json(last),
        }
    )


def _bands(call: Call, about: Collection) -> Iterator[dict[str, Any]]:
    """The thresholds of whoever runs this, of the embedding model, or of the specification, for all schools."""
    if about is Collection.DOCUMENTS:
        yield from ({"name": band.name, "least": band.least} for band in DOCUMENT_QA.bands if band.answers)
    elif about is Collection.TEXTBOOK:
        chat = call.context.chat
        yield from _bands_by(judge_for(call.caller.school, call.context.shelves[about], chat.plan, chat.style, chat.least))
    elif about is Collection.HELPDESK:
        yield from _bands_by(judge_of(call.caller.school, call.context.helpdesk))


def _bands_by(judge: Judge) -> Iterator[dict[str, Any]]:
    usual = judge.usual
    yield {"name": "confidence", "least": usual.confidence} if usual else {"name": "high", "least": judge.fixed}


def _least_of_books(call: Call) -> float:
    """That of the settings, for as many sentences as the school's books have."""
    services = call.context.services
    try:
        books = open_books(Scope(call.caller.school), services.catalog, services.models)
    except errors.NotFound:
        return call.context.essays.plan.min_score
    return round(call.context.essays.plan.for_size(sum(book.sentences for book in books.values())).min_score, 4)
