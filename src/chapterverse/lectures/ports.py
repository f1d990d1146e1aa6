"""What a school's people leave here: keys, batches of essays, feedback."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from chapterverse.lectures.model import Citation, LectureSession, WindowResult


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
