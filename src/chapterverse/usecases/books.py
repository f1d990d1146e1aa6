"""A school's books: add, list, show, remove.

The order of writes is what makes a kill harmless: a version's artefacts are written before its vectors are indexed, it is
activated after everything it needs is there, and the one it replaces goes last. The same call again finishes what is left."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import PurePath
from typing import TypeVar

import numpy as np

from chapterverse.errors import BadBook, NotFound
from chapterverse.ingestion.version import PARSER_VERSION, version_of
from chapterverse.model import Book, BookId, BookVersion, Limits, Sentence, ShelvedBook, Vectors, VersionKey, VersionState
from chapterverse.names import slug
from chapterverse.ports import Bucket
from chapterverse.usecases.abandoned import give_up_abandoned, interruption_recorded
from chapterverse.usecases.artefacts import (
    book_folder,
    indexed,
    is_kept,
    load_book,
    load_vectors,
    save_book,
    save_vectors,
    source_name,
    vectors_name,
    version_folder,
)
from chapterverse.usecases.contexts import context_name, keep_context
from chapterverse.usecases.indexing import fill_index, is_whole
from chapterverse.usecases.services import Services

EMBED_AT_ONCE = 256  # sentences between two words of progress
Artefact = TypeVar("Artefact")


class Stage(StrEnum):
    """What is being done with a book just now."""

    PARSING = "parsing"
    EMBEDDING = "embedding"
    INDEXING = "indexing"


Progress = Callable[[Stage, int, int], None]
"""Told the stage, how much of it is done, and how much there is: pages when parsing, else sentences."""


class Outcome(StrEnum):
    """What adding a book came to."""

    ADDED = "added"
    REPLACED = "replaced"  # another version was searched before
    REBUILT = "rebuilt"  # the same version, but the index did not hold all of it, or not all of it was kept
    UNCHANGED = "unchanged"  # the same version: nothing to do


@dataclass(frozen=True, slots=True)
class AddedBook:
    """The book as it is now, what was done to it, and where it was replaced, what it was before."""

    book: ShelvedBook
    outcome: Outcome
    replaced: ShelvedBook | None = None


def in_silence(_stage: Stage, _done: int, _total: int) -> None:
    """Progress that nobody wants to see."""


def book_id_of(file_name: str) -> BookId:
    """The slug of the file's name without its ending: another file of the same name is a new version of the same book."""
    return BookId(slug(PurePath(file_name).stem))


def list_books(school: str, services: Services) -> list[ShelvedBook]:
    """The school's books, by title."""
    return services.catalog.books(school)


def show_book(school: str, book: BookId, services: Services) -> ShelvedBook:
    """One book. Raises NotFound."""
    return services.catalog.book(school, book)


def add_book(
    pdf: bytes,
    file_name: str,
    school: str,
    services: Services,
    limits: Limits,
    *,
    title: str | None = None,
    authors: Sequence[str] = (),
    progress: Progress = in_silence,
) -> AddedBook:
    """Make the sentences of a PDF searchable; a title or authors given go before those that the file tells.

    The same bytes again, under whatever name: nothing to do. Other bytes under a known name: a new version, which takes the
    place of the old one when it is whole. Raises TooLarge (the school is full), BadBook (also recorded on the book, as an
    interruption is), BookBusy (somebody else is at work on it), and every RetryableError of the ports."""
    key = _key(pdf, file_name, school, services)
    with services.catalog.claim(school, key.book):
        before = next((book for book in services.catalog.books(school) if book.id == key.book), None)
        outcome = _outcome(key, before.active if before else None, services)
        if outcome is not Outcome.UNCHANGED:
            give_up_abandoned(school, services)
            services.catalog.begin(key, PurePath(file_name).name, PARSER_VERSION, limits.books)
            with interruption_recorded(key, services):
                book = _parse(key, pdf, services, limits, progress)
                _index(key, book, services, progress)
                services.catalog.activate(key, title or book.title, tuple(authors) or book.authors)
        if title or authors:
            _describe(key, title, authors, services)
        _remove_superseded(key, services)
        return AddedBook(services.catalog.book(school, key.book), outcome, before if outcome is Outcome.REPLACED else None)


def remove_book(school: str, book: BookId, services: Services) -> ShelvedBook:
    """Forget a book, all its versions and all that was kept of them: what it was. Raises NotFound, BookBusy."""
    with services.catalog.claim(school, book):
        shelved = services.catalog.book(school, book)
        services.catalog.retire(school, book)  # from here on nobody finds it; called again after a kill, the rest is finished
        for version in shelved.versions:
            _remove_from_index(version.key, services)
        services.bucket.delete(book_folder(school, book))
        services.catalog.remove(school, book)
        return shelved


