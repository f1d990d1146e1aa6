"""The chunks of a version, which are indexed, and the vectors of the sentences in them.

    {version's folder}/chunks-{unit}-{model}.json.gz    JSON lines: {"format", "chunks"}, their number, then each chunk
    {the vectors' name}-sentences                       two arrays, by id: ids, vectors (n, d) float16

The model is part of the name because lengths are counted in its tokens. For books indexed by sentences neither is stored: each
sentence is a chunk. The vector of any other chunk is the mean of its sentences', so that a book is embedded once for all its
uses; that of an entry or a part of a sentence is made from its texts. Sentence vectors take 0.8 kB a sentence with MiniLM.
Their name begins with that of the chunks' vectors, so both are deleted together.

Chunkers divide a book into chunks; their unit names hold their parameters. Paragraphs (S3), sections (S4) and passages (S5) are
measured in the embedding model's tokens; windows (S2-1: 500 with an overlap of 50) in characters."""

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, groupby

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import LINED, Book, Chunk, ChunkId, Kind, Sentence, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Granularity, Record, Vectors, arrays_in, bytes_of_arrays, unit
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket, Embedder
from chapterverse.core.requests import adapter
from chapterverse.library import artefacts
from chapterverse.library.model import VersionKey

Count = Callable[[Sequence[str]], list[int]]
"""Of each text, how many tokens the embedding model makes of it."""

BEFORE_HEADING, BEFORE_PARAGRAPH = "\n\n", "\n"
NEAREST_HEADINGS, BEGINNING = 2, 200  # of a chunk, and characters in which they may stand

PROSE = frozenset({Kind.SENTENCE})
CITABLE = PROSE | {Kind.TABLE, Kind.CODE, Kind.CAPTION, Kind.FOOTNOTE, Kind.SIDENOTE}
"""Kinds of text that a question may be about: office hours and cutoffs stand in tables."""


@dataclass(frozen=True, slots=True)
class ChunkPiece:
    """A heading, a sentence, or a part of one.

    before: separator from the piece before in the same chunk. sentence: of a heading, the first one below it. headings:
    outermost first, beginning with the chapter's or the book's title. tokens: 0 until counted."""

    text: str
    before: str
    sentence: SentenceId
    headings: tuple[str, ...]
    chapter: int
    paragraph: str
    is_heading: bool = False
    tokens: int = 0


def body(book: Book, kinds: Collection[Kind] = PROSE) -> list[Sentence]:
    """The book's sentences of these kinds, in reading order."""
    return [sentence for sentence in book.sentences if sentence.kind in kinds]


def headings_of(sentence: Sentence, book: Book) -> tuple[str, ...]:
    """The headings above a sentence. Text outside chapters stands below the book's title."""
    name = sentence.address.chapter.name or book.title
    return (name, *sentence.address.section_path) if name else sentence.address.section_path


def pieces_of(book: Book, kinds: Collection[Kind] = PROSE) -> Iterator[ChunkPiece]:
    """All pieces of these kinds in reading order, each heading before its text."""
    last: ChunkPiece | None = None
    end = 0
    for sentence in body(book, kinds):
        address = sentence.address
        first = ChunkPiece(
            text=sentence.text,
            before=BEFORE_PARAGRAPH,
            sentence=sentence.id,
            headings=headings_of(sentence, book),
            chapter=address.chapter.index,
            paragraph=address.paragraph_id,
        )
        known = last.headings if last and last.chapter == first.chapter else ()
        for heading in first.headings[alike(known, first.headings) :]:
            yield replace(first, text=heading, before=BEFORE_HEADING, is_heading=True)
        goes_on = last is not None and last.paragraph == first.paragraph
        between = BEFORE_PARAGRAPH if sentence.kind in LINED else " " * min(1, address.span[0] - end)
        last = replace(first, before=between) if goes_on else first
        end = address.span[1]
        yield last


def alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many of the first are the same in both."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def counted(pieces: Iterable[ChunkPiece], count: Count, max_tokens: int) -> list[ChunkPiece]:
    """The pieces with their number of tokens; a longer piece is divided into parts of at most max_tokens."""
    whole = list(pieces)
    tokens = count([piece.text for piece in whole])
    return [
        part
        for piece, number in zip(whole, tokens, strict=True)
        for part in ([replace(piece, tokens=number)] if number <= max_tokens else _parts(piece, count, max_tokens))
    ]


def _parts(piece: ChunkPiece, count: Count, max_tokens: int) -> list[ChunkPiece]:
    """The piece halved until each part is short enough, between words if there are any."""
    [tokens] = count([piece.text])
    if tokens <= max_tokens or len(piece.text) == 1:
        return [replace(piece, tokens=tokens)]
    middle = len(piece.text) // 2
    blank = max(piece.text.rfind(" ", 1, middle + 1), 0) or max(piece.text.find(" ", middle, -1), 0)
    left, right = (piece.text[:blank], piece.text[blank + 1 :]) if blank else (piece.text[:middle], piece.text[middle:])
    second = replace(piece, text=right, before=" " if blank else "")
    return [*_parts(replace(piece, text=left), count, max_tokens), *_parts(second, count, max_tokens)]


def text_of(pieces: Sequence[ChunkPiece]) -> str:
    """The text of the pieces as it is read."""
    return "".join(piece.before + piece.text for piece in pieces).removeprefix(pieces[0].before)


def sentences_in(pieces: Iterable[ChunkPiece]) -> tuple[SentenceId, ...]:
    """Ids of the sentences of the pieces; if there are only headings, of the text below them."""
    given = list(pieces)
    return tuple(dict.fromkeys(piece.sentence for piece in [p for p in given if not p.is_heading] or given))


def common_headings(pieces: Sequence[ChunkPiece]) -> tuple[str, ...]:
    """The headings above all of the pieces."""
    first = pieces[0].headings
    return first[: min(alike(first, piece.headings) for piece in pieces)]


Block = list[ChunkPiece]


@dataclass(frozen=True, slots=True)
class TokenBounds:
    """Bounds of a block in tokens: minimum (if the chapter has as much), maximum, and overlap with the block before.

    always_overlaps: each block of a chapter overlaps the one before it, not only the parts of a group that is too long."""

    min_tokens: int
    max_tokens: int
    overlap: int
    always_overlaps: bool = False

    @property
    def room(self) -> int:
        """Maximum tokens of a block before the overlap is added."""
        return self.max_tokens - self.overlap if self.always_overlaps else self.max_tokens


def pack(pieces: Iterable[ChunkPiece], bounds: TokenBounds, group: Callable[[ChunkPiece], Hashable]) -> list[Block]:
    """Blocks of pieces. Pieces of one group stay together if they fit.

    pieces: in reading order, none longer than max_tokens - overlap. Groups that are too short are joined with those after them
    in the chapter; groups that are too long are divided into parts of about the same length."""
    groups = [list(together) for _, together in groupby(pieces, key=lambda piece: (piece.chapter, group(piece)))]
    packed: list[Block] = []
    joined = _joined(groups, bounds, lambda before, _: before < bounds.min_tokens)
    for block in _joined(joined, bounds, lambda _, block: block < bounds.min_tokens):
        parts = _parted(block, bounds)
        before = packed[-1] if packed and bounds.always_overlaps and packed[-1][0].chapter == block[0].chapter else None
        befores: list[Block | None] = [before, *parts]
        packed += [_overlapped(part, other, bounds.overlap) for other, part in zip(befores, parts, strict=False)]
    return packed


def size_of(block: Iterable[ChunkPiece]) -> int:
    """Number of tokens of the pieces."""
    return sum(piece.tokens for piece in block)


