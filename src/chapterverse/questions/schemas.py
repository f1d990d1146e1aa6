"""HTTP requests and responses of questions on documents and textbooks, and of answer statistics.

Responses extend the records: each place of a sentence gets the addresses of its pages (library/schemas.with_addresses)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.core.book import SentenceId
from chapterverse.essays.model import Rating
from chapterverse.library.schemas import Name, Seen
from chapterverse.messages.fields import Words
from chapterverse.questions import records
from chapterverse.questions.conversation import Exchange
from chapterverse.questions.log import AnswerStatistics, DayStatistics, IntentStatistics
from chapterverse.questions.model import GivenAnswer, Intent
from chapterverse.web.operations import Request

MAX_EARLIER = 20  # exchanges in a request; only the last are read
MAX_DAYS = 366
Text = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"\w")]
SourceIds = Annotated[list[Annotated[str, Field(min_length=1, max_length=255)]], Field(max_length=500)]


class EarlierQuestion(Request):
    """An earlier question and its answer. cited: sentence_id of a sentence that the answer cites; it determines the topic."""

    question: str = Field(min_length=1, max_length=20_000)
    answer: str = Field(default="", max_length=20_000)
    cited: str | None = Field(default=None, min_length=1, max_length=255)

    @property
    def exchange(self) -> Exchange:
        """The question as an Exchange, which questions/conversation.py takes."""
        return Exchange(self.question, self.answer, SentenceId(self.cited) if self.cited else None)


class FollowUpRequest(Request):
    """earlier: the conversation so far, oldest first, so that "And why?" is understood. It is not stored, so send it each
    time."""

    earlier: list[EarlierQuestion] = Field(default=[], max_length=MAX_EARLIER)

    @property
    def exchanges(self) -> list[Exchange]:
        """The conversation so far, oldest first."""
        return [one.exchange for one in self.earlier]


class AnswerCitation(Seen, records.CitationRecord):
    """The sentence of source #number that a claim cites. verdict: whether it supports the claim."""

    reason: Words


class AnswerClaim(records.ClaimRecord):
    """One or two sentences of an answer, with at least one citation."""

    citations: Sequence[AnswerCitation]


class AnswerSource(Seen, records.SourceRecord):
    """Source #number. type, id: of an FAQ entry or a resolved ticket. department: null for all. score: cosine to the question.
    citation, url and pages: of its first sentence."""

    type: str
    id: str


class AnswerPassage(Seen, records.QuotedRecord):
    """A passage of source #number: `sentence` is its first lit one, `sentences` are all of it, in reading order."""


class AnswerBody(records.AnswerRecord):
    """An answer. text: all of it, with "[1]" behind what source 1 supports; nothing: it says that the sources do not answer.
    passages: of the sources, best first: the answer's, or the nearest if the band is "near"."""

    claims: Sequence[AnswerClaim]
    sources: Sequence[AnswerSource]
    passages: Sequence[AnswerPassage] = ()
    intent: Intent | None
    by: str = Field(description='The language model, or "extract": sentences of the sources.')
    notes: Sequence[Words] = Field(description="For the reader: how the answer was made.")


class QuestionRequest(FollowUpRequest):
    """A question. documents: search only these, by id; empty for all of the school's."""

    question: Text
    documents: SourceIds = Field(default=[])
    topics: list[Name] = Field(default=[], max_length=20, description="Only documents with one of these topics.")


class DocumentAnswer(AnswerBody):
    """id: for rating the answer. scores: of the three chunks found, best first, also those below the threshold."""

    id: str
    scores: list[records.ChunkScore]


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


class QueryCache(BaseModel):
    """Questions embedded by this process since its start, for all schools, and those found in its cache."""

    asked: int
    hits: int
    hit_rate: float | None


class AnswerMetrics(BaseModel):
    """doubtful: the mean score of all is below 0.4 (S2-12). query_cache: null without a cache."""

    total: AnswerStatistics
    days: list[DayStatistics]
    intents: list[IntentStatistics]
    doubtful: bool
    query_cache: QueryCache | None


class ChatRequest(FollowUpRequest):
    """A question. selected_text: marked by the student on the page; sections that contain it come first. textbooks: search only
    these, by id; empty for all of the school's."""

    question: Text
    selected_text: str = Field(default="", max_length=20_000)
    textbooks: SourceIds = Field(default=[])
    topics: list[Name] = Field(default=[], max_length=20, description="Only textbooks with one of these topics.")


class AnswerSection(Seen, records.Section):
    """The section of source #number, "Module > Chapter > Heading". url: the web page at the heading, or a picture of the page
    with the sentence highlighted. file: in the folder of pages. relevance: cosine to the question."""


class RelatedAnswerSection(Seen, records.RelatedSection):
    """A section close to the question, at the sentence closest to it."""


class ChatAnswer(AnswerBody):
    """id: for rating the answer. sections: those cited. related_topics: titles of close sections; related: the same sections
    with their places."""

    id: str
    sections: list[AnswerSection]
    related_topics: list[str]
    related: list[RelatedAnswerSection]


class AnswerId(BaseModel):
    """id: for rating the answer."""

    id: str


class ChatAnswerEvent(ChatAnswer, AnswerId):
    """Data of the event `answer`: a ChatAnswer with its id first."""
