"""An answer to a question, field by field: of documents, of the textbook chat, of the help desk."""

from pydantic import BaseModel, Field

from chapterverse.evidence.verdict import VerdictKind
from chapterverse.model import SentenceId
from chapterverse.usecases.conversations.following import Earlier
from chapterverse.web.page_schemas import Seen
from chapterverse.web.schemas import PassageFields, Request

MOST_EARLIER = 20  # of which the last are looked at


class EarlierQuestion(Request):
    """A question before, and its answer. cited: sentence_id of a sentence that the answer cites: it says what it was about."""

    question: str = Field(min_length=1, max_length=20_000)
    answer: str = Field(default="", max_length=20_000)
    cited: str | None = Field(default=None, min_length=1, max_length=255)

    @property
    def told(self) -> Earlier:
        """As the use case takes it."""
        return Earlier(self.question, self.answer, SentenceId(self.cited) if self.cited else None)


class Following(Request):
    """What any question may come with. earlier: those before it that it may lean on ("And why?"), oldest first; nothing of them
    is kept, so they are told each time."""

    earlier: list[EarlierQuestion] = Field(default=[], max_length=MOST_EARLIER)


class AnswerCitation(PassageFields, Seen):
    """The sentence of source #number that a claim rests on. verdict: whether it bears the claim out."""

    number: int
    verdict: VerdictKind
    reason: str


class AnswerClaim(BaseModel):
    """A sentence or two of an answer, and what they rest on: at least one sentence."""

    text: str
    citations: list[AnswerCitation]


class AnswerSource(Seen):
    """Source #number. type, id: of an FAQ or a resolved ticket. score: its cosine to the question. citation: where it stands;
    url and pages: of its first sentence."""

    number: int
    title: str
    headings: list[str]
    type: str
    id: str
    score: float
    text: str
    citation: str


class AnswerConfidence(BaseModel):
    """best, mean: cosines of what was found, before any threshold. band: the name that the application gives to it. relevance:
    mean cosine of the answer's claims to the question, null without claims."""

    best: float
    mean: float
    band: str
    relevance: float | None


class AnswerBody(BaseModel):
    """An answer. text: all of it, with "[1]" behind what rests on source 1; nothing: whether it says that there is none."""

    text: str
    claims: list[AnswerClaim]
    sources: list[AnswerSource]
    confidence: AnswerConfidence
    disclaimer: str | None
    nothing: bool
    by: str = Field(description='The language model, or "extract": the sources\' own sentences.')
    notes: list[str] = Field(description="What a reader should know of how it came about.")
