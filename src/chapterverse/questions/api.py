"""Routes of questions on documents (S2) and textbooks (S4), of ratings and statistics of answers, and of the help desk (S5):
conversations, FAQ entries, agents."""

import logging
from collections.abc import Callable
from http import HTTPStatus
from time import perf_counter
from typing import Annotated, Any, Literal

from flask import request
from pydantic import Field

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import BadRequest, NotFound, TooLarge
from chapterverse.core.hits import Scope
from chapterverse.core.requests import Record, Request
from chapterverse.essays.model import Rating
from chapterverse.library.api import DEPARTMENT_FIELD, CollectionView, department_in_form, form_of, sent_file
from chapterverse.library.schemas import Department, Name, SourceAccepted
from chapterverse.library.versions import IndexByTasks
from chapterverse.questions import faq, helpdesk, styles
from chapterverse.questions.conversation import Exchange
from chapterverse.questions.log import AnswerStatistics, note_answer, start_of_days, statistics_by, statistics_of
from chapterverse.questions.model import Agent, Conversation, EntryText, FaqEntry, HandOff
from chapterverse.questions.records import ConversationRecord, ConversationSummary, ReplyRecord, SearchedAnswerRecord
from chapterverse.questions.service import ask as ask_sources
from chapterverse.questions.styles import AnswerStyle
from chapterverse.web.language import in_readers_words
from chapterverse.web.limits import RateLimit
from chapterverse.web.operations import ApiTopic, Call

log = logging.getLogger(__name__)
MAX_EARLIER = 20  # exchanges in a request; only the last are read
MAX_DAYS = 366
Text = Annotated[str, Field(min_length=1, max_length=20_000, pattern=r"\w")]
MAX_TEXT = 20_000  # characters of an answer, as in bookreader/text/entries.py
MessageId = Annotated[
    str,
    Field(min_length=8, max_length=64, pattern=r"^[\w-]+$"),  # with {8,64} in it, pydantic compiles it for 30 ms
    Field(description="Chosen by you: a message sent twice with the same id is stored once."),
]
After = Annotated[int, Field(ge=0, le=10**6, description="Skip this many turns, known already.")]
EntryIds = Annotated[list[Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]], Field(min_length=1, max_length=500)]
USER_MESSAGES, CONVERSATION_MESSAGES = 20, 10  # a minute
MAX_LIST_BYTES = 16 * 2**20
YES_OR_NO = {"type": "string", "enum": ["true", "false"]}
LIST = form_of(department=DEPARTMENT_FIELD, tickets=YES_OR_NO, approved=YES_OR_NO)

answers_topic = ApiTopic("Answers")
documents_topic = ApiTopic("Documents")
textbook_topic = ApiTopic("Textbooks")
conversations_topic = ApiTopic("Help desk")
faq_topic = ApiTopic("Questions and answers")
inbox_topic = ApiTopic("Help desk's agents")


class QuestionRequest(Request):
    """A question. earlier: the conversation so far, oldest first, so that "And why?" is understood. It is not stored, so send
    it each time. selected_text: marked on the page; sections that contain it come first."""

    question: Text
    earlier: list[Exchange] = Field(default=[], max_length=MAX_EARLIER)
    topics: list[Name] = Field(default=[], max_length=20, description="Only sources with one of these topics.")
    sources: list[Annotated[str, Field(min_length=1, max_length=255)]] = Field(
        default=[], max_length=500, description="Only these, by id; empty for all of the school's."
    )
    selected_text: str = Field(default="", max_length=20_000)


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


class EntryRequest(EntryText, Request):
    """A question with its answer. department: null for all."""

    question: str = Field(min_length=1, max_length=2_000, pattern=r"\S")
    answer: str = Field(min_length=1, max_length=MAX_TEXT, pattern=r"\S")
    department: Department | None = None


class ImportedEntries(Record):
    """Numbers of new, changed and unchanged entries, and all of them, in this order. sources: of the departments whose approved
    entries are being indexed, with the addresses of their progress."""

    added: int
    changed: int
    unchanged: int
    entries: list[FaqEntry]
    sources: list[SourceAccepted]


