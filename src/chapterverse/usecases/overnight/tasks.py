"""Tasks of a batch, and what their bodies say. A task belongs to the window that the batch was begun in: what is left of it is
asked for anew in the next one, under other names."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime

from chapterverse.errors import BadRequest
from chapterverse.model import BatchKey, EssayBatch, EssayState, Task, TaskKind
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.tasks import Body, named_task, text_in

AT_ONCE = 16  # tasks added: a queue on the network takes a thousand one by one for longer than anybody waits


@dataclass(frozen=True, slots=True)
class Attempt:
    """A batch in one window."""

    key: BatchKey
    began: datetime

    def goes_on(self, batch: EssayBatch, now: datetime) -> bool:
        """Whether the batch is under way in that window."""
        return batch.began == self.began and batch.due is not None and now < batch.due


def essay_task(batch: EssayBatch, number: int) -> Task:
    """Write feedback on one essay."""
    return named_task(TaskKind.ESSAY, {**_body_of(batch), "essay": number})


def predict_task(batch: EssayBatch) -> Task:
    """Have a batch prediction write for all of it, and then its essays be done."""
    return named_task(TaskKind.PREDICT, _body_of(batch))


def ask_for_essays(batch: EssayBatch, night: Night) -> None:
    """Each that waits, as a task. Raises NotFound, QueueUnavailable."""
    waiting = [essay.number for essay in night.store.essays(batch.key) if essay.state is EssayState.WAITING]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in pool.map(lambda number: night.queue.add(essay_task(batch, number)), waiting):
            pass  # but an error is raised


def attempt_in(body: Body) -> Attempt:
    """The batch that a task is about. Raises BadRequest."""
    try:
        return Attempt(
            BatchKey(text_in(body, "school"), text_in(body, "batch")), datetime.fromisoformat(text_in(body, "began"))
        )
    except ValueError as error:
        raise BadRequest("task_without_begin") from error


def number_in(body: Body) -> int:
    """The essay that a task is about. Raises BadRequest."""
    if isinstance(number := body.get("essay"), int):
        return number
    raise BadRequest("task_without_essay")


def _body_of(batch: EssayBatch) -> dict[str, str | int]:
    began = batch.began.isoformat() if batch.began else ""
    return {"school": batch.key.school, "batch": batch.key.batch, "began": began}
