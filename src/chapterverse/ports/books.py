"""Books: where they come from, where they are kept, how they are found."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from chapterverse.messages import Message
from chapterverse.model import (
    BookId,
    BookVersion,
    Corrections,
    Granularity,
    Hit,
    Partition,
    QualityReport,
    Record,
    SentenceId,
    ShelvedBook,
    StoredFile,
    Task,
    Vectors,
    VersionKey,
    WordHit,
)


class Embedder(Protocol):
    """Texts to vectors; the cases every implementation must pass are in tests/contract/test_embedder.py."""

    @property
    def model(self) -> str:
        """Name of the model, e.g. "all-MiniLM-L6-v2"; part of the partition's name."""

    @property
    def dimensions(self) -> int:
        """Length d of a vector."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, unit norm, in the order given; (0, d) for no texts. No text is cut: a text longer than the model's
        window is embedded in windows, pooled. Raises EmbedderUnavailable, ModelUnavailable."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As embed_passages, with the model's query prefix where it has one (bge)."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Of each text how many tokens the model makes of it, special ones left out; an estimate where its server does not
        tell. Raises as embed_passages does."""


class VectorIndex(Protocol):
    """Nearest sentences by cosine; what every implementation must do is in tests/contract/test_vector_index.py."""

    def write(self, partition: Partition, version: str, records: Sequence[Record], vectors: Vectors) -> None:
        """Make these n records, vectors (n, d) float32, unit norm, all that there is of a book version.

        Until this returns, and if it never does, a search finds what was there before: never a part, never both. One writer a
        version at a time: see Catalog.claim. Raises IndexUnavailable."""

    def remove(self, partition: Partition, version: str) -> None:
        """Forget a book version, and what an interrupted write has left of it. Nothing there: nothing happens."""

    def leave_no_trace(self) -> None:
        """See to it that what was removed is in no file of ours any more. A server's files are its operator's."""

    def count(self, partition: Partition, version: str) -> int:
        """Records of a book version; 0 for one that is not there."""

    def ids(self, partition: Partition, version: str) -> list[SentenceId]:
        """Ids of the records of a book version, in no particular order."""

    def held(self, partition: Partition, version: str, vectors: Vectors) -> int:
        """How many of these vectors, (n, d) float32, unit norm, a search in that version finds. Raises as search does."""

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        """Those records of a version, each as itself would find it (score 1), in no particular order; an id that is not there
        is left out. Raises as search does."""

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:
        """The k nearest for each of q queries, (q, d) float32, unit norm; best first, score = cosine in [-1, 1].

        books: the versions to look in. Fewer than k only if they hold fewer. A version that is not there is an error, never
        "nothing found": whether a school has it is the catalog's answer. Raises IndexUnavailable, DimensionMismatch."""


class LexicalIndex(Protocol):
    """Chunks by their words, for plans that look at words, too; tests/contract/test_lexical_index.py.

    Words are terms as retrieval/terms.py makes them: no other text is kept. Raises IndexUnavailable."""

    def write(self, partition: Partition, version: str, texts: Sequence[tuple[SentenceId, str]]) -> None:
        """Make these texts, each with its chunk's id, all that there is of a version; at once, or not at all."""

    def remove(self, partition: Partition, version: str) -> None:
        """Forget a version. Nothing there: nothing happens."""

    def search(self, partition: Partition, queries: Sequence[str], k: int, books: Sequence[str]) -> list[list[WordHit]]:
        """For each query at most k chunks that have a word of it, best first, by BM25 over all that is in the partition.

        books: the versions to look in; one that is not there has no words."""

    def rarities(self, partition: Partition, terms: Sequence[str]) -> Mapping[str, float]:
        """Of each term how much it tells in that partition (retrieval.terms.rarity), at least 0."""


class Bucket(Protocol):
    """Named bytes; tests/contract/test_bucket.py."""

    def write(self, name: str, data: bytes) -> None:
        """Store data under name ("school/book/version/book.json.gz"), whole or not at all, replacing what was there."""

    def read(self, name: str) -> bytes:
        """Raises NotFound."""

    def delete(self, prefix: str) -> None:
        """Remove every object whose name begins with prefix. Nothing there: nothing happens."""

    def names(self, prefix: str) -> list[str]:
        """Names that begin with prefix, sorted."""


