"""Vectors of what a book said before already: a new version of it needs only those of what is new in it.

The vectors of a version: made batch by batch, of chunks and of the sentences that these are made of, and kept as a whole.

The index of what is kept: filled, looked over, and rebuilt without parsing or embedding anything.

A version's vectors while they come in, batch by batch, each kept as a part until the whole is.

    {school}/{book}/{version}/vectors-{model}.npy-part-{first}-{end}-2    (n, d) float32, unit norm: see embedding.Batch

A part's name begins as that of the whole and says which rows it holds: the two are deleted together, and a part made for
batches of another size, or by another release, is never taken for one of these."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import Book, BookId, Chunk
from chapterverse.core.errors import BookBusy, IndexUnavailable, NotFound
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Bucket
from chapterverse.library.artefacts import (
    KNOWN,
    indexed,
    load_book,
    load_known_vectors,
    load_vectors,
    npy_of,
    save_vectors,
    vectors_in,
    vectors_name,
)
from chapterverse.library.chunks import (
    embed_chunks,
    embed_sentences,
    first_seen,
    has_sentence_vectors,
    is_by_sentences,
    load_chunks,
    load_sentence_vectors,
    records_of,
    save_sentence_vectors,
)
from chapterverse.library.contexts import keep_context, with_known
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState
from chapterverse.library.services import CollectionServices

Vector = NDArray[np.float32]

Said = tuple[str, str]

"""All that a chunk's vector is made from (library/chunks.py, embed_chunks)."""


@dataclass(frozen=True, slots=True)
class Before:
    """What is known of chunks, and of sentences by their text."""

    chunks: Mapping[Said, Vector] = field(default_factory=dict)
    sentences: Mapping[str, Vector] = field(default_factory=dict)


NOTHING_BEFORE = Before()


def said(chunk: Chunk) -> Said:
    """Its question, if it has one, and its text."""
    return chunk.question, chunk.text


def vectors_before(key: VersionKey, services: CollectionServices) -> Before:
    """Of the version that is searched, where the same model has embedded it and nothing is lost of it."""
    active = services.catalog.book(key.school, key.book).active
    if active is None or (active.key.model, active.key.unit) != (key.model, key.unit):
        return NOTHING_BEFORE
    try:
        chunks, vectors = load_chunks(services.bucket, active.key), load_vectors(services.bucket, active.key)
        return Before(dict(zip(map(said, chunks), vectors, strict=True)), _of_sentences(active.key, chunks, services))
    except (NotFound, ValueError):  # fewer vectors than chunks: the book is being mended
        return NOTHING_BEFORE


def _of_sentences(key: VersionKey, chunks: Sequence[Chunk], services: CollectionServices) -> Mapping[str, Vector]:
    if is_by_sentences(key):
        return {}
    kept = load_sentence_vectors(services.bucket, key)
    rows = {id.decode(): row for row, id in enumerate(kept.ids.tolist())}
    ids = dict.fromkeys(id for chunk in chunks for id in chunk.sentences if id in rows)
    texts = services.text_of(key).sentences(list(ids)) if ids else []
    return {sentence.text: kept.vectors[rows[sentence.id]].astype(np.float32) for sentence in texts}


EmbeddedBatch = tuple[range, Vectors]

"""Rows of chunks, and (n + m, d): a vector for each, then one for each sentence that no chunk before them has. Where each
sentence is a chunk, m is 0."""


