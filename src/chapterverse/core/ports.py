"""Interfaces to the outside world, most with more than one implementation: embedders, indexes, files, queues, models.

Prompt, ModelAnswer, AnswerPiece and Usage are what every LanguageModel takes and returns; `fenced` sets the
material of a prompt apart from the instructions, so that nothing in it can pose as one of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any, Protocol

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Hit, Mapped, Partition, Record, Vectors
from chapterverse.core.tasks import StoredFile, Task


class Embedder(Protocol):
    """Texts to vectors; tests/contract/test_embedder.py."""

    @property
    def model(self) -> str:
        """Name of the model, e.g. "all-MiniLM-L6-v2"."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of the texts in order, (n, d) float32, unit norm; (0, d) for no texts. A text longer than the model's window
        is embedded in windows, whose vectors are pooled. Raises EmbedderUnavailable, ModelUnavailable."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As embed_passages, with the model's query prefix if it has one (bge)."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text, without special ones; an estimate if the server cannot count. Raises as embed_passages
        does."""


class VectorIndex(Protocol):
    """Nearest sentences by cosine; tests/contract/test_vector_index.py."""

    def write(self, partition: Partition, version: str, records: Sequence[Record], vectors: Vectors) -> None:
        """Replace a version's contents by these n records with vectors (n, d) float32, unit norm.

        Until this returns, a search finds the old contents, never a part of the new ones. Only one writer per version at a
        time: see SqlCatalog.claim. Raises IndexUnavailable."""

    def remove(self, partition: Partition, version: str) -> None:
        """Remove a version and the remains of interrupted writes; a missing version is no error."""

    def count(self, partition: Partition, version: str) -> int:
        """Number of records of a version; 0 for a missing one."""

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        """Records of a version with these ids as hits of score 1, in any order, without missing ids. Raises as search does."""

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:
        """The k nearest for each of q queries, (q, d) float32, unit norm; best first, score = cosine in [-1, 1].

        books: the versions to search. Fewer than k only if they have fewer records. A missing version is an error, not an empty
        result. Raises IndexUnavailable, DimensionMismatch."""


class Bucket(Protocol):
    """Named bytes; tests/contract/test_bucket.py."""

    def write(self, name: str, data: bytes) -> None:
        """Store or replace data under a name ("school/book/version/book.json.gz"), atomically."""

    def read(self, name: str) -> bytes:
        """The data. Raises NotFound."""

    def open(self, name: str) -> Mapped:
        """The data, read when it is used where the bucket can map it. It stays as it is when the object is replaced or
        deleted. Raises NotFound."""

    def delete(self, prefix: str) -> None:
        """Remove all objects whose names begin with prefix, if any."""

    def names(self, prefix: str) -> list[str]:
        """Names that begin with prefix, sorted."""


class Uploads(Protocol):
    """Uploaded files, "{school}/{name}.pdf"; tests/contract/test_uploads.py. Raises BucketUnavailable."""

    def find(self, name: str) -> StoredFile:
        """The current file of that name. Raises NotFound."""

    def read(self, file: StoredFile, max_bytes: int) -> bytes:
        """The bytes of a file. Raises NotFound if that generation is gone, TooLarge, without reading, beyond max_bytes."""

    def files(self, prefix: str) -> list[StoredFile]:
        """Files whose name begins with prefix, by name."""

    def write(self, name: str, data: bytes) -> StoredFile:
        """Store or replace a file atomically."""

    def delete(self, name: str) -> None:
        """Remove the file of that name, if there is one."""

    def upload_url(self, name: str, seconds: int, max_bytes: int) -> tuple[str, Mapping[str, str]]:
        """Address that takes a file of that name by PUT within so many seconds, and headers that have to go with it. S3
        does not limit its size. Raises BadRequest where files come as forms."""


class TaskQueue(Protocol):
    """Tasks to do later; tests/contract/test_task_queue.py."""

    def add(self, task: Task) -> None:
        """Queue a task, to be done after its wait, at least once, and repeated if it fails. A name that was added before is
        ignored. Raises QueueUnavailable."""


Schema = Mapping[str, Any]
"""A JSON schema of an object. All fields are required and have no defaults, as strict modes of servers demand."""

MAX_TOKENS = 1_500
"""Of one answer: three times as many as feedback on a long essay has."""

TEMPERATURE = 0.2
"""Low, because answers have to be true."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request to a language model. instructions: ours. material: an essay or text of a book; nothing in it is an instruction.

    name: of its template with version, e.g. "essay-reader-1". max_tokens: of the answer."""

    name: str
    instructions: str
    material: str
    temperature: float = TEMPERATURE
    max_tokens: int = MAX_TOKENS


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call, as counted by the server."""

    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.prompt_tokens + other.prompt_tokens, self.answer_tokens + other.answer_tokens)


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A part of an answer. usage: of the whole call, only on the last piece, if the server reports it. cut: the answer has
    reached its limit and ends here."""

    text: str
    usage: Usage | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """An answer, a JSON object of its schema. Of one that was cut off, the complete items of its lists; items that are not of
    the schema, or repeated, are left out. cut: id of the message why it ends early."""

    value: Mapping[str, Any]
    usage: Usage
    cut: str = ""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a server says about its model; None: unknown. context_tokens: of a prompt and its answer together. billions: of
    parameters. at_once: calls that it answers at the same time. takes_schema: False if it has refused every JSON schema.
    others: names of models that it has, the likest first, if it has none of this name."""

    context_tokens: int | None = None
    billions: float | None = None
    at_once: int | None = None
    takes_schema: bool = True
    others: tuple[str, ...] = ()


