"""HTTP: a school's settings: number of citations, tone, grade, release, codes."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from chapterverse.accounts.model import KeyScope, StoredSetting
from chapterverse.essays.model import Tone
from chapterverse.essays.schemas import MAX_EVIDENCES
from chapterverse.web.context import AppContext
from chapterverse.web.operations import ApiTopic, Call, Request, whole

topic = ApiTopic("Settings")


class SettingsRequest(Request):
    """All settings of a school; null, or left out, means the default."""

    evidences: Annotated[int, Field(ge=1, le=MAX_EVIDENCES), BeforeValidator(whole)] | None = Field(
        None, description="Sentences of the books for an essay; null: one for each paragraph."
    )
    tone: Tone | None = Field(None, description="kind encourages, plain is brief.")
    grade: Annotated[int, Field(ge=3, le=13), BeforeValidator(whole)] | None = Field(
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


@topic.operation("GET", "/settings", KeyScope.TEACHER)
def settings(call: Call) -> SettingsResponse:
    """The school's settings, with who changed each last, when, and its default."""
    return settings_response(call.caller.school, call.context)


@topic.operation("PUT", "/settings", KeyScope.TEACHER)
def set_settings(call: Call, body: SettingsRequest) -> SettingsResponse:
    """Replace all settings; null, or left out, means the default. They take effect at once for essays and batches, where a
    request has no settings of its own. Repeatable."""
    call.context.school_settings.change(call.caller.school, body.model_dump(), who(call), call.context.now())
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
