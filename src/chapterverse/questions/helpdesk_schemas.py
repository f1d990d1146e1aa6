"""Requests and answers of conversations, hand-off and FAQ entries."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.library.schemas import Department, Name, Seen
from chapterverse.questions.model import EntryType, HandOff, Speaker
from chapterverse.questions.schemas import AnswerBody
from chapterverse.web.schemas import Request

MOST_TEXT = 20_000  # characters of an answer, as ingestion/entries.py takes them

Question = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"\S")]

MessageId = Annotated[
    str,
    Field(pattern=r"^[\w-]{8,64}$", description="Of your own making: the same message sent again by it is said only once."),
]

Text = Annotated[str, Field(min_length=1, max_length=MOST_TEXT, pattern=r"\S")]


class BeginRequest(Request):
    """A conversation that begins."""

    user: Name | None = Field(
        None, description="Whoever leads it, by a name of your own: messages are counted by it. Who is signed in needs none."
    )
    department: Department | None = Field(None, description="Look in this department's sources and in those for everybody.")
    names: list[Name] = Field([], max_length=20, description="Names of those who take part: they are told to nobody else.")


class MessageRequest(Request):
    """What a student writes."""

    message: str = Field(description="At most as many characters as the school has set, 4,000 if nothing else; beyond it 413.")
    message_id: MessageId | None = None


class ReplyRequest(Request):
    """What an agent answers."""

    text: str = Field(description="As long as a message may be.")
    message_id: MessageId | None = None


class HandOffRequest(Request):
    """A conversation for an agent, with what else they should know."""

    remark: str = Field("", description="As long as a message may be; it becomes one.")
    message_id: MessageId | None = None


class TurnBody(BaseModel):
    """One message. answer: of the assistant's, with its sources. id: of a message, as its sender named it; of an answer, by
    which it is given a thumb."""

    speaker: Speaker
    text: str
    at: datetime
    id: str | None
    answer: AnswerBody | None


class HandedOff(BaseModel):
    """hand_off: where it stands with the agents, null where it is the assistant's alone. waiting: since when an agent is asked
    for, null where nobody is; closed: since when an agent is done with it; agent_name: of whoever has it."""

    model_config = ConfigDict(from_attributes=True)

    hand_off: HandOff | None
    waiting: datetime | None
    closed: datetime | None
    agent_name: str | None


class ConversationBody(HandedOff):
    """All that was said, oldest first. messages: how many turns there are, with those that were not asked for."""

    id: str
    user: str
    department: str | None
    created: datetime
    messages: int
    turns: list[TurnBody]


class ConversationSummary(HandedOff):
    """begins: what was asked first; mine: whether whoever asks has it; last, last_by: when it was gone on with, and by whom."""

    id: str
    user: str
    department: str | None
    created: datetime
    mine: bool = False
    begins: str
    messages: int
    last: datetime
    last_by: Speaker | None


class ConversationSummaries(BaseModel):
    """One's own, newest first; of agents: those that wait, longest first, that somebody has, or that are closed, last first."""

    conversations: list[ConversationSummary]


class SinceQuery(BaseModel):
    """Which part of a conversation."""

    model_config = ConfigDict(frozen=True)

    after: int = Field(0, ge=0, le=10**6, description="Leave so many turns out: those that are known.")


class StateQuery(BaseModel):
    """Which conversations."""

    model_config = ConfigDict(frozen=True)

    state: HandOff = HandOff.WAITING


class Departments(BaseModel):
    """By name."""

    departments: list[str]


class ConversationList(BaseModel):
    """Conversations that wait for an agent, longest first."""

    conversations: list[ConversationBody]


class ReplySource(Seen):
    """What a reply rests on. source_type: pdf, page, faq or resolved_query; source_id: of the document or the entry; title: the
    document's, or the question; page: its printed number, null where it has none."""

    number: int
    source_type: str
    source_id: str
    title: str
    department_id: str | None
    page: str | None
    headings: list[str]
    score: float
    text: str
    citation: str


class MessageReply(BaseModel):
    """reply: what to show; sources: those that it cites. no_relevant_info: whether it only says that nothing was found; then
    offer "Talk to Human", a POST to talk_to_human."""

    id: str = Field(description="By which the answer is given a thumb: POST /answers/{id}/thumbs.")
    reply: str
    sources: list[ReplySource]
    no_relevant_info: bool
    with_agent: bool = Field(description="A person has the conversation, and the assistant does not answer.")
    talk_to_human: str
    answer: AnswerBody


class EntryRequest(Request):
    """A question with its answer. department: whose it is; null: everybody's."""

    question: Question
    answer: Text
    department: Department | None = None


class ListedEntry(EntryRequest):
    """One of a list. source_id: else made from the question; names: of whoever took part in a ticket, taken out of it."""

    source_id: Annotated[str, Field(min_length=1, max_length=255)] | None = None
    source_type: EntryType | None = None
    names: list[Name] = Field([], max_length=20)


class ListRequest(Request):
    """Entries all together; or a form with a file, JSON or CSV. department: of those that do not say theirs; tickets: all are
    tickets that were answered; approved: they are found at once."""

    entries: list[ListedEntry] = Field(min_length=1)
    department: Department | None = None
    tickets: bool = False
    approved: bool = False


class ImportedEntries(BaseModel):
    """How many are new, say something else than before, or were there already; and all of them."""

    added: int
    changed: int
    unchanged: int
    entries: list["Entry"]


class EntriesApproval(Request):
    """Which entries, and whether they are found."""

    entries: list[Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]] = Field(min_length=1, max_length=500)
    approved: bool


class EntryArchive(Request):
    """Whether it is put aside; not: it is a draft."""

    archived: bool


class EntryApproval(Request):
    """Whether it is found."""

    approved: bool


class Entry(BaseModel):
    """source_id: by which it is cited, and replaced when it comes in a list. approved: since when it is found; null: a draft;
    archived: put aside. conversation: that an agent answered it in."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    question: str
    answer: str
    department: str | None
    type: EntryType
    source_id: str
    conversation: str | None
    created: datetime
    approved: datetime | None
    archived: datetime | None


class Entries(BaseModel):
    """The school's, oldest first."""

    entries: list[Entry]


class EntriesQuery(BaseModel):
    """Which entries."""

    model_config = ConfigDict(frozen=True)

    approved: bool | None = Field(None, description="Only those that are found, or only drafts.")