class LanguageModel(Protocol):
    """A model that writes; tests/contract/test_language_model.py. deadline: a time of time.monotonic(), met whatever the server
    does. Raises LanguageModelUnavailable if there is no answer, after some retries if there is time; BadAnswer if it is late,
    incomplete or no JSON object; ModelRefused; ModelUnavailable for a wrong name, address or key; BadRequest for a prompt that
    is too long."""

    @property
    def model(self) -> str:
        """Name of the model on its server."""

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        """One JSON object of that schema."""

    def stream(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        """One JSON object, in pieces as they are written. No retries after the first piece."""


class Ledger(Protocol):
    """Cost of a school's language model in millionths of the prices' currency, by day, assignment and course; `of` is a day or
    the id of one of these. tests/contract/test_ledger.py. Raises CatalogUnavailable."""

    def reserve(self, school: str, of: date | str, micros: int, ceiling: int | None = None) -> bool:
        """Add micros to the sum unless it would exceed the ceiling, or the limit that is set; returns whether they were
        added. Atomic."""

    def settle(self, school: str, of: date | str, micros: int) -> None:
        """Add the difference between a call's cost and its reservation, which may be negative."""

    def spent(self, school: str, of: date | str) -> int:
        """The sum."""

    def set_limit(self, school: str, of: str, micros: int | None) -> None:
        """Set what may be spent on the assignment or course in all; None: as much as the days' ceilings let."""

    def limit(self, school: str, of: str) -> int | None:
        """What set_limit has set."""


class TokenBuckets(Protocol):
    """Counts of calls for rate limits; tests/contract/test_token_buckets.py."""

    def take(self, key: str, per_minute: int) -> float:
        """Take one token from the key's bucket, which holds `per_minute` tokens and fills up evenly within a minute.

        Returns 0.0 if there was one, else the seconds until the next token; a refused call takes none. Raises
        CatalogUnavailable."""


class Post(Protocol):
    """Sends e-mail; tests/contract/test_post.py."""

    def send(self, to: str, subject: str, text: str) -> None:
        """Send plain text to one address. Raises PostUnavailable."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A student's text and a sentence of a book between its neighbours, which are empty at an edge."""

    text: str
    sentence: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities that a sentence is of use beside a text, and that it supports or contradicts it; each in [0, 1]."""

    useful: float
    supports: float
    contradicts: float


Read = Callable[[Sequence[Pair], float], list[Chances | None]]
"""TrainedReader.chances: reads pairs in order until the deadline, a time of time.monotonic(); None for those after it. Raises
ModelUnavailable."""


@dataclass(frozen=True, slots=True)
class Signs:
    """Probabilities that a teacher would say this at a sentence of an essay, each in [0, 1]: the reason is bare (develop), its
    source is not named (source), it needs an answer to those who disagree (other_side); and that it works."""

    develop: float
    source: float
    other_side: float
    works: float


ReadEssay = Callable[[str, Sequence[Sequence[str]], float], list[list[Signs | None]]]
"""EssayReader.signs: given its task, "" without one, and the sentences of each paragraph, the signs of each sentence; None for
those that are not read by the deadline, a time of time.monotonic(). Raises ModelUnavailable."""

ReadAnswers = Callable[[str, Sequence[Sequence[Sequence[str]]]], list[list[float]]]
"""AnswerReader.log_odds: given a question and passages as sentences of paragraphs, the logarithm of the odds of each passage's
sentences that they answer it. Raises ModelUnavailable."""


TAG_LENGTH = 16  # hex digits


def fenced(blocks: Mapping[str, str]) -> str:
    """The blocks by name, each between two lines that begin with a tag; the first line names the tag.

    The tag is a digest of the material, so no text can contain it and close the fence. Instructions stay the same for every
    prompt, which lets a server reuse them."""
    whole = "\n".join(blocks.values()).encode("utf-8", "replace")  # half a surrogate pair would be refused
    tag = sha256(whole).hexdigest()[:TAG_LENGTH]
    lines = (f"{tag} {name} begins\n{text}\n{tag} {name} ends" for name, text in blocks.items())
    return "\n\n".join([f"Tag: {tag}", *lines]).encode("utf-8", "replace").decode()
