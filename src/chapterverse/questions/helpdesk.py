"""The help desk (S5): messages and answers in conversations, and hand-off to agents.

Talk to Human: a conversation waits, one agent takes it, answers in it and closes it. While an agent holds it, the assistant
does not answer."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from secrets import token_hex

from chapterverse.core.book import Limits
from chapterverse.core.errors import BadRequest, NotFound, TakenByAnother, TooLarge
from chapterverse.core.hits import Scope
from chapterverse.core.ports import Redactor
from chapterverse.infrastructure.sql.engine import utc_now
from chapterverse.library.scope import books_shown
from chapterverse.library.services import CollectionServices
from chapterverse.messages import message
from chapterverse.questions.answers import Answer, Claim, Confidence, Findings, Question, findings_of
from chapterverse.questions.compose import stream_answer
from chapterverse.questions.conversation import rewritten, said_before, standalone_query
from chapterverse.questions.judging import Judge, judge_for
from chapterverse.questions.log import AnswerTimer, note_answer
from chapterverse.questions.model import Agent, Conversation, HandOff, Speaker, Turn
from chapterverse.questions.records import AnswerRecord
from chapterverse.questions.store import SqlAnswers, SqlConversations, SqlFaq
from chapterverse.questions.styles import HELPDESK as STYLES_HELPDESK
from chapterverse.questions.styles import AnswerSettings
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import HELPDESK, RetrievalPlan

LEAST_DAYS = 1

"""That a conversation is kept, whatever is kept else: it could not go on otherwise."""


@dataclass(frozen=True, slots=True)
class HelpdeskLimits:
    """least: minimum cosine of a source (S5-12), None for the embedding model's default. characters: of a message; context:
    of the earlier conversation, at most context_turns turns (S5-8, S5-17). turns: of a whole conversation. days: until it is
    deleted. rewrite: a language model writes the standalone query, instead of rules."""

    least: float | None = None
    characters: int = 4_000
    context: int = 2_000
    context_turns: int = 5
    turns: int = 400
    days: int = 30
    rewrite: bool = False


@dataclass(frozen=True)
class HelpdeskContext:
    """Everything the help desk uses. services: of its collection; limits: of a source; log: metrics of answers."""

    services: CollectionServices
    limits: Limits
    conversations: SqlConversations
    faq: SqlFaq
    answering: AnswerSettings
    redactor: Redactor
    log: SqlAnswers
    figures: HelpdeskLimits = field(default_factory=HelpdeskLimits)
    plan: RetrievalPlan = HELPDESK
    now: Callable[[], datetime] = utc_now

    @property
    def since(self) -> datetime:
        """Conversations begun before are no longer shown, deleted already or not."""
        return self.now() - timedelta(days=max(self.figures.days, LEAST_DAYS))

    def departments(self, school: str) -> list[str]:
        """Names of the departments with sources of their own, sorted. Raises CatalogUnavailable."""
        return sorted({book.department for book in self.services.catalog.books(school) if book.department and book.active})


HELD = "A person has this conversation now, and will answer here."

MOST_LISTED = 100

ID_BYTES = 16  # 128 random bits: an id cannot be guessed, and who has it was given it


@dataclass(frozen=True, slots=True)
class Reply:
    """id: for rating the answer; empty if held: an agent holds the conversation and will answer."""

    id: str
    answer: Answer
    held: bool = False


def begin(
    school: str, user: str, desk: HelpdeskContext, department: str | None = None, names: Sequence[str] = ()
) -> Conversation:
    """A new conversation. user: the name given by the school's program; names: of participants. Raises CatalogUnavailable."""
    begun = Conversation(token_hex(ID_BYTES), school, user, desk.now(), department, tuple(names))
    desk.conversations.begin(begun)
    return begun


def find(school: str, id: str, desk: HelpdeskContext) -> Conversation:
    """Raises NotFound, also after its days, CatalogUnavailable."""
    found = desk.conversations.find(school, id)
    if found.created < desk.since:
        raise NotFound("conversation_deleted")
    return found


def all_of(school: str, user: str, desk: HelpdeskContext) -> list[Conversation]:
    """The user's conversations, newest first. Raises CatalogUnavailable."""
    return desk.conversations.of_user(school, user, desk.since, MOST_LISTED)


