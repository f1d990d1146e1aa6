"""Interfaces to the outside world with more than one implementation: embedders, indexes, files, queues, language models."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Hit, Partition, Record, Vectors, WordHit
from chapterverse.core.language import AnswerPiece, ModelAnswer, Prompt, Schema
from chapterverse.core.tasks import StoredFile, Task


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
        """Of each term how much it tells in that partition (core.words.rarity), at least 0."""


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


class LanguageModel(Protocol):
    """A model that writes; tests/contract/test_language_model.py. deadline: a moment of time.monotonic(), kept whatever the
    server does. Raises LanguageModelUnavailable where nothing was answered, after a few tries if there was time for them;
    BadAnswer where the answer is late, broke off or is no JSON object; ModelRefused; ModelUnavailable for a wrong name, address
    or key; BadRequest for a prompt that is too long."""

    @property
    def model(self) -> str:
        """Its name, as the server calls it."""

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        """One JSON object of that schema."""

    def stream(self, prompt: Prompt, deadline: float, schema: Schema | None = None) -> Iterator[AnswerPiece]:
        """The same, or plain text without a schema, piece by piece as it is written; nothing is tried again once one came."""


class Reranker(Protocol):
    """Reads a query and a sentence together; tests/contract/test_reranker.py."""

    @property
    def model(self) -> str:
        """Its name."""

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        """How well the sentence of each (query, sentence) bears on the query: more is better, and one query's can be compared.
        None for those that there was no time for; the first are judged first.

        deadline: a moment of time.monotonic(), math.inf for none; what loading a model takes at its first use comes on top.
        Raises ModelUnavailable."""


class Ledger(Protocol):
    """What language models have cost a school in a day, in millionths of the currency that prices are in;
    tests/contract/test_ledger.py. Raises CatalogUnavailable."""

    def reserve(self, school: str, day: date, micros: int, ceiling: int) -> bool:
        """Count micros as spent if the day's sum stays within ceiling with them; whether it did. Never over it, however many
        ask at once."""

    def settle(self, school: str, day: date, micros: int) -> None:
        """Count so much more, or less where negative: what a call has cost beyond what was reserved for it."""

    def spent(self, school: str, day: date) -> int:
        """The day's sum so far."""


class TokenBuckets(Protocol):
    """Counts of calls for rate limits; tests/contract/test_token_buckets.py."""

    def take(self, key: str, per_minute: int) -> float:
        """Take one token from the key's bucket, which holds `per_minute` tokens and fills up evenly within a minute.

        Returns 0.0 if there was one, else the seconds until the next token; a refused call takes none. Raises
        CatalogUnavailable."""


class Redactor(Protocol):
    """Takes out who somebody is; tests/contract/test_redactor.py. Raises ModelUnavailable."""

    def redact(self, texts: Sequence[str], names: Sequence[str] = ()) -> list[str]:
        """Each text with "<PERSON>", "<EMAIL_ADDRESS>", "<PHONE_NUMBER>", "<ID>" … in the place of what tells it: names, whole
        or in parts, and what looks like an address or a number of somebody's. The same text gives the same."""


class Post(Protocol):
    """Letters to people; tests/contract/test_post.py."""

    def send(self, to: str, subject: str, text: str) -> None:
        """Plain text to one e-mail address. Raises PostUnavailable."""


@dataclass(frozen=True, slots=True)
class Chances:
    """That the book bears the claim out, that it says otherwise, and that it settles neither; they add up to 1."""

    supports: float
    contradicts: float
    neither: float


Reader = Callable[[Sequence[tuple[str, str]]], list[Chances]]

"""(what the book says, claim) of each pair to its chances, in the order given. Raises ModelUnavailable."""
