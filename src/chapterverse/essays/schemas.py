"""HTTP requests about essays and feedback, and the responses that list them."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from chapterverse.citations.records import PassageRecord
from chapterverse.core.requests import Request, whole
from chapterverse.essays.model import Number, Rating, TeacherEdits, Tone
from chapterverse.essays.records import Summary
from chapterverse.essays.service import FeedbackOptions
from chapterverse.essays.task import (
    BUILT_IN,
    MAX_CRITERIA,
    MAX_CRITERION_LENGTH,
    MAX_LEVELS,
    MAX_SOURCE_CHARACTERS,
    MAX_TASK_CHARACTERS,
    Criterion,
    Rubric,
    WritingTask,
    as_rubric,
    read_rubric,
)
from chapterverse.library.schemas import Name

RUBRIC_FORMS = (
    "What the teacher looks for: one criterion per line, a table (tabs or Markdown) whose first column has the criteria "
    f"and whose others describe levels, a list of criteria with weights, or one of: {', '.join(BUILT_IN)}."
)
MAX_RUBRIC = 8_000  # characters
MAX_SOURCES = 5  # texts that come with a task


class EssayRequest(Request):
    """An essay, its task, and the books to search."""

    essay: str = Field(description="Plain text or Markdown; evidence is searched for each of its paragraphs.")
    books: list[Name] = Field([], max_length=100, description="Search only these books; empty: all of the school's.")
    assignment: Name | None = Field(
        None, description="The assignment whose books are searched, instead of `books`; its instructions are the task."
    )
    task: str = Field(
        "",
        max_length=MAX_TASK_CHARACTERS,
        description="The question and instructions. What the essay copies from them is neither commented on nor searched for.",
    )
    sources: list[Annotated[str, Field(max_length=MAX_SOURCE_CHARACTERS)]] = Field(
        [], max_length=MAX_SOURCES, description="Texts that came with the task, likewise."
    )

    @property
    def options(self) -> FeedbackOptions:
        """The options that the request sets."""
        return FeedbackOptions(task=self._task())

    def _task(self) -> WritingTask | None:
        return WritingTask(self.task, tuple(self.sources)) if self.task.strip() or self.sources else None


class RubricCriterion(Request):
    """A criterion of the rubric. weight: relative to the other criteria."""

    criterion: str = Field(min_length=1, max_length=MAX_CRITERION_LENGTH)
    weight: int = Field(1, ge=0, le=1000)
    levels: list[Annotated[str, Field(max_length=MAX_CRITERION_LENGTH)]] = Field([], max_length=MAX_LEVELS)


class EssayFeedbackRequest(EssayRequest):
    """An essay, the books to search, and options for the feedback; the school's settings fill in what is left out."""

    grade: int | None = Field(
        None, ge=3, le=13, description="School grade that it is written for; 7 is about twelve years old."
    )
    tone: Tone | None = Field(None, description="kind encourages, plain is brief, questions only asks.")
    rubric: (
        Annotated[str, Field(max_length=MAX_RUBRIC)] | Annotated[list[RubricCriterion], Field(max_length=MAX_CRITERIA)] | None
    ) = Field(None, description=RUBRIC_FORMS)
    key: str | None = Field(
        None,
        min_length=16,
        max_length=64,
        description="Random. A repeated request with the same key gets the same feedback, and a lost stream "
        "continues after the event in `Last-Event-ID`.",
    )
    version_of: Name | None = Field(None, description="The id of your own feedback on an earlier version of it.")

    @property
    def options(self) -> FeedbackOptions:
        """The options that the request sets."""
        return FeedbackOptions(self.grade, self.tone, self._rubric(), self._task())

    def _rubric(self) -> Rubric | None:
        if self.rubric is None or isinstance(self.rubric, str):
            return self.rubric if self.rubric is None else read_rubric(self.rubric)
        return as_rubric([Criterion(one.criterion, one.weight, tuple(one.levels)) for one in self.rubric])


class Waiting(BaseModel):
    """A teacher has to approve the feedback first; request it by its id later."""

    id: str
    state: Literal["waiting for approval"] = "waiting for approval"


SEEN = "How it was when you saw it: where it is otherwise by now, the answer is 409 and nothing happens."


class FeedbackQuery(BaseModel):
    """Which part of the list to return."""

    model_config = ConfigDict(frozen=True)

    before: AwareDatetime | None = Field(
        None, description="Only feedback created before; for the next page, the last entry's `created`."
    )
    limit: int = Field(100, ge=1, le=1000)


class FormQuery(BaseModel):
    """In which form to return the feedback."""

    model_config = ConfigDict(frozen=True)

    format: Literal["json", "markdown", "html", "pdf"] | None = Field(None, description="Default: by the Accept header.")


class FeedbackList(BaseModel):
    """Stored feedback."""

    feedback: list[Summary]


class SeenChoice(Request):
    """How evidence is shown. sentence: the id of another sentence of your books that replaces it; null: the original."""

    show: Literal["normal", "hidden"] = "normal"
    sentence: Name | None = None


class ChoiceRequest(SeenChoice):
    """How to show evidence."""

    seen: SeenChoice | None = Field(None, description=SEEN)


class CandidatesRequest(Request):
    """What to search for. words: instead of the passages of the essay that found the evidence; book: only in this one."""

    words: str = Field("", max_length=2000)
    book: Name | None = None
    limit: Annotated[int, Field(ge=1, le=50), BeforeValidator(whole)] = 8


class Candidate(PassageRecord):
    """A sentence that could replace evidence. score: re-scored cosine."""

    score: float


class Candidates(BaseModel):
    """Candidates, best first, without those already shown."""

    candidates: list[Candidate]


class PassageRequest(Request):
    """A sentence of your books for a paragraph of the essay. paragraph: from 1."""

    paragraph: Number
    sentence: Name


class AddedPassage(BaseModel):
    """The number of the evidence that was added."""

    number: int


class EditsRequest(TeacherEdits):
    """The edits that replace those so far."""

    seen: TeacherEdits | None = Field(None, description=SEEN)


class CommentBank(BaseModel):
    """Texts of comments, the most frequent first."""

    comments: list[str]


class ApprovalRequest(Request):
    """Whether students may see the feedback."""

    seen: bool | None = Field(None, description=SEEN)
    approved: bool


class OwnEssays(BaseModel):
    """A student's essays, newest first."""

    essays: list[Summary]


class EssayText(BaseModel):
    """The text of a file, with an empty line between paragraphs."""

    text: str


class OwnRatingRequest(Request):
    """A student's rating of an item; null removes it."""

    thumb: Annotated[Rating | None, Field(strict=False)] = None
