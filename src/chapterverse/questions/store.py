"""Answers, conversations and FAQ entries in the catalogue's database: tables and stores."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import JSON, Boolean, Float, Index, Select, String, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from chapterverse.core.errors import NotFound
from chapterverse.core.requests import adapter
from chapterverse.essays.model import Rating
from chapterverse.infrastructure.sql import CatalogTable, SqlStore, UtcTime, fact_of, found, of_one, row_of, storable
from chapterverse.questions.model import Conversation, FaqEntry, GivenAnswer, HandOff

MAX_ANSWERS = 100_000  # read at once: two hundred a day for more than a year


class ConversationRow(CatalogTable):
    """A conversation with the help desk. content: all of it as JSON. agent: id of the agent who holds it."""

    __tablename__, missing = "conversations", "no_such_conversation"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    waiting: Mapped[datetime | None] = mapped_column(UtcTime)
    content: Mapped[str] = mapped_column(Text)
    user: Mapped[str] = mapped_column("led_by", String(255), server_default="", index=True)
    agent: Mapped[str | None] = mapped_column(String(320))
    closed: Mapped[datetime | None] = mapped_column(UtcTime)


class FaqRow(CatalogTable):
    """An FAQ entry. Only approved ones are searched; the rest are drafts."""

    __tablename__, missing = "faq", "no_such_faq_entry"
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


class AnswerRow(CatalogTable):
    """Metrics of a given answer."""

    __tablename__, missing = "answers", "no_such_answer"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    application: Mapped[str] = mapped_column(String(32))
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    scores: Mapped[list[float]] = mapped_column(JSON)
    band: Mapped[str] = mapped_column(String(32))
    relevance: Mapped[float | None] = mapped_column(Float)
    nothing: Mapped[bool] = mapped_column("says_nothing", Boolean)  # "nothing" is SQL
    cited: Mapped[list[str]] = mapped_column(JSON)
    intent: Mapped[str | None] = mapped_column(String(32))
    rating: Mapped[str | None] = mapped_column(String(8))
    seconds: Mapped[float | None] = mapped_column(Float)


Row = TypeVar("Row", AnswerRow, ConversationRow, FaqRow)


def _row(session: Session, table: type[Row], school: str, id: str, *, alone: bool = False) -> Row:
    """alone: locked until the transaction ends. Raises NotFound."""
    wanted = select(table).where(table.school == school, table.id == storable(id))
    return found(session, wanted, NotFound(table.missing), alone=alone)


class SqlAnswers(SqlStore):
    """Metrics of given answers (tests/contract/test_answer_log.py). Another school's answers are not found.

    Every method raises CatalogUnavailable."""

    def add(self, answer: GivenAnswer) -> None:
        """Store a new answer; its id must be unused."""
        with self._writing() as session:
            session.add(row_of(AnswerRow, answer))

    def rate(self, school: str, id: str, rating: Rating) -> None:
        """Store the user's rating in place of an earlier one. Raises NotFound."""
        with self._writing() as session:
            _row(session, AnswerRow, school, id, alone=True).rating = rating

    def of_school(self, school: str, since: datetime, application: str | None = None) -> list[GivenAnswer]:
        """Answers given since then, of one application or of all, oldest first; at most the MAX_ANSWERS newest."""
        wanted = select(AnswerRow).where(AnswerRow.school == school, AnswerRow.created >= since)
        wanted = wanted.where(AnswerRow.application == application) if application else wanted
        newest = wanted.order_by(AnswerRow.created.desc(), AnswerRow.id.desc()).limit(MAX_ANSWERS)
        return self._facts(GivenAnswer, newest)[::-1]


LISTED = {  # state: (condition, order)
    HandOff.WAITING: (ConversationRow.waiting.is_not(None), ConversationRow.waiting),
    HandOff.HELD: (ConversationRow.agent.is_not(None), ConversationRow.created),
    HandOff.CLOSED: (ConversationRow.closed.is_not(None), ConversationRow.closed.desc()),
}


