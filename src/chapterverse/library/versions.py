"""What a source is about, in a few words: told when it is added, without examples, by the likeness of its mean vector to a
sentence about each topic that the school has named, or, where it has named none, to the source's own headings (S2, "Chunk
Metadata Tagging"). Whoever teaches may say otherwise; that is kept whatever is added later.

One version of a book on its way from a file to being searched: the steps, shared by who takes them all at once (books.py)
and who takes them task by task (intake.py). All are taken while the book is claimed.

The order of writes is what makes a kill harmless: a version's artefacts are written before its vectors are indexed, it is
activated after everything it needs is there, and what it replaces goes last.

Two files of the same bytes are two books with the same vectors, which are in the index once: who writes or removes them has
claimed these, too.

Books whose adding came to no end: the program was interrupted, killed, or what it needed did not answer.

How far a book has come, for whoever watches."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import dropwhile
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from chapterverse.core.book import Book, BookId, Chunk, Limits
from chapterverse.core.errors import BadBook, BookBusy, NotFound
from chapterverse.core.hits import Vectors
from chapterverse.core.names import fingerprint, slug, title_of_file
from chapterverse.core.ports import Bucket, Embedder
from chapterverse.library.artefacts import load_book, save_book, source_name, vectors_name, version_folder
from chapterverse.library.chunks import chunks_name, is_by_sentences, load_chunks, save_chunks
from chapterverse.library.contexts import context_name
from chapterverse.library.indexing import fill_index, remove_parts
from chapterverse.library.model import BookVersion, CatalogBook, Corrections, VersionKey, VersionState
from chapterverse.library.services import Services
from chapterverse.library.text.chunking import ENTRIES
from chapterverse.messages import Message, message

if TYPE_CHECKING:
    from chapterverse.library.store import SqlCatalog


MOST = 3

LEAST = 0.15  # cosine of a topic of the school's; below it, SQuAD's articles are as like to topics that they are not about

NEAR = 0.1  # to the best topic's

ABOUT = "This text is about {topic}."


def note_topics(key: VersionKey, book: Book, vectors: Vectors, services: Services) -> None:
    """Say of the book what it is about; what somebody has said of it stays. Raises as the embedder and the catalog do."""
    told = topics_of(book, vectors, services.embedder, services.topics)
    before = services.catalog.book(key.school, key.book).corrections
    if told != before.found_topics:
        services.catalog.correct(key.school, key.book, replace(before, found_topics=told))


def topics_of(book: Book, vectors: Vectors, embedder: Embedder, named: Sequence[str] = ()) -> tuple[str, ...]:
    """At most MOST, the likeliest first. vectors: of its chunks, (n, d), unit norm; named: by the school, and none of them may
    fit; else headings of the book's own, of which some always do."""
    offered = list(dict.fromkeys(named or headings_of(book)))
    if not offered or not len(vectors):
        return ()
    mean = vectors.mean(axis=0)
    scores = embedder.embed_queries([ABOUT.format(topic=topic) for topic in offered]) @ (mean / np.linalg.norm(mean))
    least = max(LEAST, float(scores.max()) - NEAR) if named else -1.0
    return tuple(offered[at] for at in np.argsort(-scores, kind="stable")[:MOST] if scores[at] >= least)


def headings_of(book: Book) -> list[str]:
    """Titles of its chapters, each once; none of a list of entries, whose titles are questions."""
    if book.report.chapter_source == ENTRIES:
        return []
    titles = (chapter.title for chapter in book.chapters)
    return list(dict.fromkeys(title for title in titles if title and any(map(str.isalpha, title))))


def retopiced(corrections: Corrections, topics: Sequence[str] | None) -> Corrections:
    """With these topics instead of those found; None: those found."""
    return replace(corrections, topics=None if topics is None else tuple(dict.fromkeys(topics)))


Artefact = TypeVar("Artefact")

log = logging.getLogger(__name__)


def book_id_of(file_name: str) -> BookId:
    """The slug of the file's name without its ending, with any folders it names."""
    return BookId(slug(str(PurePath(file_name).with_suffix(""))))


def book_of(file_name: str, books: Sequence[CatalogBook]) -> BookId:
    """The book that a file of this name is, or would become, among the school's books: another file of the same name is a new
    version of it. Where one whose name only looks alike ("UPPER.PDF", "upper.pdf") has the plain id, it gets a longer one."""
    plain = book_id_of(file_name)
    of_names = {book.file_name: book.id for book in books}
    taken = any(book.id == plain for book in books)
    return of_names.get(file_name) or (BookId(f"{plain}-{fingerprint(file_name)}") if taken else plain)


@contextmanager
def claimed_book(file_name: str, school: str, catalog: "SqlCatalog") -> Iterator[BookId]:
    """The book of that file, held until the block ends. Raises BookBusy."""
    book = book_of(file_name, catalog.books(school))
    with catalog.claim(school, book):
        if book_of(file_name, catalog.books(school)) != book:
            raise BookBusy("book_name_taken_meanwhile")
        yield book


def kept(load: Callable[[Bucket, VersionKey], Artefact], key: VersionKey, services: Services) -> Artefact | None:
    """What an earlier call, which did not come to its end, has kept."""
    try:
        return load(services.bucket, key)
    except NotFound:
        return None


