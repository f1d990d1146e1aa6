"""A book of another shelf cut into paragraphs, once for all lectures: as a version beside the one that its shelf searches.

It is made from the parsed book that is kept, and goes with the book: nothing is parsed again, nothing copied.

The headings of a book, and their vectors: made once a version, and kept beside it.

{version's folder}/headings-{unit}-{model}.npz    titles, each once, in reading order; vectors (n, d) float32, a row each

The books beside a lecture that can be searched, each in the newest version that is cut into paragraphs."""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from chapterverse.core.book import BookId, Chunk, Collection
from chapterverse.core.errors import NotFound, QueueUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket, Embedder
from chapterverse.lectures.context import LectureDesk
from chapterverse.lectures.model import Attached, LectureSession
from chapterverse.library.artefacts import damage_as_loss, load_book, version_folder
from chapterverse.library.chunks import load_chunks
from chapterverse.library.indexing import batches_of, is_whole, refill_index
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState
from chapterverse.library.scope import OpenBook, opened
from chapterverse.library.service import Progress, embed_version, no_progress
from chapterverse.library.services import Intake, Services
from chapterverse.library.tasks import cut_task, index_tasks
from chapterverse.library.versions import chunk_version, finish_version, interruption_recorded


def beside(active: BookVersion, unit: str) -> VersionKey:
    """The same file, cut so, by the same model."""
    return replace(active.key, unit=unit)


def cut_book(asked: tuple[VersionKey, str], intake: Intake) -> None:
    """Note that the version is being made, and ask for its vectors. Of a book that is gone or replaced, nothing happens; one
    that is ready is looked over. asked: the version, and by whom it is asked for.

    Raises NotFound where the book is not kept, BookBusy, and what the ports raise."""
    key, asked_by = asked
    services = intake.services
    with services.catalog.claim(key.school, key.book):
        shelved = services.catalog.book(key.school, key.book)
        if not _is_wanted(key, shelved) or _is_there(key, shelved, services):
            return
        known = _known(key, shelved)
        if known is None or known.state is not VersionState.INDEXING or not known.batches:
            _begin(key, shelved, services, lambda chunks: batches_of(chunks, intake.batch_sentences))
        for task in index_tasks(services.catalog.version(key), asked_by):
            intake.queue.add(task)


def cut_now(school: str, book: BookId, services: Services, progress: Progress = no_progress) -> None:
    """The same from end to end, where there is no queue. services: of the book's shelf, with the lectures' chunker.

    Raises NotFound for a book that is not there or not ready, BookBusy, and what the ports raise."""
    with services.catalog.claim(school, book):
        shelved = services.catalog.book(school, book)
        if shelved.active is None:
            raise NotFound("book_not_ready_add_again", book=book)
        key = beside(shelved.active, services.chunker.unit)
        if not _is_there(key, shelved, services):
            with interruption_recorded(key, services):
                _begin(key, shelved, services, lambda _: 0)
                parsed = load_book(services.bucket, key)
                chunks = chunk_version(key, parsed, services)
                vectors = embed_version(key, parsed, chunks, services.using(key.model), progress)
                finish_version(key, parsed, chunks, vectors, services, beside=True)


def _begin(key: VersionKey, shelved: CatalogBook, services: Services, batches: Callable[[int], int]) -> None:
    parsed = load_book(services.bucket, key)
    chunks = len(chunk_version(key, parsed, services))
    services.catalog.begin(key, shelved.file_name, shelved.active.parser_version if shelved.active else "")
    services.catalog.parsed(key, parsed.report, chunks, batches(chunks))


def _is_wanted(key: VersionKey, shelved: CatalogBook) -> bool:
    return shelved.active is not None and beside(shelved.active, key.unit) == key


def _is_there(key: VersionKey, shelved: CatalogBook, services: Services) -> bool:
    """Whether it is ready; what the index has lost of it is written anew."""
    known = _known(key, shelved)
    if known is None or known.state is not VersionState.READY:
        return False
    if not is_whole(known, services):
        refill_index(key, services)
    return True


