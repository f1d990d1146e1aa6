"""The chunks of a version, which are indexed, and the vectors of the sentences in them.

    {version's folder}/chunks-{unit}-{model}.json.gz    JSON lines: {"format", "chunks"}, their number, then each chunk
    {the vectors' name}-sentences                       one record a sentence, by id: id, vector (d,) float16

The model is part of the name because lengths are counted in its tokens. For books indexed by sentences neither is stored: each
sentence is a chunk. With the sentence vectors, a question is compared with sentences without embedding them again; they take
0.8 kB a sentence with MiniLM. Their name begins with that of the chunks' vectors, so both are deleted together."""

import gzip
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from chapterverse.core.book import Book, Chunk, ChunkId, Sentence, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Record, Vectors
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket, Embedder
from chapterverse.library.artefacts import BookText, damage_as_loss, load_book, load_vectors, vectors_name, version_folder
from chapterverse.library.contexts import blended, opening, with_known
from chapterverse.library.model import VersionKey
from chapterverse.library.text.chunking import SENTENCES

FORMAT = 1
CHUNK = TypeAdapter(Chunk)


def chunks_name(key: VersionKey) -> str:
    """Name of the stored chunks."""
    return f"{version_folder(key)}chunks-{key.unit}-{path_part(key.model)}.json.gz"


def is_by_sentences(key: VersionKey) -> bool:
    """Whether each sentence is a chunk."""
    return key.unit == SENTENCES.unit


def save_chunks(bucket: Bucket, key: VersionKey, chunks: list[Chunk]) -> None:
    """Store the chunks, unless each is a sentence."""
    if not is_by_sentences(key):
        head = json.dumps({"format": FORMAT, "chunks": len(chunks)}).encode()
        bucket.write(chunks_name(key), gzip.compress(b"\n".join([head, *map(CHUNK.dump_json, chunks)]), mtime=0))


def load_chunks(bucket: Bucket, key: VersionKey, book: Book | None = None) -> list[Chunk]:
    """The chunks in reading order. book: of the version, if at hand. Raises NotFound if they are missing or damaged."""
    if is_by_sentences(key):
        return SENTENCES(book or load_book(bucket, key))
    text = load_chunk_text(bucket, key)
    with damage_as_loss():
        return [CHUNK.validate_json(line) for line in text.lines.splitlines()[1:]]


def load_chunk_text(bucket: Bucket, key: VersionKey) -> "ChunkText":
    """The chunks for looking them up. Raises NotFound if they are missing or damaged, and if each sentence is a chunk."""
    data = bucket.read(chunks_name(key))
    with damage_as_loss():
        lines = gzip.decompress(data)
        head = json.loads(lines[: lines.find(b"\n") + 1] or lines)
        if head != {"format": FORMAT, "chunks": lines.count(b"\n")}:
            raise NotFound("book_of_other_version")
        return ChunkText(lines)


@dataclass(frozen=True, slots=True)
class ChunkText:
    """Chunks as lines of JSON, of which only requested ones are parsed."""

    lines: bytes

    def chunk(self, id: ChunkId) -> Chunk:
        """The chunk with this id. Raises NotFound."""
        begin = self.lines.find(b'\n{"id":' + json.dumps(id, ensure_ascii=False).encode() + b",")
        if begin < 0:
            raise NotFound("passage_replaced")
        end = self.lines.find(b"\n", begin + 1)
        return CHUNK.validate_json(self.lines[begin + 1 : end if end >= 0 else None])

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return len(self.lines)


def is_stored(bucket: Bucket, key: VersionKey) -> bool:
    """Whether the version's book, chunks and vectors are stored and undamaged. Reads all of them."""
    try:
        book = load_book(bucket, key)
        return len(load_chunks(bucket, key, book)) == len(load_vectors(bucket, key))
    except NotFound:
        return False


def embed_chunks(chunks: list[Chunk], embedder: Embedder) -> Vectors:
    """Vectors of the chunks' texts, (n, d); of entries, of the question and the text. Raises as the embedder does."""
    vectors = embedder.embed_passages([chunk.text for chunk in chunks])
    entry_rows = [row for row, chunk in enumerate(chunks) if chunk.question]
    if not entry_rows:
        return vectors
    entries = [chunks[row] for row in entry_rows]
    questions = embedder.embed_passages([entry.question for entry in entries])
    openings = embedder.embed_passages([opening(entry.question, entry.text) for entry in entries])
    mixed = np.array(vectors)
    mixed[entry_rows] = blended(questions, openings, vectors[entry_rows])
    return mixed


def records_of(book: Book, chunks: list[Chunk]) -> list[Record]:
    """The index's record of each chunk: the metadata of S1-10, taken from its first sentence."""
    sentences = {sentence.id: sentence for sentence in book.sentences}
    return [record_of(chunk, sentences[chunk.sentences[0]]) for chunk in chunks]


def record_of(chunk: Chunk, first: Sentence) -> Record:
    """The metadata of S1-10. A sentence over two pages has the first page; a chapter has its title, else its number."""
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
        """Bytes in memory."""
        return self.ids.nbytes + self.vectors.nbytes


NO_SENTENCE_VECTORS = SentenceVectors(np.empty(0, "S1"), np.empty((0, 0), np.float16))


def sentences_name(key: VersionKey) -> str:
    """Name of the stored sentence vectors."""
    return f"{vectors_name(key)}-sentences"


def first_seen(chunks: Sequence[Chunk], rows: range) -> tuple[SentenceId, ...]:
    """Ids of the sentences that begin to occur in these rows of chunks, each once: chunks overlap."""
    before = {id for chunk in chunks[: rows.start] for id in chunk.sentences}
    of_rows = chain.from_iterable(chunk.sentences for chunk in chunks[rows.start : rows.stop])
    return tuple(id for id in dict.fromkeys(of_rows) if id not in before)


def embed_sentences(
    ids: Sequence[SentenceId],
    text: BookText,
    embedder: Embedder,
    known: Mapping[str, NDArray[np.float32]] = MappingProxyType({}),
) -> Vectors:
    """Vectors of the sentences, (n, d), in the given order. known: vectors by text, which need no embedding. Raises NotFound,
    and as the embedder does."""
    texts = {sentence.id: sentence.text for sentence in text.sentences(ids)} if ids else {}
    wanted = [texts[id] for id in ids]
    return with_known(wanted, known, lambda new: embedder.embed_passages([wanted[row] for row in new]))


def save_sentence_vectors(bucket: Bucket, key: VersionKey, ids: Sequence[SentenceId], vectors: Vectors) -> None:
    """Store the vectors, (n, d), one row for each id."""
    longest = max((len(id.encode()) for id in ids), default=1)
    records = np.empty(len(ids), [("id", f"S{longest}"), ("vector", np.float16, vectors.shape[1:])])
    records["id"], records["vector"] = [id.encode() for id in ids], vectors
    file = io.BytesIO()
    np.save(file, records[np.argsort(records["id"])], allow_pickle=False)
    bucket.write(sentences_name(key), file.getvalue())


def load_sentence_vectors(bucket: Bucket, key: VersionKey) -> SentenceVectors:
    """The stored sentence vectors; empty if there are none, or they are damaged."""
    try:
        data = bucket.read(sentences_name(key))
        with damage_as_loss():
            records = np.load(io.BytesIO(data), allow_pickle=False)
    except NotFound:
        return NO_SENTENCE_VECTORS
    return SentenceVectors(np.ascontiguousarray(records["id"]), np.ascontiguousarray(records["vector"]))
