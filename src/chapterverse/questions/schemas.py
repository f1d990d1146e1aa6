"""Requests and answers of questions on documents and textbooks, and of metrics."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.citations.model import VerdictKind
from chapterverse.citations.records import PassageRecord
from chapterverse.core.book import SentenceId
from chapterverse.essays.model import Thumb
from chapterverse.library.schemas import Name, Seen
from chapterverse.messages.fields import Words
from chapterverse.questions.conversation import Exchange
from chapterverse.questions.log import AnswerTimes, Quartiles
from chapterverse.questions.model import Intent
from chapterverse.questions.records import ConfidenceRecord
from chapterverse.web.schemas import Request

MOST_EARLIER = 20  # of which the last are looked at


class EarlierQuestion(Request):
    """A question before, and its answer. cited: sentence_id of a sentence that the answer cites: it says what it was about."""

    question: str = Field(min_length=1, max_length=20_000)
    answer: str = Field(default="", max_length=20_000)
    cited: str | None = Field(default=None, min_length=1, max_length=255)

    @property
    def told(self) -> Exchange:
        """As the use case takes it."""
        return Exchange(self.question, self.answer, SentenceId(self.cited) if self.cited else None)


class FollowUpRequest(Request):
    """What any question may come with. earlier: those before it that it may lean on ("And why?"), oldest first; nothing of them
    is kept, so they are told each time."""

    earlier: list[EarlierQuestion] = Field(default=[], max_length=MOST_EARLIER)


class AnswerCitation(PassageRecord, Seen):
    """The sentence of source #number that a claim rests on. verdict: whether it bears the claim out."""

    number: int
    verdict: VerdictKind
    reason: Words


class AnswerClaim(BaseModel):
    """A sentence or two of an answer, and what they rest on: at least one sentence."""

    text: str
    citations: list[AnswerCitation]


class AnswerSource(Seen):
    """Source #number. type, id: of an FAQ or a resolved ticket; department: whose it is, null: everybody's. score: its
    cosine to the question. citation: where it stands; url and pages: of its first sentence."""

    number: int
    title: str
    headings: list[str]
    type: str
    id: str
    department: str | None = None
    score: float
    text: str
    citation: str


class AnswerBody(BaseModel):
    """An answer. text: all of it, with "[1]" behind what rests on source 1; nothing: whether it says that there is none."""

    text: str
    claims: list[AnswerClaim]
    sources: list[AnswerSource]
    confidence: ConfidenceRecord
    disclaimer: str | None
    nothing: bool
    intent: Intent | None
    by: str = Field(description='The language model, or "extract": the sources\' own sentences.')
    notes: list[Words] = Field(description="What a reader should know of how it came about.")


MOST_DAYS = 366


class QuestionRequest(FollowUpRequest):
    """documents: only these, by their ids; none: all of the school's."""

    question: str = Field(min_length=1, max_length=20_000, pattern=r"\w")
    documents: list[Annotated[str, Field(min_length=1, max_length=255)]] = Field(default=[], max_length=500)
    topics: list[Name] = Field(default=[], max_length=20, description="Only documents about one of these.")


class ChunkScore(BaseModel):
    """How near a chunk is to the question, in both readings of S2: the cosine, which the bands are measured by, and the seed's
    formula, 1 / (1 + d²)."""

    cosine: float
    inverse_distance: float


class DocumentAnswer(AnswerBody):
    """id: by which it can be given a thumb. scores: of the three chunks found, the nearest first, whatever they are."""

    id: str
    scores: list[ChunkScore]


class ThumbRequest(Request):
    """What the user thinks of an answer. question: handed in to be kept with it, as a case for evaluations; nothing that was
    asked is kept otherwise."""

    thumb: Thumb
    question: str | None = Field(default=None, min_length=1, max_length=4000)


class AnswersQuery(BaseModel):
    """Of which application, and how many days back, today included."""

    model_config = ConfigDict(frozen=True)

    application: Literal["documents", "textbook", "helpdesk"] | None = None
    days: int = Field(default=30, ge=1, le=MOST_DAYS)


class AnswerFigures(BaseModel):
    """Of some answers: mean: of the cosines of all that was found, best: of the best ones; low: answers that say nothing or are
    hardly sure; similarity: of the answers' own means; times: from the question to the whole answer. Each is null where
    there is nothing to take it of."""

    answers: int
    mean: float | None
    best: float | None
    low: int
    low_share: float | None
    relevance: float | None
    up: int
    down: int
    similarity: Quartiles | None
    times: AnswerTimes | None


class DayFigures(AnswerFigures):
    """Of one day, UTC."""

    day: date


class IntentFigures(AnswerFigures):
    """Of one kind of question."""

    intent: str


class QueryCache(BaseModel):
    """Questions that this process has embedded since its start, of every school, and those whose vectors it knew."""

    asked: int
    hits: int
    hit_rate: float | None


class AnswerMetrics(BaseModel):
    """doubtful: whether the mean of all is below 0.4 (S2-12). query_cache: null where there is
    none."""

    total: AnswerFigures
    days: list[DayFigures]
    intents: list[IntentFigures]
    doubtful: bool
    query_cache: QueryCache | None


class ChatRequest(FollowUpRequest):
    """selected_text: what the student has marked on the page; sections that hold it come first. textbooks: only these, by their
    ids; none: all of the school's."""

    question: str = Field(min_length=1, max_length=20_000, pattern=r"\w")
    selected_text: str = Field(default="", max_length=20_000)
    textbooks: list[Annotated[str, Field(min_length=1, max_length=255)]] = Field(default=[], max_length=500)
    topics: list[Name] = Field(default=[], max_length=20, description="Only textbooks about one of these.")


class Section(Seen):
    """Where source #number stands: "Module > Chapter > Heading". url: its address with the heading's anchor, or a
    picture of the page with the sentence lit; file: of the folder of pages; relevance: its cosine to the question."""

    number: int
    section: str
    module: str | None
    chapter: str | None
    heading: str | None
    file: str | None
    page_label: str | None
    relevance: float


class RelatedSection(Seen):
    """A section that is near the question, at the sentence that says most to it."""

    title: str
    paragraph_id: str


class ChatAnswer(AnswerBody):
    """id: by which the answer can be given a thumb. sections: those that it cites; related_topics: titles of some that
    are near the question; related: the same with where they stand."""

    id: str
    sections: list[Section]
    related_topics: list[str]
    related: list[RelatedSection]
