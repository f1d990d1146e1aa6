"""A CHAPTERVERSE_HOME, the program run in it as a process, and all that it holds, to be compared with another's."""

import os
import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from chapterverse.core.hits import Vectors
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.infrastructure.vectors.chroma import ChromaIndex, collection_name, embedded_client
from chapterverse.library.model import VersionKey
from chapterverse.library.store import SqlCatalog
from tests.support.preloaded import COMMANDS, GRAPHS, Running, start

ROOT = Path(__file__).parents[2]
SCHOOL = "local"


@dataclass(frozen=True)
class Home:
    """Everything on one machine is below `path`. index: as the setting of that name: "" or "graph"."""

    path: Path
    program: str = "tests.support.word_program"
    index: str = ""

    def start(self, *arguments: str | Path) -> Running:
        """The program, begun."""
        environment = {**os.environ, "CHAPTERVERSE_HOME": str(self.path), "CHAPTERVERSE_INDEX": self.index}
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *sys.path])
        loaded = COMMANDS + GRAPHS if self.index == "graph" else COMMANDS
        return start(self.program, list(map(str, arguments)), environment, loaded)

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """The program, run to its end."""
        with self.start(*arguments) as program:
            out, err = program.communicate()
        return subprocess.CompletedProcess(program.args, program.wait(), out, err)

    def contents(self) -> dict[str, Any]:
        """What the catalog, the bucket and the index hold, and what should not be there at all."""
        catalog = SqlCatalog(f"sqlite:///{self.path / 'catalog.db'}")
        books = catalog.books(SCHOOL)
        catalog.close()
        keys = [version.key for book in books for version in book.versions]
        shelf = [(book.id, book.title, book.active and book.active.key, [v.state for v in book.versions]) for book in books]
        return {
            "catalog": shelf,
            "bucket": self._files(),
            "index": self._graphs(keys) if self.index == "graph" else self._mapped(keys),
            "leftovers": self._leftovers(keys),
        }

    def _files(self) -> dict[str, str]:
        files = (path for part in ("artefacts", "vectors") for path in (self.path / part).rglob("*") if path.is_file())
        return {str(path.relative_to(self.path)): sha256(path.read_bytes()).hexdigest() for path in files}

    def _mapped(self, keys: list[VersionKey]) -> dict[str, Any]:
        index = BucketIndex(FolderBucket(self.path / "vectors"), Recent())
        return {key.version: sorted(index.ids(key.partition, key.version)) for key in keys}

    def _graphs(self, keys: list[VersionKey]) -> dict[str, Any]:
        client = embedded_client(self.path / "chroma")
        index = ChromaIndex(lambda: client)
        held: dict[str, Any] = {}
        for key in keys:
            found = client.get_collection(collection_name(key.partition, key.version)).get(include=["embeddings"])
            vectors = dict(zip(found["ids"], map(np.ndarray.tobytes, np.float32(found["embeddings"])), strict=True))
            held[key.version] = (vectors, self._finds(index, key, np.float32(found["embeddings"])))
        client.close()
        return held

    @staticmethod
    def _finds(index: ChromaIndex, key: VersionKey, vectors: Vectors) -> bool:
        """Whether a search finds what is there: nearly all of some vectors (its graphs differ by build)."""
        some = vectors[:: max(1, len(vectors) // 32)]
        return index.held(key.partition, key.version, some) >= 0.9 * len(some)

    def _leftovers(self, keys: list[VersionKey]) -> list[str]:
        """Collections of no version, graphs of no collection, objects not finished."""
        unfinished = [path.name for path in self.path.glob("*/.unfinished/*")]
        if self.index != "graph":
            return unfinished
        client = embedded_client(self.path / "chroma")
        collections = {collection.name for collection in client.list_collections()}
        client.close()
        graphs = [path.name for path in (self.path / "chroma").iterdir() if path.is_dir()]
        too_many = graphs if len(graphs) > len(keys) else []
        return [*(collections - {collection_name(key.partition, key.version) for key in keys}), *too_many, *unfinished]
