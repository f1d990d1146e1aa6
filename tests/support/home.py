"""A CHAPTERVERSE_HOME, the program run in it as a process, and all that it holds, to be compared with another's."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from signal import SIGTERM
from typing import Any

import httpx

from chapterverse.core.recent import Recent
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.library.model import VersionKey
from chapterverse.library.store import SqlCatalog
from scripts.cloud_local.parts import answers_http
from scripts.smoke import Smoke
from tests.support.pdfs import a_pdf
from tests.support.servers import free_port
from tests.support.serving import eventually

ROOT = Path(__file__).parents[2]
SCHOOL = "local"
PATIENCE = 120  # seconds; a busy machine is slow
ESSAY = "The object of this essay is to assert one very simple principle."


@dataclass(frozen=True)
class Home:
    """Everything on one machine is below `path`. program: the module that is run; sources: where it is; more: settings."""

    path: Path
    program: str = "tests.support.word_program"
    sources: Path = ROOT
    more: Mapping[str, str] = field(default_factory=dict)

    def start(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """The program, begun."""
        environment = {**os.environ, "CHAPTERVERSE_HOME": str(self.path), **self.more}
        environment["PYTHONPATH"] = os.pathsep.join([f"{self.sources / 'src'}", str(self.sources), *sys.path])
        command, pipe = [sys.executable, "-m", self.program, *map(str, arguments)], subprocess.PIPE
        return subprocess.Popen(command, cwd=self.sources, env=environment, text=True, stdout=pipe, stderr=pipe)

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """The program, run to its end."""
        with self.start(*arguments) as program:
            out, err = program.communicate()
        return subprocess.CompletedProcess(program.args, program.wait(), out, err)

    @contextmanager
    def teacher(self) -> Iterator[Smoke]:
        """One who asks the program while it serves; it is told to end afterwards, and has to."""
        address = f"http://127.0.0.1:{(port := free_port())}"
        with self.start("serve", "--port", str(port)) as program:
            try:
                eventually(answers_http(f"{address}/ready", 200), within=PATIENCE)
                secret = json.loads(self.run("keys", "create", "--scope", "teacher", "--json").stdout)["secret"]
                headers = {"Authorization": f"Bearer {secret}"}
                with httpx.Client(base_url=address, headers=headers, timeout=PATIENCE) as client:
                    yield Smoke(client, a_pdf(), ESSAY, minutes=PATIENCE / 60)
            finally:
                program.send_signal(SIGTERM)
                program.communicate(timeout=PATIENCE)

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
