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
    """One message. answer: of the assistant's, all that was answered, as JSON."""

    speaker: Speaker
    text: str
    at: datetime
    answer: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """turns: oldest first. user: whoever leads it, by the name that the school's own program gives. department: whose sources
    are looked in beside those of all; names: of its participants, who are not named to anybody else.

    waiting: since when an agent is asked for, None where nobody is (any more). Times are UTC."""

    id: str
    school: str
    user: str
    created: datetime
    department: str | None = None
    names: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    waiting: datetime | None = None


class EntryType(StrEnum):
    """Where an entry comes from: source_type of S5."""

    FAQ = "faq"
    RESOLVED = "resolved_query"


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question and its answer. source_id: of its type, by which it is cited and replaced; its own id where nobody gave one.
    approved: since when it is found, None for a draft. department: None for all; conversation: that an agent answered it in.
    Times are UTC."""

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

    def __post_init__(self) -> None:
        if not self.source_id:
            object.__setattr__(self, "source_id", self.id)
