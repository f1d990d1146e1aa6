"""Conversations, hand-off and entries, field by field."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.model import EntryType, Speaker
from chapterverse.web.answer_schemas import AnswerBody, AnswerSource
from chapterverse.web.schemas import Name, Request

MOST_TEXT = 20_000  # characters of an answer, as ingestion/entries.py takes them
Question = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"\S")]
Text = Annotated[str, Field(min_length=1, max_length=MOST_TEXT, pattern=r"\S")]


class BeginRequest(Request):
    """A conversation that begins."""

    user: Name = Field(description="Whoever leads it, by a name of your own: messages are counted by it.")
    department: Name | None = Field(None, description="Look in this department's sources and in those for everybody.")
    names: list[Name] = Field([], max_length=20, description="Names of those who take part: they are told to nobody else.")


class MessageRequest(Request):
    """What a student writes."""

    message: str = Field(description="At most as many characters as the school has set, 4,000 if nothing else; beyond it 413.")


class ReplyRequest(Request):
    """What an agent answers."""

    text: str = Field(description="As long as a message may be.")


class Turn(BaseModel):
    """One message. answer: of the assistant's, with its sources."""

    speaker: Speaker
    text: str
    at: datetime
    answer: AnswerBody | None


class Conversation(BaseModel):
    """All that was said, oldest first. waiting: since when an agent is asked for, null where nobody is."""

    id: str
    user: str
    department: str | None
    created: datetime
    waiting: datetime | None
    turns: list[Turn]


class Inbox(BaseModel):
    """Conversations that wait for an agent, longest first."""

    conversations: list[Conversation]


class MessageReply(BaseModel):
    """reply: what to show; sources: those that it cites. no_relevant_info: whether it only says that nothing was found; then
    offer "Talk to Human", a POST to talk_to_human."""

    id: str = Field(description="By which the answer is given a thumb: POST /answers/{id}/thumbs.")
    reply: str
    sources: list[AnswerSource]
    no_relevant_info: bool
    talk_to_human: str
    answer: AnswerBody


class EntryRequest(Request):
    """A question with its answer. department: whose it is; null: everybody's."""

    question: Question
    answer: Text
    department: Name | None = None


class EntryApproval(Request):
    """Whether it is found."""

    approved: bool


class Entry(BaseModel):
    """approved: since when it is found; null: a draft. conversation: that an agent answered it in."""

    id: str
    question: str
    answer: str
    department: str | None
    type: EntryType
    conversation: str | None
    created: datetime
    approved: datetime | None


class Entries(BaseModel):
    """The school's, oldest first."""

    entries: list[Entry]


class EntriesQuery(BaseModel):
    """Which entries."""

    model_config = ConfigDict(frozen=True)

    approved: bool | None = Field(None, description="Only those that are found, or only drafts.")
