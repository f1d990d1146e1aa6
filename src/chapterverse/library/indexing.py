"""The vectors of a version, and the index made from them.

Vectors are made in batches of chunks. Each batch of an index task is stored as a part until all are there:

    {school}/{book}/{version}/vectors-{model}.npy-part-{first}-{end}-4    (n, d) float32, unit norm: see EmbeddedBatch

A part's name begins with that of the whole, so both are deleted together; it says which rows the part holds, so a part of a
batch of another size or of another release is never mistaken for it. A new version embeds only texts that the version before
does not have, but for sentences in tasks. The index can be checked and rebuilt from what is stored."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import Book, Chunk, Collection, SentenceId
from chapterverse.core.errors import BookBusy, EmbedderUnavailable, IndexUnavailable, NotFound
from chapterverse.core.hits import SAME, Granularity, Vectors
from chapterverse.core.ports import Bucket, VectorIndex
from chapterverse.library.artefacts import (
    indexed,
    load_book,
    load_vectors,
    save_vectors,
    store_rescoring,
    vectors_name,
    with_known,
)
from chapterverse.library.chunks import (
    embed_texts,
    first_seen,
    is_by_sentences,
    load_chunks,
    load_sentence_vectors,
    means_of,
    records_of,
    rows_by_text,
    save_sentence_vectors,
)
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey
from chapterverse.library.services import CollectionServices

KNOWN = 16  # vectors, evenly spread; if one may be missed, a gap of an eighth of the book is still noticed
Vector = NDArray[np.float32]

Known = Mapping[tuple[str, str], Vector]
"""Vectors that need no embedding, by what they are made from: an entry's question and its text, or "" and a sentence."""


def known_vectors(key: VersionKey, services: CollectionServices) -> Known:
    """The vectors of the active version if the same model made them, and those of the same file's sentences: among the essays'
    books, or copied from the collection that gave the file to this one."""
    active = services.catalog.book(key.school, key.book).active
    of_book = replace(key, unit=Granularity.SENTENCE.value, collection=Collection.BOOKS)
    shared = {**_stored(of_book, services), **_of_sentences(key, services)}
    if active is None or active.key.model != key.model or active.key == of_book:
        return shared
    return {**_stored(active.key, services), **shared}


def _stored(key: VersionKey, services: CollectionServices) -> Known:
    """The vectors of a version's entries and sentences; none unless all are stored."""
    try:
        chunks, vectors = load_chunks(services.bucket, key), load_vectors(services.bucket, key)
        every = dict(zip(chunks, vectors, strict=True))
        if is_by_sentences(key):
            return {("", chunk.text): vector for chunk, vector in every.items()}
        entries = {(chunk.question, chunk.text): vector for chunk, vector in every.items() if chunk.question}
        return {**entries, **_of_sentences(key, services)}
    except (NotFound, ValueError):  # fewer vectors than chunks: the book is being repaired
        return {}


def _of_sentences(key: VersionKey, services: CollectionServices) -> Known:
    """The stored vectors of sentences that are no chunks. Raises NotFound if the book is not stored."""
    stored = load_sentence_vectors(services.bucket, key)
    sentences = services.text_of(key).sentences(SentenceId(id.decode()) for id in stored.ids.tolist())
    return {("", one.text): vector for one, vector in zip(sentences, stored.vectors.astype(np.float32), strict=True)}


EmbeddedBatch = tuple[range, Vectors]
"""Rows of chunks, and (m + n, d): a vector for each of rows_by_text among them, then one for each sentence that no chunk before
them has."""


def embed_batch(key: VersionKey, chunks: Sequence[Chunk], rows: range, services: CollectionServices, known: Known) -> Vectors:
    """The vectors of an EmbeddedBatch. chunks: all of the version. Raises NotFound, EmbedderUnavailable if the embedder runs
    another model, and as it does."""
    embedder, wanted = services.embedder, chunks[rows.start : rows.stop]
    if embedder.model != key.model:
        raise EmbedderUnavailable("no_embedder_of_model", model=key.model)
    own = [chunks[row] for row in rows_by_text(chunks) if row in rows]
    new = wanted if is_by_sentences(key) else services.text_of(key).sentences(first_seen(chunks, rows))
    texts = [one.text for one in new]
    own_texts = [(one.question, one.text) for one in own]
    made = [
        with_known(keys, known, embed)
        for keys, embed in (
            (own_texts, lambda at: embed_texts([own[row] for row in at], embedder)),
            ([("", text) for text in texts], lambda at: embedder.embed_passages([texts[row] for row in at])),
        )
        if keys
    ]
    return np.concatenate(made) if made else embedder.embed_passages([])


