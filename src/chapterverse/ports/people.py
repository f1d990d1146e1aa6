"""What a school's people leave here: keys, batches of essays, feedback."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from chapterverse.model import (
    ApiKey,
    BatchKey,
    Citation,
    Conversation,
    FaqEntry,
    GivenAnswer,
    HandOff,
    KeptFeedback,
    LectureSession,
    Origin,
    Person,
    Purpose,
    Ticket,
    WindowResult,
)

Guard = Callable[[Sequence[Person]], None]


class KeyStore(Protocol):
    """API keys and the digests of their secrets; tests/contract/test_key_store.py. Raises CatalogUnavailable."""

    def add(self, key: ApiKey, digest: str) -> None:
        """Keep a new key."""

    def find(self, id: str) -> tuple[ApiKey, str]:
        """The key and its digest, revoked or not. Raises NotFound."""

    def of_school(self, school: str) -> list[ApiKey]:
        """The school's keys, oldest first."""

    def change(self, key: ApiKey, digest: str) -> None:
        """The key of the same id is this one from now on. Raises NotFound."""


class PeopleStore(Protocol):
    """Who may sign in, and the tickets they were given; tests/contract/test_people_store.py. Each method is one transaction.
    Raises CatalogUnavailable."""

    def keep(self, person: Person, guard: Guard | None = None) -> None:
        """From now on the person of this school and e-mail address is this one. guard: is told everybody of the school before,
        and of several at one moment each what the one before has left; what it raises leaves all as it is."""

    def find(self, school: str, email: str) -> Person:
        """Raises NotFound."""

    def of_school(self, school: str) -> list[Person]:
        """By e-mail address."""

    def with_email(self, email: str) -> list[Person]:
        """In any school, by school."""

    def remove(self, school: str, email: str, guard: Guard | None = None) -> None:
        """Forget the person, their tickets, and who they are elsewhere: the school's own sign-in, learning platforms. guard: as
        of keep. Not there: nothing happens."""

    def issue(self, ticket: Ticket) -> None:
        """Keep a new ticket."""

    def holder(self, digest: str, purpose: Purpose, now: datetime) -> Person:
        """Whose ticket that is. Raises NotFound where there is none of that purpose, or it has expired."""

    def spend(self, digest: str, purpose: Purpose, now: datetime) -> Person:
        """The same; the ticket is good for nothing afterwards, and of two who spend it one finds it. Raises NotFound."""

    def forget(self, before: datetime) -> int:
        """Tickets that expired before then; how many there were."""


class Post(Protocol):
    """Letters to people; tests/contract/test_post.py."""

    def send(self, to: str, subject: str, text: str) -> None:
        """Plain text to one e-mail address. Raises PostUnavailable."""


class SchoolRecords(Protocol):
    """Whatever the catalog's database keeps of a school; tests/contract/test_school_records.py. Raises CatalogUnavailable."""

    def remove(self, school: str) -> Mapping[str, int]:
        """Forget all of it, and see to it that it is in no file of the database: how many rows there were, by table. Nothing
        there: nothing happens.

        What its books have in buckets and in the index is removed before: nobody knows of it afterwards."""


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


class FeedbackStore(Protocol):
    """Feedback that was given, and what teachers say of it; tests/contract/test_feedback_store.py. One of another school is not
    there. Raises CatalogUnavailable."""

    def keep(self, feedback: KeptFeedback) -> str:
        """The id that it is kept under: its own, and what is kept under that already stays as it is; or, of an essay of a batch
        that has feedback already, that feedback's, in whose place it is from now on."""

    def find(self, school: str, id: str) -> KeptFeedback:
        """Raises NotFound."""

    def on_essay(self, school: str, origin: Origin) -> KeptFeedback:
        """That on an essay of a batch. Raises NotFound."""

    def chosen_in(self, key: BatchKey) -> list[KeptFeedback]:
        """That on essays of the batch of which a teacher has chosen any evidence, by number."""

    def in_batch(self, key: BatchKey, since: datetime) -> list[KeptFeedback]:
        """That on essays of the batch which was created since then, by number."""

    def ids_in(self, key: BatchKey, since: datetime) -> Mapping[int, str]:
        """Ids of that on essays of the batch which was created since then, by the essays' numbers."""

    def of_school(
        self,
        school: str,
        since: datetime,
        before: datetime | None,
        limit: int,
        *,
        waiting: bool = False,
        alone: bool = False,
    ) -> list[KeptFeedback]:
        """What was created in [since, before), newest first, at most `limit`; waiting: of what is not approved; alone: of what
        is on no essay of a batch."""

    def of_owner(self, school: str, owner: str, since: datetime, limit: int) -> list[KeptFeedback]:
        """What somebody handed in and was created since then, newest first, at most `limit`."""

    def change(self, school: str, id: str, change: Callable[[KeptFeedback], KeptFeedback]) -> None:
        """Keep what `change` makes of it: of approved, marks, choices and thumbs. Nobody else changes it meanwhile, so it
        should be quick. Raises NotFound, and what `change` raises; then all stays as it is."""

    def remove(self, school: str, id: str) -> None:
        """Forget it, and see to it that its words are in no file of the database. Raises NotFound."""

    def remove_batch(self, key: BatchKey) -> None:
        """The same with all on essays of the batch. Nothing there: nothing happens."""

    def remove_before(self, created: datetime, of_batches: datetime) -> int:
        """The same with all, of all schools, that was created before, and what is on essays of batches and was created before
        `of_batches`: how many that were."""


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


class LectureStore(Protocol):
    """Lectures, and the citations that appeared beside them (S3, "CitationRepository"); tests/contract/test_lecture_store.py.

    One of another school is not there. Of what was said only
    the last words are kept, until they are in a window. Raises CatalogUnavailable."""

    def begin(self, session: LectureSession) -> None:
        """Of an id that nobody has."""

    def find(self, school: str, id: UUID) -> LectureSession:
        """Raises NotFound."""

    def of_school(self, school: str, since: datetime, limit: int, begun_by: str | None = None) -> list[LectureSession]:
        """Those begun since then, by that person where one is given, newest first, at most `limit`."""

    def change(self, school: str, id: UUID, change: Callable[[LectureSession], LectureSession]) -> LectureSession:
        """Keep what `change` makes of its books, and give it back; as ConversationStore.change."""

    def create_batch(self, session: UUID, results: Sequence[WindowResult]) -> None:
        """From now on that was found for those windows, in the place of what was found before; in their order each gets
        a number that is higher than all of the session's. Raises NotFound."""

    def windows(self, school: str, session: UUID, after: int) -> list[tuple[int, WindowResult]]:
        """Those with a higher number, by it, with their citations; what was said is not there. Raises NotFound."""

    def newest_window(self, session: UUID) -> int:
        """The highest index of those that were looked up, -1 where none was."""

    def stream(self, school: str, session: UUID) -> str:
        """What change_stream kept, empty where that was nothing. Raises NotFound."""

    def change_stream(self, school: str, session: UUID, change: Callable[[str], str]) -> None:
        """Keep what `change` makes of it, alone; it is no more than the words that are in no window yet. Raises NotFound."""

    def list_by_session(self, school: str, session: UUID) -> list[Citation]:
        """By window, then rank. Raises NotFound."""

    def get_by_id(self, school: str, id: UUID) -> Citation:
        """Raises NotFound."""

    def remove(self, school: str, id: UUID) -> None:
        """Forget it with its citations, and see to it that no file of the database has them. Raises NotFound."""

    def remove_before(self, created: datetime) -> int:
        """The same with all, of all schools, that were begun before: how many that were."""
