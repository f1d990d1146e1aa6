"""The headings of a book, and their vectors: made once a version, and kept beside it.

{version's folder}/headings-{unit}-{model}.npz    titles, each once, in reading order; vectors (n, d) float32, a row each"""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chapterverse.errors import NotFound
from chapterverse.model import Chunk, Vectors, VersionKey
from chapterverse.names import path_part
from chapterverse.ports import Bucket, Embedder
from chapterverse.usecases.artefacts import damage_as_loss, version_folder
from chapterverse.usecases.chunks import load_chunks
from chapterverse.usecases.services import Services


@dataclass(frozen=True, slots=True)
class Headings:
    """titles: of chapters and sections; vectors: (n, d), a row a title."""

    titles: tuple[str, ...]
    vectors: Vectors

    @property
    def nbytes(self) -> int:
        """In memory, about."""
        return int(self.vectors.nbytes) + sum(map(len, self.titles))


def headings_of(key: VersionKey, services: Services) -> Headings:
    """Those of a version that is indexed. Raises NotFound where it is no more, and as the embedder and the bucket do."""
    return services.recent.get(("headings", key), lambda: _kept(key, services))


def _kept(key: VersionKey, services: Services) -> Headings:
    try:
        return _load(services.bucket, key)
    except NotFound:
        made = _make(load_chunks(services.bucket, key), services.using(key.model).embedder)
        _save(services.bucket, key, made)
        return made


def _make(chunks: Sequence[Chunk], embedder: Embedder) -> Headings:
    titles = tuple(dict.fromkeys(title for chunk in chunks for title in chunk.headings if title.strip()))
    return Headings(titles, embedder.embed_passages(titles))


def _name(key: VersionKey) -> str:
    return f"{version_folder(key)}headings-{key.unit}-{path_part(key.model)}.npz"


def _save(bucket: Bucket, key: VersionKey, headings: Headings) -> None:
    file = io.BytesIO()
    np.savez(file, titles=np.array(headings.titles, np.str_), vectors=headings.vectors)
    bucket.write(_name(key), file.getvalue())


def _load(bucket: Bucket, key: VersionKey) -> Headings:
    data = bucket.read(_name(key))
    with damage_as_loss(), np.load(io.BytesIO(data), allow_pickle=False) as kept:
        return Headings(tuple(kept["titles"].tolist()), kept["vectors"])
