"""Data of conversations, FAQ entries and given answers, and whether the sources answer a question."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from chapterverse.core.book import SentenceId
from chapterverse.core.requests import Record
from chapterverse.essays.model import Rating

MAX_BEGINNING = 200  # characters of a conversation shown in lists
ALL = 10**6  # turns: more than a conversation has


class Speaker(StrEnum):
    """Who wrote a turn."""

    STUDENT = "student"
    ASSISTANT = "assistant"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. answer: the whole answer as JSON (records.AnswerRecord), only in an assistant's turn. id: of a message,
    chosen by the sender to recognise repetitions; of an answer, the id for its rating. by: the agent's name, if known."""

    speaker: Speaker
    text: str
    at: datetime
    answer: str | None = None
    id: str | None = None
    by: str | None = None


class HandOff(StrEnum):
    """State of a conversation handed over to an agent."""

    WAITING = "waiting"
    HELD = "held"  # an agent answers, the assistant does not
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Agent:
    """A person who answers in conversations. id: unique within the school; name: as students see it."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with the help desk. turns: oldest first. user: the name given by the school's program. department: its
    sources are searched in addition to those for all departments. names: of the participants, redacted before text leaves
    this process. read: how many turns the user has read, ALL before an agent answers.

    waiting: since when an agent is requested; agent: who holds it; closed: since when it is closed. At most one of the three
    is set. Times are UTC."""

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
    read: int = ALL

    @property
    def is_unread(self) -> bool:
        """Whether an agent has answered since the user last opened it."""
        return any(turn.speaker is Speaker.AGENT for turn in self.turns[self.read :])

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
        return self.agent.name if self.agent else None

    @property
    def begins(self) -> str:
        """The first MAX_BEGINNING characters of the first question; empty without one."""
        return next((turn.text for turn in self.turns if turn.speaker is Speaker.STUDENT), "")[:MAX_BEGINNING]

    @property
    def last(self) -> datetime:
        """When the last turn was written."""
        return self.turns[-1].at if self.turns else self.created

    @property
    def last_by(self) -> Speaker | None:
        return self.turns[-1].speaker if self.turns else None

    def turn_index(self, id: str | None) -> int | None:
        """Position of the turn with that id; None if there is none."""
        return next((at for at, turn in enumerate(self.turns) if id and turn.id == id), None)


class EntryType(StrEnum):
    """Origin of an FAQ entry, the source_type of S5."""

    FAQ = "faq"
    RESOLVED = "resolved_query"


class EntryText(Record, frozen=True):
    """A question with its answer. department: null for all."""

    question: str
    answer: str
    department: str | None = None

    def says(self, other: "EntryText") -> bool:
        """Whether the other has the same text and department."""
        return (self.question, self.answer, self.department) == (other.question, other.answer, other.department)


class FaqEntry(EntryText):
    """An FAQ entry. source_id: unique within its type; citations and imports use it; default: the entry's id. approved: since
    when it is searched, null for a draft. conversation: in which an agent gave the answer. Times are UTC."""

    id: str
    school: str
    created: datetime
    type: EntryType = EntryType.FAQ
    conversation: str | None = None
    approved: datetime | None = None
    source_id: str = Field(default_factory=lambda known: str(known["id"]))


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """Metrics of an answer: no text. scores: cosines of the found chunks, best first, before any threshold. band: the
    application's name for its confidence. relevance: mean cosine of the claims to the question, None without claims. cited: ids
    of the cited sentences. intent: kind of question. seconds: to the whole answer, None for old ones. rating: by the user."""

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
    rating: Rating | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Intent:
    """The most likely kind of question. score: cosine of the question to the description of that kind."""

    name: str
    score: float


class ConfidenceLevel(StrEnum):
    """Meaning of a score: an answer without reservation; an answer; too low for an answer,
    but not for naming what comes nearest; neither."""

    CONFIDENT = "sure"
    POSSIBLE = "possible"
    NEAR = "near"
    REFUSED = "refused"

    @property
    def answers(self) -> bool:
        return self in (ConfidenceLevel.CONFIDENT, ConfidenceLevel.POSSIBLE)

    @property
    def lowered(self) -> "ConfidenceLevel":
        """The level below, where a language model found no answer."""
        steps = {ConfidenceLevel.CONFIDENT: ConfidenceLevel.POSSIBLE, ConfidenceLevel.POSSIBLE: ConfidenceLevel.NEAR}
        return steps.get(self, self)


@dataclass(frozen=True, slots=True)
class Levels:
    """Scores from which an answer needs no reservation (sure), is given (answers), and the nearest place is shown (near)."""

    sure: float
    answers: float
    near: float


@dataclass(frozen=True, slots=True)
class Answerability:
    """Whether the sources answer the question. score: in [0, 1], see AnswerStyle.judged."""

    score: float
    standing: ConfidenceLevel
