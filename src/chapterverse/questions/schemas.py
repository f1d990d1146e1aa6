"""HTTP requests of questions, conversations, hand-off and FAQ entries, lists of the records, and answer statistics. Answers
are in records.py."""

from typing import Annotated, Literal

from pydantic import Field

from chapterverse.core.requests import Record, Request
from chapterverse.essays.model import Rating
from chapterverse.library.schemas import Department, Name, SourceAccepted
from chapterverse.questions.conversation import Exchange
from chapterverse.questions.log import AnswerStatistics
from chapterverse.questions.model import EntryText, FaqEntry, HandOff
from chapterverse.questions.records import ConversationSummary

MAX_EARLIER = 20  # exchanges in a request; only the last are read
MAX_DAYS = 366
Text = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"\w")]
SourceIds = Annotated[list[Annotated[str, Field(min_length=1, max_length=255)]], Field(max_length=500)]

MAX_TEXT = 20_000  # characters of an answer, as in bookreader/text/entries.py
EntryQuestion = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"\S")]
MessageId = Annotated[
    str,
    Field(min_length=8, max_length=64, pattern=r"^[\w-]+$"),  # with {8,64} in it, pydantic compiles it for 30 ms
    Field(description="Chosen by you: a message sent twice with the same id is stored once."),
]
EntryAnswer = Annotated[str, Field(min_length=1, max_length=MAX_TEXT, pattern=r"\S")]
EntryId = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class QuestionRequest(Request):
    """A question. earlier: the conversation so far, oldest first, so that "And why?" is understood. It is not stored, so send
    it each time. selected_text: marked on the page; sections that contain it come first."""

    question: Text
    earlier: list[Exchange] = Field(default=[], max_length=MAX_EARLIER)
    topics: list[Name] = Field(default=[], max_length=20, description="Only sources with one of these topics.")
    sources: SourceIds = Field(default=[], description="Only these, by id; empty for all of the school's.")
    selected_text: str = Field(default="", max_length=20_000)


class RatingRequest(Request):
    """A rating."""

    thumb: Rating


class AnswersQuery(Record, frozen=True):
    """Which answers. days: how many days back, today included."""

    application: Literal["documents", "textbook", "helpdesk"] | None = None
    days: int = Field(default=30, ge=1, le=MAX_DAYS)


class AnswerMetrics(Record):
    """doubtful: the mean score of all is below 0.4 (S2-12)."""

    total: AnswerStatistics
    days: list[AnswerStatistics]
    intents: list[AnswerStatistics]
    doubtful: bool


class BeginRequest(Request):
    """A new conversation."""

    user: Name | None = Field(
        None, description="Name of the user in your program, for rate limits. Not needed if a user is signed in."
    )
    department: Department | None = Field(None, description="Search this department's sources and those for all.")
    names: list[Name] = Field([], max_length=20, description="Names of the participants, redacted before text is sent on.")


class MessageRequest(Request):
    """A message of a student or an agent; with a request for an agent it may be missing."""

    message: str = Field("", description="At most as many characters as the school has set, 4,000 by default; 413 above.")
    message_id: MessageId | None = None


class ConversationSummaries(Record):
    """A user's conversations, newest first; or an agent's list: waiting ones, longest first, held ones, or closed ones, last
    closed first."""

    conversations: list[ConversationSummary]


class SinceQuery(Record, frozen=True):
    """Which part of a conversation."""

    after: int = Field(0, ge=0, le=10**6, description="Skip this many turns, known already.")


class StateQuery(Record, frozen=True):
    """Which conversations."""

    state: HandOff = HandOff.WAITING


class EntryRequest(EntryText, Request):
    """A question with its answer. department: null for all."""

    question: EntryQuestion
    answer: EntryAnswer
    department: Department | None = None


class EntriesApproval(Request):
    """Which entries, and whether they are searched. read: a person has read each."""

    entries: list[EntryId] = Field(min_length=1, max_length=500)
    approved: bool
    read: bool = False


class FaqEntries(Record):
    """The school's entries, oldest first."""

    entries: list[FaqEntry]


class ImportedEntries(Record):
    """Numbers of new, changed and unchanged entries, and all of them, in this order. sources: of the departments whose approved
    entries are being indexed, with the addresses of their progress."""

    added: int
    changed: int
    unchanged: int
    entries: list[FaqEntry]
    sources: list[SourceAccepted]
