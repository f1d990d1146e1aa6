"""The help desk (S5): messages and answers in conversations, and hand-off to agents.

"Talk to Human": the conversation waits, one agent takes it, answers in it and closes it. From taking to closing the assistant
does not answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from secrets import token_hex
from time import perf_counter

from chapterverse.core.book import Limits
from chapterverse.core.errors import BadRequest, NotFound, TakenByAnother, TooLarge
from chapterverse.core.hits import Scope
from chapterverse.core.words import distinct_terms
from chapterverse.infrastructure.redaction import PresidioRedactor
from chapterverse.infrastructure.sql import utc_now
from chapterverse.library.scope import books_in_scope
from chapterverse.library.services import CollectionServices
from chapterverse.messages import message
from chapterverse.questions import MIN_DAYS
from chapterverse.questions.answers import CitableSource, Findings, Question, Reading
from chapterverse.questions.compose import compose_answer, plain_reply
from chapterverse.questions.conversation import (
    TURNS,
    needs_context,
    recent_turns,
    standalone_query,
    topic_in_turns,
)
from chapterverse.questions.entries import FollowUp, OrderedEntries, order_entries
from chapterverse.questions.log import note_answer
from chapterverse.questions.model import Agent, ConfidenceLevel, Conversation, HandOff, Speaker, Turn
from chapterverse.questions.records import ReplyRecord, answer_of
from chapterverse.questions.service import read_found, sources_of
from chapterverse.questions.store import SqlAnswers, SqlConversations, SqlFaq
from chapterverse.questions.styles import ENTRIES_READ, AnswerSettings
from chapterverse.questions.styles import HELPDESK as STYLE
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import HELPDESK, RetrievalPlan

MAX_MESSAGE = 4_000  # characters
MAX_TURNS = 400  # of a conversation
MAX_LISTED = 100  # conversations of one user
MAX_HANDOFFS = 200  # conversations in an agent's list
ID_BYTES = 16  # 128 random bits: the id of a conversation cannot be guessed
CANDIDATES = 21  # chunks found for a follow-up, of which the plan's number is left: its own words are few
HELD = message("conversation_held")


@dataclass(frozen=True)
class HelpdeskContext:
    """Everything the help desk uses. services: of its collection. source_limits: for uploaded sources. answers: the log.
    keep_days: until a conversation is deleted."""

    services: CollectionServices
    source_limits: Limits
    conversations: SqlConversations
    faq: SqlFaq
    answer_settings: AnswerSettings
    redactor: PresidioRedactor
    answers: SqlAnswers
    keep_days: int
    now: Callable[[], datetime] = utc_now

    @property
    def since(self) -> datetime:
        """Conversations begun before this time have expired, deleted already or not."""
        return self.now() - timedelta(days=max(self.keep_days, MIN_DAYS))

    def in_state(self, school: str, state: HandOff) -> list[Conversation]:
        """The conversations that the inbox lists in that state. Raises CatalogUnavailable."""
        return self.conversations.in_state(school, state, self.since, MAX_HANDOFFS)

    def departments(self, school: str) -> list[str]:
        """Names of the departments with sources of their own, sorted. Raises CatalogUnavailable."""
        return sorted({book.department for book in self.services.catalog.books(school) if book.department and book.active})


def begin(
    school: str, user: str, context: HelpdeskContext, department: str | None = None, names: Sequence[str] = ()
) -> Conversation:
    """A new conversation. user: the name given by the school's program; names: of participants. Raises CatalogUnavailable."""
    conversation = Conversation(token_hex(ID_BYTES), school, user, context.now(), department, tuple(names))
    context.conversations.begin(conversation)
    return conversation


def find(school: str, id: str, context: HelpdeskContext) -> Conversation:
    """The conversation. Raises NotFound, also if it has expired, and CatalogUnavailable."""
    conversation = context.conversations.find(school, id)
    if conversation.created < context.since:
        raise NotFound("conversation_deleted")
    return conversation


