"""The help desk (S5): entries in the order of how likely they answer, messages and answers in conversations, and hand-off to
agents.

Entries are ordered by their cosine, and by the trained reader of answers where it can read them. "Talk to Human": the
conversation waits, one agent takes it, answers in it and closes it. From taking to closing the assistant does not answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from math import inf
from secrets import token_hex
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import Limits
from chapterverse.core.errors import BadRequest, NotFound, TakenByAnother, TooLarge
from chapterverse.core.hits import Scope
from chapterverse.core.words import distinct_terms, plain_words, terms_of
from chapterverse.infrastructure.redaction import PresidioRedactor
from chapterverse.infrastructure.sql import utc_now
from chapterverse.library.scope import books_in_scope
from chapterverse.library.services import CollectionServices
from chapterverse.messages import message
from chapterverse.questions import MIN_DAYS
from chapterverse.questions.answers import CitableSource, Findings, Question, Reading, read_odds
from chapterverse.questions.compose import compose_answer, plain_reply
from chapterverse.questions.conversation import TURNS, needs_context, recent_turns, standalone_query, topic_in_turns
from chapterverse.questions.log import note_answer
from chapterverse.questions.model import Agent, ConfidenceLevel, Conversation, HandOff, Speaker, Turn
from chapterverse.questions.records import ReplyRecord, answer_of
from chapterverse.questions.service import read_found, sources_of
from chapterverse.questions.store import SqlAnswers, SqlConversations, SqlFaq
from chapterverse.questions.styles import ENTRIES_READ, AnswerSettings
from chapterverse.questions.styles import HELPDESK as STYLE
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import HELPDESK, RetrievalPlan, logistic

# Fitted on the desks `residence` and `exams` of scripts/eval/desk.py: the log odds that an entry answers, by the mean of what
# the reader says of its question and of its answer; and those that the first does, by its lead as well, and by the share of the
# words of both questions that both have: "Can my dog travel with me?" is nearer to "Can a guest …?" than it should be.
READER, COSINE, BASE = 0.44, 8.9, -2.46
FIRST, LEAD, SHARED, FIRST_BASE = 0.79, 1.22, -3.63, -1.14
TOPIC_HELP = 0.8  # of an entry's score with the topic before the question; 0.6 and 1 differ little (eval.desk)
SAME_ENTRY_HELP = 0.3  # the same for the entry that answered before; with more it hides entries that are named
Numbers = NDArray[np.float64]
MAX_MESSAGE = 4_000  # characters
MAX_TURNS = 400  # of a conversation
MAX_LISTED = 100  # conversations of one user
MAX_HANDOFFS = 200  # conversations in an agent's list
ID_BYTES = 16  # 128 random bits: the id of a conversation cannot be guessed
CANDIDATES = 21  # chunks found for a follow-up, of which the plan's number is left: its own words are few
HELD = message("conversation_held")


@dataclass(frozen=True, slots=True)
class OrderedEntries:
    """Chunks, the FAQ entries among them with the likeliest first, in the places that entries have. chance: in [0, 1], that the
    first entry answers; None if entries were not read. is_same: it asks the same in the same words."""

    chunks: Sequence[FoundChunk]
    chance: float | None = None
    is_same: bool = False


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A message that leans on the answer before. entry: question of the entry that answered; query: the message with that
    before it; found: for the query."""

    entry: str
    query: str
    found: Sequence[FoundChunk]

    def repeats(self, message: str) -> bool:
        """Whether the query only finds the entry again that answered before: it is first, and lacks words of the message."""
        first = self.found[0].chunk if self.found else None
        return bool(first and first.question == self.entry and not _has_words(message, first.text))

    def help(self, message: str, entries: Sequence[FoundChunk], services: CollectionServices) -> Numbers:
        """What the topic adds to the scores of entries that were found for the message, never less than nothing. The entry that
        answered before is helped only if it has the message's words."""
        by_id = {one.chunk.id: one for one in self.found if one.chunk.question}
        near = [by_id[one.chunk.id] for one in entries if one.chunk.id in by_id]
        read = _log_odds(self.query, near, services) if near else None
        scores = dict(zip((one.chunk.id for one in near), read if read is not None else (), strict=False))
        same = [one.chunk.text if one.chunk.question == self.entry else None for one in entries]  # parts of that entry
        weights = [TOPIC_HELP if text is None else SAME_ENTRY_HELP * _has_words(message, text) for text in same]
        return np.array(weights) * np.logaddexp(0.0, [scores.get(one.chunk.id, -inf) for one in entries])


