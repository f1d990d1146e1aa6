"""What is said between a student, the assistant and an agent, and the questions that are answered once and for all.

What is noted of an answer that was given: figures and ids, nothing that anybody wrote.

Whether what was found holds an answer at all: several signs, because no threshold on one score can tell.

A question that nobody has answered is near to much that is written of the same thing; what it asks for is missing all the
same."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chapterverse.core.book import SentenceId
from chapterverse.essays.model import Thumb

LONGEST_BEGINNING = 200  # characters that a list shows of a conversation


class Speaker(StrEnum):
    """Who says it."""

    STUDENT = "student"
    ASSISTANT = "assistant"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message. answer: of the assistant's, all that was answered, as JSON. id: of what somebody says, by which it is the
    same one if it comes again; of an answer, by which it is given a thumb."""

    speaker: Speaker
    text: str
    at: datetime
    answer: str | None = None
    id: str | None = None


class HandOff(StrEnum):
    """Where a conversation stands that somebody is to go on with."""

    WAITING = "waiting"
    HELD = "held"  # one agent has it, and the assistant is silent
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Agent:
    """A person who goes on with conversations. id: unlike anybody else's of the school; name: as students are told it."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """turns: oldest first. user: whoever leads it, by the name that the school's own program gives. department: whose sources
    are looked in beside those of all; names: of its participants, who are not named to anybody else.

    waiting: since when an agent is asked for, None where nobody is (any more); agent: who has it; closed: since when it is
    done with. At most one of the three. Times are UTC."""

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
        """None where it is the assistant's alone."""
        if self.agent:
            return HandOff.HELD
        if self.waiting:
            return HandOff.WAITING
        return HandOff.CLOSED if self.closed else None

    @property
    def agent_name(self) -> str | None:
        """Of the agent who holds it."""
        return self.agent and self.agent.name

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
        """Where the turn of that id is; None where it has yet to be said."""
        return next((at for at, turn in enumerate(self.turns) if id and turn.id == id), None)


class EntryType(StrEnum):
    """Where an entry comes from: source_type of S5."""

    FAQ = "faq"
    RESOLVED = "resolved_query"


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question and its answer. source_id: of its type, by which it is cited and replaced; its own id where nobody gave one.
    approved: since when it is found, None for what is not; archived: since when it is put aside, None for a draft and for what
    is found. department: None for all; conversation: that an agent answered it in. Times are UTC."""

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
    """An answer of one application ("documents"). scores: cosines of what was found, best first, before any threshold. band:
    the application's name for how sure it is. relevance: mean cosine of the answer to the question, None where it says nothing.
    cited: sentences that it rests on. intent: what kind of question it answers (retrieval/intents.py). seconds: from
    the question to the whole answer, None for those given before that was noted.

    thumb: what the user thinks of it. question: only where whoever gave the thumb handed it in to be kept."""

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
    thumb: Thumb | None = None
    question: str | None = None
    seconds: float | None = None

    @property
    def mean(self) -> float:
        """Of the scores; 0 where nothing was found."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0


class IntentName(StrEnum):
    """Kinds of question whose answers come out differently."""

    DEFINITION = "definition"
    FACT = "fact"
    EXPLANATION = "explanation"
    HOW_TO = "how-to"
    COMPARISON = "comparison"
    OVERVIEW = "overview"  # S2, "Generic Queries"
    POLICY = "policy"


@dataclass(frozen=True, slots=True)
class Intent:
    """The likeliest intent; score: cosine of the question and what describes it."""

    name: IntentName
    score: float


@dataclass(frozen=True, slots=True)
class Signals:
    """cosine: of the nearest chunk; sentence: of the nearest sentence; score: of the first hit, words and all; lead: that less
    the score of the last.

    three, at_once: the share in [0, 1] of what the question's terms tell that the chunks together, and the one sentence with
    most of it hold. typed: 0 where the question asks for a number or a person and the first chunk has none, else 1.

    rarity, asked: of the question alone: how much a term of it tells, in the mean, and the logarithm of 1 + what all of them
    tell. A question of rare words is answered by fewer chunks, and one of many words more like its answer."""

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
    """What a school's own texts say of a score: right in 95 of 100 cases; as good as 95 of 100 right answers; neither."""

    CONFIDENT = "sure"
    POSSIBLE = "possible"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Answerability:
    """Whether what was found answers the question, from its signs. score: in [0, 1]. standing: None where the school has
    accepted no calibration: then nothing is refused for it, and the thresholds of the specification hold."""

    score: float
    signs: Signals
    standing: ConfidenceLevel | None = None