def _joined(blocks: Iterable[Block], bounds: TokenBounds, are_short: Callable[[int, int], bool]) -> list[Block]:
    """The blocks; two of a chapter that follow each other are one if they fit and are too short by their sizes."""
    joined: list[Block] = []
    for block in blocks:
        sizes = (size_of(joined[-1]), size_of(block)) if joined and joined[-1][0].chapter == block[0].chapter else None
        if sizes and are_short(*sizes) and sum(sizes) <= bounds.room:
            joined[-1] = joined[-1] + block
        else:
            joined.append(block)
    return joined


def _parted(block: Block, bounds: TokenBounds) -> list[Block]:
    """The block divided into parts that fit; the block itself if it fits."""
    if size_of(block) <= bounds.room:
        return [block]
    room = bounds.max_tokens - bounds.overlap
    wanted = size_of(block) / -(-size_of(block) // room)
    parts: list[Block] = [[]]
    for piece in block:
        if parts[-1] and (size_of(parts[-1]) + piece.tokens / 2 > wanted or size_of(parts[-1]) + piece.tokens > room):
            parts.append([])
        parts[-1].append(piece)
    return parts


def _overlapped(block: Block, before: Sequence[ChunkPiece] | None, overlap: int) -> Block:
    """The block after as many last pieces of the block before as have at most `overlap` tokens."""
    shared: Block = []
    for piece in reversed(before or ()):
        if size_of(shared) + piece.tokens > overlap:
            break
        shared.insert(0, piece)
    return shared + block


@dataclass(frozen=True, slots=True)
class Chunker:
    """A chunker and the name of its unit: chunkers with the same unit make the same chunks, and ask a model for numbers of
    tokens, nothing else."""

    unit: str
    make_chunks: Callable[[Book], list[Chunk]]

    def __call__(self, book: Book) -> list[Chunk]:
        """The book's chunks in reading order; none for a book without sentences."""
        return self.make_chunks(book)


def unit_name(granularity: Granularity, *sizes: int) -> str:
    """A unit's name with its parameters, such as "window-500-50"."""
    return "-".join([granularity.value, *map(str, sizes)])


def chunk_id(book: Book, unit: str, number: int) -> ChunkId:
    """Id of a chunk: the same book and unit give the same ids."""
    return ChunkId(f"{book.version}-{unit}-{number:05d}")


def chunks_of(blocks: Iterable[Sequence[ChunkPiece]], book: Book, unit: str) -> list[Chunk]:
    """One chunk for each block of pieces."""
    return [
        Chunk(chunk_id(book, unit, number), text_of(block), sentences_in(block), common_headings(block))
        for number, block in enumerate(blocks)
    ]


SENTENCES = Chunker(
    unit_name(Granularity.SENTENCE), lambda book: [Chunk(ChunkId(each.id), each.text, (each.id,)) for each in body(book)]
)
"""S1: each sentence is a chunk, with the sentence's id."""

ENTRIES = "entries"
"""What a report says the chapters of a book were made from (chapter_source) where each is an FAQ entry or a resolved ticket:
its title the question, its sentences the answer."""

HEADINGS = 3  # levels of a section: the chapter's (H1 of a page), H2 and H3


def sections(count: Count, min_tokens: int = 500, max_tokens: int = 1500, overlap: int = 200) -> Chunker:
    """Chunker by sections below headings H2 or H3; long sections are divided into overlapping parts (S4-1, S4-2)."""
    unit = unit_name(Granularity.SECTION, min_tokens, max_tokens, overlap)
    bounds = TokenBounds(min_tokens, max_tokens, overlap)
    return Chunker(unit, lambda book: _packed(book, unit, count, bounds, lambda piece: piece.headings[:HEADINGS]))


def passages(count: Count, min_tokens: int = 256, max_tokens: int = 512, overlap: int = 50) -> Chunker:
    """Chunker by whole paragraphs or parts of them, each overlapping the one before; an entry is one chunk (S5-4, S5-5)."""
    unit = unit_name(Granularity.PASSAGE, min_tokens, max_tokens, overlap)
    bounds = TokenBounds(min_tokens, max_tokens, overlap, always_overlaps=True)

    def cut(book: Book) -> list[Chunk]:
        if book.report.chapter_source == ENTRIES:
            return list(_entries(book, unit))
        return _packed(book, unit, count, bounds, lambda piece: piece.paragraph)

    return Chunker(unit, cut)


def paragraphs(count: Count, min_tokens: int = 24, max_tokens: int = 254) -> Chunker:
    """Chunker by paragraphs without the heading, which the chunk has in its own field (S3).

    A paragraph shorter than min_tokens, such as a line or a formula, is joined with the next one of its section, the last with
    the one before. One longer than max_tokens is divided between sentences."""
    unit, bounds = unit_name(Granularity.PARAGRAPH, min_tokens, max_tokens), TokenBounds(min_tokens, max_tokens, overlap=0)

    def cut(book: Book) -> list[Chunk]:
        pieces = counted((piece for piece in pieces_of(book) if not piece.is_heading), count, max_tokens)
        by_section = groupby(pieces, key=lambda piece: (piece.chapter, piece.headings))
        blocks = (pack(section, bounds, lambda piece: piece.paragraph) for _, section in by_section)
        return chunks_of(chain.from_iterable(blocks), book, unit)

    return Chunker(unit, cut)


def _packed(book: Book, unit: str, count: Count, bounds: TokenBounds, group: Callable[[ChunkPiece], Hashable]) -> list[Chunk]:
    pieces = counted(pieces_of(book, CITABLE), count, bounds.max_tokens - bounds.overlap)
    return chunks_of(pack(pieces, bounds, group), book, unit)


def _entries(book: Book, unit: str) -> Iterator[Chunk]:
    """One undivided chunk for each chapter: the embedder takes texts of any length."""
    answers: dict[str, list[Sentence]] = {}
    for sentence in body(book):
        answers.setdefault(f"{sentence.address.chapter.index}", []).append(sentence)
    for number, answer in enumerate(answers.values()):
        question = answer[0].address.chapter.title or ""
        text = f"Question: {question}\nAnswer: {' '.join(sentence.text for sentence in answer)}"
        yield Chunk(chunk_id(book, unit, number), text, tuple(sentence.id for sentence in answer), (question,), question)


def windows(characters: int = 500, overlap: int = 50) -> Chunker:
    """Chunker by windows over the whole book with its headings, cut between words; a word longer than a window is divided.

    S2 cuts wherever the count ends, "mid-way" as it says itself. 0 <= overlap < characters."""
    unit = unit_name(Granularity.WINDOW, characters, overlap)

    def cut(book: Book) -> list[Chunk]:
        layout = JoinedPieces.of(pieces_of(book, CITABLE))
        return [layout.chunk(span, chunk_id(book, unit, n)) for n, span in enumerate(spans(layout.text, characters, overlap))]

    return Chunker(unit, cut)


@dataclass(frozen=True, slots=True)
class JoinedPieces:
    """Pieces as one text, with the span of each."""

    text: str
    pieces: Sequence[ChunkPiece]
    begins: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, pieces: Iterable[ChunkPiece]) -> "JoinedPieces":
        """The pieces joined in the given order."""
        given = list(pieces)
        ends = list(accumulate(len(piece.before) + len(piece.text) for piece in given))
        begins = [end - len(piece.text) for piece, end in zip(given, ends, strict=True)]
        return cls("".join(piece.before + piece.text for piece in given), given, begins, ends)

    def chunk(self, span: tuple[int, int], id: ChunkId) -> Chunk:
        """The chunk of a span, under the nearest of its headings, unless they stand there: a part of a section is found by what
        the section is about."""
        start, end = span
        inside = self.pieces[bisect_right(self.ends, start) : bisect_left(self.begins, end)]
        text, headings = self.text[start:end], common_headings(inside)
        above = (each for each in headings[-NEAREST_HEADINGS:] if each not in text[:BEGINNING])
        return Chunk(id, BEFORE_PARAGRAPH.join([*above, text]), sentences_in(inside), headings)


