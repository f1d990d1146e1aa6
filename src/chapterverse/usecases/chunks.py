"""What is indexed of a version: its chunks, cut once and kept beside the book they are of.

    {version's folder}/chunks-{unit}-{model}.json.gz    JSON lines: {"format", "chunks"}, their number, then each chunk

The model is in the name because lengths are counted in its tokens. Of books that are indexed by sentences nothing is kept: each
sentence is a chunk."""

import gzip
import json
from dataclasses import dataclass

import numpy as np
from pydantic import TypeAdapter

from chapterverse.errors import NotFound
from chapterverse.ingestion.chunks.cutter import SENTENCES
from chapterverse.model import Book, Chunk, ChunkId, Record, Sentence, Vectors, VersionKey
from chapterverse.names import path_part
from chapterverse.ports import Bucket, Embedder
from chapterverse.retrieval.chunk_vectors import blended, opening
from chapterverse.usecases.artefacts import damage_as_loss, load_book, load_vectors, version_folder

FORMAT = 1
CHUNK = TypeAdapter(Chunk)


def chunks_name(key: VersionKey) -> str:
    """Where the chunks are kept."""
    return f"{version_folder(key)}chunks-{key.unit}-{path_part(key.model)}.json.gz"


def is_by_sentences(key: VersionKey) -> bool:
    """Whether each sentence is a chunk."""
    return key.unit == SENTENCES.unit


def save_chunks(bucket: Bucket, key: VersionKey, chunks: list[Chunk]) -> None:
    """Keep the chunks, unless each is a sentence."""
    if not is_by_sentences(key):
        head = json.dumps({"format": FORMAT, "chunks": len(chunks)}).encode()
        bucket.write(chunks_name(key), gzip.compress(b"\n".join([head, *map(CHUNK.dump_json, chunks)]), mtime=0))


def load_chunks(bucket: Bucket, key: VersionKey, book: Book | None = None) -> list[Chunk]:
    """The chunks in reading order; book: the version's, where it is at hand. Raises NotFound, also for damaged ones."""
    if is_by_sentences(key):
        return SENTENCES(book or load_book(bucket, key))
    text = load_chunk_text(bucket, key)
    with damage_as_loss():
        return [CHUNK.validate_json(line) for line in text.lines.splitlines()[1:]]


def load_chunk_text(bucket: Bucket, key: VersionKey) -> "ChunkText":
    """The chunks, to be looked up by id. Raises NotFound, also for damaged ones, and where each sentence is a chunk."""
    data = bucket.read(chunks_name(key))
    with damage_as_loss():
        lines = gzip.decompress(data)
        head = json.loads(lines[: lines.find(b"\n") + 1] or lines)
        if head != {"format": FORMAT, "chunks": lines.count(b"\n")}:
            raise NotFound("book_of_other_version")
        return ChunkText(lines)


@dataclass(frozen=True, slots=True)
class ChunkText:
    """Chunks as lines of JSON, of which only those asked for are understood."""

    lines: bytes

    def chunk(self, id: ChunkId) -> Chunk:
        """The chunk of that id. Raises NotFound."""
        begin = self.lines.find(b'\n{"id":' + json.dumps(id, ensure_ascii=False).encode() + b",")
        if begin < 0:
            raise NotFound("passage_replaced")
        end = self.lines.find(b"\n", begin + 1)
        return CHUNK.validate_json(self.lines[begin + 1 : end if end >= 0 else None])

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return len(self.lines)


def is_kept(bucket: Bucket, key: VersionKey) -> bool:
    """Whether all is there, and whole, that answers and a new index are made from. It reads all of it."""
    try:
        book = load_book(bucket, key)
        return len(load_chunks(bucket, key, book)) == len(load_vectors(bucket, key))
    except NotFound:
        return False


def embed_chunks(chunks: list[Chunk], embedder: Embedder) -> Vectors:
    """(n, d), a row a chunk: of its text, or of its question and its text where it answers one. Raises as the embedder does."""
    vectors = embedder.embed_passages([chunk.text for chunk in chunks])
    asked = [row for row, chunk in enumerate(chunks) if chunk.question]
    if not asked:
        return vectors
    entries = [chunks[row] for row in asked]
    questions = embedder.embed_passages([entry.question for entry in entries])
    openings = embedder.embed_passages([opening(entry.question, entry.text) for entry in entries])
    mixed = np.array(vectors)
    mixed[asked] = blended(questions, openings, vectors[asked])
    return mixed


def records_of(book: Book, chunks: list[Chunk]) -> list[Record]:
    """What the index keeps of each chunk: S1's metadata, of its first sentence."""
    sentences = {sentence.id: sentence for sentence in book.sentences}
    return [record_of(chunk, sentences[chunk.sentences[0]]) for chunk in chunks]


def record_of(chunk: Chunk, first: Sentence) -> Record:
    """S1's metadata; what runs over a page goes by the first, a chapter by its title, else its number."""
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
