"""Conversations, in the catalog's database."""

from collections.abc import Callable
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.orm import Session

from chapterverse.adapters.sql_store import SqlStore, found, storable
from chapterverse.adapters.sql_tables import ConversationRow
from chapterverse.errors import NotFound
from chapterverse.model import Conversation

CONVERSATION = TypeAdapter(Conversation)


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

    def waiting(self, school: str, since: datetime, limit: int) -> list[Conversation]:
        wanted = select(ConversationRow).where(ConversationRow.school == school, ConversationRow.waiting.is_not(None))
        wanted = wanted.where(ConversationRow.created >= since).order_by(ConversationRow.waiting, ConversationRow.id)
        with self._reading() as session:
            return [CONVERSATION.validate_json(row.said) for row in session.scalars(wanted.limit(limit))]

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
    return NotFound("There is no such conversation (any more): begin a new one.")


def _say(row: ConversationRow, conversation: Conversation) -> None:
    row.waiting = conversation.waiting
    row.said = CONVERSATION.dump_json(conversation).decode()
