"""A CHAPTERVERSE_HOME, the program run in it as a process, and all that it holds, to be compared with another's."""

import os
import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from chapterverse.core.recent import Recent
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.library.model import VersionKey
from chapterverse.library.store import SqlCatalog

ROOT = Path(__file__).parents[2]
SCHOOL = "local"


@dataclass(frozen=True)
class Home:
    """Everything on one machine is below `path`. program: the module that is run."""

    path: Path
    program: str = "tests.support.word_program"

    def start(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """The program, begun."""
        environment = {**os.environ, "CHAPTERVERSE_HOME": str(self.path)}
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *sys.path])
        command, pipe = [sys.executable, "-m", self.program, *map(str, arguments)], subprocess.PIPE
        return subprocess.Popen(command, cwd=ROOT, env=environment, text=True, stdout=pipe, stderr=pipe)

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
        unfinished = [path.name for path in self.path.glob("*/.unfinished/*")]
        return {"catalog": shelf, "bucket": self._files(), "index": self._mapped(keys), "leftovers": unfinished}

    def _files(self) -> dict[str, str]:
        files = (path for part in ("artefacts", "vectors") for path in (self.path / part).rglob("*") if path.is_file())
        return {str(path.relative_to(self.path)): sha256(path.read_bytes()).hexdigest() for path in files}

    def _mapped(self, keys: list[VersionKey]) -> dict[str, Any]:
        index = BucketIndex(FolderBucket(self.path / "vectors"), Recent())
        return {key.version: index.count(key.partition, key.version) for key in keys}
