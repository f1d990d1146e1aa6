"""The composition root: the only place that chooses implementations by the settings. Heavy modules are imported where they are
chosen.

Each setting chooses independently. Without settings, everything runs on one machine, with its data below s.home."""

from chapterverse.composition.applications import (
    BOOKS,
    all_collection_services,
    answer_settings,
    app_context,
    archive_stores,
    batch_context,
    batch_work,
    collection_services,
    compose,
    essay_context,
    helpdesk_context,
    http_limits,
    intake,
    limits,
    page_drawer,
    parser,
    printer,
    school_stores,
    text_finder,
)
from chapterverse.composition.models import (
    batching_embedder,
    embedder,
    paid_model,
    school_model,
)
from chapterverse.composition.schools import authenticator, lti, school_sign_ins, sign_in
from chapterverse.composition.stores import (
    bucket,
    index,
    local_batch_queue,
    queue,
    sql,
    store_at,
    uploads,
)

__all__ = [
    "BOOKS",
    "all_collection_services",
    "answer_settings",
    "app_context",
    "archive_stores",
    "authenticator",
    "batch_context",
    "batch_work",
    "batching_embedder",
    "bucket",
    "collection_services",
    "compose",
    "embedder",
    "essay_context",
    "helpdesk_context",
    "http_limits",
    "index",
    "intake",
    "limits",
    "local_batch_queue",
    "lti",
    "page_drawer",
    "paid_model",
    "parser",
    "printer",
    "queue",
    "school_model",
    "school_sign_ins",
    "school_stores",
    "sign_in",
    "sql",
    "store_at",
    "text_finder",
    "uploads",
]