@answers_topic.operation("POST", "/answers/{answer}/thumbs", KeyScope.STUDENT)
def give_answer_a_thumb(call: Call, answer: str, *, thumb: Rating) -> None:
    """Rate an answer."""
    call.context.answers.rate(call.school, answer, thumb)
    log.info("answer rated", extra={"school": call.school, "thumb": thumb.value})


@answers_topic.operation("GET", "/answers/metrics", KeyScope.TEACHER)
def answer_metrics(call: Call, query: AnswersQuery) -> AnswerMetrics:
    """Scores of the answers' sources, answers without a result, and ratings: in total, by day and by kind of question."""
    first = start_of_days(query.days, call.context.now())
    given = call.context.answers.of_school(call.school, first, query.application)
    total = statistics_of(given)
    return AnswerMetrics(
        total=total,
        days=statistics_by(lambda one: one.created.date().isoformat(), given),
        intents=statistics_by(lambda one: one.intent, given),
        doubtful=total.doubtful,
    )


@documents_topic.operation("POST", "/documents/ask", KeyScope.STUDENT)
def ask(call: Call, body: QuestionRequest) -> SearchedAnswerRecord:
    """Answer a question from documents and textbooks, with a cited sentence for each claim and a confidence: high from 0.80,
    medium from 0.50, no answer below unless a language model finds one. The question is not stored."""
    return _answer(call, body, styles.DOCUMENT_QA)


def _answer(call: Call, body: QuestionRequest, style: AnswerStyle) -> SearchedAnswerRecord:
    """The answer from the sources of the style's collection, noted in the log."""
    began, context = perf_counter(), call.context
    if len(body.question) > (longest := context.limits.question_characters):
        raise TooLarge("question_too_long", max_characters=longest)
    scope = Scope(call.school, tuple(map(BookId, body.sources)), topics=tuple(body.topics))
    services, by = context.collections[Collection(style.name)], context.answer_settings
    answer, findings = ask_sources(body.question, scope, services, by, style, earlier=body.earlier, selected=body.selected_text)
    answers, now = context.answers, context.now()
    id = note_answer(call.school, style, answer, findings, answers=answers, now=now, began=began)
    return SearchedAnswerRecord.made_from(answer, findings, id)


@textbook_topic.operation("POST", "/textbook/chat", KeyScope.STUDENT)
def textbook_chat(call: Call, body: QuestionRequest) -> SearchedAnswerRecord:
    """Answer a question from the textbooks, with links to the cited sections; without an answer, name close sections. The
    question is not stored."""
    return _answer(call, body, call.context.textbook_style)


@conversations_topic.operation("POST", "/conversations", KeyScope.STUDENT, success=HTTPStatus.CREATED)
def begin_conversation(call: Call, body: BeginRequest) -> ConversationRecord:
    """Begin a conversation. A program continues it by its id, which cannot be guessed. A signed-in user's conversation is
    theirs alone until they ask for an agent."""
    user = call.caller.person or body.user
    if not user:
        raise BadRequest("conversation_without_user")
    names = [*body.names, *filter(None, [call.caller.name])]
    return _body(call, helpdesk.begin(call.school, user, call.context.helpdesk, body.department, names))


@conversations_topic.operation("GET", "/conversations", KeyScope.STUDENT, field="conversations")
def conversations(call: Call) -> list[ConversationSummary]:
    """The signed-in user's conversations, newest first. Not with a key: a program stores the ids itself."""
    if call.caller.person is None:
        raise BadRequest("conversations_of_signed_in_only")
    own = call.context.helpdesk.of_user(call.school, call.caller.person)
    return [ConversationSummary.model_validate(conversation) for conversation in own]


@conversations_topic.operation("GET", "/conversations/{conversation}", KeyScope.STUDENT)
def conversation(call: Call, conversation: str, *, after: After = 0) -> ConversationRecord:
    """All messages of students, assistant and agents."""
    stored = found(call, conversation)
    if stored.is_unread and stored.user == call.caller.person:
        stored = helpdesk.note_read(stored, call.context.helpdesk)
    return _body(call, stored, after)


