"""Vectors of the sentences that chunks are made of, kept when a source is added: a question is compared with those of what it
finds, and embeds none of it.

    {the vectors' name}-sentences    a record a sentence, by id: id, vector (d,) float16

That is 0.8 kB a sentence with MiniLM. The name begins with that of the vectors: the two are deleted together. Where each
sentence is a chunk, there is none."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from chapterverse.errors import NotFound
from chapterverse.model import Chunk, SentenceId, Vectors, VersionKey
from chapterverse.ports import Bucket, Embedder
from chapterverse.retrieval.chunk_vectors import with_known
from chapterverse.usecases.artefacts import BookText, damage_as_loss, vectors_name


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """ids: (n,), in their order; vectors: (n, d) float16, unit norm. n is 0 where none are kept."""

    ids: NDArray[np.bytes_]
    vectors: NDArray[np.float16]

    def cosines(self, wanted: Sequence[SentenceId], query: Vectors) -> dict[SentenceId, float]:
        """Of those sentences that are kept here, with the query, (d,)."""
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


NONE_KEPT = SentenceVectors(np.empty(0, "S1"), np.empty((0, 0), np.float16))


def sentences_name(key: VersionKey) -> str:
    """Where they are kept."""
    return f"{vectors_name(key)}-sentences"


def is_kept(bucket: Bucket, key: VersionKey) -> bool:
    """Whether there are any, damaged or not."""
    return bool(bucket.names(sentences_name(key)))


def first_seen(chunks: Sequence[Chunk], rows: range) -> tuple[SentenceId, ...]:
    """Sentences of those chunks that no chunk before them has, each once: chunks overlap."""
    before = {id for chunk in chunks[: rows.start] for id in chunk.sentences}
    of_rows = chain.from_iterable(chunk.sentences for chunk in chunks[rows.start : rows.stop])
    return tuple(id for id in dict.fromkeys(of_rows) if id not in before)


def embed_sentences(
    ids: Sequence[SentenceId],
    text: BookText,
    embedder: Embedder,
    known: Mapping[str, NDArray[np.float32]] = MappingProxyType({}),
) -> Vectors:
    """(n, d), a row for each, in that order. known: by their texts, those that need no embedding. Raises NotFound, and as the
    embedder does."""
    texts = {sentence.id: sentence.text for sentence in text.sentences(ids)} if ids else {}
    wanted = [texts[id] for id in ids]
    return with_known(wanted, known, lambda new: embedder.embed_passages([wanted[row] for row in new]))


def save_sentence_vectors(bucket: Bucket, key: VersionKey, ids: Sequence[SentenceId], vectors: Vectors) -> None:
    """Keep them. vectors: (n, d), a row for each of ids."""
    longest = max((len(id.encode()) for id in ids), default=1)
    records = np.empty(len(ids), [("id", f"S{longest}"), ("vector", np.float16, vectors.shape[1:])])
    records["id"], records["vector"] = [id.encode() for id in ids], vectors
    file = io.BytesIO()
    np.save(file, records[np.argsort(records["id"])], allow_pickle=False)
    bucket.write(sentences_name(key), file.getvalue())


def load_sentence_vectors(bucket: Bucket, key: VersionKey) -> SentenceVectors:
    """As they were saved; none where they are damaged, or were never kept: an older release kept none."""
    try:
        data = bucket.read(sentences_name(key))
        with damage_as_loss():
            records = np.load(io.BytesIO(data), allow_pickle=False)
    except NotFound:
        return NONE_KEPT
    return SentenceVectors(np.ascontiguousarray(records["id"]), np.ascontiguousarray(records["vector"]))