def spans(text: str, size: int, overlap: int) -> list[tuple[int, int]]:
    """[start, end) of each window.

    At most `size` characters, no blank at its edges, and whole words of at most `overlap` characters shared with the one
    before, unless that would add nothing."""
    words = [word.span() for word in re.finditer(rf"\S{{1,{size}}}", text)]
    begins, ends = [begin for begin, _ in words], [end for _, end in words]
    found, first, after = list[tuple[int, int]](), 0, 0
    while after < len(words):
        start = begins[first]
        after = bisect_right(ends, start + size)
        found.append((start, ends[after - 1]))
        shared = range(bisect_left(begins, max(start + 1, ends[after - 1] - overlap)), after)
        first = next((at for at in shared if text[begins[at] - 1].isspace()), after)
        if first < after and bisect_right(ends, begins[first] + size) == after:
            first = after
    return found


def chunks_name(key: VersionKey) -> str:
    return f"{artefacts.version_folder(key)}chunks-{key.unit}-{path_part(key.model)}.json.gz"


def is_by_sentences(key: VersionKey) -> bool:
    """Whether each sentence is a chunk."""
    return key.unit == SENTENCES.unit


def save_chunks(bucket: Bucket, key: VersionKey, chunks: list[Chunk]) -> None:
    """Store the chunks, unless each is a sentence."""
    if not is_by_sentences(key):
        artefacts.save_lines(bucket, chunks_name(key), {"chunks": len(chunks)}, map(adapter(Chunk).dump_json, chunks))


