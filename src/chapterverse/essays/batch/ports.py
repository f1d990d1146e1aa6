"""Essays that are handed in together."""

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from chapterverse.essays.batch.model import BatchEssay, BatchKey, EssayBatch, EssayState
from chapterverse.messages import Message


class BatchStore(Protocol):
    """Batches of essays and how far each essay has come; tests/contract/test_batch_store.py. Each method is one transaction.

    Raises CatalogUnavailable, and NotFound for a batch or an essay that is not there (any more)."""

    def add(self, key: BatchKey, essays: Sequence[BatchEssay], name: str = "") -> None:
        """Note a new batch. There already: nothing happens, but that it has the name from now on, where one is given."""

    def batch(self, key: BatchKey) -> EssayBatch:
        """How far it has come."""

    def of_school(self, school: str) -> list[EssayBatch]:
        """The school's batches, newest first."""

    def find(self, *, waiting: bool = False, before: datetime | None = None) -> list[BatchKey]:
        """Of all schools, oldest first; waiting: only with essays that wait; before: only those created before then."""

    def essays(self, key: BatchKey) -> list[BatchEssay]:
        """Its essays, by number."""

    def begin(self, key: BatchKey, due: datetime) -> EssayBatch:
        """It is under way from now until due. Under way already, or without an essay that waits: nothing happens."""

    def reopen(self, key: BatchKey, but: Collection[str]) -> None:
        """Essays that failed wait again, as before the batch was first begun, but those that failed for these reasons. Under
        way, or none has failed so: nothing happens."""

    def claim(self, key: BatchKey, number: int) -> AbstractContextManager[BatchEssay]:
        """The essay; nobody else is at work on it within the block. Ends with the block, or with the process, however it ends.
        Raises EssayBusy where somebody else has it."""

    def note(
        self, key: BatchKey, number: int, state: EssayState, reason: str | None = None, message: Message | None = None
    ) -> int:
        """The essay has come so far, and why; how many still wait. One that waits may have a reason, too: it did not succeed.
        It is DONE or FAILED already: nothing happens."""

    def forget(self, key: BatchKey, number: int, reason: str, message: Message) -> None:
        """The essay is FAILED from now on, and why, however far it had come."""

    def note_job(self, key: BatchKey, job: str) -> None:
        """A batch prediction of this name writes for it."""

    def remove(self, key: BatchKey) -> None:
        """Forget it. Not there: nothing happens."""