@conversations_topic.operation("POST", "/conversations/{conversation}/messages", KeyScope.STUDENT)
def say(call: Call, conversation: str, body: MessageRequest) -> ReplyRecord:
    """Send a message. The reply cites sources that are close enough; without any it says so, and no language model is called.
    While an agent holds the conversation, the assistant does not answer: get the conversation again."""
    context, school = call.context.helpdesk, call.school
    helpdesk.check_length(body.message)
    stored = found(call, conversation, own=True)
    rates = call.context.rates
    RateLimit(CONVERSATION_MESSAGES, rates, "messages of conversation", who="this_conversation").take(stored.id)
    RateLimit(USER_MESSAGES, rates, "messages of user", who="this_user").take(f"{school}/{stored.user}")
    held = in_readers_words(helpdesk.HELD)
    return helpdesk.say(school, conversation, body.message, context, body.message_id, held=held)


@conversations_topic.operation("POST", "/conversations/{conversation}/handoff", KeyScope.STUDENT, success=HTTPStatus.ACCEPTED)
def ask_for_agent(call: Call, conversation: str, body: MessageRequest | None = None) -> ConversationRecord:
    """Talk to Human: put the conversation into the agents' inbox. Get the conversation again to see the answer."""
    wish = body or MessageRequest()
    found(call, conversation, own=True)
    return _body(call, helpdesk.ask_for_agent(call.school, conversation, call.context.helpdesk, wish.message, wish.message_id))


@conversations_topic.operation("DELETE", "/conversations/{conversation}", KeyScope.STUDENT)
def forget_conversation(call: Call, conversation: str) -> None:
    """Delete it with all its messages, at once."""
    found(call, conversation, own=True)
    call.context.helpdesk.conversations.remove(call.school, conversation)


def found(call: Call, id: str, *, own: bool = False) -> Conversation:
    """The conversation, if the caller may see it: a program sees all whose id it knows, a person their own, an agent also those
    handed over. own: only conversations that the person leads. Raises NotFound, CatalogUnavailable."""
    conversation, person = helpdesk.find(call.school, id, call.context.helpdesk), call.caller.person
    is_agent = as_wide(call.caller.role, KeyScope.TEACHER) and conversation.hand_off and not own
    if person and conversation.user != person and not is_agent:
        raise NotFound("no_such_conversation")
    return conversation


def _body(call: Call, conversation: Conversation, after: int = 0) -> ConversationRecord:
    """The response, without the first `after` turns."""
    record = ConversationRecord.model_validate(conversation)
    record.turns, record.user_name = record.turns[after:], _name(call, conversation.user)
    return record


def _name(call: Call, user: str) -> str:
    """The name of a signed-in user; of a program's user, what the program calls them."""
    person = call.context.sign_in.find(call.school, user)
    return person.name if person else user


@faq_topic.operation("GET", "/faq", KeyScope.TEACHER, field="entries")
def entries(call: Call) -> list[FaqEntry]:
    """The school's entries, oldest first."""
    return call.context.helpdesk.faq.of_school(call.school)


@faq_topic.operation("POST", "/faq", KeyScope.TEACHER, success=HTTPStatus.CREATED)
def add_entry(call: Call, body: EntryRequest) -> FaqEntry:
    """Add a draft. It is not searched before it is approved."""
    return faq.add_entry(call.school, body, call.context.helpdesk)


@faq_topic.operation("POST", "/faq/lists", KeyScope.TEACHER, success=HTTPStatus.ACCEPTED, takes=LIST)
def import_entries(call: Call) -> ImportedEntries:
    """Import a list of questions and answers, or of resolved tickets: a form with a JSON or CSV file, at most 500 entries. They
    are drafts unless the list is approved, tickets with redacted names in any case. Approved ones are indexed in the background
    and searched when that is done. An entry replaces the one of its type and source_id."""
    _, file = sent_file(MAX_LIST_BYTES)
    tickets, approved = (request.form.get(name, "").lower() in {"true", "1", "yes", "on"} for name in ("tickets", "approved"))
    view = CollectionView.of(call, Collection.HELPDESK)
    indexing = IndexByTasks(view.intake.queue, view.intake.batch_sentences, "list")
    how: dict[str, Any] = {"department": department_in_form(), "tickets": tickets, "approved": approved}
    result = faq.import_entries(file.read(), call.school, call.context.helpdesk, indexing, **how)
    return ImportedEntries(
        added=result.added,
        changed=result.changed,
        unchanged=len(result.entries) - result.added - result.changed,
        entries=result.entries,
        sources=[view.accepted(source) for source in result.sources],
    )