def order_entries(
    question: str, found: Sequence[FoundChunk], services: CollectionServices, follow_up: FollowUp | None = None
) -> OrderedEntries:
    """The chunks as they are where there is no entry, or where entries cannot be read. follow_up: what the question may lean
    on."""
    entries = [one for one in found if one.chunk.question]
    is_same = [plain_words(one.chunk.question or "") == plain_words(question) for one in entries]
    scores = _log_odds(question, entries, services) if entries else None
    if scores is None:
        return OrderedEntries(found, is_same=is_same[:1] == [True])
    if follow_up:
        scores += follow_up.help(question, entries, services)
    best = sorted(range(len(entries)), key=lambda at: (not is_same[at], -scores[at]))
    ordered = iter([entries[at] for at in best])
    chunks = [next(ordered) if one.chunk.question else one for one in found]
    others = [scores[at] for at in best if entries[at].chunk.question != entries[best[0]].chunk.question]
    lead = scores[best[0]] - others[0] if others else 1.0
    asked, known = set(distinct_terms(question)), set(terms_of(entries[best[0]].chunk.question))
    shared = len(asked & known) / max(len(asked | known), 1)
    chance = logistic(FIRST * scores[best[0]] + LEAD * lead + SHARED * shared + FIRST_BASE)
    return OrderedEntries(chunks, chance, is_same[best[0]])


def _log_odds(question: str, entries: Sequence[FoundChunk], services: CollectionServices) -> Numbers | None:
    """That each entry answers, (n,); None where they cannot be read."""
    answers = [one.chunk.text.partition("\nAnswer: ")[2] for one in entries]
    texts = [entry_paragraphs(one.chunk.question or "", answer) for one, answer in zip(entries, answers, strict=True)]
    odds = read_odds(question, texts, entries, services)
    if odds is None:
        return None
    reader = np.array([(of_question + of_answer) / 2 for _, of_question, of_answer in odds])
    return READER * reader + COSINE * np.array([one.score for one in entries]) + BASE


def entry_paragraphs(question: str, answer: str) -> list[list[str]]:
    """An FAQ entry as the reader reads it: without a heading, its question, and its answer as one sentence."""
    return [["."], [question], [answer]]


def _has_words(message: str, text: str) -> bool:
    return set(distinct_terms(message)) <= set(terms_of(text))


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

    def of_user(self, school: str, user: str) -> list[Conversation]:
        """The user's conversations, newest first. Raises CatalogUnavailable."""
        return self.conversations.of_user(school, user, self.since, MAX_LISTED)

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


def note_read(conversation: Conversation, context: HelpdeskContext) -> Conversation:
    """The conversation, all of whose turns its user has now read. Raises CatalogUnavailable."""
    read = len(conversation.turns)
    return context.conversations.change(conversation.school, conversation.id, lambda stored: replace(stored, read=read))


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
    if courtesy := context.answer_settings.courtesy(question.question):
        return Findings(courtesy=courtesy)
    if not question.about:
        return find_entries(question, scope, context)
    plain = replace(question, query=question.question, about="")
    wide = replace(HELPDESK, limit=CANDIDATES, hits_per_query=CANDIDATES)
    follow_up = FollowUp(question.about, question.query, _chunks(question.query, scope, context, wide))
    ordered = order_entries(plain.query, _chunks(plain.query, scope, context, wide), context.services, follow_up)
    if ordered.chance is None:
        return find_entries(plain if follow_up.repeats(plain.query) else question, scope, context)
    findings = _findings(plain, ordered, context)
    of_entry = any(one.chunk.question == follow_up.entry for one in follow_up.found)  # and no document answered before
    if of_entry or findings.reading.standing.answers:
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
    first = replace(ordered, chunks=ordered.chunks[: HELPDESK.limit])
    sources = tuple(sources_of(first.chunks))
    scores = tuple(sorted((one.score for one in first.chunks), reverse=True))
    return Findings(sources, scores, read=partial(_read, question, first, sources, context))


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
    return reading if reading.standing.answers or not entries else Reading((), of_entries, entries)


def _chunks(query: str, scope: Scope, context: HelpdeskContext, plan: RetrievalPlan) -> list[FoundChunk]:
    try:
        return find_chunks(query, scope, context.services, plan)
    except NotFound:
        if any(book.active for book in books_in_scope(scope, context.services.catalog)):
            raise
        return []


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
    turn = Turn(Speaker.AGENT, text, context.now(), id=message_id, by=agent.name)

    def with_answer(stored: Conversation) -> Conversation:
        return replace(_with(_held_by(agent, stored), turn), waiting=None, read=min(stored.read, len(stored.turns)))

    return _change(school, id, context, with_answer)


def close(school: str, id: str, agent: Agent, context: HelpdeskContext) -> Conversation:
    """Close it; the assistant answers again. Raises as take."""
    now = context.now()

    def closed(stored: Conversation) -> Conversation:
        return replace(_held_by(agent, stored), agent=None, waiting=None, closed=stored.closed or now)

    return _change(school, id, context, closed)


def _change(school: str, id: str, context: HelpdeskContext, change: Callable[[Conversation], Conversation]) -> Conversation:
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
