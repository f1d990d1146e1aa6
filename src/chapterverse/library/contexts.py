"""What is made of a version's sentences when it is added, and mapped into memory when a question is asked.

    {school}/{book}/{version}/context-{model}.npy    four arrays: directions (n, d) float16, hubness (n,) float32, ids in
                                                     alphabetical order, their rows int32
                              words.npy              three: words uint32, ends uint32 (of each sentence), ids

The context of a sentence is the direction of the text around it, and its hubness (how common its content is), made from the
version's vectors: other books do not change it. It takes 0.8 kB a sentence with MiniLM.

The fingerprint of a version is its words as numbers, in reading order: where a text quotes a book is found by comparing them.
It takes 0.5 MB for a book of 5,000 sentences. Case, accents and punctuation do not count."""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import Sentence, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Vectors, arrays_in, bytes_of_arrays, resident, unit
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket
from chapterverse.core.words import plain_words
from chapterverse.library.artefacts import damage_as_loss, indexed, load_book, load_vectors, version_folder
from chapterverse.library.model import VersionKey

REACH = 3  # sentences to each side that belong to a neighbourhood
DECAY = 0.8  # a neighbour's weight relative to that of the nearer one
NEAREST = 5  # most similar sentences
COMPARED = 6000  # sentences compared at most, evenly spread: a longer book costs linear time
MIN_HUBNESS = 0.4  # hubness of a sentence unlike all others, and of every sentence of a short leaflet
AT_ONCE = 1000  # rows of a similarity matrix in memory
Hubness = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BookContext:
    """Contexts of the n indexed sentences of a version, by row.

    directions: of the text around each sentence, (n, d) float16, norm at most 1. hubness: (n,). nbytes: bytes in memory."""

    rows: Mapping[SentenceId, int]
    directions: NDArray[np.float16]
    hubness: Hubness
    nbytes: int = 0


class SortedIds(Mapping[SentenceId, int]):
    """Rows by id, in arrays that need not be read as a whole. ids: ascending, as UTF-8; rows: of each.

    What was looked up is remembered, because the same sentences are found again."""

    def __init__(self, ids: NDArray[np.bytes_], rows: NDArray[np.int32]) -> None:
        self._ids, self._rows = ids, rows
        self._known: dict[SentenceId, int] = {}

    def __getitem__(self, id: SentenceId) -> int:
        if id not in self._known:
            wanted = id.encode()
            at = bisect_left(self._ids, wanted)
            if at == len(self._ids) or self._ids[at] != wanted:
                raise KeyError(id)
            self._known[id] = int(self._rows[at])
        return self._known[id]

    def __iter__(self) -> Iterator[SentenceId]:
        return (SentenceId(id.decode()) for id in self._ids.tolist())

    def __len__(self) -> int:
        return len(self._ids)


def context_of(sentences: Sequence[Sentence], vectors: Vectors) -> BookContext:
    """The context of one book. sentences: the indexed ones in reading order; vectors: (n, d), unit norm, one for each."""
    rows = {sentence.id: row for row, sentence in enumerate(sentences)}
    directions = (neighbourhoods(sentences, vectors) + paragraph_means(sentences, vectors)) / 2
    return BookContext(rows, directions.astype(np.float16), hubness(vectors))


def neighbourhoods(sentences: Sequence[Sentence], vectors: Vectors) -> Vectors:
    """Each sentence's vector plus those of its neighbours in the chapter, with weights falling by distance; (n, d), unit
    norm."""
    chapters = np.array([sentence.address.chapter.index for sentence in sentences])
    summed = vectors.copy()
    for distance in range(1, min(REACH, len(vectors) - 1) + 1):
        together = (chapters[distance:] == chapters[:-distance])[:, None] * np.float32(DECAY**distance)
        summed[distance:] += together * vectors[:-distance]
        summed[:-distance] += together * vectors[distance:]
    return unit(summed)


def paragraph_means(sentences: Sequence[Sentence], vectors: Vectors) -> Vectors:
    """The mean direction of each sentence's paragraph; (n, d), unit norm."""
    numbers: dict[str, int] = {}
    of_row = np.array([numbers.setdefault(sentence.address.paragraph_id, len(numbers)) for sentence in sentences], int)
    sums = np.zeros((len(numbers), vectors.shape[1]), np.float32)
    np.add.at(sums, of_row, vectors)
    means: Vectors = unit(sums)[of_row]
    return means


def hubness(vectors: Vectors) -> Hubness:
    """Mean cosine of each sentence to its NEAREST others of the book, at least MIN_HUBNESS; (n,).

    A sentence in a crowd is near to many queries whether it answers them or not (hubs: Radovanović, Nanopoulos & Ivanović 2010;
    the correction is one side of CSLS: Conneau et al. 2018)."""
    compared = np.unique(np.linspace(0, len(vectors) - 1, min(COMPARED, len(vectors))).astype(int))
    nearest = min(NEAREST, len(compared) - 1)
    if nearest < 1:
        return np.full(len(vectors), MIN_HUBNESS, np.float32)
    return np.concatenate([np.maximum(MIN_HUBNESS, block) for block in _mean_of_nearest(vectors, compared, nearest)])


