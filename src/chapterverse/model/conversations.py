"""What is said between a student, the assistant and an agent, and the questions that are answered once and for all."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


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
