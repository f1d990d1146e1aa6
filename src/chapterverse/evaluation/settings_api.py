"""HTTP: a school's settings (evidence, tone, grade, thresholds), and the calibrations that thresholds are chosen by."""

from collections.abc import Iterator
from http import HTTPStatus

from chapterverse.accounts.model import KeyScope, StoredSetting
from chapterverse.core import errors
from chapterverse.core.book import Collection
from chapterverse.core.hits import Scope
from chapterverse.evaluation import measurements, picture
from chapterverse.evaluation import settings_schemas as schemas
from chapterverse.evaluation.measurements import MeasurementOrder
from chapterverse.evaluation.model import Measured
from chapterverse.library.scope import open_books
from chapterverse.questions.judging import ENTRIES_READ, PASSAGES_READ, forget_accepted
from chapterverse.web.context import AppContext
from chapterverse.web.operations import ApiTopic, Call

topic = ApiTopic("Settings")
MAY_RAISE = (errors.NotFound, errors.BucketUnavailable)


@topic.operation("GET", "/settings", KeyScope.TEACHER)
def settings(call: Call) -> schemas.SettingsResponse:
    """The school's settings, with who changed each last, when, and its default."""
    return settings_response(call.caller.school, call.context)


@topic.operation("PUT", "/settings", KeyScope.TEACHER)
def set_settings(call: Call, body: schemas.SettingsRequest) -> schemas.SettingsResponse:
    """Replace all settings; null, or left out, means the default. They take effect at once for essays, batches and answers,
    where a request has no settings of its own. Repeatable."""
    call.context.school_settings.change(call.caller.school, body.model_dump(), who(call), call.context.now())
    return settings_response(call.caller.school, call.context)


@topic.operation("GET", "/calibrations/{collection}", KeyScope.TEACHER, *MAY_RAISE)
def calibration(call: Call, collection: str) -> schemas.CalibrationStatus:
    """Calibration of a collection on the school's own texts: the effect of each threshold on questions made of them."""
    return _calibration(call, _collection(collection))


@topic.operation(
    "POST", "/calibrations/{collection}", KeyScope.TEACHER, *MAY_RAISE, errors.QueueUnavailable, success=HTTPStatus.ACCEPTED
)
def measure(call: Call, collection: str, body: schemas.MeasurementRequest) -> schemas.MeasurementStatus:
    """Calibrate in the background, as `chapterverse calibrate` does. It has no effect before it is accepted."""
    about = _collection(collection)
    order = MeasurementOrder(call.caller.school, Measured.CALIBRATION, about.value, body.n, body.seed, who(call))
    return schemas.MeasurementStatus.model_validate(measurements.begin(order, call.context.measuring))


@topic.operation("PUT", "/calibrations/{collection}", KeyScope.TEACHER, *MAY_RAISE)
def accept_calibration(call: Call, collection: str, body: schemas.AcceptRequest) -> schemas.CalibrationStatus:
    """Use a calibration for answers from now on, as `chapterverse calibrate --accept` does."""
    about = _collection(collection)
    picture.accept_measurement(call.caller.school, about, body.measurement, call.context.measuring)
    return _calibration(call, about)


@topic.operation("DELETE", "/calibrations/{collection}", KeyScope.TEACHER, *MAY_RAISE)
def forget_calibration(call: Call, collection: str) -> schemas.CalibrationStatus:
    """Use the fixed thresholds for answers again. The measurement is not deleted."""
    about = _collection(collection)
    forget_accepted(call.caller.school, call.context.collections[about])
    return _calibration(call, about)


def who(call: Call) -> str:
    """The caller as teachers of the school see it: an e-mail address, or the id of an API key."""
    return call.caller.person or f"API key {call.caller.id}"


def _collection(name: str) -> Collection:
    """The collection of that name. Raises NotFound."""
    if name in schemas.MEASURABLE:
        return Collection(name)
    raise errors.NotFound("no_such_collection", known=", ".join(schemas.MEASURABLE))


def settings_response(school: str, context: AppContext) -> schemas.SettingsResponse:
    """The current settings. Raises CatalogUnavailable."""
    style, stored = context.essays.writing.style, context.school_settings.of_school(school)
    approval = context.essays.history.approval
    defaults = {"tone": style.tone.value, "grade": style.grade, "approval": approval, "codes": True}
    names = schemas.SettingsResponse.model_fields
    return schemas.SettingsResponse(**{name: _setting(stored.get(name), defaults.get(name)) for name in names})


def _setting(stored: StoredSetting | None, default: bool | int | str | None) -> schemas.Setting:
    value, by, at = (stored.value, stored.by, stored.at) if stored else (None, None, None)
    return schemas.Setting(value=value, default=default, changed_by=by, changed=at)


def _calibration(call: Call, about: Collection) -> schemas.CalibrationStatus:
    school, measuring = call.caller.school, call.context.measuring
    found, in_use = picture.current_calibration(school, about, measuring)
    newest = picture.newest(school, about, measuring)
    return schemas.CalibrationStatus(
        collection=about.value,
        in_use=in_use,
        default=_min_score_of_books(call) if about is Collection.BOOKS else None,
        bands=list(_bands(about)),
        picture=found and picture.picture_of(found, about),
        measurement=newest and schemas.MeasurementStatus.model_validate(newest),
    )


def _bands(about: Collection) -> Iterator[schemas.FixedThreshold]:
    """Thresholds without a calibration."""
    if about is Collection.BOOKS:
        return
    levels = ENTRIES_READ if about is Collection.HELPDESK else PASSAGES_READ
    yield schemas.FixedThreshold(name="confidence", least=levels.answers)


def _min_score_of_books(call: Call) -> float:
    """The threshold of the settings for the number of sentences in the school's books."""
    services = call.context.services
    try:
        books = open_books(Scope(call.caller.school), services.catalog, services.models)
    except errors.NotFound:
        return call.context.essays.plan.min_score
    return round(call.context.essays.plan.for_size(sum(book.sentences for book in books.values())).min_score, 4)
