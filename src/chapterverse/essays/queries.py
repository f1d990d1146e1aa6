"""The queries for an essay: each paragraph and its key sentences (S1, "Query formulation").

Key sentences are the sentences nearest to their paragraph by vectors, which the search needs anyway, or those that a language
model chooses (S1-12, S1-13). An essay of ordinary length takes one embed call. Figures: docs/quality.md."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.errors import BadAnswer, BadRequest, CeilingReached, LanguageModelUnavailable, ModelRefused
from chapterverse.core.hits import Query, QueryKind, Vectors
from chapterverse.core.ports import Embedder, ModelAnswer, Prompt, Schema
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.prompts import prompt
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

LATENESS = 0.05  # cosine that the last sentence of a paragraph loses to the first

Scores = NDArray[np.float64]
"""One a sentence of a paragraph, higher is better."""


def centrality(paragraph: Vectors, sentences: Vectors) -> Scores:
    """The similarity of each sentence to the paragraph, slightly lower for later sentences (centroid summarisation, Radev et
    al. 2004).

    paragraph: (d,), sentences: (n, d), unit norm; returns (n,)."""
    nearness = sentences @ paragraph - LATENESS * np.linspace(0, 1, len(sentences))
    return np.asarray(nearness, np.float64)


def best_of(scores: Scores, limit: int) -> list[int]:
    """Indices of the `limit` best scores, ascending; the earlier of equal ones wins."""
    return sorted(int(place) for place in np.argsort(-scores, kind="stable")[:limit])


MAX_TEXTS = 128  # of one embed call: more than most essays have, few enough to check the deadline between two calls
NONE_CHOSEN: Mapping[int, Sequence[int]] = {}


def texts_to_embed(essay: Essay) -> list[str]:
    """The texts of all paragraphs, then all candidates for key sentences, in the essay's order."""
    paragraphs = [paragraph.text for paragraph in essay.paragraphs]
    return paragraphs + [sentence for paragraph in essay.paragraphs for sentence in candidates(paragraph)]


def parts_of(essay: Essay) -> Iterator[Essay]:
    """The essay in parts of about MAX_TEXTS texts to embed, at least one paragraph each; most essays are one part."""
    some: list[Paragraph] = []
    texts = 0
    for paragraph in essay.paragraphs:
        more = 1 + len(candidates(paragraph))
        if some and texts + more > MAX_TEXTS:
            yield replace(essay, paragraphs=tuple(some))
            some, texts = [], 0
        some.append(paragraph)
        texts += more
    yield replace(essay, paragraphs=tuple(some))


def candidates(paragraph: Paragraph) -> tuple[str, ...]:
    """The sentences that key sentences are chosen from: none where the only one is the paragraph itself."""
    return paragraph.sentences if len(paragraph.sentences) > 1 else ()


def build_queries(
    essay: Essay, vectors: Vectors, key_sentences: int, chosen: Mapping[int, Sequence[int]] = NONE_CHOSEN
) -> EmbeddedQueries:
    """The queries in the essay's order, each paragraph before its key sentences.

    vectors: (n, d), unit norm, of texts_to_embed(essay). key_sentences: at most so many a paragraph. chosen: by number of
    the paragraph, indices of its key sentences, ascending; of a paragraph without an entry those nearest to the whole of it
    are taken."""
    queries: list[Query] = []
    rows: list[int] = []
    first = len(essay.paragraphs)
    for number, paragraph in enumerate(essay.paragraphs):
        last = first + len(candidates(paragraph))
        keys = chosen.get(number) or best_of(centrality(vectors[number], vectors[first:last]), key_sentences)
        queries.append(Query(paragraph.text, QueryKind.PARAGRAPH, number))
        queries.extend(Query(paragraph.sentences[key], QueryKind.KEY_SENTENCE, number) for key in keys)
        rows.extend([number, *(first + key for key in keys)])
        first = last
    return EmbeddedQueries(tuple(queries), vectors[rows])