def load_chunks(bucket: Bucket, key: VersionKey, book: Book | None = None) -> list[Chunk]:
    """The chunks in reading order. book: of the version, if at hand. Raises NotFound if they are missing or damaged."""
    if is_by_sentences(key):
        return SENTENCES(book or artefacts.load_book(bucket, key))
    lines = artefacts.load_lines(bucket, chunks_name(key), "chunks")
    with artefacts.damage_as_loss():
        return [adapter(Chunk).validate_json(line) for line in lines[1:]]


@dataclass(frozen=True, slots=True)
class ChunkText:
    """Chunks as lines of JSON, of which only requested ones are parsed."""

    lines: list[bytes]

    def chunk(self, id: ChunkId) -> Chunk:
        """The chunk with this id. Raises NotFound."""
        begin = b'{"id":' + json.dumps(id, ensure_ascii=False).encode() + b","
        if (line := next((each for each in self.lines if each.startswith(begin)), None)) is None:
            raise NotFound("passage_replaced")
        return adapter(Chunk).validate_json(line)

    @property
    def nbytes(self) -> int:
        return sum(map(len, self.lines))


def is_stored(bucket: Bucket, key: VersionKey) -> bool:
    """Whether the version's book, chunks and vectors are stored and undamaged. Reads all of them."""
    try:
        book = artefacts.load_book(bucket, key)
        return len(load_chunks(bucket, key, book)) == len(artefacts.load_vectors(bucket, key))
    except NotFound:
        return False


def rows_by_text(chunks: Sequence[Chunk]) -> list[int]:
    """Rows of the chunks whose vectors are made from their texts: entries, and those with the same sentences as another, such
    as the parts of a long sentence."""
    number = Counter(chunk.sentences for chunk in chunks)
    return [row for row, chunk in enumerate(chunks) if chunk.question or number[chunk.sentences] > 1]


def embed_texts(chunks: Sequence[Chunk], embedder: Embedder) -> Vectors:
    """Vectors of the chunks' texts, (n, d); of entries, of the question and the text. Raises as the embedder does."""
    vectors = np.array(embedder.embed_passages([chunk.text for chunk in chunks]))
    if rows := [row for row, chunk in enumerate(chunks) if chunk.question]:
        questions = embedder.embed_passages([chunks[row].question for row in rows])
        openings = embedder.embed_passages([artefacts.opening(chunks[row].question, chunks[row].text) for row in rows])
        vectors[rows] = artefacts.blended(questions, openings, vectors[rows])
    return vectors


