"""What of an essay is looked up: its paragraphs and their key sentences."""

from dataclasses import replace
from time import monotonic

import numpy as np

from chapterverse.essay import Essay
from chapterverse.model import Vectors
from chapterverse.ports import Embedder
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.queries import EmbeddedQueries, build_queries, parts_of, texts_to_embed
from chapterverse.usecases.services import Services


def queries_on(essay: Essay, plan: RetrievalPlan, services: Services) -> EmbeddedQueries:
    """On the first paragraphs, as many as there is time for; on all of an essay of ordinary length, in one embed call. The
    language model chooses key sentences where there is one and it answers in plan.key_sentence_seconds, else the vectors.

    Raises EmbedderUnavailable, ModelUnavailable."""
    reached, vectors = embedded_in_time(essay, services.embedder, monotonic() + plan.evidence_seconds)
    model, deadline = services.key_sentence_model, monotonic() + plan.key_sentence_seconds
    chosen = model.choose(reached.paragraphs, plan.key_sentences, deadline) if model else {}
    return build_queries(reached, vectors, plan.key_sentences, chosen)


def embedded_in_time(essay: Essay, embedder: Embedder, deadline: float) -> tuple[Essay, Vectors]:
    """The essay as far as it is embedded before the deadline, its first part in any case, and the vectors of its texts. What
    will not be through in time, by the last part's pace, is not begun."""
    parts: list[Essay] = []
    wholes: list[Vectors] = []
    sentences: list[Vectors] = []
    pace = 0.0  # seconds of a part; the first one's may be those of loading the model
    for part in parts_of(essay):
        began = monotonic()
        if parts and began + pace >= deadline:
            break
        vectors = embedder.embed_queries(texts_to_embed(part))
        pace = monotonic() - began if parts else 0.0
        parts.append(part)
        wholes.append(vectors[: len(part.paragraphs)])
        sentences.append(vectors[len(part.paragraphs) :])
    reached = tuple(paragraph for part in parts for paragraph in part.paragraphs)
    return replace(essay, paragraphs=reached), np.concatenate([*wholes, *sentences])
