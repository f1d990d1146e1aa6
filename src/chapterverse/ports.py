"""What the use cases need of the world. A port exists only where there are two real implementations of it."""

from collections.abc import Sequence
from typing import Protocol

from chapterverse.model import Hit, Partition, Record, SentenceId, Vectors


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


class VectorIndex(Protocol):
    """Nearest sentences by cosine; what every implementation must do is in tests/contract/test_vector_index.py."""

    def upsert(self, partition: Partition, records: Sequence[Record], vectors: Vectors) -> None:
        """Write n records with their vectors, (n, d) float32, unit norm. Writing the same ids again changes nothing.
        Raises as search does."""

    def remove(self, partition: Partition, version: str) -> None:
        """Forget every record of a book version. Nothing there: nothing happens."""

    def count(self, partition: Partition, version: str | None = None) -> int:
        """Records in the partition (of one book version); 0 for a partition that does not exist."""

    def ids(self, partition: Partition, version: str) -> list[SentenceId]:
        """Ids of the records of one book version, in no particular order."""

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str] = ()) -> list[list[Hit]]:
        """The k nearest for each of q queries, (q, d) float32, unit norm; best first, score = cosine in [-1, 1].

        books: versions to look in, all if empty. Fewer than k only if fewer are there. A missing partition is an error, never
        "nothing found": whether a school has books is the catalog's answer. Raises IndexUnavailable, DimensionMismatch."""


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