def embed_batch(
    key: VersionKey, chunks: Sequence[Chunk], rows: range, services: CollectionServices, before: Before = NOTHING_BEFORE
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


def keep_batches(
    key: VersionKey, book: Book, chunks: Sequence[Chunk], batches: Sequence[EmbeddedBatch], services: CollectionServices
) -> Vectors:
    """Keep all of them, at least one batch, in order, and what re-scoring sentences needs; the chunks' vectors, (n, d)."""
    vectors = np.concatenate([batch[: len(rows)] for rows, batch in batches])
    if is_by_sentences(key):  # first: where vectors are kept, nobody comes back for the rest
        keep_context(services.bucket, key, indexed(book), vectors)
    else:
        of_sentences = np.concatenate([batch[len(rows) :] for rows, batch in batches])
        save_sentence_vectors(services.bucket, key, first_seen(chunks, range(len(chunks))), of_sentences)
    save_vectors(services.bucket, key, vectors)
    return vectors


def keep_missing_sentences(key: VersionKey, chunks: Sequence[Chunk], services: CollectionServices) -> bool:
    """Embed and keep the sentences of a version whose release kept none; whether there were any to keep. The book is claimed.

    Raises NotFound, and as the embedder does."""
    if is_by_sentences(key) or has_sentence_vectors(services.bucket, key):
        return False
    ids = first_seen(chunks, range(len(chunks)))
    vectors = embed_sentences(ids, services.text_of(key), services.using(key.model).embedder)
    save_sentence_vectors(services.bucket, key, ids, vectors)
    services.recent.forget(("sentences", key))
    return True


def fill_index(key: VersionKey, book: Book, chunks: list[Chunk], vectors: Vectors, services: CollectionServices) -> None:
    """Put a version's chunks in the index, in the place of whatever it holds of that version. Raises IndexUnavailable."""
    if services.words and not is_by_sentences(key):  # which essays do without (S1-15)
        services.words.write(key.partition, key.version, [(chunk.id, chunk.text) for chunk in chunks])
    services.index.write(key.partition, key.version, records_of(book, chunks), vectors)
    if services.index.count(key.partition, key.version) != len(chunks):
        raise IndexUnavailable("index_lost_sentences")


def is_whole(version: BookVersion, services: CollectionServices) -> bool:
    """Whether the index holds as many sentences as it should and finds vectors that are known to be among them.

    Counting alone is not enough: Chroma counts what it has lost the vectors of. Of KNOWN vectors one may be missed, because
    the search is approximate."""
    key = version.key
    try:
        known = load_known_vectors(services.bucket, key)
        counted = services.index.count(key.partition, key.version)
        held = services.index.held(key.partition, key.version, known)
    except (IndexUnavailable, NotFound):
        return False
    return counted == version.sentences and held >= len(known) - len(known) // KNOWN


def repair_index(school: str, services: CollectionServices) -> list[CatalogBook]:
    """Rebuild every searched book that the index does not hold whole; those books. To be called at the start.

    A book that somebody else is at work on is left to them. Raises NotFound where nothing is kept, IndexUnavailable."""
    repaired = []
    for book in services.catalog.books(school):
        with suppress(BookBusy):
            repaired += [book] if make_whole(book, services) else []
    return repaired


def make_whole(book: CatalogBook, services: CollectionServices) -> bool:
    """The index holds what is searched of the book; whether it had to be filled for that. Raises NotFound where nothing is
    kept, BookBusy, IndexUnavailable."""
    if all(is_whole(version, services) for version in _searched(book)):
        return False
    with services.catalog.claim(book.school, book.id):
        now = services.catalog.book(book.school, book.id)  # it may have been a moment of change that was seen
        amiss = [version for version in _searched(now) if not is_whole(version, services)]
        for version in amiss:
            refill_index(version.key, services)
        return bool(amiss)


def _searched(book: CatalogBook) -> list[BookVersion]:
    """The active version, and what is ready beside it for lectures."""
    ready = (version for version in book.versions if version.key.is_companion and version.state is VersionState.READY)
    return [book.active, *ready] if book.active else []


def keep_missing(book: CatalogBook, services: CollectionServices) -> bool:
    """Embed and keep the sentences of what is searched of the book, where an older release kept none; whether it was so.

    Raises NotFound where nothing is kept of it, BookBusy, and as the embedder does."""
    if book.active is None:
        return False
    with services.catalog.claim(book.school, book.id):
        return keep_missing_sentences(book.active.key, load_chunks(services.bucket, book.active.key), services)


def reindex_book(school: str, book: BookId, services: CollectionServices) -> CatalogBook:
    """Fill the index again from what is kept of the version that is searched; until that is done the old index is searched.

    Raises NotFound where no version is searched or nothing is kept, BookBusy, IndexUnavailable."""
    with services.catalog.claim(school, book):
        shelved = services.catalog.book(school, book)
        if shelved.active is None:
            raise NotFound("book_not_ready_add_again", book=book)
        refill_index(shelved.active.key, services)
    return shelved


def refill_index(key: VersionKey, services: CollectionServices) -> None:
    """Fill the index again from what is kept of a version; the book is claimed. Raises NotFound, IndexUnavailable, BookBusy."""
    book, vectors = load_book(services.bucket, key), load_vectors(services.bucket, key)
    if is_by_sentences(key):
        keep_context(services.bucket, key, indexed(book), vectors)  # a book added by an older release has none
    with services.catalog.claim_vectors(key):
        fill_index(key, book, load_chunks(services.bucket, key, book), vectors, services)


FORMAT = 2  # of a part; 1 had no sentences


def batches_of(sentences: int, at_most: int) -> int:
    """Into how many batches so many sentences are parted, none longer than at_most; one where there are none."""
    return max(1, -(-sentences // at_most))


def rows_of(batch: int, batches: int, sentences: int) -> range:
    """The sentences of one batch, from 0; all batches are of one length, or of one more. Every process parts them alike,
    whatever its settings say."""
    return range(batch * sentences // batches, (batch + 1) * sentences // batches)


def save_part(bucket: Bucket, key: VersionKey, rows: range, vectors: Vectors) -> None:
    """Keep the vectors of these rows."""
    bucket.write(_part_name(key, rows), npy_of(vectors))


def load_part(bucket: Bucket, key: VersionKey, rows: range) -> Vectors:
    """The vectors of these rows as they were saved. Raises NotFound."""
    return vectors_in(bucket.read(_part_name(key, rows)))


def remove_parts(bucket: Bucket, key: VersionKey) -> None:
    """The whole is kept, or not wanted any more. None there: nothing happens."""
    bucket.delete(_parts_name(key))


def _parts_name(key: VersionKey) -> str:
    return f"{vectors_name(key)}-part-"


def _part_name(key: VersionKey, rows: range) -> str:
    return f"{_parts_name(key)}{rows.start}-{rows.stop}-{FORMAT}"
