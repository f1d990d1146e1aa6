"""What a school's people leave here: keys, batches of essays, feedback."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from chapterverse.questions.model import Conversation, FaqEntry, GivenAnswer, HandOff


class AnswerLog(Protocol):
    """Figures of answers that were given; tests/contract/test_answer_log.py. One of another school is not there. Raises
    CatalogUnavailable."""

    def add(self, answer: GivenAnswer) -> None:
        """Of an id that nobody has."""

    def change(self, school: str, id: str, change: Callable[[GivenAnswer], GivenAnswer]) -> None:
        """Its thumb and question are those of what `change` makes of it, in one transaction. Raises NotFound."""

    def of_school(self, school: str, since: datetime, application: str | None = None) -> list[GivenAnswer]:
        """Given since then, by one application or any, oldest first; of more than a hundred thousand the newest."""

    def forget_questions(self, before: datetime) -> int:
        """Of all schools' answers that were given before then; how many there were. No file has their texts then."""


class ConversationStore(Protocol):
    """What is said in conversations; tests/contract/test_conversation_store.py. One of another school is not there. Raises
    CatalogUnavailable."""

    def begin(self, conversation: Conversation) -> None:
        """Of an id that nobody has."""

    def find(self, school: str, id: str) -> Conversation:
        """Raises NotFound."""

    def handed_over(self, school: str, state: HandOff, since: datetime, limit: int) -> list[Conversation]:
        """Of those begun since then, at most `limit`: those that wait for an agent, longest first; that one has, the oldest
        first; or that were closed, the last first."""

    def of_user(self, school: str, user: str, since: datetime, limit: int) -> list[Conversation]:
        """Those that somebody leads, begun since then, newest first, at most `limit`."""

    def change(self, school: str, id: str, change: Callable[[Conversation], Conversation]) -> Conversation:
        """Keep what `change` makes of its turns and of who has it, and give it back. Nobody else changes it meanwhile, so it
        should be quick. Raises NotFound, and what `change` raises; then all stays as it is."""

    def remove(self, school: str, id: str) -> None:
        """Forget it, and see to it that its words are in no file of the database. Raises NotFound."""

    def remove_before(self, created: datetime) -> int:
        """The same with all, of all schools, that were begun before: how many that were."""


class FaqStore(Protocol):
    """Questions with their answers; tests/contract/test_faq_store.py. One of another school is not there. Raises
    CatalogUnavailable."""

    def keep(self, entries: Sequence[FaqEntry]) -> None:
        """Each in the place of the one of its id, if there is one; all of them, or none. No two of a school have both type and
        source_id."""

    def find(self, school: str, id: str) -> FaqEntry:
        """Raises NotFound."""

    def of_school(self, school: str, *, approved: bool | None = None) -> list[FaqEntry]:
        """The school's, oldest first: all, those that are found, or the drafts, not what is put aside."""

    def change(self, school: str, id: str, change: Callable[[FaqEntry], FaqEntry]) -> FaqEntry:
        """Keep what `change` makes of it, and give it back; as ConversationStore.change."""

    def remove(self, school: str, id: str) -> None:
        """Forget it. Raises NotFound."""