def _known(key: VersionKey, shelved: CatalogBook) -> BookVersion | None:
    return next((version for version in shelved.versions if version.key == key), None)


@dataclass(frozen=True, slots=True)
class Headings:
    """titles: of chapters and sections; vectors: (n, d), a row a title."""

    titles: tuple[str, ...]
    vectors: Vectors

    @property
    def nbytes(self) -> int:
        """In memory, about."""
        return int(self.vectors.nbytes) + sum(map(len, self.titles))


def headings_of(key: VersionKey, services: Services) -> Headings:
    """Those of a version that is indexed. Raises NotFound where it is no more, and as the embedder and the bucket do."""
    return services.recent.get(("headings", key), lambda: _kept(key, services))


def _kept(key: VersionKey, services: Services) -> Headings:
    try:
        return _load(services.bucket, key)
    except NotFound:
        made = _make(load_chunks(services.bucket, key), services.using(key.model).embedder)
        _save(services.bucket, key, made)
        return made


def _make(chunks: Sequence[Chunk], embedder: Embedder) -> Headings:
    titles = tuple(dict.fromkeys(title for chunk in chunks for title in chunk.headings if title.strip()))
    return Headings(titles, embedder.embed_passages(titles))


def _name(key: VersionKey) -> str:
    return f"{version_folder(key)}headings-{key.unit}-{path_part(key.model)}.npz"


def _save(bucket: Bucket, key: VersionKey, headings: Headings) -> None:
    file = io.BytesIO()
    np.savez(file, titles=np.array(headings.titles, np.str_), vectors=headings.vectors)
    bucket.write(_name(key), file.getvalue())


def _load(bucket: Bucket, key: VersionKey) -> Headings:
    data = bucket.read(_name(key))
    with damage_as_loss(), np.load(io.BytesIO(data), allow_pickle=False) as kept:
        return Headings(tuple(kept["titles"].tolist()), kept["vectors"])


Opened = dict[str, tuple[Attached, OpenBook]]

"""By version."""


def open_attached(session: LectureSession, desk: LectureDesk) -> Opened:
    """Those of the session that are there and ready, of one embedding model: the first of the desk's that has any. One that was
    removed, or is being cut, is not among them; of one that was replaced, the newest version that is ready is.

    One that has still to be cut is asked for. Raises CatalogUnavailable."""
    ready = list(_ready(session, desk))
    for model in desk.services.models:
        if books := {book.key.version: (attached, book) for attached, book in reversed(ready) if book.key.model == model}:
            return dict(reversed(books.items()))
    return {}


def _ready(session: LectureSession, desk: LectureDesk) -> Iterator[tuple[Attached, OpenBook]]:
    for attached in session.books:
        if attached.shelf in desk.shelves:
            with suppress(NotFound):
                book = desk.shelves[attached.shelf].catalog.book(session.school, attached.book)
                _ask_where_nobody_has(attached, book, session, desk)
                if version := cut_into_paragraphs(book, desk):
                    yield attached, opened(book, version)


def _ask_where_nobody_has(attached: Attached, book: CatalogBook, session: LectureSession, desk: LectureDesk) -> None:
    """A book that was replaced since it was attached, or was not ready then, has to be cut."""
    if book.active is None or attached.shelf is Collection.LECTURES:
        return
    key = beside(book.active, desk.services.chunker.unit)
    if all(version.key != key for version in book.versions):
        with suppress(QueueUnavailable):  # it is asked again at the next window
            desk.queue.add(cut_task(book.active, key, str(session.id)))


def cut_into_paragraphs(book: CatalogBook, desk: LectureDesk) -> BookVersion | None:
    """Of the file that is searched, or of one before it, as long as that is there; None for a book that nobody finds."""
    if book.active is None:
        return None
    cut = [each for each in book.versions if each.key.unit == desk.services.chunker.unit and each.state is VersionState.READY]
    current = (each for each in cut if each.key.version == book.active.key.version)
    return next(current, cut[0] if cut else None)
