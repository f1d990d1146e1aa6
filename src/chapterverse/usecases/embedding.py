"""The vectors of a version: made batch by batch, of chunks and of the sentences that these are made of, and kept as a whole."""

from collections.abc import Sequence

import numpy as np

from chapterverse.model import Book, Chunk, Vectors, VersionKey
from chapterverse.retrieval.chunk_vectors import with_known
from chapterverse.usecases.artefacts import indexed, save_vectors
from chapterverse.usecases.chunks import embed_chunks, is_by_sentences
from chapterverse.usecases.contexts import keep_context
from chapterverse.usecases.sentence_vectors import embed_sentences, first_seen, is_kept, save_sentence_vectors
from chapterverse.usecases.services import Services
from chapterverse.usecases.vectors_before import NOTHING_BEFORE, Before, said

Batch = tuple[range, Vectors]
"""Rows of chunks, and (n + m, d): a vector for each, then one for each sentence that no chunk before them has. Where each
sentence is a chunk, m is 0."""


def embed_batch(
    key: VersionKey, chunks: Sequence[Chunk], rows: range, services: Services, before: Before = NOTHING_BEFORE
) -> Vectors:
    """The vectors of a Batch. chunks: all of the version; before: what needs no embedding. Raises NotFound, and as the embedder
    does."""
    embedder, wanted = services.using(key.model).embedder, chunks[rows.start : rows.stop]
    said_now = [said(chunk) for chunk in wanted]
    of_chunks = with_known(said_now, before.chunks, lambda new: embed_chunks([wanted[row] for row in new], embedder))
    if is_by_sentences(key):
        return of_chunks
    of_sentences = embed_sentences(first_seen(chunks, rows), services.text_of(key), embedder, before.sentences)
    return np.concatenate([of_chunks, of_sentences])


def keep_batches(key: VersionKey, book: Book, chunks: Sequence[Chunk], batches: Sequence[Batch], services: Services) -> Vectors:
    """Keep all of them, at least one batch, in order, and what re-scoring sentences needs; the chunks' vectors, (n, d)."""
    vectors = np.concatenate([batch[: len(rows)] for rows, batch in batches])
    if is_by_sentences(key):  # first: where vectors are kept, nobody comes back for the rest
        keep_context(services.bucket, key, indexed(book), vectors)
    else:
        of_sentences = np.concatenate([batch[len(rows) :] for rows, batch in batches])
        save_sentence_vectors(services.bucket, key, first_seen(chunks, range(len(chunks))), of_sentences)
    save_vectors(services.bucket, key, vectors)
    return vectors


def keep_missing_sentences(key: VersionKey, chunks: Sequence[Chunk], services: Services) -> bool:
    """Embed and keep the sentences of a version whose release kept none; whether there were any to keep. The book is claimed.

    Raises NotFound, and as the embedder does."""
    if is_by_sentences(key) or is_kept(services.bucket, key):
        return False
    ids = first_seen(chunks, range(len(chunks)))
    vectors = embed_sentences(ids, services.text_of(key), services.using(key.model).embedder)
    save_sentence_vectors(services.bucket, key, ids, vectors)
    services.recent.forget(("sentences", key))
    return True
