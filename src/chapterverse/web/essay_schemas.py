"""What is sent and answered about essays, field by field; answers are what usecases/essay_json.py and feedback_json.py say."""

from typing import Literal

from pydantic import BaseModel, Field

from chapterverse.evidence.verdict import VerdictKind
from chapterverse.web.schemas import Name, PassageFields, Request


class EssayRequest(Request):
    """An essay, and the books to look in."""

    essay: str = Field(description="Plain text or Markdown; its paragraphs are what evidence is looked for.")
    books: list[Name] = Field([], max_length=100, description="Look in these books only; none: in all of the school's.")


class FoundBy(BaseModel):
    """A passage of the essay that the sentence answers to. paragraph: from 1."""

    kind: Literal["paragraph", "key_sentence"]
    paragraph: int
    text: str
    score: float


class Evidence(PassageFields):
    """Evidence #number. score: re-scored cosine of the passage that found it best."""

    number: int
    score: float
    found_by: list[FoundBy]


class EssayParagraph(BaseModel):
    """A paragraph of the essay; evidence: numbers of what bears on it, and where there is none, a message that says so."""

    number: int
    text: str
    evidence: list[int]
    message: str | None


class EssayEvidence(BaseModel):
    """What the books say on an essay. Paragraphs and evidence count from 1. notes: what of a long one was not looked up."""

    title: str | None
    paragraphs: list[EssayParagraph]
    evidence: list[Evidence]
    notes: list[str]


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
    reason: str


class Comment(BaseModel):
    """paragraph: from 1, null for the whole essay; about: null for all of it; instead: words to write in its place."""

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
    notes: list[str] = Field(description="What was left out, and why.")


class EssayFeedback(EssayEvidence):
    """Evidence, and a review on each dimension, null where none is given on it. section: the Evidence section as Markdown, null
    where the books say nothing on any paragraph."""

    content: Review | None
    expressions: Review | None
    features: Review | None
    section: str | None
