"""Facts of conversations, FAQ entries, given answers, and of whether the sources answer a question."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chapterverse.core.book import SentenceId
from chapterverse.essays.model import Rating

LONGEST_BEGINNING = 200  # characters that a list shows of a conversation


class Speaker(StrEnum):
    """Who wrote a turn."""

    STUDENT = "student"
    ASSISTANT = "assistant"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. answer: of an assistant's turn, the whole answer as JSON (records.AnswerRecord). id: of a message, chosen by
    its sender, so that a repeated one is recognised; of an answer, the id for its rating."""

    speaker: Speaker
    text: str
    at: datetime
    answer: str | None = None
    id: str | None = None


class HandOff(StrEnum):
    """State of a conversation handed over to an agent."""

    WAITING = "waiting"
    HELD = "held"  # one agent has it, and the assistant is silent
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Agent:
    """A person who answers in conversations. id: unique within the school; name: as students see it."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """turns: oldest first. user: the name that the school's program gives. department: its sources are searched, too, after
    those for all departments; names: of the participants, redacted before text leaves this process.

    waiting: since when an agent is requested; agent: who holds it; closed: since when it is closed. At most one of the three is
    set. Times are UTC."""

    id: str
    school: str
    user: str
    created: datetime
    department: str | None = None
    names: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    waiting: datetime | None = None
    agent: Agent | None = None
    closed: datetime | None = None

    @property
    def hand_off(self) -> HandOff | None:
        """None while only the assistant answers."""
        if self.agent:
            return HandOff.HELD
        if self.waiting:
            return HandOff.WAITING
        return HandOff.CLOSED if self.closed else None

    @property
    def agent_name(self) -> str | None:
        """Of the agent who holds it."""
        return self.agent.name if self.agent else None

    @property
    def messages(self) -> int:
        """Number of turns."""
        return len(self.turns)

    @property
    def begins(self) -> str:
        """The beginning of the first question."""
        return next((turn.text for turn in self.turns if turn.speaker is Speaker.STUDENT), "")[:LONGEST_BEGINNING]

    @property
    def last(self) -> datetime:
        """When the last turn was written."""
        return self.turns[-1].at if self.turns else self.created

    @property
    def last_by(self) -> Speaker | None:
        """Who wrote the last turn."""
        return self.turns[-1].speaker if self.turns else None

    def said_as(self, id: str | None) -> int | None:
        """Position of the turn with that id; None if there is none."""
        return next((at for at, turn in enumerate(self.turns) if id and turn.id == id), None)


class EntryType(StrEnum):
    """Origin of an FAQ entry: source_type of S5."""

    FAQ = "faq"
    RESOLVED = "resolved_query"


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question and its answer. source_id: unique within its type; citations and imports use it; default: the entry's id.
    approved: since when it is searched, None for a draft; archived: since when it is archived. department: None for all;
    conversation: in which an agent gave the answer. Times are UTC."""

    id: str
    school: str
    question: str
    answer: str
    created: datetime
    department: str | None = None
    type: EntryType = EntryType.FAQ
    conversation: str | None = None
    approved: datetime | None = None
    source_id: str = ""
    archived: datetime | None = None

    def __post_init__(self) -> None:
        if not self.source_id:
            object.__setattr__(self, "source_id", self.id)


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """Metrics of an answer: no text. scores: cosines of the found chunks, best first, before any threshold. band: the
    application's name for its confidence. relevance: mean cosine of the claims to the question, None without claims. cited: ids
    of the cited sentences. intent: kind of question. seconds: from the question to the whole answer, None for old answers.

    thumb: the user's rating. question: only if the user sent it with the rating."""

    id: str
    school: str
    application: str
    created: datetime
    scores: tuple[float, ...]
    band: str
    relevance: float | None
    nothing: bool
    cited: tuple[SentenceId, ...] = ()
    intent: str | None = None
    thumb: Rating | None = None
    question: str | None = None
    seconds: float | None = None

    @property
    def mean(self) -> float:
        """Mean of the scores; 0 if nothing was found."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0


class IntentName(StrEnum):
    """Kinds of question that need different answers."""

    DEFINITION = "definition"
    FACT = "fact"
    EXPLANATION = "explanation"
    HOW_TO = "how-to"
    COMPARISON = "comparison"
    OVERVIEW = "overview"  # S2-26
    POLICY = "policy"


@dataclass(frozen=True, slots=True)
class Intent:
    """The likeliest kind of question; score: cosine of the question to its description."""

    name: IntentName
    score: float


@dataclass(frozen=True, slots=True)
class Signals:
    """Features of the chunks found on a question. cosine: of the nearest chunk; sentence: of the nearest sentence; score: of
    the first hit, words included; lead: its distance to the score of the last.

    three, at_once: share in [0, 1] of the question's term weight that all chunks together, and the best single sentence,
    contain. typed: 0 if the question asks for a number or a person and the first chunk has none, else 1.

    rarity, asked: of the question alone: mean weight of a term, and the logarithm of 1 + their sum. Rare words are in fewer
    chunks; long questions resemble their answers more."""

    cosine: float
    sentence: float
    score: float
    lead: float
    three: float
    at_once: float
    typed: float
    rarity: float
    asked: float


class ConfidenceLevel(StrEnum):
    """What the school's own texts say of a score: right in 95 of 100 cases; reached by 95 of 100 right answers; neither."""

    CONFIDENT = "sure"
    POSSIBLE = "possible"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Answerability:
    """Whether the sources answer the question. score: in [0, 1]. standing: None if the school has accepted no calibration; then
    the thresholds of the specification hold and nothing is refused by calibration."""

    score: float
    signs: Signals
    standing: ConfidenceLevel | None = None
