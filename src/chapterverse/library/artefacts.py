"""The stored artefacts of every version. They are the source of truth: the index can be rebuilt without parsing or embedding.

    {school}/{book}/{version}/source.pdf           the uploaded file, also if it is no PDF; pages are drawn from it
                              book.json.gz         the parsed book, JSON lines
                              vectors-{model}.npy  (n, d) float32, unit norm, one row for each of `indexed(book)`, in that order
                              vectors-{model}.npy-sentences  of sources not indexed by sentences: see chunks.py
                              vectors-{model}.npy-part-…     only until all vectors are there: see versions.py
                              context-{model}.npy  three arrays: ids in alphabetical order, directions (n, d) float16,
                                                   hubness (n,) float32
                              words.npy            three: words uint32, ends uint32 (of each sentence), ids
                              variants-1/…         variants of some sentences: see search/evaluation.py
                              chunks-{unit}-{model}.json.gz, vectors-{unit}-{model}.npy  of sources not indexed by sentences:
                                                   see chunks.py; other collections: {school}/_{collection}/{book}/{version}/

The first line of book.json.gz is the head: format (a number, raised when older readers would misread the file), id, version,
title, authors, chapters, report, and sentences, their number. Each further line is one sentence of any kind, in reading order.
The fields are those of the classes in core/book.py. The same book gives the same bytes.

The context of a sentence is the direction of the text around it, and its hubness (how common its content is), made from the
version's vectors: other books do not change it. It takes 0.8 kB a sentence with MiniLM. The words are numbers, in reading
order: where a text quotes a book is found by comparing them. Case, accents and punctuation do not count."""

import gzip
import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar
from zipfile import BadZipFile
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bookreader.records import BOOK, SENTENCE
from chapterverse.core.book import LINED, Book, Collection, Kind, Sentence, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Granularity, Record, Vectors, arrays_in, bytes_of_arrays, resident, unit
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket
from chapterverse.core.recent import lazy
from chapterverse.core.words import plain_words
from chapterverse.library.model import VersionKey

FORMAT = 1
ID, PARAGRAPH = b'{"id":', b'"paragraph_id":'  # in the line of a sentence
LINE_BYTES = 250  # of a line in memory besides its characters: the objects, and its places in two indexes
_parsed = lru_cache(4_096)(SENTENCE.validate_json)  # a question asks for the same sentences many times


def book_folder(school: str, book: str, collection: Collection = Collection.BOOKS) -> str:
    """Prefix of everything stored of a book, all versions. No book's id contains "_", so no prefix is the beginning of
    another."""
    folder = "" if collection is Collection.BOOKS else f"_{collection}/"
    return f"{path_part(school)}/{folder}{path_part(book)}/"


def version_folder(key: VersionKey) -> str:
    """Prefix of everything stored of a version, all models."""
    return f"{book_folder(key.school, key.book, key.collection)}{path_part(key.version)}/"


def source_name(key: VersionKey) -> str:
    """Name of the uploaded file."""
    return f"{version_folder(key)}source.pdf"


def book_name(key: VersionKey) -> str:
    """Name of the parsed book."""
    return f"{version_folder(key)}book.json.gz"


def vectors_name(key: VersionKey, suffix: str = "") -> str:
    """Name of the vectors of key.unit by key.model, or of what is beside them and, by its beginning, deleted with them."""
    unit = "" if key.unit == Granularity.SENTENCE else f"{key.unit}-"
    return f"{version_folder(key)}vectors-{unit}{path_part(key.model)}.npy{suffix and f'-{suffix}'}"


def save_lines(bucket: Bucket, name: str, head: Mapping[str, Any], lines: Iterable[bytes]) -> None:
    """Store lines of JSON, compressed, below a head that says their format. The same lines give the same bytes."""
    first = json.dumps({"format": FORMAT, **head}, ensure_ascii=False).encode()
    bucket.write(name, gzip.compress(b"\n".join([first, *lines]), mtime=0))


def load_lines(bucket: Bucket, name: str, counted: str) -> list[bytes]:
    """The stored lines, the head first, whose field `counted` has their number. Raises NotFound if there are none, they are
    damaged, or of another format."""
    data = bucket.read(name)
    with damage_as_loss():
        lines = gzip.decompress(data).splitlines()
        head = json.loads(lines[0]) if lines else {}
    if (head.get("format"), head.get(counted)) != (FORMAT, len(lines) - 1):
        raise NotFound("book_of_other_version")
    return lines


def save_book(bucket: Bucket, key: VersionKey, book: Book) -> None:
    """Store the parsed book."""
    head = BOOK.dump_python(replace(book, sentences=()), mode="json") | {"sentences": len(book.sentences)}
    save_lines(bucket, book_name(key), head, map(SENTENCE.dump_json, book.sentences))