def store_batches(
    key: VersionKey, book: Book, chunks: Sequence[Chunk], batches: Sequence[EmbeddedBatch], services: CollectionServices
) -> Vectors:
    """Store the vectors of all batches (at least one, in order), and what re-scoring sentences needs; returns the chunks'
    vectors, (n, d)."""
    own = rows_by_text(chunks)
    parted = [(batch, sum(row in rows for row in own)) for rows, batch in batches]
    vectors = np.concatenate([batch[number:] for batch, number in parted])
    if is_by_sentences(key):  # before the vectors, whose presence means that all is stored
        store_rescoring(services.bucket, key, indexed(book), vectors)
    else:
        ids = first_seen(chunks, range(len(chunks)))
        save_sentence_vectors(services.bucket, key, ids, vectors)
        vectors = means_of(chunks, ids, vectors.astype(np.float16).astype(np.float32))  # as stored: made again, they are equal
        vectors[own] = np.concatenate([batch[:number] for batch, number in parted])
    save_vectors(services.bucket, key, vectors)
    return vectors


def fill_index(key: VersionKey, book: Book, chunks: list[Chunk], vectors: Vectors, services: CollectionServices) -> None:
    """Write a version's chunks to the index, replacing what it holds of that version. Raises IndexUnavailable."""
    if services.words and not is_by_sentences(key):  # essays use no keyword search (S1-15)
        services.words.write(key.partition, key.version, [(chunk.id, chunk.text) for chunk in chunks])
    services.index.write(key.partition, key.version, records_of(book, chunks), vectors)
    if services.index.count(key.partition, key.version) != len(chunks):
        raise IndexUnavailable("index_lost_sentences")


def is_whole(version: BookVersion, services: CollectionServices) -> bool:
    """Whether the index holds as many chunks as it should and finds the stored vectors, of which KNOWN are looked for.

    The count alone is not enough: Chroma counts chunks whose vectors it has lost. One of KNOWN vectors may be missed, because
    the search is approximate."""
    key = version.key
    try:
        if services.index.count(key.partition, key.version) != version.sentences:
            return False
        stored = load_vectors(services.bucket, key)
        known = stored[np.linspace(0, len(stored) - 1, min(KNOWN, len(stored))).astype(int)]
        return held(known, key, services.index) >= len(known) - len(known) // KNOWN
    except (IndexUnavailable, NotFound):
        return False


def held(vectors: Vectors, key: VersionKey, index: VectorIndex) -> int:
    """Number of these vectors, (n, d) float32, unit norm, that a search in the version finds. Raises as the search does."""
    nearest = index.search(key.partition, vectors, 1, [key.version])
    return sum(bool(hits) and hits[0].score > 1 - SAME for hits in nearest)


def repair_index(school: str, services: CollectionServices) -> list[CatalogBook]:
    """Rebuild every searched book that the index does not hold whole; returns those books. Call it at the start.

    Books that another process holds are skipped. Raises NotFound if nothing is stored of a book, IndexUnavailable."""
    repaired = []
    for book in services.catalog.books(school):
        with suppress(BookBusy):
            repaired += [book] if make_whole(book, services) else []
    return repaired


def make_whole(book: CatalogBook, services: CollectionServices, anew: bool = False) -> bool:
    """Fill the index with what is searched of the book if it is not whole, or anew; whether it was filled. The book stays
    searchable meanwhile.

    Raises NotFound if nothing is stored of it, BookBusy, IndexUnavailable."""
    if book.active is None or not (anew or not is_whole(book.active, services)):
        return False
    with services.catalog.claim(book.school, book.id):
        active = services.catalog.book(book.school, book.id).active  # the first look may have been during a change
        if active is None or not (anew or not is_whole(active, services)):
            return False
        key, parsed = active.key, load_book(services.bucket, active.key)
        vectors = load_vectors(services.bucket, key)
        if is_by_sentences(key):
            store_rescoring(services.bucket, key, indexed(parsed), vectors)
        with services.catalog.claim_vectors(key):
            fill_index(key, parsed, load_chunks(services.bucket, key, parsed), vectors, services)
        return True


FORMAT = 4  # of a part; 3 had no vectors for parts of a sentence


def rows_of(batch: int, batches: int, sentences: int) -> range:
    """The rows of one batch, counted from 0. Batches differ in length by at most one. The division does not
    depend on a process's settings."""
    return range(batch * sentences // batches, (batch + 1) * sentences // batches)


def part_of(rows: range) -> str:
    """Name of the part with these rows, beside the vectors."""
    return f"part-{rows.start}-{rows.stop}-{FORMAT}"


def remove_parts(bucket: Bucket, key: VersionKey) -> None:
    """Delete all parts of the version; does nothing if there are none."""
    bucket.delete(vectors_name(key, "part-"))