def _mean_of_nearest(vectors: Vectors, compared: NDArray[np.int_], nearest: int) -> Iterator[Hubness]:
    others = np.ascontiguousarray(vectors[compared])
    for start in range(0, len(vectors), AT_ONCE):
        cosines = vectors[start : start + AT_ONCE] @ others.T
        itself = (compared >= start) & (compared < start + len(cosines))
        cosines[compared[itself] - start, np.flatnonzero(itself)] = -1
        yield np.partition(cosines, -nearest, axis=1)[:, -nearest:].mean(axis=1)


Thing = TypeVar("Thing", bound=Hashable)
QUESTION, OPENING, WHOLE = 0.6, 0.3, 0.1  # weights; nearby values do as well (docs/quality.md)
WORDS = 60  # of the answer in the opening; 40 and 100 do as well


def opening(question: str, text: str) -> str:
    """The beginning of an entry's text, "Question: … Answer: …", with the first WORDS words of the answer."""
    return " ".join(text.split()[: len(question.split()) + len(("Question:", "Answer:")) + WORDS])


def blended(questions: Vectors, openings: Vectors, wholes: Vectors) -> Vectors:
    """Weighted mean of n entries' questions, their openings and their whole texts, each (n, d), unit norm; the result too.

    Questions of users resemble an entry's question; details missing there come at the beginning of the answer; the whole text
    covers the rest of a long answer."""
    return unit(QUESTION * questions + OPENING * openings + WHOLE * wholes)


def with_known(
    wanted: Sequence[Thing], known: Mapping[Thing, NDArray[np.float32]], embed: Callable[[list[int]], Vectors]
) -> Vectors:
    """A row for each wanted item, (n, d). embed: makes the rows at the given indices, which are not in `known`."""
    new = [row for row, one in enumerate(wanted) if one not in known]
    vectors = embed(new)
    if len(new) == len(wanted):
        return vectors
    following = iter(vectors)
    return np.stack([known[one] if one in known else next(following) for one in wanted])


def context_name(key: VersionKey) -> str:
    """Name of the stored context for key.model."""
    return f"{version_folder(key)}context-{path_part(key.model)}.npy"


def store_context(bucket: Bucket, key: VersionKey, sentences: Sequence[Sentence], vectors: Vectors) -> None:
    """Make and store the context of a version. sentences: the indexed ones in reading order; vectors: (n, d), one for each."""
    context = context_of(sentences, vectors)
    ids = np.array([id.encode() for id in context.rows], np.bytes_)
    rows = np.argsort(ids, kind="stable").astype(np.int32)
    bucket.write(context_name(key), bytes_of_arrays(context.directions, context.hubness, ids[rows], rows))


def load_context(bucket: Bucket, key: VersionKey) -> BookContext:
    """The stored context; computed, in seconds, if it is missing or damaged. Raises NotFound."""
    try:
        data = bucket.open(context_name(key))
        with damage_as_loss():
            directions, hubness_, ids, rows = arrays_in(data)
            return BookContext(SortedIds(ids, rows), directions, hubness_, resident(data))
    except NotFound:
        context = context_of(indexed(load_book(bucket, key)), load_vectors(bucket, key))
        return replace(context, nbytes=context.directions.nbytes)


Words = NDArray[np.uint32]


def numbers_of(text: str) -> list[int]:
    """A number for each word of the text, the same for the same word."""
    return [crc32(word.encode()) for word in plain_words(text)]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """words: (n,), of all indexed sentences; ends: (m,), the end of each sentence in them; ids: (m,). nbytes: in memory."""

    words: Words
    ends: Words
    ids: NDArray[np.bytes_]
    nbytes: int

    def sentence_of(self, word: int) -> int:
        """The row of the sentence in which the word with this index stands."""
        return int(np.searchsorted(self.ends, word, side="right"))

    def start(self, row: int) -> int:
        """The index of the sentence's first word."""
        return int(self.ends[row - 1]) if row else 0

    def id(self, row: int) -> SentenceId:
        """The id of the sentence in this row."""
        return SentenceId(self.ids[row].decode())


def fingerprint(sentences: Sequence[Sentence]) -> Fingerprint:
    """The fingerprint of these sentences, which are the indexed ones in reading order."""
    numbers = [numbers_of(sentence.text) for sentence in sentences]
    words = np.fromiter((number for each in numbers for number in each), np.uint32)
    ends = np.cumsum([len(each) for each in numbers], dtype=np.uint32)
    ids = np.array([sentence.id.encode() for sentence in sentences], np.bytes_)
    return Fingerprint(words, ends, ids, words.nbytes + ends.nbytes + ids.nbytes)


def fingerprint_name(key: VersionKey) -> str:
    """Name of the stored fingerprint."""
    return f"{version_folder(key)}words.npy"


def store_fingerprint(bucket: Bucket, key: VersionKey, sentences: Sequence[Sentence]) -> Fingerprint:
    """Make and store the fingerprint of a version. sentences: as for `fingerprint`."""
    made = fingerprint(sentences)
    bucket.write(fingerprint_name(key), bytes_of_arrays(made.words, made.ends, made.ids))
    return made


def load_fingerprint(bucket: Bucket, key: VersionKey) -> Fingerprint:
    """The stored fingerprint; made and stored if it is missing or damaged. Raises NotFound."""
    try:
        data = bucket.open(fingerprint_name(key))
        with damage_as_loss():
            words, ends, ids = arrays_in(data)
            return Fingerprint(words, ends, ids, resident(data))
    except NotFound:
        return store_fingerprint(bucket, key, indexed(load_book(bucket, key)))