def _key(pdf: bytes, file_name: str, school: str, services: Services) -> VersionKey:
    """The same bytes are the same book, whatever the file is called now: their sentences have the same ids."""
    version = version_of(pdf)
    holders = (book.id for book in services.catalog.books(school) if version in _versions_alive(book))
    return VersionKey(school, next(holders, book_id_of(file_name)), version, services.embedder.model)


def _versions_alive(book: ShelvedBook) -> set[str]:
    return {version.key.version for version in book.versions if version.state is not VersionState.FAILED}


def _outcome(key: VersionKey, active: BookVersion | None, services: Services) -> Outcome:
    """What adding this version will come to. active: what is searched of the book now."""
    if active is None:
        return Outcome.ADDED
    if active.key != key:
        return Outcome.REPLACED
    whole = is_kept(services.bucket, key) and is_whole(active, services)
    return Outcome.UNCHANGED if whole else Outcome.REBUILT


def _parse(key: VersionKey, pdf: bytes, services: Services, limits: Limits, progress: Progress) -> Book:
    """The parsed book, now also kept; parsed only if it is not kept already."""
    book = _kept(load_book, key, services)
    if book is None:
        with _refusal_recorded(key, services):
            book = services.parser(pdf, key.book, limits, partial(progress, Stage.PARSING))
        services.bucket.write(source_name(key), pdf)
        save_book(services.bucket, key, book)
    services.catalog.parsed(key, book.report, len(indexed(book)))
    return book


def _index(key: VersionKey, book: Book, services: Services, progress: Progress) -> None:
    """All its sentences are in the index, their vectors kept. Raises IndexUnavailable."""
    sentences = indexed(book)
    vectors = _embed(key, sentences, services, progress)
    progress(Stage.INDEXING, 0, len(sentences))
    fill_index(key, sentences, vectors, services)
    progress(Stage.INDEXING, len(sentences), len(sentences))


def _embed(key: VersionKey, sentences: Sequence[Sentence], services: Services, progress: Progress) -> Vectors:
    """One row a sentence, now also kept; embedded only if they are not kept already."""
    vectors = _kept(load_vectors, key, services)
    if vectors is None or len(vectors) != len(sentences):
        vectors = np.concatenate([*_embed_in_batches(sentences, services, progress), services.embedder.embed_passages([])])
        keep_context(services.bucket, key, sentences, vectors)  # first: where vectors are kept, nobody comes back for it
        save_vectors(services.bucket, key, vectors)
    return vectors


def _embed_in_batches(sentences: Sequence[Sentence], services: Services, progress: Progress) -> Iterator[Vectors]:
    for start in range(0, len(sentences), EMBED_AT_ONCE):
        progress(Stage.EMBEDDING, start, len(sentences))
        yield services.embedder.embed_passages([sentence.text for sentence in sentences[start : start + EMBED_AT_ONCE]])
    progress(Stage.EMBEDDING, len(sentences), len(sentences))


def _kept(load: Callable[[Bucket, VersionKey], Artefact], key: VersionKey, services: Services) -> Artefact | None:
    """What an earlier call, which did not come to its end, has kept."""
    try:
        return load(services.bucket, key)
    except NotFound:
        return None


@contextmanager
def _refusal_recorded(key: VersionKey, services: Services) -> Iterator[None]:
    try:
        yield
    except BadBook as error:
        services.catalog.failed(key, error.reason, str(error))
        raise


def _describe(key: VersionKey, title: str | None, authors: Sequence[str], services: Services) -> None:
    book = services.catalog.book(key.school, key.book)
    services.catalog.describe(key.school, key.book, title or book.title, tuple(authors) or book.authors)


def _remove_superseded(key: VersionKey, services: Services) -> None:
    """What was begun before the active version; what was begun after it may be another's work in progress."""
    book = services.catalog.book(key.school, key.book)
    if book.active:
        for version in book.versions[book.versions.index(book.active) + 1 :]:
            _remove_version(version.key, services)


def _remove_version(key: VersionKey, services: Services) -> None:
    """Its vectors and its artefacts, the catalog's word of it last. What the same bytes with another model need, stays."""
    _remove_from_index(key, services)
    book = services.catalog.book(key.school, key.book)
    shared = any(other.key.version == key.version and other.key != key for other in book.versions)
    for name in (vectors_name(key), context_name(key)) if shared else (version_folder(key),):
        services.bucket.delete(name)
    services.catalog.forget(key)


def _remove_from_index(key: VersionKey, services: Services) -> None:
    """Unless another book has become the same bytes since this one was given up: the index tells versions apart, not books."""
    others = (book for book in services.catalog.books(key.school) if book.id != key.book)
    if not any(key.version in _versions_alive(other) for other in others):
        services.index.remove(key.partition, key.version)
