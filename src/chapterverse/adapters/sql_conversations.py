"""Conversations, in the catalog's database."""

from collections.abc import Callable
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from chapterverse.adapters.sql_store import SqlStore, found, storable
from chapterverse.adapters.sql_tables import ConversationRow
from chapterverse.errors import NotFound
from chapterverse.model import Conversation, HandOff

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
            _say(row, conversation)
            session.add(row)

    def find(self, school: str, id: str) -> Conversation:
        with self._reading() as session:
            return CONVERSATION.validate_json(_found(session, school, id).said)

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
            row = _found(session, school, id, alone=True)
            changed = change(CONVERSATION.validate_json(row.said))
            _say(row, changed)
            return changed

    def remove(self, school: str, id: str) -> None:
        if not self._forget(ConversationRow.id, ConversationRow.school == school, ConversationRow.id == storable(id)):
            raise _not_found()

    def remove_before(self, created: datetime) -> int:
        return self._forget(ConversationRow.id, ConversationRow.created < created)


def _found(session: Session, school: str, id: str, *, alone: bool = False) -> ConversationRow:
    """alone: nobody else writes it until the transaction ends."""
    wanted = select(ConversationRow).where(ConversationRow.school == school, ConversationRow.id == storable(id))
    return found(session, wanted, _not_found(), alone=alone)


def _not_found() -> NotFound:
    return NotFound("no_such_conversation")


def _say(row: ConversationRow, conversation: Conversation) -> None:
    row.led_by = conversation.user
    row.waiting, row.closed = conversation.waiting, conversation.closed
    row.agent = conversation.agent.id if conversation.agent else None
    row.said = CONVERSATION.dump_json(conversation).decode()
