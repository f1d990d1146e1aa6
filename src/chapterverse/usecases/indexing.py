"""The index of what is kept: filled, looked over, and rebuilt without parsing or embedding anything."""

from contextlib import suppress

from chapterverse.errors import BookBusy, IndexUnavailable, NotFound
from chapterverse.model import Book, BookId, BookVersion, Chunk, ShelvedBook, Vectors, VersionKey, VersionState
from chapterverse.usecases.artefacts import KNOWN, indexed, load_book, load_known_vectors, load_vectors
from chapterverse.usecases.chunks import is_by_sentences, load_chunks, records_of
from chapterverse.usecases.contexts import keep_context
from chapterverse.usecases.embedding import keep_missing_sentences
from chapterverse.usecases.services import Services


def fill_index(key: VersionKey, book: Book, chunks: list[Chunk], vectors: Vectors, services: Services) -> None:
    """Put a version's chunks in the index, in the place of whatever it holds of that version. Raises IndexUnavailable."""
    if services.words and not is_by_sentences(key):  # which essays do without (S1, "Retrieval method")
        services.words.write(key.partition, key.version, [(chunk.id, chunk.text) for chunk in chunks])
    services.index.write(key.partition, key.version, records_of(book, chunks), vectors)
    if services.index.count(key.partition, key.version) != len(chunks):
        raise IndexUnavailable("index_lost_sentences")


def is_whole(version: BookVersion, services: Services) -> bool:
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


def repair_index(school: str, services: Services) -> list[ShelvedBook]:
    """Rebuild every searched book that the index does not hold whole; those books. To be called at the start.

    A book that somebody else is at work on is left to them. Raises NotFound where nothing is kept, IndexUnavailable."""
    repaired = []
    for book in services.catalog.books(school):
        with suppress(BookBusy):
            repaired += [book] if make_whole(book, services) else []
    return repaired


def make_whole(book: ShelvedBook, services: Services) -> bool:
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


def _searched(book: ShelvedBook) -> list[BookVersion]:
    """The active version, and what is ready beside it for lectures."""
    ready = (version for version in book.versions if version.key.is_beside and version.state is VersionState.READY)
    return [book.active, *ready] if book.active else []


def keep_missing(book: ShelvedBook, services: Services) -> bool:
    """Embed and keep the sentences of what is searched of the book, where an older release kept none; whether it was so.

    Raises NotFound where nothing is kept of it, BookBusy, and as the embedder does."""
    if book.active is None:
        return False
    with services.catalog.claim(book.school, book.id):
        return keep_missing_sentences(book.active.key, load_chunks(services.bucket, book.active.key), services)


def reindex_book(school: str, book: BookId, services: Services) -> ShelvedBook:
    """Fill the index again from what is kept of the version that is searched; until that is done the old index is searched.

    Raises NotFound where no version is searched or nothing is kept, BookBusy, IndexUnavailable."""
    with services.catalog.claim(school, book):
        shelved = services.catalog.book(school, book)
        if shelved.active is None:
            raise NotFound("book_not_ready_add_again", book=book)
        refill_index(shelved.active.key, services)
    return shelved


def refill_index(key: VersionKey, services: Services) -> None:
    """Fill the index again from what is kept of a version; the book is claimed. Raises NotFound, IndexUnavailable, BookBusy."""
    book, vectors = load_book(services.bucket, key), load_vectors(services.bucket, key)
    if is_by_sentences(key):
        keep_context(services.bucket, key, indexed(book), vectors)  # a book added by an older release has none
    with services.catalog.claim_vectors(key):
        fill_index(key, book, load_chunks(services.bucket, key, book), vectors, services)