class SqlConversations(SqlStore):
    """Conversations (tests/contract/test_conversation_store.py). Another school's conversations are not found.

    Every method raises CatalogUnavailable."""

    def begin(self, conversation: Conversation) -> None:
        """Store a new conversation; its id must be unused."""
        with self._writing() as session:
            session.add(_stored(conversation))

    def find(self, school: str, id: str) -> Conversation:
        """Raises NotFound."""
        with self._reading() as session:
            return adapter(Conversation).validate_json(_row(session, ConversationRow, school, id).content)

    def in_state(self, school: str, state: HandOff, since: datetime, limit: int) -> list[Conversation]:
        """At most `limit` conversations in that state, begun since then: waiting ones by waiting time, longest first; held ones
        oldest first; closed ones last closed first."""
        such, order = LISTED[state]
        wanted = select(ConversationRow).where(ConversationRow.school == school, such, ConversationRow.created >= since)
        return self._all(wanted.order_by(order, ConversationRow.id).limit(limit))

    def of_user(self, school: str, user: str, since: datetime, limit: int) -> list[Conversation]:
        """At most `limit` conversations of that user, begun since then, newest first."""
        wanted = select(ConversationRow).where(ConversationRow.school == school, ConversationRow.user == user)
        wanted = wanted.where(ConversationRow.created >= since)
        return self._all(wanted.order_by(ConversationRow.created.desc(), ConversationRow.id).limit(limit))

    def _all(self, wanted: Select[ConversationRow]) -> list[Conversation]:
        return [adapter(Conversation).validate_json(row.content) for row in self._rows(wanted)]

    def change(self, school: str, id: str, change: Callable[[Conversation], Conversation]) -> Conversation:
        """Store and return what `change` returns. The row is locked meanwhile, so `change` must be quick.

        Raises NotFound, and what `change` raises; then nothing changes."""
        with self._writing() as session:
            row = _row(session, ConversationRow, school, id, alone=True)
            changed = change(adapter(Conversation).validate_json(row.content))
            session.merge(_stored(changed))
            return changed

    def remove(self, school: str, id: str) -> None:
        """Delete it, also from the database file. Raises NotFound."""
        ours = (ConversationRow.school == school, ConversationRow.id == storable(id))
        self._forget(ConversationRow.id, *ours, missing=NotFound("no_such_conversation"))

    def remove_before(self, created: datetime, school: str | None = None) -> int:
        """Delete the conversations of the school, else of all, begun before then, also from the database file; returns how
        many."""
        return self._forget(ConversationRow.id, ConversationRow.created < created, *of_one(ConversationRow.school, school))


def _stored(conversation: Conversation) -> ConversationRow:
    agent, content = conversation.agent and conversation.agent.id, adapter(Conversation).dump_json(conversation).decode()
    return row_of(ConversationRow, conversation, agent=agent, content=content)


class SqlFaq(SqlStore):
    """FAQ entries (tests/contract/test_faq_store.py). Another school's entries are not found.

    Every method raises CatalogUnavailable."""

    def save(self, entries: Sequence[FaqEntry]) -> None:
        """Create or replace the entries by id, all or none. (type, source_id) is unique within a school."""
        with self._writing() as session:
            for entry in entries:
                session.merge(row_of(FaqRow, entry))

    def find(self, school: str, id: str) -> FaqEntry:
        """Raises NotFound."""
        with self._reading() as session:
            return fact_of(FaqEntry, _row(session, FaqRow, school, id))

    def of_school(self, school: str) -> list[FaqEntry]:
        """The school's entries, oldest first."""
        return self._facts(FaqEntry, select(FaqRow).where(FaqRow.school == school).order_by(FaqRow.created, FaqRow.id))

    def change(self, school: str, id: str, change: Callable[[FaqEntry], FaqEntry]) -> FaqEntry:
        """Store and return what `change` returns; see SqlConversations.change."""
        with self._writing() as session:
            changed = change(fact_of(FaqEntry, _row(session, FaqRow, school, id, alone=True)))
            session.merge(row_of(FaqRow, changed))
            return changed

    def remove(self, school: str, id: str) -> None:
        """Delete it. Raises NotFound."""
        self._forget(FaqRow.id, FaqRow.school == school, FaqRow.id == storable(id), missing=NotFound("no_such_faq_entry"))
