"""The composition root: the only place that knows what is real. What is heavy is imported where it is chosen.

Every setting chooses for itself: nothing set, and all is on one machine, below s.home."""

from chapterverse.composition.figures import essay_plan, figures, limits, night_limits
from chapterverse.composition.models import bulk_embedder, embedder, lanes, language_model, night_writing, paid_model, writing
from chapterverse.composition.stores import (
    batches,
    bucket,
    catalog,
    folder_uploads,
    index,
    keys,
    local_night_queue,
    night_queue,
    queue,
    results,
    store_at,
    uploads,
)
from chapterverse.composition.whole import compose, intake, night, parser, web

__all__ = [
    "batches",
    "bucket",
    "bulk_embedder",
    "catalog",
    "compose",
    "embedder",
    "essay_plan",
    "figures",
    "folder_uploads",
    "index",
    "intake",
    "keys",
    "lanes",
    "language_model",
    "limits",
    "local_night_queue",
    "night",
    "night_limits",
    "night_queue",
    "night_writing",
    "paid_model",
    "parser",
    "queue",
    "results",
    "store_at",
    "uploads",
    "web",
    "writing",
]