def say(
    school: str, id: str, text: str, context: HelpdeskContext, message_id: str | None = None, *, held: str = str(HELD)
) -> ReplyRecord:
    """The reply to a new message, which is stored; for a repeated message id the stored answer. held: what is said while an
    agent holds the conversation.

    Raises NotFound, BadRequest for an empty message, TooLarge for a message or conversation that is too long, and every
    RetryableError of the ports."""
    began = perf_counter()
    check_length(text)
    conversation = find(school, id, context)
    at = conversation.turn_index(message_id)
    after = conversation.turns[at + 1 : at + 2] if at is not None else ()
    if after and (known := answer_of(after[0])):
        return ReplyRecord.of(after[0].id or "", known)
    if len(conversation.turns) + 2 > MAX_TURNS:
        raise TooLarge("conversation_too_long", max_turns=MAX_TURNS)
    if conversation.agent:
        _append(conversation, context, Turn(Speaker.STUDENT, text, context.now(), id=message_id))
        return ReplyRecord.of("", plain_reply(held, "found"), with_agent=True)
    question = _question(text, conversation, context)
    findings = find_reply(question, Scope(school, department=conversation.department), context)
    answer, now = compose_answer(question, findings, STYLE, school, context.answer_settings), context.now()
    answer_id = note_answer(school, STYLE, answer, findings, answers=context.answers, now=now, began=began)
    answer_turn = Turn(Speaker.ASSISTANT, answer.text, now, answer.stored(), answer_id)
    stored = _append(conversation, context, Turn(Speaker.STUDENT, text, now, id=message_id), answer_turn)
    if stored.agent:
        return ReplyRecord.of("", plain_reply(held, "found"), with_agent=True)
    return ReplyRecord.of(answer_id, answer)


def _append(conversation: Conversation, context: HelpdeskContext, student: Turn, *assistant: Turn) -> Conversation:
    """Store the message, and the answer unless an agent has taken the conversation meanwhile."""
    return context.conversations.change(
        conversation.school, conversation.id, lambda stored: _with(stored, student, *(() if stored.agent else assistant))
    )


def check_length(text: str) -> None:
    """Raises BadRequest for an empty text, TooLarge for one that is too long."""
    if not text.strip():
        raise BadRequest("message_empty")
    if len(text) > MAX_MESSAGE:
        raise TooLarge("message_too_long", max_characters=MAX_MESSAGE, characters=len(text))


def _question(text: str, conversation: Conversation, context: HelpdeskContext) -> Question:
    """The message as a question. Names are redacted here, before any text leaves this process."""
    last = conversation.turns[-TURNS:]
    redacted, *texts = context.redactor.redact([text, *(turn.text for turn in last)], conversation.names)
    turns = [replace(turn, text=text) for turn, text in zip(last, texts, strict=True)]
    topic = topic_in_turns(turns) if needs_context(redacted) and distinct_terms(redacted) else None
    about = topic.title if topic else ""
    return Question(redacted, standalone_query(redacted, turns), recent_turns(turns), names=conversation.names, about=about)


def find_reply(question: Question, scope: Scope, context: HelpdeskContext) -> Findings:
    """Entries and sections for an answer. Of a follow-up, the message alone is searched; what it leans on only helps entries
    that are near to both, so that words of the topic never count for the topic. Only where entries cannot be read, or where a
    document answered before and no entry answers the message, it is searched with the topic. Nothing is searched for a
    courtesy. Raises as find_entries."""
    if context.answer_settings.courtesy(question.question):
        return Findings()
    if not question.about:
        return find_entries(question, scope, context)
    plain = replace(question, query=question.question, about="")
    wide = replace(HELPDESK, limit=CANDIDATES, hits_per_query=CANDIDATES)
    follow_up = FollowUp(question.about, question.query, _chunks(question.query, scope, context, wide))
    ordered = order_entries(plain.query, _chunks(plain.query, scope, context, wide), context.services, follow_up)
    if ordered.chance is None:
        return find_entries(plain if follow_up.repeats(plain.query) else question, scope, context)
    findings = _findings(plain, ordered, context)
    if follow_up.is_of_entry or findings.reading.standing.answers:
        return findings
    return find_entries(question, scope, context)


def find_entries(question: Question, scope: Scope, context: HelpdeskContext) -> Findings:
    """Entries and sections for an answer. scope: with a department, its sources and those for all. An entry that asks the same
    in the same words is the answer.

    Raises BucketUnavailable, CatalogUnavailable, IndexUnavailable, EmbedderUnavailable."""
    found = _chunks(question.query, scope, context, HELPDESK)
    return _findings(question, order_entries(question.query, found, context.services), context)


def _findings(question: Question, ordered: OrderedEntries, context: HelpdeskContext) -> Findings:
    """The first HELPDESK.limit of the chunks."""
    found = ordered.chunks[: HELPDESK.limit]
    sources = tuple(sources_of(found))
    scores = tuple(sorted((one.score for one in found), reverse=True))
    return Findings(sources, scores, read=partial(_read, question, replace(ordered, chunks=found), sources, context))


