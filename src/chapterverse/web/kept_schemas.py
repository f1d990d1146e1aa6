"""What is sent and answered about feedback that is kept, field by field; answers are what usecases/kept_json.py says."""

from datetime import datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from chapterverse.web.essay_schemas import EssayFeedback


class FeedbackQuery(BaseModel):
    """Which part of the list."""

    model_config = ConfigDict(frozen=True)

    before: AwareDatetime | None = Field(None, description="Only what was created before: the last one's of the part before.")
    limit: int = Field(100, ge=1, le=1000)


class Times(BaseModel):
    """When it was given, and when it will be forgotten."""

    created: datetime
    expires: datetime


class Summary(Times):
    """One line of the list. title: the essay's."""

    id: str
    title: str | None


class FeedbackList(BaseModel):
    """What was given, newest first."""

    feedback: list[Summary]


class Kept(EssayFeedback, Times):
    """Feedback that is kept."""
