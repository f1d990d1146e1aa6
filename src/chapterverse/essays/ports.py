"""What a school's people leave here: keys, batches of essays, feedback."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol

from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.model import KeptFeedback, Origin


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