def say(school: str, id: str, message: str, desk: HelpdeskContext, message_id: str | None = None) -> Reply:
    """The answer to a new message. Raises as stream_reply."""
    *_, last = stream_reply(school, id, message, desk, message_id)
    assert isinstance(last, Reply)  # noqa: S101  # stream_reply ends with one
    return last


def stream_reply(
    school: str, id: str, message: str, desk: HelpdeskContext, message_id: str | None = None
) -> Iterator[Claim | Reply | Turn]:
    """Each claim as soon as it is checked, then the whole answer, which is stored. For a repeated message id, the turn that
    answered it.

    Raises NotFound, BadRequest for an empty message, TooLarge for a message or conversation that is too long, and every
    RetryableError of the ports."""
    watch = AnswerTimer()
    check_length(message, desk)
    told = find(school, id, desk)
    if before := _answered_before(told, message_id):
        yield before
        return
    if len(told.turns) + 2 > desk.figures.turns:
        raise TooLarge("conversation_too_long", max_turns=desk.figures.turns)
    if told.agent:
        _note(told, desk, Turn(Speaker.STUDENT, message, desk.now(), id=message_id))
        yield _held()
        return
    asked = _asked(message, told, desk)
    found, judge = _chunks(asked.query, told, desk), judge_of(school, desk)
    findings = findings_of(found, judge.least, judgement=judge(asked.query, found))
    for said in stream_answer(asked, findings, STYLES_HELPDESK, school, desk.answering):
        asks = Turn(Speaker.STUDENT, message, desk.now(), id=message_id)
        yield _kept(said, asks, findings, told, desk, watch=watch) if isinstance(said, Answer) else said


def _answered_before(told: Conversation, message_id: str | None) -> Turn | None:
    """The assistant's answer to that message; None if there is none."""
    at = told.said_as(message_id)
    after = told.turns[at + 1 : at + 2] if at is not None else ()
    return next((turn for turn in after if turn.speaker is Speaker.ASSISTANT), None)


def _kept(
    answer: Answer, asks: Turn, findings: Findings, told: Conversation, desk: HelpdeskContext, *, watch: AnswerTimer
) -> Reply:
    """Store the answer and its metrics; if an agent has taken the conversation meanwhile, store only the message."""
    noted = note_answer(told.school, STYLES_HELPDESK.name, answer, findings, log=desk.log, now=asks.at, watch=watch)
    answers = Turn(Speaker.ASSISTANT, answer.text, asks.at, AnswerRecord.of(answer).stored(), noted)
    return _held() if _note(told, desk, asks, answers).agent else Reply(noted, answer)


def _note(told: Conversation, desk: HelpdeskContext, asks: Turn, *answers: Turn) -> Conversation:
    """Store the message, once, and the answers unless an agent holds the conversation."""

    def noted(now: Conversation) -> Conversation:
        if now.said_as(asks.id) is not None:
            return now
        return replace(now, turns=(*now.turns, asks) if now.agent else (*now.turns, asks, *answers))

    return desk.conversations.change(told.school, told.id, noted)


def _held() -> Reply:
    return Reply("", Answer(HELD, (), (), Confidence(0.0, 0.0, "found"), disclaimer=HELD), held=True)


def check_length(message: str, desk: HelpdeskContext) -> None:
    """Raises BadRequest, TooLarge."""
    most = desk.figures.characters
    if not message.strip():
        raise BadRequest("message_empty")
    if len(message) > most:
        raise TooLarge("message_too_long", max_characters=most, characters=len(message))


def _asked(message: str, told: Conversation, desk: HelpdeskContext) -> Question:
    """The message as a question, redacted: participants' names do not leave this process."""
    redacted = desk.redactor.redact([message, *(turn.text for turn in told.turns[-desk.figures.context_turns :])], told.names)
    question, texts = redacted[0], redacted[1:]
    last = told.turns[len(told.turns) - len(texts) :]
    turns = [replace(turn, text=text) for turn, text in zip(last, texts, strict=True)]
    said = said_before(turns, desk.figures.context_turns, desk.figures.context)
    asked = Question(question, standalone_query(question, turns), said, names=told.names)
    return replace(asked, query=rewritten(asked, told.school, desk.answering)) if desk.figures.rewrite else asked


