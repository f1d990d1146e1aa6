"""The composition root: the only place that knows what is real. What is heavy is imported where it is chosen.

Every setting chooses for itself: nothing set, and all is on one machine, below s.home."""

from chapterverse.composition import helpdesk
from chapterverse.composition.answers import answer_log, answering
from chapterverse.composition.figures import figures, limits
from chapterverse.composition.lti import lti
from chapterverse.composition.models import (
    bulk_before,
    bulk_embedder,
    claim_reader,
    embedder,
    lanes,
    language_model,
    paid_model,
    reranker,
    writing,
)
from chapterverse.composition.people import reception
from chapterverse.composition.schools import school_doors
from chapterverse.composition.stores import (
    bucket,
    catalog,
    feedback,
    folder_uploads,
    index,
    keys,
    local_night_queue,
    queue,
    store_at,
    uploads,
)
from chapterverse.composition.whole import (
    compose,
    door,
    drawer,
    intake,
    keeping,
    night,
    night_work,
    parser,
    places,
    printer,
    text_finder,
    web,
)

__all__ = [
    "answer_log",
    "answering",
    "bucket",
    "bulk_before",
    "bulk_embedder",
    "catalog",
    "claim_reader",
    "compose",
    "door",
    "drawer",
    "embedder",
    "feedback",
    "figures",
    "folder_uploads",
    "helpdesk",
    "index",
    "intake",
    "keeping",
    "keys",
    "lanes",
    "language_model",
    "limits",
    "local_night_queue",
    "lti",
    "night",
    "night_work",
    "paid_model",
    "parser",
    "places",
    "printer",
    "queue",
    "reception",
    "reranker",
    "school_doors",
    "store_at",
    "text_finder",
    "uploads",
    "web",
    "writing",
]