@faq_topic.operation("PUT", "/faq/approval", KeyScope.TEACHER, field="entries")
def approve_entries(call: Call, *, entries: EntryIds, approved: bool, read: bool = False) -> list[FaqEntry]:
    """Approve several entries at once, or make them drafts again. Drafts in which a name or an address was redacted stay
    drafts unless a person has read each (`read`). Repeat the request if it failed."""
    return faq.approve_entries(call.school, entries, approved, call.context.helpdesk, read=read)


@faq_topic.operation("PUT", "/faq/{entry}", KeyScope.TEACHER)
def change_entry(call: Call, entry: str, body: EntryRequest) -> FaqEntry:
    """Change the text of an entry. It is a draft again, and not searched until it is approved."""
    return faq.change_entry(call.school, entry, body, call.context.helpdesk)


@faq_topic.operation("DELETE", "/faq/{entry}", KeyScope.TEACHER)
def remove_entry(call: Call, entry: str) -> None:
    """Delete an entry."""
    faq.remove_entry(call.school, entry, call.context.helpdesk)


@inbox_topic.operation("GET", "/inbox", KeyScope.TEACHER, field="conversations")
def handed_over(call: Call, *, state: HandOff = HandOff.WAITING) -> list[ConversationSummary]:
    """Summaries of the conversations that wait, longest first, that an agent holds, or that are closed, last closed first."""
    agent, context = _agent(call).id, call.context.helpdesk
    return [
        ConversationSummary.model_validate(one).model_copy(
            update={"mine": one.agent is not None and one.agent.id == agent, "user_name": _name(call, one.user)}
        )
        for one in context.in_state(call.school, state)
    ]


@inbox_topic.operation("PUT", "/conversations/{conversation}/agent", KeyScope.TEACHER)
def take_conversation(call: Call, conversation: str) -> ConversationRecord:
    """Take it: until it is closed or put back, the assistant does not answer and no other agent can take it."""
    return _by_agent(call, conversation, helpdesk.take)


@inbox_topic.operation("DELETE", "/conversations/{conversation}/agent", KeyScope.TEACHER)
def put_conversation_back(call: Call, conversation: str) -> ConversationRecord:
    """Put it back: it waits for any agent. An admin may put back another agent's conversation."""
    return _by_agent(call, conversation, helpdesk.put_back, any_agent=as_wide(call.caller.role, KeyScope.ADMIN))


@inbox_topic.operation("POST", "/conversations/{conversation}/replies", KeyScope.TEACHER)
def answer_as_agent(call: Call, conversation: str, body: MessageRequest) -> ConversationRecord:
    """Answer as an agent; the conversation no longer waits."""
    return _by_agent(call, conversation, helpdesk.answer_as_agent, text=body.message, message_id=body.message_id)


@inbox_topic.operation("PUT", "/conversations/{conversation}/closed", KeyScope.TEACHER)
def close_conversation(call: Call, conversation: str) -> ConversationRecord:
    """Close it: the assistant answers again."""
    return _by_agent(call, conversation, helpdesk.close)


@inbox_topic.operation("POST", "/conversations/{conversation}/entry", KeyScope.TEACHER, success=HTTPStatus.CREATED)
def draft_entry(call: Call, conversation: str) -> FaqEntry:
    """Make a draft of the question and the agent's answer, with names redacted. Review it before you approve it."""
    found(call, conversation)
    return faq.draft_entry(call.school, conversation, call.context.helpdesk)


def _by_agent(call: Call, id: str, change: Callable[..., Conversation], **how: Any) -> ConversationRecord:
    """The conversation as the agent who calls has changed it. Raises as found and `change`."""
    found(call, id)
    return _body(call, change(call.school, id, _agent(call), call.context.helpdesk, **how))


def _agent(call: Call) -> Agent:
    """The signed-in person, or the program with the key."""
    return Agent(call.caller.person or f"key {call.caller.id}", call.caller.name)