def judge_of(school: str, desk: HelpdeskContext) -> Judge:
    """Decides whether a message is answered. Raises BucketUnavailable, CatalogUnavailable."""
    return judge_for(school, desk.services, desk.plan, STYLES_HELPDESK, desk.figures.least)


def _chunks(query: str, told: Conversation, desk: HelpdeskContext) -> list[FoundChunk]:
    """From sources for all and of the conversation's department; without a department from all sources."""
    scope = Scope(told.school, department=told.department)
    try:
        return find_chunks(query, scope, desk.services, desk.plan)
    except NotFound:
        if any(book.active for book in books_shown(scope, desk.services.catalog)):
            raise
        return []


HANDOFF_MOST_LISTED = 200

NOBODY = Agent("")

"""Whoever answers for a program, and takes nothing."""


def ask_for_agent(school: str, id: str, desk: HelpdeskContext, remark: str = "", remark_id: str | None = None) -> Conversation:
    """Request an agent; repeated requests and an agent who holds it change nothing. remark: a further message. Raises NotFound,
    TooLarge, CatalogUnavailable."""
    if remark.strip():
        check_length(remark, desk)
    find(school, id, desk)
    now = desk.now()

    def waits(told: Conversation) -> Conversation:
        told = _with(told, Turn(Speaker.STUDENT, remark, now, id=remark_id)) if remark.strip() else told
        return told if told.agent else replace(told, waiting=told.waiting or now, closed=None)

    return desk.conversations.change(school, id, waits)


def inbox(school: str, desk: HelpdeskContext, state: HandOff = HandOff.WAITING) -> list[Conversation]:
    """Conversations in that state: waiting longest first, held, or closed last first; at most HANDOFF_MOST_LISTED. Raises
    CatalogUnavailable."""
    return desk.conversations.handed_over(school, state, desk.since, HANDOFF_MOST_LISTED)


def take(school: str, id: str, agent: Agent, desk: HelpdeskContext) -> Conversation:
    """Give it to the agent. Raises NotFound, TakenByAnother, CatalogUnavailable."""
    find(school, id, desk)

    def taken(told: Conversation) -> Conversation:
        _refuse_others(told, agent)
        return replace(told, agent=agent, waiting=None, closed=None)

    return desk.conversations.change(school, id, taken)


def put_back(school: str, id: str, agent: Agent, desk: HelpdeskContext, *, of_anybody: bool = False) -> Conversation:
    """Let it wait again. of_anybody: also if another agent holds it. Raises as take."""
    find(school, id, desk)
    now = desk.now()

    def waits(told: Conversation) -> Conversation:
        if not of_anybody:
            _refuse_others(told, agent)
        return replace(told, agent=None, waiting=told.waiting or now, closed=None) if told.agent else told

    return desk.conversations.change(school, id, waits)


def answer_as_agent(
    school: str, id: str, text: str, desk: HelpdeskContext, agent: Agent = NOBODY, *, text_id: str | None = None
) -> Conversation:
    """Add an agent's answer; it waits no longer. Raises NotFound, BadRequest, TooLarge, TakenByAnother, CatalogUnavailable."""
    check_length(text, desk)
    find(school, id, desk)
    now = desk.now()

    def answered(told: Conversation) -> Conversation:
        _refuse_others(told, agent)
        return replace(_with(told, Turn(Speaker.AGENT, text, now, id=text_id)), waiting=None)

    return desk.conversations.change(school, id, answered)


def close(school: str, id: str, agent: Agent, desk: HelpdeskContext) -> Conversation:
    """Close it: the assistant answers again. Raises as take."""
    find(school, id, desk)
    now = desk.now()

    def closed(told: Conversation) -> Conversation:
        _refuse_others(told, agent)
        return replace(told, agent=None, waiting=None, closed=told.closed or now)

    return desk.conversations.change(school, id, closed)


def _with(told: Conversation, turn: Turn) -> Conversation:
    """Add a turn, once per id."""
    return told if told.said_as(turn.id) is not None else replace(told, turns=(*told.turns, turn))


def _refuse_others(told: Conversation, agent: Agent) -> None:
    if told.agent and told.agent.id != agent.id:
        raise TakenByAnother("conversation_taken", agent=told.agent.name or message("another_person"))
