"""A conversation with the help desk: message in, answer out."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from secrets import token_hex

from chapterverse.errors import BadRequest, NotFound, TooLarge
from chapterverse.messages import to_json
from chapterverse.model import Conversation, Scope, Speaker, Turn
from chapterverse.usecases.answer_log import Watch, note_answer
from chapterverse.usecases.answers.answer import Answer, Claim, Confidence
from chapterverse.usecases.answers.answer_json import answer_json
from chapterverse.usecases.answers.compose import stream_answer
from chapterverse.usecases.answers.found import findings_of
from chapterverse.usecases.answers.sources import Asked, Findings
from chapterverse.usecases.answers.style import HELPDESK
from chapterverse.usecases.chunk_evidence import FoundChunk, find_chunks
from chapterverse.usecases.conversations.context import said_before
from chapterverse.usecases.conversations.rewriting import rewritten
from chapterverse.usecases.conversations.standalone import standalone_query
from chapterverse.usecases.helpdesk.desk import Desk
from chapterverse.usecases.judging import Judge, judge_for
from chapterverse.usecases.shelf import books_shown

HELD = "A person has this conversation now, and will answer here."
MOST_LISTED = 100
ID_BYTES = 16  # 128 random bits: an id cannot be guessed, and who has it was given it


@dataclass(frozen=True, slots=True)
class Reply:
    """id: by which the answer can be given a thumb; empty where held: a person has the conversation, who is to answer."""

    id: str
    answer: Answer
    held: bool = False


def begin(school: str, user: str, desk: Desk, department: str | None = None, names: Sequence[str] = ()) -> Conversation:
    """A new conversation. user: whoever leads it, by the name that the school's program gives; names: of its participants, as
    they might say them. Raises CatalogUnavailable."""
    begun = Conversation(token_hex(ID_BYTES), school, user, desk.now(), department, tuple(names))
    desk.conversations.begin(begun)
    return begun


def find(school: str, id: str, desk: Desk) -> Conversation:
    """Raises NotFound, also where its days are over, CatalogUnavailable."""
    found = desk.conversations.find(school, id)
    if found.created < desk.since:
        raise NotFound("conversation_deleted")
    return found


def all_of(school: str, user: str, desk: Desk) -> list[Conversation]:
    """Whatever that user leads, newest first. Raises CatalogUnavailable."""
    return desk.conversations.of_user(school, user, desk.since, MOST_LISTED)


def say(school: str, id: str, message: str, desk: Desk, message_id: str | None = None) -> Reply:
    """The answer to what was not sent before. Raises as stream_reply."""
    *_, last = stream_reply(school, id, message, desk, message_id)
    assert isinstance(last, Reply)  # noqa: S101  # stream_reply ends with one
    return last


def stream_reply(
    school: str, id: str, message: str, desk: Desk, message_id: str | None = None
) -> Iterator[Claim | Reply | Turn]:
    """Each claim as soon as it is checked, then the whole answer, which the conversation then has, too. Of a message that was
    sent before by that id, the turn that answered it.

    Raises NotFound, BadRequest for an empty message, TooLarge for one that is too long, and in a conversation that is, and
    every RetryableError of the ports."""
    watch = Watch()
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
    for said in stream_answer(asked, findings, HELPDESK, school, desk.answering):
        asks = Turn(Speaker.STUDENT, message, desk.now(), id=message_id)
        yield _kept(said, asks, findings, told, desk, watch=watch) if isinstance(said, Answer) else said


def _answered_before(told: Conversation, message_id: str | None) -> Turn | None:
    """What the assistant answered to it; nothing where an agent was to."""
    at = told.said_as(message_id)
    after = told.turns[at + 1 : at + 2] if at is not None else ()
    return next((turn for turn in after if turn.speaker is Speaker.ASSISTANT), None)


def _kept(answer: Answer, asks: Turn, findings: Findings, told: Conversation, desk: Desk, *, watch: Watch) -> Reply:
    """In the conversation, and its figures noted; if an agent has taken it meanwhile, only what was asked."""
    noted = note_answer(told.school, HELPDESK.name, answer, findings, log=desk.log, now=asks.at, watch=watch)
    answers = Turn(Speaker.ASSISTANT, answer.text, asks.at, json.dumps(answer_json(answer), default=to_json), noted)
    return _held() if _note(told, desk, asks, answers).agent else Reply(noted, answer)


def _note(told: Conversation, desk: Desk, asks: Turn, *answers: Turn) -> Conversation:
    """With what was asked, once, and what the assistant answers unless an agent has the conversation by now."""

    def noted(now: Conversation) -> Conversation:
        if now.said_as(asks.id) is not None:
            return now
        return replace(now, turns=(*now.turns, asks) if now.agent else (*now.turns, asks, *answers))

    return desk.conversations.change(told.school, told.id, noted)


def _held() -> Reply:
    return Reply("", Answer(HELD, (), (), Confidence(0.0, 0.0, "found"), disclaimer=HELD), held=True)


def check_length(message: str, desk: Desk) -> None:
    """Raises BadRequest, TooLarge."""
    most = desk.figures.characters
    if not message.strip():
        raise BadRequest("message_empty")
    if len(message) > most:
        raise TooLarge("message_too_long", max_characters=most, characters=len(message))


def _asked(message: str, told: Conversation, desk: Desk) -> Asked:
    """As anybody else may be told it: whoever takes part is named to nobody, not even to an embedder elsewhere."""
    redacted = desk.redactor.redact([message, *(turn.text for turn in told.turns[-desk.figures.context_turns :])], told.names)
    question, texts = redacted[0], redacted[1:]
    last = told.turns[len(told.turns) - len(texts) :]
    turns = [replace(turn, text=text) for turn, text in zip(last, texts, strict=True)]
    said = said_before(turns, desk.figures.context_turns, desk.figures.context)
    asked = Asked(question, standalone_query(question, turns), said, names=told.names)
    return replace(asked, query=rewritten(asked, told.school, desk.answering)) if desk.figures.rewrite else asked


def judge_of(school: str, desk: Desk) -> Judge:
    """What tells whether a message is answered. Raises BucketUnavailable, CatalogUnavailable."""
    return judge_for(school, desk.services, desk.plan, HELPDESK, desk.figures.least)


def _chunks(query: str, told: Conversation, desk: Desk) -> list[FoundChunk]:
    """Of sources for everybody and of the department's own; of all sources where the conversation is no department's."""
    scope = Scope(told.school, department=told.department)
    try:
        return find_chunks(query, scope, desk.services, desk.plan)
    except NotFound:
        if any(book.active for book in books_shown(scope, desk.services.catalog)):
            raise
        return []
