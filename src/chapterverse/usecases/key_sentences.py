"""What of an essay is looked up: its paragraphs, and their key sentences by the language model where there is one in time."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from time import monotonic

import numpy as np

from chapterverse.errors import LanguageModelUnavailable
from chapterverse.essay import Essay
from chapterverse.model import Vectors
from chapterverse.ports import Embedder, Likelihood
from chapterverse.retrieval.key_sentences import Scores, information, pairs_of
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.queries import EmbeddedQueries, build_queries, parts_of, texts_to_embed
from chapterverse.usecases.services import Services


def queries_on(essay: Essay, plan: RetrievalPlan, services: Services) -> EmbeddedQueries:
    """On the first paragraphs, as many as there is time for; on all of an essay of ordinary length, in one embed call. Raises
    EmbedderUnavailable, ModelUnavailable."""
    reached, vectors = embedded_in_time(essay, services.embedder, monotonic() + plan.evidence_seconds)
    deadline = monotonic() + plan.key_sentence_seconds
    return build_queries(reached, vectors, plan.key_sentences, scores_in_time(reached, plan, services.likelihood, deadline))


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


def scores_in_time(
    essay: Essay, plan: RetrievalPlan, likelihood: Likelihood | None, deadline: float = math.inf
) -> list[Scores | None]:
    """Of each paragraph the language model's, None for one that it does not get to before the deadline or that has nothing to
    choose: then the nearest to the whole paragraph are taken. All are asked for at once, the essay's first paragraphs first."""
    asked = [pairs_of(each) if len(each.sentences) > plan.key_sentences else [] for each in essay.paragraphs]
    found = _asked_of(likelihood, [pair for pairs in asked for pair in pairs], deadline)
    bounds = pairwise(accumulate(map(len, asked), initial=0))
    return [
        information(paragraph, found[start:end]) if end > start else None
        for paragraph, (start, end) in zip(essay.paragraphs, bounds, strict=True)
    ]


def _asked_of(likelihood: Likelihood | None, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
    """A model that does not answer costs only its choice."""
    nothing: list[float | None] = [None] * len(pairs)
    try:
        return likelihood.log_probs(pairs, deadline) if likelihood and pairs else nothing
    except LanguageModelUnavailable:
        return nothing


def make_ready(services: Services) -> None:
    """Load the language model now, so that no essay's time goes to it. Raises ModelUnavailable."""
    if services.likelihood:
        services.likelihood.log_probs([("", "a")], math.inf)