def queries_on(
    essay: Essay, plan: RetrievalPlan, embedder: Embedder, key_sentences: "KeySentenceModel | None" = None
) -> EmbeddedQueries:
    """The queries of as many paragraphs as plan.evidence_seconds allows, all of them for an essay of ordinary length.
    key_sentences: chooses the key sentences if it answers within plan.key_sentence_seconds; else vectors choose.

    Raises EmbedderUnavailable, ModelUnavailable."""
    reached, vectors = embedded_in_time(essay, embedder, monotonic() + plan.evidence_seconds)
    deadline = monotonic() + plan.key_sentence_seconds
    chosen = key_sentences.choose(reached.paragraphs, plan.key_sentences, deadline) if key_sentences else {}
    return build_queries(reached, vectors, plan.key_sentences, chosen)


def embedded_in_time(essay: Essay, embedder: Embedder, deadline: float) -> tuple[Essay, Vectors]:
    """The part of the essay that was embedded before the deadline, and the vectors of its texts. The first part is always
    embedded; a part is skipped if the last part's duration suggests it would be late."""
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


PROMPT = "key-sentences-1"
NUMBER = {"type": "integer"}

CHOICE = {
    "type": "object",
    "properties": {"paragraph": NUMBER, "key_sentences": {"type": "array", "items": NUMBER}},
    "required": ["paragraph", "key_sentences"],
    "additionalProperties": False,
}

SCHEMA: Schema = {
    "type": "object",
    "properties": {"choices": {"type": "array", "items": CHOICE}},
    "required": ["choices"],
    "additionalProperties": False,
}

NO_ANSWER = (LanguageModelUnavailable, BadAnswer, BadRequest, CeilingReached, ModelRefused)
"""Errors after which vectors choose."""

Ask = Callable[[Prompt, Schema, float], ModelAnswer]
"""LanguageModel.generate, or PaidModel.answer of one school."""


@dataclass(frozen=True)
class KeySentenceModel:
    """A language model that chooses the key sentences of all paragraphs in one request."""

    ask: Ask

    def choose(self, paragraphs: Sequence[Paragraph], limit: int, deadline: float) -> dict[int, list[int]]:
        """Indices of at most `limit` key sentences, ascending, by paragraph index.

        Paragraphs with at most `limit` sentences and those missing in the answer have no entry. deadline: by time.monotonic().
        Empty if the model is late, refuses, answers in another form, or the day's ceiling is reached. Raises
        ModelUnavailable."""
        to_choose = {number: one for number, one in enumerate(paragraphs) if len(one.sentences) > limit > 0}
        if not to_choose:
            return {}
        wanted = Prompt(PROMPT, prompt(PROMPT).template, material(to_choose, limit), temperature=0.0)
        try:
            chosen = choices(self.ask(wanted, SCHEMA, deadline).value)
        except NO_ANSWER:
            return {}
        fitting = {number: fit(chosen.get(number, ()), one, limit) for number, one in to_choose.items()}
        return {number: keys for number, keys in fitting.items() if keys}


def material(paragraphs: Mapping[int, Paragraph], limit: int) -> str:
    """The paragraphs and their sentences as JSON, both numbered from 1."""
    numbered = [
        {"paragraph": number + 1, "at_most": limit, "sentences": dict(enumerate(one.sentences, 1))}
        for number, one in paragraphs.items()
    ]
    return json.dumps(numbered, ensure_ascii=False)


def choices(value: Mapping[str, Any]) -> dict[int, list[int]]:
    """Sentence indices, most important first, by paragraph index. Raises BadAnswer if the answer has another form."""
    try:
        return {int(one["paragraph"]) - 1: [int(n) - 1 for n in one["key_sentences"]] for one in value["choices"]}
    except (KeyError, TypeError, ValueError) as error:
        raise BadAnswer("answer_not_sentences") from error


def fit(chosen: Sequence[int], paragraph: Paragraph, limit: int) -> list[int]:
    """The first `limit` existing indices, without repetitions, ascending."""
    existing = [index for index in dict.fromkeys(chosen) if 0 <= index < len(paragraph.sentences)]
    return sorted(existing[:limit])
