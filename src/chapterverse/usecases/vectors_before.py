"""Vectors of what a book said before already: a new version of it needs only those of what is new in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from chapterverse.errors import NotFound
from chapterverse.model import Chunk, VersionKey
from chapterverse.usecases.artefacts import load_vectors
from chapterverse.usecases.chunks import is_by_sentences, load_chunks
from chapterverse.usecases.sentence_vectors import load_sentence_vectors
from chapterverse.usecases.services import Services

Vector = NDArray[np.float32]
Said = tuple[str, str]
"""All that a chunk's vector is made from (usecases/chunks.py, embed_chunks)."""


@dataclass(frozen=True, slots=True)
class Before:
    """What is known of chunks, and of sentences by their text."""

    chunks: Mapping[Said, Vector] = field(default_factory=dict)
    sentences: Mapping[str, Vector] = field(default_factory=dict)


NOTHING_BEFORE = Before()


def said(chunk: Chunk) -> Said:
    """Its question, if it has one, and its text."""
    return chunk.question, chunk.text


def vectors_before(key: VersionKey, services: Services) -> Before:
    """Of the version that is searched, where the same model has embedded it and nothing is lost of it."""
    active = services.catalog.book(key.school, key.book).active
    if active is None or (active.key.model, active.key.unit) != (key.model, key.unit):
        return NOTHING_BEFORE
    try:
        chunks, vectors = load_chunks(services.bucket, active.key), load_vectors(services.bucket, active.key)
        return Before(dict(zip(map(said, chunks), vectors, strict=True)), _of_sentences(active.key, chunks, services))
    except (NotFound, ValueError):  # fewer vectors than chunks: the book is being mended
        return NOTHING_BEFORE


def _of_sentences(key: VersionKey, chunks: Sequence[Chunk], services: Services) -> Mapping[str, Vector]:
    if is_by_sentences(key):
        return {}
    kept = load_sentence_vectors(services.bucket, key)
    rows = {id.decode(): row for row, id in enumerate(kept.ids.tolist())}
    ids = dict.fromkeys(id for chunk in chunks for id in chunk.sentences if id in rows)
    texts = services.text_of(key).sentences(list(ids)) if ids else []
    return {sentence.text: kept.vectors[rows[sentence.id]].astype(np.float32) for sentence in texts}