def parse_version(
    key: VersionKey, pdf: bytes, services: Services, limits: Limits, progress: Callable[[int, int], None] | None = None
) -> Book:
    """The parsed book, now also kept; parsed only if it is not kept already. Raises BadBook, also recorded on the version."""
    services.catalog.parsing(key)
    book = kept(load_book, key, services)
    if book is None:
        with _refusal_recorded(key, services):
            book = services.parser(pdf, key.book, limits, progress)
        services.bucket.write(source_name(key), pdf)
        save_book(services.bucket, key, book)
    return book


def chunk_version(key: VersionKey, book: Book, services: Services) -> list[Chunk]:
    """What is indexed of the book, now also kept; cut only if it is not kept already. Raises as the embedder does, which counts
    tokens."""
    with suppress(NotFound):
        return load_chunks(services.bucket, key, book)
    chunks = services.chunker(book)
    save_chunks(services.bucket, key, chunks)
    return chunks


def finish_version(
    key: VersionKey, book: Book, chunks: list[Chunk], vectors: Vectors, services: Services, *, beside: bool = False
) -> None:
    """From kept vectors, (n, d), to being searched, or to being ready beside the version that is. Raises IndexUnavailable,
    NotFound where a newer version is searched, BookBusy where somebody is at work on the same vectors for a copy of the
    file."""
    title = book.title or title_of_file(services.catalog.book(key.school, key.book).file_name)
    with services.catalog.claim_vectors(key):
        fill_index(key, book, chunks, vectors, services)
        if beside:
            services.catalog.prepared(key)
        else:
            if not is_by_sentences(key):
                note_topics(key, book, vectors, services.using(key.model))
            services.catalog.activate(key, title, book.authors)
            _note(services.catalog.version(key))
    remove_parts(services.bucket, key)


def superseded(book: CatalogBook) -> list[BookVersion]:
    """What was begun before the active version; what was begun after it may be another's work in progress."""
    return list(dropwhile(lambda version: version != book.active, book.versions))[1:]


def remove_version(key: VersionKey, services: Services) -> None:
    """Its vectors and its artefacts, the catalog's word of it last. What the same bytes need with another model, or cut
    otherwise, stays.

    Raises BookBusy where somebody is at work on the same vectors."""
    with services.catalog.claim_vectors(key):
        _remove_unshared(key, services)
        book = services.catalog.book(key.school, key.book)
        shared = any(other.key.version == key.version and other.key != key for other in book.versions)
        own = (chunks_name(key), vectors_name(key), context_name(key))
        for name in own if shared else (version_folder(key),):
            services.bucket.delete(name)
        services.catalog.forget(key)


def remove_from_index(key: VersionKey, services: Services) -> None:
    """Its vectors, unless a copy of the file is a book with them. Raises BookBusy where somebody is at work on them."""
    with services.catalog.claim_vectors(key):
        _remove_unshared(key, services)


def _remove_unshared(key: VersionKey, services: Services) -> None:
    """One that is not ready yet counts for nothing: it writes what it needs."""
    if not services.catalog.shared(key):
        services.index.remove(key.partition, key.version)
        if services.words:
            services.words.remove(key.partition, key.version)


@contextmanager
def _refusal_recorded(key: VersionKey, services: Services) -> Iterator[None]:
    try:
        yield
    except BadBook as error:
        services.catalog.failed(key, error.reason, error.message)
        raise


def _note(version: BookVersion) -> None:
    """How old the file was when its sentences could be found."""
    key, age = version.key, version.changed - version.began
    facts = {"school": key.school, "book": key.book, "version": key.version, "age_ms": round(1000 * age.total_seconds())}
    log.info("book searched", extra=facts)


ENDED = (VersionState.READY, VersionState.FAILED)

INTERRUPTED = ("interrupted", message("book_interrupted"))

"""Why such a version failed: reason and message. What was kept of it is used when its file is added again."""


@contextmanager
def interruption_recorded(key: VersionKey, services: Services) -> Iterator[None]:
    """Ctrl-C within the block is recorded on the version, which goes no further."""
    try:
        yield
    except KeyboardInterrupt:
        services.catalog.failed(key, *INTERRUPTED)
        raise


def give_up_abandoned(school: str, services: Services) -> None:
    """Record on every book of the school that is being built, and that nobody holds, that it was interrupted.

    Left as they are they would look as if they still came, and take the place of another book. Raises CatalogUnavailable."""
    for book in services.catalog.books(school):
        if _is_being_built(book):
            _give_up(book, services)


def _give_up(book: CatalogBook, services: Services) -> None:
    with suppress(BookBusy, NotFound), services.catalog.claim(book.school, book.id):
        now = services.catalog.book(book.school, book.id)  # whoever held it may have finished meanwhile
        if now.newest and _is_being_built(now):
            services.catalog.failed(now.newest.key, *INTERRUPTED)


def _is_being_built(book: CatalogBook) -> bool:
    """By one process from end to end; what is indexed in batches waits for its tasks, and nobody holds it meanwhile."""
    newest = book.newest
    return newest is not None and newest.state not in ENDED and not newest.batches


@dataclass(frozen=True, slots=True)
class BookProgress:
    """Of the version last begun. reason, message: why it failed. done of total: batches whose sentences are embedded; both 0
    where there are none (yet)."""

    state: VersionState
    reason: str | None
    message: Message | None
    done: int
    total: int


def progress_of(book: CatalogBook) -> BookProgress | None:
    """None for a book of which no version is left: it is just being removed."""
    if (newest := book.newest) is None:
        return None
    return BookProgress(newest.state, newest.reason, newest.message, newest.batches_done, newest.batches)
