"""What is sent and answered about feedback that is kept, field by field; answers are what usecases/kept_json.py says."""

from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from chapterverse.model import Show, Thumb
from chapterverse.web.essay_schemas import EssayFeedback
from chapterverse.web.schemas import Name, Request


class FeedbackQuery(BaseModel):
    """Which part of the list."""

    model_config = ConfigDict(frozen=True)

    before: AwareDatetime | None = Field(None, description="Only what was created before: the last one's of the part before.")
    limit: int = Field(100, ge=1, le=1000)
    waiting: bool = Field(False, description="Only what is not approved.")


class FormQuery(BaseModel):
    """Which form it is wanted in."""

    model_config = ConfigDict(frozen=True)

    format: Literal["json", "markdown", "html", "pdf"] | None = Field(None, description="Else what Accept says.")


class ExportQuery(BaseModel):
    """How much is exported."""

    model_config = ConfigDict(frozen=True)

    with_text: bool = Field(False, description="With what teachers wrote, and the words of essays that it is about.")


class Times(BaseModel):
    """When it was given, when it will be forgotten, and since when students may see it, null: not yet."""

    created: datetime
    expires: datetime
    approved: datetime | None


class Summary(Times):
    """One line of the list. title: the essay's."""

    id: str
    title: str | None


class FeedbackList(BaseModel):
    """What was given, newest first."""

    feedback: list[Summary]


class MarkRequest(Request):
    """What a teacher thinks of a comment or of evidence; nothing takes the mark away."""

    thumb: Literal["up", "down"] | None = None
    comment: str | None = Field(None, max_length=4000, description="For colleagues; students do not see it.")


class ChoiceRequest(Request):
    """How evidence is shown. sentence: the id of another sentence of your books in its place; nothing: as it was found."""

    show: Literal["normal", "pinned", "hidden"] = "normal"
    sentence: Name | None = None


class ApprovalRequest(Request):
    """Whether students see it."""

    approved: bool


class MarkOn(BaseModel):
    """What a teacher thinks of an item. part: a dimension, or evidence; number: of the comment or the evidence."""

    part: str
    number: int
    thumb: Thumb | None
    comment: str | None


class ChoiceOf(BaseModel):
    """How evidence of that number is shown; sentence: what stands in its place, null for the one that was found."""

    number: int
    show: Show
    sentence: str | None


class Kept(EssayFeedback, Times):
    """Feedback that is kept, as a teacher has it shown. marks, choices: none for a student."""

    marks: list[MarkOn]
    choices: list[ChoiceOf]
