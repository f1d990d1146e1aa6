"""An answer to a question, field by field: of documents, of the textbook chat, of the help desk."""

from pydantic import BaseModel, Field

from chapterverse.evidence.verdict import VerdictKind
from chapterverse.model import SentenceId
from chapterverse.retrieval.answerable import Signs, Standing
from chapterverse.retrieval.intents import Intent
from chapterverse.usecases.conversations.following import Earlier
from chapterverse.web.page_schemas import Seen
from chapterverse.web.schemas import PassageFields, Request
from chapterverse.web.words import Words

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


class AnswerJudgement(BaseModel):
    """Whether what was found answers the question at all. score: in [0, 1], from the signs. standing: what the school's own
    texts say of such a score ("refused": there is no answer for it), null where no calibration is accepted."""

    score: float
    signs: Signs
    standing: Standing | None


class AnswerConfidence(BaseModel):
    """best, mean: cosines of what was found, before any threshold. band: the name that the application gives to it. relevance:
    mean cosine of the answer's claims to the question, null without claims. answerable: null where nothing was found."""

    best: float
    mean: float
    band: str
    relevance: float | None
    answerable: AnswerJudgement | None


class AnswerIntent(BaseModel):
    """What kind of question was asked, and how like it is to that: a cosine."""

    name: Intent
    score: float


class AnswerBody(BaseModel):
    """An answer. text: all of it, with "[1]" behind what rests on source 1; nothing: whether it says that there is none."""

    text: str
    claims: list[AnswerClaim]
    sources: list[AnswerSource]
    confidence: AnswerConfidence
    disclaimer: str | None
    nothing: bool
    intent: AnswerIntent | None
    by: str = Field(description='The language model, or "extract": the sources\' own sentences.')
    notes: list[Words] = Field(description="What a reader should know of how it came about.")
