"""A batch as JSON: what the command line prints with --json and the web answers."""

from datetime import datetime
from typing import Any

from chapterverse.model import EssayBatch
from chapterverse.usecases.overnight.batches import Told


def batch_json(batch: EssayBatch, now: datetime) -> dict[str, Any]:
    """How far it has come; times are UTC. ready_at: when it will be done, by its pace so far, null where nobody can know."""
    times = {"created": batch.created, "began": batch.began, "due": batch.due, "ready_at": batch.ready_at(now)}
    return {
        "batch": batch.key.batch,
        "name": batch.name,
        "state": batch.state(now).value,
        "essays": batch.essays,
        "done": batch.done,
        "failed": batch.failed,
        "left": batch.waiting,
        **{name: at and at.isoformat() for name, at in times.items()},
    }


def told_json(told: Told) -> dict[str, Any]:
    """One essay: the teacher's id, and what became of it."""
    essay = told.essay
    return {"number": essay.number, "id": told.id, "state": essay.state.value, "reason": essay.reason, "message": essay.message}
