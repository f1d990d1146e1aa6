"""The composition root: the only place that knows what is real. What is heavy is imported where it is chosen.

Every setting chooses for itself: nothing set, and all is on one machine, below s.home."""

from chapterverse.composition.figures import essay_plan, figures, limits
from chapterverse.composition.models import (
    bulk_embedder,
    claim_reader,
    embedder,
    lanes,
    language_model,
    likelihood,
    paid_model,
    writing,
)
from chapterverse.composition.stores import (
    bucket,
    catalog,
    folder_uploads,
    index,
    keys,
    local_night_queue,
    queue,
    store_at,
    uploads,
)
from chapterverse.composition.whole import compose, door, drawer, intake, night, night_work, parser, printer, web

__all__ = [
    "bucket",
    "bulk_embedder",
    "catalog",
    "claim_reader",
    "compose",
    "door",
    "drawer",
    "embedder",
    "essay_plan",
    "figures",
    "folder_uploads",
    "index",
    "intake",
    "keys",
    "lanes",
    "language_model",
    "likelihood",
    "limits",
    "local_night_queue",
    "night",
    "night_work",
    "paid_model",
    "parser",
    "printer",
    "queue",
    "store_at",
    "uploads",
    "web",
    "writing",
]
