"""HTTP requests of questions on documents and textbooks, and answer statistics. Answers are in records.py."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.core.requests import Request
from chapterverse.essays.model import Rating
from chapterverse.library.schemas import Name
from chapterverse.questions.conversation import Exchange
from chapterverse.questions.log import AnswerStatistics
from chapterverse.questions.model import GivenAnswer

MAX_EARLIER = 20  # exchanges in a request; only the last are read
MAX_DAYS = 366
Text = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"\w")]
SourceIds = Annotated[list[Annotated[str, Field(min_length=1, max_length=255)]], Field(max_length=500)]


class FollowUpRequest(Request):
    """A question. earlier: the conversation so far, oldest first, so that "And why?" is understood. It is not stored, so send
    it each time."""

    question: Text
    earlier: list[Exchange] = Field(default=[], max_length=MAX_EARLIER)
    topics: list[Name] = Field(default=[], max_length=20, description="Only sources with one of these topics.")


class QuestionRequest(FollowUpRequest):
    """A question. documents: search only these, by id; empty for all of the school's."""

    documents: SourceIds = Field(default=[])


class RatingRequest(Request):
    """A rating. question: if sent, it is stored with the rating, without names. Questions are not stored otherwise."""

    thumb: Rating
    question: str | None = Field(default=None, min_length=1, max_length=4000)


class AnswersQuery(BaseModel):
    """Which answers. days: how many days back, today included."""

    model_config = ConfigDict(frozen=True)

    application: Literal["documents", "textbook", "helpdesk"] | None = None
    days: int = Field(default=30, ge=1, le=MAX_DAYS)


class UnansweredQuestion(BaseModel):
    """A question, without names. nothing: the answer said that there is none; else it was rated down."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    question: str
    application: str
    created: datetime
    nothing: bool


class QuestionGroup(BaseModel):
    """Questions that are alike, newest first. question: the newest one."""

    question: str
    questions: list[UnansweredQuestion]

    @classmethod
    def of(cls, answers: Sequence[GivenAnswer]) -> Self:
        """answers: with their questions, at least one."""
        questions = [UnansweredQuestion.model_validate(one) for one in answers]
        return cls(question=questions[0].question, questions=questions)


class UnansweredQuestions(BaseModel):
    """Questions without a good answer, the largest group first."""

    groups: list[QuestionGroup]


class AnswerMetrics(BaseModel):
    """doubtful: the mean score of all is below 0.4 (S2-12)."""

    total: AnswerStatistics
    days: list[AnswerStatistics]
    intents: list[AnswerStatistics]
    doubtful: bool


class ChatRequest(FollowUpRequest):
    """A question. selected_text: marked by the student on the page; sections that contain it come first. textbooks: search only
    these, by id; empty for all of the school's."""

    selected_text: str = Field(default="", max_length=20_000)
    textbooks: SourceIds = Field(default=[])
