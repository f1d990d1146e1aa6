"""The help desk's tables. A change here needs a migration; a test compares the two.

The catalog's tables, for SQLite and PostgreSQL alike. A change here needs a migration; a test compares the two.

Answers that were given, in the catalog's database.

Conversations, in the catalog's database.

Questions with their answers, in the catalog's database."""

from collections.abc import Callable, Sequence
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import Boolean, Float, Index, Select, String, Text, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.essays.model import Thumb
from chapterverse.infrastructure.sql.engine import SqlStore, Table, UtcTime, found, leave_no_trace, storable
from chapterverse.questions.model import Conversation, EntryType, FaqEntry, GivenAnswer, HandOff


class ConversationRow(Table):
    """A conversation with the help desk. What is said in it is JSON in a text: no database looks into it. agent: who has it;
    led_by: its user."""

    __tablename__ = "conversations"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    waiting: Mapped[datetime | None] = mapped_column(UtcTime)
    said: Mapped[str] = mapped_column(Text)
    led_by: Mapped[str] = mapped_column(String(255), server_default="", index=True)
    agent: Mapped[str | None] = mapped_column(String(320))
    closed: Mapped[datetime | None] = mapped_column(UtcTime)


class FaqRow(Table):
    """A question that is answered once and for all; not approved: a draft, which nobody finds; archived: put aside."""

    __tablename__ = "faq"
    __table_args__ = (Index(None, "source_id", "school", "type", unique=True),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    type: Mapped[str] = mapped_column(String(16))
    department: Mapped[str | None] = mapped_column(String(255))
    conversation: Mapped[str | None] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(UtcTime)
    approved: Mapped[datetime | None] = mapped_column(UtcTime)
    question: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    source_id: Mapped[str] = mapped_column(String(255), server_default="")
    archived: Mapped[datetime | None] = mapped_column(UtcTime)


class AnswerRow(Table):
    """An answer that was given, in figures. scores, cited: JSON in texts. question: where somebody handed it in."""

    __tablename__ = "answers"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    application: Mapped[str] = mapped_column(String(32))
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    scores: Mapped[str] = mapped_column(Text)
    band: Mapped[str] = mapped_column(String(32))
    relevance: Mapped[float | None] = mapped_column(Float)
    says_nothing: Mapped[bool] = mapped_column(Boolean)
    cited: Mapped[str] = mapped_column(Text)
    intent: Mapped[str | None] = mapped_column(String(32))
    thumb: Mapped[str | None] = mapped_column(String(8))
    question: Mapped[str | None] = mapped_column(Text)
    seconds: Mapped[float | None] = mapped_column(Float)


SCORES = TypeAdapter(tuple[float, ...])

MOST = 100_000  # answers that are looked at: two hundred a day for more than a year

CITED = TypeAdapter(tuple[SentenceId, ...])


class SqlAnswers(SqlStore):
    """AnswerLog on any database that SQLAlchemy speaks."""

    def add(self, answer: GivenAnswer) -> None:
        row = AnswerRow(id=answer.id, school=answer.school, application=answer.application, created=answer.created)
        row.scores, row.cited = SCORES.dump_json(answer.scores).decode(), CITED.dump_json(answer.cited).decode()
        row.band, row.relevance, row.says_nothing = answer.band, answer.relevance, answer.nothing
        row.intent, row.seconds = answer.intent, answer.seconds
        with self._writing() as session:
            _say(row, answer)
            session.add(row)

    def change(self, school: str, id: str, change: Callable[[GivenAnswer], GivenAnswer]) -> None:
        with self._writing() as session:
            row = _found(session, school, id)
            _say(row, change(_given(row)))

    def of_school(self, school: str, since: datetime, application: str | None = None) -> list[GivenAnswer]:
        wanted = select(AnswerRow).where(AnswerRow.school == school, AnswerRow.created >= since)
        wanted = wanted.where(AnswerRow.application == application) if application else wanted
        newest = wanted.order_by(AnswerRow.created.desc(), AnswerRow.id.desc()).limit(MOST)
        with self._reading() as session:
            return [_given(row) for row in session.scalars(newest)][::-1]

    def forget_questions(self, before: datetime) -> int:
        old = update(AnswerRow).where(AnswerRow.created < before, AnswerRow.question.is_not(None)).values(question=None)
        with self._writing() as session:
            forgotten = session.scalars(old.returning(AnswerRow.id)).all()
        leave_no_trace(self._database.engine)
        return len(forgotten)


def _found(session: Session, school: str, id: str) -> AnswerRow:
    wanted = select(AnswerRow).where(AnswerRow.school == school, AnswerRow.id == storable(id))
    row = session.scalar(wanted.with_for_update())
    if row is None:
        raise NotFound("no_such_answer")
    return row


def _say(row: AnswerRow, answer: GivenAnswer) -> None:
    """What of it may change."""
    row.thumb, row.question = answer.thumb, answer.question


def _given(row: AnswerRow) -> GivenAnswer:
    return GivenAnswer(
        id=row.id,
        school=row.school,
        application=row.application,
        created=row.created,
        scores=SCORES.validate_json(row.scores),
        band=row.band,
        relevance=row.relevance,
        nothing=row.says_nothing,
        cited=CITED.validate_json(row.cited),
        intent=row.intent,
        thumb=Thumb(row.thumb) if row.thumb else None,
        question=row.question,
        seconds=row.seconds,
    )


CONVERSATION = TypeAdapter(Conversation)

LISTED = {
    HandOff.WAITING: (ConversationRow.waiting.is_not(None), ConversationRow.waiting),
    HandOff.HELD: (ConversationRow.agent.is_not(None), ConversationRow.created),
    HandOff.CLOSED: (ConversationRow.closed.is_not(None), ConversationRow.closed.desc()),
}

"""Which they are, and in which order."""


class SqlConversations(SqlStore):
    """ConversationStore on any database that SQLAlchemy speaks."""

    def begin(self, conversation: Conversation) -> None:
        row = ConversationRow(id=conversation.id, school=conversation.school, created=conversation.created)
        with self._writing() as session:
            _sql_conversations_say(row, conversation)
            session.add(row)

    def find(self, school: str, id: str) -> Conversation:
        with self._reading() as session:
            return CONVERSATION.validate_json(_sql_conversations_found(session, school, id).said)

    def handed_over(self, school: str, state: HandOff, since: datetime, limit: int) -> list[Conversation]:
        such, order = LISTED[state]
        wanted = select(ConversationRow).where(ConversationRow.school == school, such, ConversationRow.created >= since)
        return self._all(wanted.order_by(order, ConversationRow.id).limit(limit))

    def of_user(self, school: str, user: str, since: datetime, limit: int) -> list[Conversation]:
        wanted = select(ConversationRow).where(ConversationRow.school == school, ConversationRow.led_by == user)
        wanted = wanted.where(ConversationRow.created >= since)
        return self._all(wanted.order_by(ConversationRow.created.desc(), ConversationRow.id).limit(limit))

    def _all(self, wanted: Select[ConversationRow]) -> list[Conversation]:
        with self._reading() as session:
            return [CONVERSATION.validate_json(row.said) for row in session.scalars(wanted)]

    def change(self, school: str, id: str, change: Callable[[Conversation], Conversation]) -> Conversation:
        with self._writing() as session:
            row = _sql_conversations_found(session, school, id, alone=True)
            changed = change(CONVERSATION.validate_json(row.said))
            _sql_conversations_say(row, changed)
            return changed

    def remove(self, school: str, id: str) -> None:
        if not self._forget(ConversationRow.id, ConversationRow.school == school, ConversationRow.id == storable(id)):
            raise _not_found()

    def remove_before(self, created: datetime) -> int:
        return self._forget(ConversationRow.id, ConversationRow.created < created)


def _sql_conversations_found(session: Session, school: str, id: str, *, alone: bool = False) -> ConversationRow:
    """alone: nobody else writes it until the transaction ends."""
    wanted = select(ConversationRow).where(ConversationRow.school == school, ConversationRow.id == storable(id))
    return found(session, wanted, _not_found(), alone=alone)


def _not_found() -> NotFound:
    return NotFound("no_such_conversation")


def _sql_conversations_say(row: ConversationRow, conversation: Conversation) -> None:
    row.led_by = conversation.user
    row.waiting, row.closed = conversation.waiting, conversation.closed
    row.agent = conversation.agent.id if conversation.agent else None
    row.said = CONVERSATION.dump_json(conversation).decode()


class SqlFaq(SqlStore):
    """FaqStore on any database that SQLAlchemy speaks."""

    def keep(self, entries: Sequence[FaqEntry]) -> None:
        with self._writing() as session:
            for entry in entries:
                session.merge(_row(entry))

    def find(self, school: str, id: str) -> FaqEntry:
        with self._reading() as session:
            return _entry(_sql_faq_found(session, school, id))

    def of_school(self, school: str, *, approved: bool | None = None) -> list[FaqEntry]:
        wanted = select(FaqRow).where(FaqRow.school == school).order_by(FaqRow.created, FaqRow.id)
        if approved is not None:
            draft = FaqRow.approved.is_(None) & FaqRow.archived.is_(None)
            wanted = wanted.where(FaqRow.approved.is_not(None) if approved else draft)
        with self._reading() as session:
            return [_entry(row) for row in session.scalars(wanted)]

    def change(self, school: str, id: str, change: Callable[[FaqEntry], FaqEntry]) -> FaqEntry:
        with self._writing() as session:
            changed = change(_entry(_sql_faq_found(session, school, id, alone=True)))
            session.merge(_row(changed))
            return changed

    def remove(self, school: str, id: str) -> None:
        if not self._forget(FaqRow.id, FaqRow.school == school, FaqRow.id == storable(id)):
            raise _sql_faq_not_found()


def _sql_faq_found(session: Session, school: str, id: str, *, alone: bool = False) -> FaqRow:
    """alone: nobody else writes it until the transaction ends."""
    wanted = select(FaqRow).where(FaqRow.school == school, FaqRow.id == storable(id))
    return found(session, wanted, _sql_faq_not_found(), alone=alone)


def _sql_faq_not_found() -> NotFound:
    return NotFound("no_such_faq_entry")


def _row(entry: FaqEntry) -> FaqRow:
    return FaqRow(
        id=entry.id,
        school=entry.school,
        type=entry.type.value,
        source_id=entry.source_id,
        archived=entry.archived,
        department=entry.department,
        conversation=entry.conversation,
        created=entry.created,
        approved=entry.approved,
        question=entry.question,
        answer=entry.answer,
    )


def _entry(row: FaqRow) -> FaqEntry:
    return FaqEntry(
        id=row.id,
        school=row.school,
        question=row.question,
        answer=row.answer,
        created=row.created,
        department=row.department,
        type=EntryType(row.type),
        conversation=row.conversation,
        approved=row.approved,
        source_id=row.source_id,
        archived=row.archived,
    )
