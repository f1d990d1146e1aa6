"""HTTP requests about essays and feedback, and the lists that answer them."""

from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from chapterverse.citations.model import Evidence
from chapterverse.citations.records import PassageRecord
from chapterverse.essays.history import FeedbackHistory, essay_of
from chapterverse.essays.model import (
    Criterion,
    Dimension,
    Rubric,
    StoredFeedback,
    Tone,
)
from chapterverse.essays.records import Summary
from chapterverse.essays.service import FeedbackOptions
from chapterverse.essays.writing.rubric import LONGEST, MOST, read_rubric, weightiest_first
from chapterverse.library.schemas import Name
from chapterverse.web.schemas import Request, whole

BEGINNING_WORDS = 12  # of an essay, in its student's own list

MOST_EVIDENCES = 50


class EssayRequest(Request):
    """An essay, and the books to look in."""

    essay: str = Field(description="Plain text or Markdown; its paragraphs are what evidence is looked for.")
    books: list[Name] = Field([], max_length=100, description="Look in these books only; none: in all of the school's.")
    assignment: Name | None = Field(None, description="For an assignment: its books are looked in, whatever `books` says.")
    evidences: Annotated[int, Field(ge=1, le=MOST_EVIDENCES), BeforeValidator(whole)] | Literal["paragraphs"] | None = Field(
        None,
        description="Sentences of the books, at most, or as many as the essay has paragraphs; null: as the school has set it.",
    )

    @property
    def options(self) -> FeedbackOptions:
        """What this request asks for."""
        return FeedbackOptions(self.evidences)


class RubricCriterion(Request):
    """Something that the teacher looks for. weight: against those of the others."""

    criterion: str = Field(min_length=1, max_length=LONGEST)
    weight: int = Field(1, ge=0, le=1000)


class FeedbackRequest(EssayRequest):
    """An essay, the books to look in, and how feedback is to be; what is left out is as the school has set it."""

    grade: int | None = Field(
        None, ge=3, le=13, description="School grade that it is written for; 7 is about twelve years old."
    )
    tone: Tone | None = Field(None, description="kind encourages, plain is brief.")
    dimensions: list[Dimension] | None = Field(None, min_length=1, max_length=3, description="What it is given on.")
    rubric: Annotated[str, Field(max_length=4000)] | Annotated[list[RubricCriterion], Field(max_length=MOST)] | None = Field(
        None, description="What the teacher looks for: a criterion a line, or a list of them with their weights."
    )
    key: str | None = Field(
        None,
        min_length=16,
        max_length=64,
        description="Random. An essay with the same key is the same essay: it is written on once, and a stream that was lost "
        "goes on, after the event that `Last-Event-ID` names.",
    )
    version_of: Name | None = Field(None, description="The id of your own feedback on an earlier version of it.")

    @property
    def options(self) -> FeedbackOptions:
        """What this request asks for."""
        dimensions = tuple(dict.fromkeys(self.dimensions)) if self.dimensions else None
        return FeedbackOptions(self.evidences, self.grade, self.tone, dimensions, self._rubric())

    def _rubric(self) -> Rubric | None:
        if self.rubric is None or isinstance(self.rubric, str):
            return self.rubric if self.rubric is None else read_rubric(self.rubric)
        return weightiest_first([Criterion(one.criterion, one.weight) for one in self.rubric])


class Waiting(BaseModel):
    """A teacher has to approve the feedback first: ask for it by its id later."""

    id: str
    state: Literal["waiting for approval"] = "waiting for approval"


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


class Candidate(PassageRecord):
    """A sentence that might replace evidence. score: how near it is, re-scored cosine."""

    sentence_id: str
    page_label: str
    score: float

    @classmethod
    def of(cls, evidence: Evidence) -> Self:
        """From evidence that was found for the same passages."""
        sentence = evidence.passage.sentence
        own = {"sentence_id": sentence.id, "page_label": sentence.address.places[0].page_label}
        return cls.model_validate(PassageRecord.fields_of(evidence.passage) | own | {"score": round(evidence.score, 4)})


class Candidates(BaseModel):
    """Best first; none that is shown already."""

    candidates: list[Candidate]


class ApprovalRequest(Request):
    """Whether students see it."""

    seen: bool | None = Field(None, description=SEEN)
    approved: bool


class OwnEssay(Summary):
    """One line of a student's history. approved: null if a teacher has to see it first; version_of: the id of feedback on an
    earlier version, deleted or not; changed: whether a teacher chose its evidence."""

    words: int
    version_of: str | None
    changed: bool

    @classmethod
    def of_stored(cls, stored: StoredFeedback, history: FeedbackHistory) -> Self:
        """Also of feedback that another version of chapterverse wrote."""
        words = " ".join(essay_of(stored).paragraphs).split()
        more = {"words": len(words), "version_of": stored.version_of, "changed": bool(stored.choices)}
        summary = Summary.of(stored, history).model_dump()
        return cls.model_validate(summary | more | {"begins": " ".join(words[:BEGINNING_WORDS])})


class OwnEssays(BaseModel):
    """Newest first."""

    essays: list[OwnEssay]


class EssayText(BaseModel):
    """The text in a file, with an empty line between paragraphs."""

    text: str


class OwnThumbRequest(Request):
    """Whether it helped; null takes it back."""

    thumb: Literal["up", "down"] | None = None
