"""What is sent and answered about feedback that is kept, field by field; answers are what usecases/kept_json.py says."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from chapterverse.model import Show, Thumb
from chapterverse.web.essay_schemas import EssayFeedback, Evidence
from chapterverse.web.schemas import Name, PassageFields, Request, whole

SEEN = "How it was when you saw it: where it is otherwise by now, the answer is 409 and nothing happens."


class FeedbackQuery(BaseModel):
    """Which part of the list."""

    model_config = ConfigDict(frozen=True)

    before: AwareDatetime | None = Field(None, description="Only what was created before: the last one's of the part before.")
    limit: int = Field(100, ge=1, le=1000)
    waiting: bool = Field(False, description="Only what is not approved.")
    alone: bool = Field(False, description="Only what is on no essay of a batch.")


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


class ThumbCount(BaseModel):
    """What a student thinks of comments and evidence."""

    up: int
    down: int


class Summary(Times):
    """One line of the list. title: the essay's; begins: its first words; thumbs: how many of its student point up and down."""

    id: str
    title: str | None
    begins: str
    thumbs: ThumbCount


class FeedbackList(BaseModel):
    """What was given, newest first."""

    feedback: list[Summary]


class SeenMark(Request):
    """A mark as it was when the teacher saw it."""

    thumb: Literal["up", "down"] | None = None
    comment: str | None = Field(None, max_length=4000)


class SeenChoice(Request):
    """A choice as it was when the teacher saw it."""

    show: Literal["normal", "pinned", "hidden"] = "normal"
    sentence: Name | None = None


class MarkRequest(Request):
    """What a teacher thinks of a comment or of evidence; nothing takes the mark away."""

    seen: SeenMark | None = Field(None, description=SEEN)
    thumb: Literal["up", "down"] | None = None
    comment: str | None = Field(None, max_length=4000, description="For colleagues; students do not see it.")


class ChoiceRequest(Request):
    """How evidence is shown. sentence: the id of another sentence of your books in its place; nothing: as it was found."""

    seen: SeenChoice | None = Field(None, description=SEEN)
    show: Literal["normal", "pinned", "hidden"] = "normal"
    sentence: Name | None = None


class CandidatesRequest(Request):
    """What is looked for in the place of evidence. words: else the passages of the essay that found it; book: its id, else
    all books."""

    words: str = Field("", max_length=2000)
    book: Name | None = None
    limit: Annotated[int, Field(ge=1, le=50), BeforeValidator(whole)] = 8


class Candidate(PassageFields):
    """A sentence that might stand there. score: how near it is, re-scored cosine."""

    sentence_id: str
    page_label: str
    score: float


class Candidates(BaseModel):
    """Best first; none that is shown already."""

    candidates: list[Candidate]


class ApprovalRequest(Request):
    """Whether students see it."""

    seen: bool | None = Field(None, description=SEEN)
    approved: bool


class MarkOn(BaseModel):
    """What a teacher thinks of an item. part: a dimension, or evidence; number: of the comment or the evidence."""

    part: str
    number: int
    thumb: Thumb | None
    comment: str | None


class ThumbOn(BaseModel):
    """Whether a comment or evidence helped its student."""

    part: str
    number: int
    thumb: Thumb


class ChoiceOf(BaseModel):
    """How evidence of that number is shown; sentence: what stands in its place, null for the one that was found; found: that
    one."""

    number: int
    show: Show
    sentence: str | None
    found: Evidence


class Kept(EssayFeedback, Times):
    """Feedback that is kept, as a teacher has it shown. changed: whether a teacher has chosen any of its evidence; marks,
    choices: none for a student; thumbs: those of who handed it in."""

    changed: bool
    marks: list[MarkOn]
    choices: list[ChoiceOf]
    thumbs: list[ThumbOn]