def load_book(bucket: Bucket, key: VersionKey) -> Book:
    """The stored book. Raises NotFound if there is none or it is damaged."""
    text = load_text(bucket, key)
    with damage_as_loss():
        return replace(text.head, sentences=tuple(map(SENTENCE.validate_json, text.lines[1:])))


def load_vectors(bucket: Bucket, key: VersionKey, suffix: str = "") -> Vectors:
    """The stored vectors, or a part of them. Raises NotFound if there are none or they are damaged."""
    data = bucket.open(vectors_name(key, suffix))
    with damage_as_loss():
        [vectors] = arrays_in(data)
        return vectors


def indexed(book: Book) -> list[Sentence]:
    """The sentences that are embedded and indexed: those of prose."""
    return [sentence for sentence in book.sentences if sentence.kind is Kind.SENTENCE]


def load_text(bucket: Bucket, key: VersionKey) -> "BookText":
    """The stored book for looking up sentences. Raises NotFound if there is none or it is damaged."""
    return BookText(load_lines(bucket, book_name(key), "sentences"))


@dataclass(frozen=True)
class BookText:
    """A parsed book as lines of JSON, the first without its sentences, then one a sentence in reading order. Only
    requested ones are parsed: parsing a whole book takes a hundred times as long as finding a line in it."""

    lines: list[bytes]

    def sentence(self, id: SentenceId) -> Sentence:
        """The sentence with this id. Raises NotFound."""
        return _parsed(self.lines[self._at(id)])

    def sentences(self, ids: Iterable[SentenceId]) -> list[Sentence]:
        """The sentences with these ids. Raises NotFound."""
        return [self.sentence(id) for id in ids]

    def neighbours(self, sentence: Sentence) -> tuple[Sentence | None, Sentence | None]:
        """The previous and the next sentence of its paragraph; None at the edges."""
        previous, following = (self.sentence(id) if id else None for id in (sentence.prev_id, sentence.next_id))
        return previous, following

    def after(self, sentence: Sentence, limit: int) -> list[Sentence]:
        """At most `limit` sentences of any kind that follow it, in reading order. Raises NotFound."""
        at = self._at(sentence.id)
        return self._read(range(at + 1, min(at + 1 + limit, len(self.lines))))

    def before(self, sentence: Sentence, limit: int) -> list[Sentence]:
        """At most `limit` sentences of any kind before it, in reading order. Raises NotFound."""
        at = self._at(sentence.id)
        return self._read(range(max(1, at - limit), at))

    def paragraph(self, sentence: Sentence) -> str:
        """The whole paragraph of the sentence."""
        return joined(self._read(self._paragraphs[_json(sentence.address.paragraph_id)]))

    @property
    def head(self) -> Book:
        """The book without its sentences."""
        return BOOK.validate_python(json.loads(self.lines[0]) | {"sentences": ()})

    def chapter(self, index: int) -> Iterator[Sentence]:
        """All sentences of a chapter, of every kind, in reading order."""
        return self._where(b'"chapter":{"index":', index)

    def on_page(self, index: int) -> Iterator[Sentence]:
        """All sentences that touch the page of this index, in reading order."""
        return self._where(b'"page_index":', index)

    @property
    def nbytes(self) -> int:
        """Approximate bytes in memory."""
        return sum(map(len, self.lines)) + LINE_BYTES * len(self.lines)

    @lazy
    def _lines_of_ids(self) -> dict[bytes, int]:
        return {line[len(ID) : line.find(b'",') + 1]: at for at, line in enumerate(self.lines) if at}

    @lazy
    def _paragraphs(self) -> dict[bytes, list[int]]:
        """The lines of each paragraph."""
        found = defaultdict[bytes, list[int]](list)
        for at, line in enumerate(self.lines):
            if at:
                begin = line.find(PARAGRAPH) + len(PARAGRAPH)
                found[line[begin : line.find(b'",', begin) + 1]].append(at)
        return found

    def _at(self, id: SentenceId) -> int:
        """The line of the sentence. Raises NotFound."""
        if (at := self._lines_of_ids.get(_json(id))) is None:
            raise NotFound("sentence_replaced")
        return at

    def _read(self, lines: Iterable[int]) -> list[Sentence]:
        return [_parsed(self.lines[at]) for at in lines]

    def _where(self, field: bytes, value: int) -> Iterator[Sentence]:
        """Sentences whose field has this value, in reading order. Quotation marks in texts are escaped, so no text matches."""
        wanted = field + _json(value) + b","
        return (SENTENCE.validate_json(line) for line in self.lines[1:] if wanted in line)


def _json(value: str | int) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


