"""HTTP requests of conversations, hand-off and FAQ entries, and lists of the records."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.core.requests import Request
from chapterverse.library.schemas import Department, Name, SourceAccepted
from chapterverse.questions.model import FaqEntry, HandOff
from chapterverse.questions.records import ConversationSummary

MAX_TEXT = 20_000  # characters of an answer, as in questions/entries.py
Question = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"\S")]

MessageId = Annotated[
    str,
    Field(pattern=r"^[\w-]{8,64}$", description="Chosen by you: a message sent twice with the same id is stored once."),
]

Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT, pattern=r"\S")]
EntryId = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class BeginRequest(Request):
    """A new conversation."""

    user: Name | None = Field(
        None, description="Name of the user in your program, for rate limits. Not needed if a user is signed in."
    )
    department: Department | None = Field(None, description="Search this department's sources and those for all.")
    names: list[Name] = Field([], max_length=20, description="Names of the participants, redacted before text is sent on.")


class MessageRequest(Request):
    """A student's message."""

    message: str = Field(description="At most as many characters as the school has set, 4,000 by default; 413 above.")
    message_id: MessageId | None = None


class ReplyRequest(Request):
    """An agent's answer."""

    text: str = Field(description="At most as long as a message.")
    message_id: MessageId | None = None


class HandOffRequest(Request):
    """A request for an agent, with a remark for them."""

    remark: str = Field("", description="At most as long as a message; it is added as one.")
    message_id: MessageId | None = None


class ConversationSummaries(BaseModel):
    """A user's conversations, newest first; or an agent's list: waiting ones, longest first, held ones, or closed ones, last
    closed first."""

    conversations: list[ConversationSummary]


class SinceQuery(BaseModel):
    """Which part of a conversation."""

    model_config = ConfigDict(frozen=True)

    after: int = Field(0, ge=0, le=10**6, description="Skip this many turns, known already.")


class StateQuery(BaseModel):
    """Which conversations."""

    model_config = ConfigDict(frozen=True)

    state: HandOff = HandOff.WAITING


class EntryRequest(Request):
    """A question with its answer. department: null for all."""

    question: Question
    answer: Text
    department: Department | None = None


class EntriesApproval(Request):
    """Which entries, and whether they are searched. read: a person has read each."""

    entries: list[EntryId] = Field(min_length=1, max_length=500)
    approved: bool
    read: bool = False


class FaqEntries(BaseModel):
    """The school's entries, oldest first."""

    entries: list[FaqEntry]


class ImportedEntries(BaseModel):
    """Numbers of new, changed and unchanged entries, and all of them, in this order. sources: of the departments whose approved
    entries are being indexed, with the addresses of their progress."""

    added: int
    changed: int
    unchanged: int
    entries: list[FaqEntry]
    sources: list[SourceAccepted]