def means_of(chunks: Sequence[Chunk], ids: Sequence[SentenceId], vectors: Vectors) -> Vectors:
    """The mean direction of each chunk's sentences, (n, d), unit norm. ids: of all their sentences; vectors: one for each."""
    rows = {id: row for row, id in enumerate(ids)}
    means = [vectors[[rows[id] for id in chunk.sentences]].mean(axis=0) for chunk in chunks]
    return unit(np.array(means, np.float32).reshape(len(chunks), vectors.shape[1]))


def records_of(book: Book, chunks: list[Chunk]) -> list[Record]:
    """The index's record of each chunk: the metadata of S1-10, taken from its first sentence. A sentence over two pages has the
    first page; a chapter has its title, else its number."""
    sentences = {sentence.id: sentence for sentence in book.sentences}
    return [_record_of(chunk, sentences[chunk.sentences[0]]) for chunk in chunks]


def _record_of(chunk: Chunk, first: Sentence) -> Record:
    address, alone = first.address, chunk.id == first.id
    return Record(
        id=chunk.id,
        book=address.book,
        version=address.version,
        chapter=address.chapter.name,
        page=address.places[0].page_label if address.places else "",
        paragraph_id=address.paragraph_id,
        prev_sentence_id=first.prev_id if alone else None,
        next_sentence_id=first.next_id if alone else None,
    )


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """Vectors of sentences. ids: (n,), sorted; vectors: (n, d) float16, unit norm. n is 0 if none are stored."""

    ids: NDArray[np.bytes_]
    vectors: NDArray[np.float16]

    def cosines(self, wanted: Sequence[SentenceId], query: Vectors) -> dict[SentenceId, float]:
        """Cosine of each stored sentence with the query, (d,); sentences that are not stored are left out."""
        if not len(self.ids):
            return {}
        names = np.array([id.encode() for id in wanted])
        rows = np.minimum(np.searchsorted(self.ids, names), len(self.ids) - 1)
        there = self.ids[rows] == names
        cosines = np.clip(self.vectors[rows[there]].astype(np.float32) @ query, -1.0, 1.0)
        return dict(zip((id for id, is_there in zip(wanted, there, strict=True) if is_there), cosines.tolist(), strict=True))

    @property
    def nbytes(self) -> int:
        return self.ids.nbytes + self.vectors.nbytes


NO_SENTENCE_VECTORS = SentenceVectors(np.empty(0, "S1"), np.empty((0, 0), np.float16))


def first_seen(chunks: Sequence[Chunk], rows: range) -> tuple[SentenceId, ...]:
    """Ids of the sentences that begin to occur in these rows of chunks, each once: chunks overlap."""
    before = {id for chunk in chunks[: rows.start] for id in chunk.sentences}
    of_rows = chain.from_iterable(chunk.sentences for chunk in chunks[rows.start : rows.stop])
    return tuple(id for id in dict.fromkeys(of_rows) if id not in before)


def sentences_name(key: VersionKey) -> str:
    return artefacts.vectors_name(key, "sentences")


def save_sentence_vectors(bucket: Bucket, key: VersionKey, ids: Sequence[SentenceId], vectors: Vectors) -> None:
    """Store the vectors, (n, d), one row for each id."""
    names = np.array([id.encode() for id in ids], np.bytes_)
    order = np.argsort(names)
    bucket.write(sentences_name(key), bytes_of_arrays(names[order], vectors[order].astype(np.float16)))


def load_sentence_vectors(bucket: Bucket, key: VersionKey) -> SentenceVectors:
    """The stored sentence vectors; empty if there are none, or they are damaged."""
    try:
        data = bucket.read(sentences_name(key))
        with artefacts.damage_as_loss():
            ids, vectors = arrays_in(data)
            return SentenceVectors(ids, vectors)
    except NotFound:
        return NO_SENTENCE_VECTORS
