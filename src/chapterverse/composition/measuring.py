"""What measurements of a school's own texts are done with."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from chapterverse.composition import stores
from chapterverse.composition.collections import shelves
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from chapterverse.ports import MeasurementStore, TaskQueue
    from chapterverse.settings import Settings
    from chapterverse.usecases.measuring.measuring import Measuring
    from chapterverse.usecases.overnight.night import Night


def measuring(s: Settings, night: Night) -> Measuring:
    """With what essays are done with overnight: the same services and language model, for which there is time enough."""
    from chapterverse.retrieval.plan import ESSAY_BATCH
    from chapterverse.usecases.measuring.measuring import Measuring

    return Measuring(
        store=traced("measurements", lambda: store(s)),
        queue=traced("measuring_queue", lambda: queue(s)),
        shelves=shelves(s, night.services),
        plan=replace(ESSAY_BATCH, rerank_seconds=math.inf),
        paid=night.writing.paid,
    )


def store(s: Settings) -> MeasurementStore:
    """In the catalog's database."""
    from chapterverse.adapters.sql_measurements import SqlMeasurements

    return SqlMeasurements(stores.database(s))


def queue(s: Settings) -> TaskQueue:
    """The night's, which has all that is needed; in this process one measurement after the other."""
    if s.queue:
        return stores.night_queue(s)
    from chapterverse.adapters.local_queue import LocalQueue

    return LocalQueue()