class Catalog(Protocol):
    """Which books a school has in one collection, and how far each version has come; tests/contract/test_catalog.py.

    Each method is one transaction. Raises CatalogUnavailable, and NotFound for a book or version that is not there any more."""

    def schools(self) -> list[str]:
        """Those that have a book, by name."""

    def books(self, school: str) -> list[ShelvedBook]:
        """The school's books, by title; empty for a school that has none."""

    def book(self, school: str, book: BookId) -> ShelvedBook:
        """One book."""

    def claim(self, school: str, what: str) -> AbstractContextManager[None]:
        """Nobody else adds, removes or rebuilds that book within the block. Ends with the block, or with the process, however
        it ends. Raises BookBusy where somebody else has it."""

    def claim_vectors(self, key: VersionKey) -> AbstractContextManager[None]:
        """Nobody else writes or removes vectors of that file within the block, for whatever book of whatever collection: what
        is cut alike is in the index once. As claim."""

    def shared(self, key: VersionKey) -> bool:
        """Whether another book, of whatever collection, has a READY version of the same file in the same partition."""

    def begin(
        self,
        key: VersionKey,
        file_name: str,
        parser_version: str,
        max_books: int | None = None,
        *,
        title: str | None = None,
        authors: tuple[str, ...] = (),
    ) -> None:
        """Note that a file is here to become a version (uploaded): the book's newest, and a new book if need be.

        title, authors: what its uploader calls it, if anything; activate prefers that to what it is given.
        A version of the same key starts afresh, as the newest; if it is the active one, nothing happens. Raises TooLarge for a
        book beyond max_books (one that failed and was never ready takes no place, nor does a copy of another book)."""

    def version(self, key: VersionKey) -> BookVersion:
        """How far it has come."""

    def parsing(self, key: VersionKey) -> None:
        """Its file is being read just now. Ready already: nothing happens."""

    def parsed(self, key: VersionKey, report: QualityReport, sentences: int, batches: int = 0) -> None:
        """Its sentences are known and stored; they are being indexed, in so many batches. Ready already: nothing happens."""

    def batch_done(self, key: VersionKey, batch: int) -> BookVersion:
        """The vectors of that batch, from 0, are kept; how far the version has come with it. The same batch again counts once.

        A version that is not being indexed (any more), but has not failed: nothing happens."""

    def failed(self, key: VersionKey, reason: str, message: Message) -> None:
        """It cannot become ready; reason is the code of the error, message its sentence. Ready already: nothing happens."""

    def activate(self, key: VersionKey, title: str, authors: tuple[str, ...]) -> None:
        """It is ready, and from now on it is the one searched. Active already: nothing happens.

        NotFound where it failed, was retired, or a newer version has become active meanwhile."""

    def prepared(self, key: VersionKey) -> None:
        """It is ready, beside the version that is searched: see switch. Ready already: nothing happens. NotFound where it
        failed."""

    def switch(self, school: str, model: str, unit: str = Granularity.SENTENCE.value) -> bool:
        """Of every book that is searched, the version of the same file by that model, in that unit, is the one searched from
        now on, of all at once; whether that was done. Not done where one is not ready, or a version of another kind is being
        made."""

    def describe(self, school: str, book: BookId, title: str, authors: tuple[str, ...]) -> None:
        """Call the book by another title and authors."""

    def correct(self, school: str, book: BookId, corrections: Corrections) -> None:
        """These are a teacher's corrections from now on, in the place of earlier ones."""

    def retire(self, school: str, book: BookId) -> None:
        """Every version fails with the reason "removed": none is searched, and one still being built cannot become active."""

    def forget(self, key: VersionKey) -> None:
        """Drop a version that is not active. Not there: nothing happens."""

    def remove(self, school: str, book: BookId) -> None:
        """Drop the book and its versions. Not there: nothing happens."""


class Uploads(Protocol):
    """Where teachers' files arrive, "{school}/{name}.pdf"; tests/contract/test_uploads.py. Raises BucketUnavailable."""

    def find(self, name: str) -> StoredFile:
        """The file of that name as it is now. Raises NotFound."""

    def read(self, file: StoredFile, max_bytes: int) -> bytes:
        """Its bytes. Raises NotFound where that generation is not there any more, TooLarge, unread, beyond max_bytes."""

    def files(self, prefix: str) -> list[StoredFile]:
        """Files whose name begins with prefix, by name."""

    def delete(self, name: str) -> None:
        """Remove the file of that name. Not there: nothing happens."""

    def upload_url(self, name: str, seconds: int) -> str:
        """Where a file of that name can be sent with PUT, and the Content-Type of its ending, within so many seconds."""


class TaskQueue(Protocol):
    """Work for later; tests/contract/test_task_queue.py."""

    def add(self, task: Task) -> None:
        """See to it that the task is done, at least once, again after a while where it fails. Of a name that was added before,
        done or not: nothing happens. Raises QueueUnavailable."""