@contextmanager
def damage_as_loss() -> Iterator[None]:
    """Raise NotFound for the errors of gzip, JSON, pydantic and numpy on a damaged file: it is made again like a lost one."""
    try:
        yield
    except (OSError, EOFError, ValueError, zlib.error, BadZipFile) as error:
        raise NotFound("book_data_damaged") from error


def joined(sentences: Iterable[Sentence]) -> str:
    """The text of one paragraph's sentences, with the blanks that their spans leave between them; lines one below the other."""
    in_order = sorted(sentences, key=lambda sentence: sentence.address.span)
    gaps = [after.address.span[0] - before.address.span[1] for before, after in pairwise(in_order)]
    blank = "\n" if in_order and in_order[0].kind in LINED else " "
    return "".join(sentence.text + blank * gap for sentence, gap in zip(in_order, [*gaps, 0], strict=True))


REACH = 3  # sentences to each side that belong to a neighbourhood
DECAY = 0.8  # a neighbour's weight relative to that of the nearer one
NEAREST = 5  # most similar sentences
COMPARED = 6000  # sentences compared at most, evenly spread: a longer book costs linear time
MIN_HUBNESS = 0.4  # hubness of a sentence unlike all others, and of every sentence of a short leaflet
AT_ONCE = 1000  # rows of a similarity matrix in memory
Hubness = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BookContext:
    """Contexts of the n indexed sentences of a version. ids: ascending, as UTF-8, in an array that need not be read as a whole.

    directions: of the text around each sentence, (n, d) float16, norm at most 1. hubness: (n,). nbytes: bytes in memory."""

    ids: NDArray[np.bytes_]
    directions: NDArray[np.float16]
    hubness: Hubness
    nbytes: int = 0

    def row(self, id: SentenceId) -> int:
        """The row of a sentence. Raises NotFound."""
        wanted = id.encode()
        row = int(np.searchsorted(self.ids, wanted))
        if row == len(self.ids) or self.ids[row] != wanted:
            raise NotFound("sentence_replaced")
        return row


def contexts_of(records: Sequence[Record], contexts: Mapping[str, BookContext]) -> tuple[Vectors, Hubness]:
    """Direction and hubness of each record's sentence, (n, d) and (n,). contexts: by version. Raises NotFound."""
    found = [(context := contexts[record.version], context.row(record.id)) for record in records]
    directions = np.array([context.directions[row] for context, row in found], np.float32)
    return directions, np.array([context.hubness[row] for context, row in found], np.float32)


def context_of(sentences: Sequence[Sentence], vectors: Vectors) -> tuple[NDArray[np.float16], Hubness]:
    """Direction and hubness of each sentence of one book. sentences: the indexed ones in reading order; vectors: (n, d), unit
    norm, one for each."""
    directions = (neighbourhoods(sentences, vectors) + paragraph_means(sentences, vectors)) / 2
    return directions.astype(np.float16), hubness(vectors)


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
    if len(new) == len(wanted):
        return embed(new)
    following = iter(embed(new) if new else ())
    return np.stack([known[one] if one in known else next(following) for one in wanted])


def context_name(key: VersionKey) -> str:
    return f"{version_folder(key)}context-{path_part(key.model)}.npy"


def store_rescoring(bucket: Bucket, key: VersionKey, sentences: Sequence[Sentence], vectors: Vectors) -> None:
    """Make and store the context and the fingerprint of a version. sentences: the indexed ones in reading order; vectors:
    (n, d), one for each."""
    words = fingerprint(sentences)
    bucket.write(fingerprint_name(key), bytes_of_arrays(words.words, words.ends, words.ids))
    order = np.argsort(words.ids)
    directions, hubness_ = context_of(sentences, vectors)
    bucket.write(context_name(key), bytes_of_arrays(words.ids[order], directions[order], hubness_[order]))


def load_context(bucket: Bucket, key: VersionKey) -> BookContext:
    """The stored context. Raises NotFound."""
    return _for_rescoring(bucket, key, context_name(key), BookContext)


def _for_rescoring(bucket: Bucket, key: VersionKey, name: str, kind: Callable[..., Thing]) -> Thing:
    """What is made of the three arrays of an object; stored again, in seconds, if it is missing or damaged. Raises NotFound."""
    with suppress(NotFound):
        data = bucket.open(name)
        with damage_as_loss():
            one, two, three = arrays_in(data)
            return kind(one, two, three, resident(data))
    store_rescoring(bucket, key, indexed(load_book(bucket, key)), load_vectors(bucket, key))
    data = bucket.open(name)
    return kind(*arrays_in(data), resident(data))


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
    return f"{version_folder(key)}words.npy"


def load_fingerprint(bucket: Bucket, key: VersionKey) -> Fingerprint:
    """The stored fingerprint. Raises NotFound."""
    return _for_rescoring(bucket, key, fingerprint_name(key), Fingerprint)
