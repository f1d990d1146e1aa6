"""The stored artefacts of every version. They are the source of truth: the index can be rebuilt without parsing or embedding.

    {school}/{book}/{version}/source.pdf           the uploaded file, also if it is no PDF; pages are drawn from it
                              book.json.gz         the parsed book, JSON lines
                              vectors-{model}.npy  (n, d) float32, unit norm, one row for each of `indexed(book)`, in that order
                              vectors-{model}.npy-known      a sample of these rows, to test quickly whether the index is whole
                              vectors-{model}.npy-sentences  of sources not indexed by sentences: see chunks.py
                              vectors-{model}.npy-part-…     only until all vectors are there: see indexing.py
                              variants-1/…         variants of some sentences: see evaluation/search.py
                              chunks-{unit}-{model}.json.gz, vectors-{unit}-{model}.npy  of sources not indexed by sentences:
                                                   see chunks.py; other collections: {school}/_{collection}/{book}/{version}/

The first line of book.json.gz is the head: format (a number, raised when older readers would misread the file), id, version,
title, authors, chapters, report, and sentences, their number. Each further line is one sentence of any kind, in reading order.
The fields are those of the classes in core/book.py. The same book gives the same bytes."""

import gzip
import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any
from zipfile import BadZipFile

import numpy as np

from bookreader.records import BOOK, SENTENCE
from chapterverse.core.book import LINED, Book, Collection, Kind, Sentence, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Granularity, Vectors, arrays_in, bytes_of_arrays
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket
from chapterverse.core.recent import lazy
from chapterverse.library.model import VersionKey

FORMAT = 1
ID, PARAGRAPH = b'{"id":', b'"paragraph_id":'  # in the line of a sentence
LINE_BYTES = 250  # of a line in memory besides its characters: the objects, and its places in two indexes
KNOWN = 16  # vectors in the sample; if one may be missed, a gap of an eighth of the book is still noticed


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


def vectors_name(key: VersionKey) -> str:
    """Name of the vectors of key.unit by key.model."""
    unit = "" if key.unit == Granularity.SENTENCE else f"{key.unit}-"
    return f"{version_folder(key)}vectors-{unit}{path_part(key.model)}.npy"


def known_name(key: VersionKey) -> str:
    """Name of the sample of vectors. It begins with vectors_name, so both are deleted together."""
    return f"{vectors_name(key)}-known"


def save_book(bucket: Bucket, key: VersionKey, book: Book) -> None:
    """Store the parsed book."""
    bucket.write(book_name(key), gzip.compress(b"\n".join(_lines(book)), mtime=0))


def load_book(bucket: Bucket, key: VersionKey) -> Book:
    """The stored book. Raises NotFound if there is none or it is damaged."""
    data = bucket.read(book_name(key))
    with damage_as_loss():
        head, *sentences = gzip.decompress(data).splitlines()
        return _book_of(json.loads(head), sentences)


def save_vectors(bucket: Bucket, key: VersionKey, vectors: Vectors) -> None:
    """Store the vectors, one row for each indexed sentence. Written after the sample: if they are there, the sample is too."""
    rows = np.linspace(0, len(vectors) - 1, min(KNOWN, len(vectors))).astype(int)
    bucket.write(known_name(key), bytes_of_arrays(vectors[rows]))
    bucket.write(vectors_name(key), bytes_of_arrays(vectors))


def load_vectors(bucket: Bucket, key: VersionKey) -> Vectors:
    """The stored vectors. Raises NotFound if there are none or they are damaged."""
    return vectors_in(bucket.read(vectors_name(key)))


def load_known_vectors(bucket: Bucket, key: VersionKey) -> Vectors:
    """At most KNOWN of the vectors, evenly spread. Raises NotFound."""
    return vectors_in(bucket.read(known_name(key)))


def indexed(book: Book) -> list[Sentence]:
    """The sentences that are embedded and indexed: those of prose."""
    return [sentence for sentence in book.sentences if sentence.kind is Kind.SENTENCE]


def load_text(bucket: Bucket, key: VersionKey) -> "BookText":
    """The stored book for looking up sentences. Raises NotFound if there is none or it is damaged."""
    data = bucket.read(book_name(key))
    with damage_as_loss():
        lines = gzip.decompress(data).splitlines()
        _check_format(json.loads(lines[0]), len(lines) - 1)
        return BookText(lines)


@dataclass(frozen=True)
class BookText:
    """A parsed book as lines of JSON, the first without its sentences, then one a sentence in reading order. Only
    requested ones are parsed: parsing a whole book takes a hundred times as long as finding a line in it."""

    lines: list[bytes]

    def sentence(self, id: SentenceId) -> Sentence:
        """The sentence with this id. Raises NotFound."""
        return SENTENCE.validate_json(self.lines[self._at(id)])

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
        return _head_of(json.loads(self.lines[0]))

    def chapter(self, index: int) -> Iterator[Sentence]:
        """All sentences of a chapter, of every kind, in reading order."""
        return self._where(b'"chapter":{"index":', index)

    def page(self, label: str) -> Iterator[Sentence]:
        """All sentences that touch a page with this label, in reading order."""
        return self._where(b'"page_label":', label)

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
        return [SENTENCE.validate_json(self.lines[at]) for at in lines]

    def _where(self, field: bytes, value: str | int) -> Iterator[Sentence]:
        """Sentences whose field has this value, in reading order. Quotation marks in texts are escaped, so no text matches."""
        wanted = field + _json(value) + b","
        return (SENTENCE.validate_json(line) for line in self.lines[1:] if wanted in line)


def _json(value: str | int) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def vectors_in(data: bytes) -> Vectors:
    """The vectors of a .npy file. Raises NotFound if it is damaged."""
    with damage_as_loss():
        [vectors] = arrays_in(data)
        return vectors


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


def _lines(book: Book) -> Iterator[bytes]:
    head = BOOK.dump_python(replace(book, sentences=()), mode="json")
    yield json.dumps({"format": FORMAT, **head, "sentences": len(book.sentences)}, ensure_ascii=False).encode()
    yield from map(SENTENCE.dump_json, book.sentences)


def _book_of(head: dict[str, Any], lines: Sequence[bytes]) -> Book:
    _check_format(head, len(lines))
    return replace(_head_of(head), sentences=tuple(map(SENTENCE.validate_json, lines)))


def _head_of(head: dict[str, Any]) -> Book:
    return BOOK.validate_python(head | {"sentences": ()})


def _check_format(head: Mapping[str, Any], sentences: int) -> None:
    """Raises NotFound for another format or number of sentences."""
    if head["format"] != FORMAT or sentences != head["sentences"]:
        raise NotFound("book_of_other_version")
