"""Requests and answers of the essay routes, field by field: evidence, feedback, stored feedback, a student's own essays."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from chapterverse.citations.model import VerdictKind
from chapterverse.essays.model import Criterion, Dimension, Rubric, Show, Style, Thumb, Tone
from chapterverse.essays.writing.rubric import LONGEST, MOST, read_rubric, weightiest_first
from chapterverse.library.schemas import Name, PassageFields
from chapterverse.search.plan import RetrievalPlan
from chapterverse.web.language import Words
from chapterverse.web.schemas import Request, whole

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

    def looked_up(self, plan: RetrievalPlan) -> RetrievalPlan:
        """The same with what this request wants otherwise."""
        if self.evidences is None:
            return plan
        return replace(plan, evidences=None if self.evidences == "paragraphs" else self.evidences)


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

    def style(self, usual: Style) -> Style:
        """The usual one with what this request wants otherwise."""
        wanted: dict[str, Any] = {
            "grade": self.grade,
            "tone": self.tone,
            "dimensions": self.dimensions and tuple(dict.fromkeys(self.dimensions)),
            "rubric": self._rubric(),
        }
        return replace(usual, **{name: value for name, value in wanted.items() if value is not None})

    def _rubric(self) -> Rubric | None:
        if self.rubric is None or isinstance(self.rubric, str):
            return self.rubric if self.rubric is None else read_rubric(self.rubric)
        return weightiest_first([Criterion(one.criterion, one.weight) for one in self.rubric])


class FoundBy(BaseModel):
    """A passage of the essay that the sentence answers to. paragraph: from 1."""

    kind: Literal["paragraph", "key_sentence"]
    paragraph: int
    text: str
    score: float


class Evidence(PassageFields):
    """Evidence #number. score: re-scored cosine of the passage that found it best. book, chapter_number, chapter, page_label:
    the sentence's own. verdict: whether it bears the essay out, the most serious of several; null where none was given."""

    number: int
    score: float
    book: str
    chapter_number: str | None
    chapter: str | None
    page_label: str
    verdict: VerdictKind | None
    reason: Words | None
    found_by: list[FoundBy]


class EssayParagraph(BaseModel):
    """A paragraph of the essay; evidence: numbers of what bears on it, and where there is none, a message that says so."""

    number: int
    text: str
    evidence: list[int]
    message: Words | None


class Reranked(BaseModel):
    """Candidates that a model read together with their query, of those where that might change what is shown: fewer where its
    time was over."""

    model: str
    candidates: int
    of: int


class EssayEvidence(BaseModel):
    """What the books say on an essay. Paragraphs and evidence count from 1. reranked: null where no model had a closer look;
    notes: what of a long essay was not looked up."""

    title: str | None
    paragraphs: list[EssayParagraph]
    evidence: list[Evidence]
    reranked: Reranked | None
    notes: list[Words]


class About(BaseModel):
    """Words of the essay, and where they stand: [start, end), characters of the paragraph's text."""

    start: int
    end: int
    text: str


class Citation(BaseModel):
    """Evidence behind a comment. quote: the book's own sentence; verdict: whether it bears out what the essay says."""

    number: int
    quote: str
    verdict: VerdictKind
    reason: Words


class PlacedCitation(Citation):
    """A citation with the dimension and the paragraph that it belongs to."""

    dimension: Dimension
    paragraph: int | None


class Comment(BaseModel):
    """paragraph: from 1, null for the whole essay; about: null for all of it; instead: words to write in its place."""

    number: int
    paragraph: int | None
    about: About | None
    text: str
    instead: str | None
    evidence: list[Citation]


class Review(BaseModel):
    """The feedback on one dimension; where a book says otherwise, that comes first. by: the language model, or "rules"."""

    by: str
    comments: list[Comment]
    checked: list[str]
    not_checked: list[str]
    notes: list[Words] = Field(description="What was left out, and why.")


class Waiting(BaseModel):
    """Feedback is there, but a teacher has to approve it first: ask for it by its id later."""

    id: str
    state: Literal["waiting for approval"] = "waiting for approval"


class EssayFeedback(EssayEvidence):
    """Evidence, and a review on each dimension, null where none is given on it. id: under which it is kept, null where it is
    not. section: the Evidence section as Markdown, null
    where the books say nothing on any paragraph."""

    id: str | None
    content: Review | None
    expressions: Review | None
    features: Review | None
    citations: list[PlacedCitation] = Field(description="Those of all comments, in their order.")
    section: str | None


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


class OwnEssay(Summary):
    """One line of a history. approved: null where a teacher has to see it first; version_of: the id of feedback on an earlier
    version, there or not; changed: whether a teacher has chosen its evidence."""

    words: int
    version_of: str | None
    changed: bool


class OwnEssays(BaseModel):
    """Newest first."""

    essays: list[OwnEssay]


class EssayText(BaseModel):
    """The text in a file, with an empty line between paragraphs."""

    text: str


class OwnThumbRequest(Request):
    """Whether it helped; null takes it back."""

    thumb: Literal["up", "down"] | None = None
