"""Every setting with its default, its unit and its source; read from CHAPTERVERSE_* once, at the composition root."""

from typing import Self

from pydantic import ValidationError, model_validator

from chapterverse.errors import BadRequest
from chapterverse.settings.batches import BatchSettings
from chapterverse.settings.books import BookSettings
from chapterverse.settings.chunks import ChunkSettings
from chapterverse.settings.contradictions import contradictions
from chapterverse.settings.essays import EssaySettings
from chapterverse.settings.feedback import FeedbackSettings
from chapterverse.settings.helpdesk import HelpdeskSettings
from chapterverse.settings.language import LanguageSettings
from chapterverse.settings.lectures import LectureSettings
from chapterverse.settings.lti import LtiSettings
from chapterverse.settings.people import PeopleSettings
from chapterverse.settings.questions import QuestionSettings
from chapterverse.settings.stores import StoreSettings
from chapterverse.settings.tasks import TaskSettings
from chapterverse.settings.textbook import TextbookSettings
from chapterverse.settings.web import WebSettings


class Settings(
    LectureSettings,
    HelpdeskSettings,
    QuestionSettings,
    TextbookSettings,
    ChunkSettings,
    LtiSettings,
    PeopleSettings,
    WebSettings,
    TaskSettings,
    StoreSettings,
    BatchSettings,
    FeedbackSettings,
    LanguageSettings,
    EssaySettings,
    BookSettings,
):  # the last group is told first: so pydantic orders the fields of several bases
    """One frozen object. A value that does not parse stops the program with a sentence that names it."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        """What is chosen works together."""
        for contradiction in contradictions(self):
            raise ValueError(contradiction)
        return self


def read_settings() -> Settings:
    """From the environment. Raises BadRequest, which names the setting that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        raise BadRequest("setting_invalid", problem=_sentence(error)) from error


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if not first["loc"]:  # a contradiction between several
        return f"The settings do not fit together: CHAPTERVERSE_{first['ctx']['error']}"
    name = "_".join(str(part) for part in first["loc"]).upper()
    return f"The setting CHAPTERVERSE_{name} is wrong: {first['msg']}."