def _read(question: Question, ordered: OrderedEntries, sources: Sequence[CitableSource], context: HelpdeskContext) -> Reading:
    """The entries, if one is first or answers; else passages of documents, with the entries if those do not answer."""
    entries = tuple(one for one in sources if one.whole)
    others = [one for one in ordered.chunks if not one.chunk.question]
    best = max((one.score for one in ordered.chunks if one.chunk.question), default=-1.0)
    of_entries = STYLE.judged(best) if ordered.chance is None else STYLE.judged(ordered.chance, ENTRIES_READ)
    if ordered.is_same:
        of_entries = replace(of_entries, standing=ConfidenceLevel.CONFIDENT)
    if entries and (of_entries.standing.answers or not others):
        return Reading((), of_entries, entries)
    reading = read_found(question, others, STYLE, context.services)
    if reading.standing.answers or not entries:
        return reading
    return Reading((), of_entries, entries)


def _chunks(query: str, scope: Scope, context: HelpdeskContext, plan: RetrievalPlan) -> list[FoundChunk]:
    """From all sources of the scope."""
    try:
        return find_chunks(query, scope, context.services, plan)
    except NotFound:
        if any(book.active for book in books_in_scope(scope, context.services.catalog)):
            raise
        return []


Change = Callable[[Conversation], Conversation]


def ask_for_agent(
    school: str, id: str, context: HelpdeskContext, remark: str = "", message_id: str | None = None
) -> Conversation:
    """Request an agent; no change if one is requested or holds it already. remark: a further message, empty for none.

    Raises NotFound, TooLarge, CatalogUnavailable."""
    if remark.strip():
        check_length(remark)
    now = context.now()

    def waits(conversation: Conversation) -> Conversation:
        if remark.strip():
            conversation = _with(conversation, Turn(Speaker.STUDENT, remark, now, id=message_id))
        return conversation if conversation.agent else replace(conversation, waiting=conversation.waiting or now, closed=None)

    return _change(school, id, context, waits)


def take(school: str, id: str, agent: Agent, context: HelpdeskContext) -> Conversation:
    """Give it to the agent. Raises NotFound, TakenByAnother, CatalogUnavailable."""
    return _change(school, id, context, lambda stored: replace(_held_by(agent, stored), agent=agent, waiting=None, closed=None))


def put_back(school: str, id: str, agent: Agent, context: HelpdeskContext, *, any_agent: bool = False) -> Conversation:
    """Let it wait again. any_agent: also if another agent holds it. Raises as take."""
    now = context.now()

    def waits(conversation: Conversation) -> Conversation:
        held = conversation if any_agent else _held_by(agent, conversation)
        return replace(held, agent=None, waiting=held.waiting or now, closed=None) if held.agent else held

    return _change(school, id, context, waits)


def answer_as_agent(
    school: str, id: str, agent: Agent, context: HelpdeskContext, text: str, *, message_id: str | None = None
) -> Conversation:
    """Add an agent's answer; the conversation no longer waits. Raises BadRequest, TooLarge, and as take."""
    check_length(text)
    turn = Turn(Speaker.AGENT, text, context.now(), id=message_id)
    return _change(school, id, context, lambda stored: replace(_with(_held_by(agent, stored), turn), waiting=None))


def close(school: str, id: str, agent: Agent, context: HelpdeskContext) -> Conversation:
    """Close it; the assistant answers again. Raises as take."""
    now = context.now()

    def closed(stored: Conversation) -> Conversation:
        return replace(_held_by(agent, stored), agent=None, waiting=None, closed=stored.closed or now)

    return _change(school, id, context, closed)


def _change(school: str, id: str, context: HelpdeskContext, change: Change) -> Conversation:
    """Change a conversation that has not expired."""
    find(school, id, context)
    return context.conversations.change(school, id, change)


def _with(conversation: Conversation, *turns: Turn) -> Conversation:
    """Add the turns, once per id of the first."""
    if conversation.turn_index(turns[0].id) is not None:
        return conversation
    return replace(conversation, turns=(*conversation.turns, *turns))


def _held_by(agent: Agent, conversation: Conversation) -> Conversation:
    """The conversation. Raises TakenByAnother if another agent holds it."""
    if conversation.agent and conversation.agent.id != agent.id:
        raise TakenByAnother("conversation_taken", agent=conversation.agent.name or message("another_person"))
    return conversation
