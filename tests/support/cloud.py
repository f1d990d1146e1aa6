"""The cloud on this machine (scripts/cloud_local) as a user sees it, and all that it holds, to be compared."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import chromadb
import httpx
import numpy as np
from chromadb.errors import NotFoundError
from google.api_core.exceptions import NotFound
from google.auth.credentials import AnonymousCredentials
from google.cloud.storage import Blob, Client

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import Collection
from chapterverse.library.model import CatalogBook
from chapterverse.library.store import SqlCatalog
from scripts.cloud_local.stack import ARTEFACTS, RESULTS, ROOT, TASKS_ACCOUNT, UPLOADS, Stack, stack
from tests.support.servers import IN_MEMORY
from tests.support.serving import eventually

WORDS = "tests.support.word_worker:app()"
FAST = {  # several tasks for a small book, and nobody is sent away for asking often
    "CHAPTERVERSE_EMBEDDING_MODEL": "words",
    "CHAPTERVERSE_MAX_TASK_SENTENCES": "64",
    "CHAPTERVERSE_REQUESTS_PER_MINUTE": "100000",
    "CHAPTERVERSE_MAX_OPEN_REQUESTS": "16",
}


@dataclass
class Cloud:
    """A running stack; keys: one of each scope and school, made when it is first needed."""

    stack: Stack
    keys: dict[tuple[str, KeyScope], str] = field(default_factory=dict)

    def put(self, name: str, pdf: bytes) -> None:
        """A PDF into the bucket, as a teacher's program does it."""
        self._blob(name).upload_from_string(pdf, "application/pdf")

    def delete(self, name: str) -> None:
        self._blob(name).delete()

    def call(self, method: str, path: str, school: str, scope: KeyScope = KeyScope.TEACHER, **request: Any) -> httpx.Response:
        """The HTTP interface, with a key of that school."""
        headers = {"Authorization": f"Bearer {self.key(school, scope)}", **request.pop("headers", {})}
        return self.http.request(method, f"{self.stack.url('api')}{path}", headers=headers, **request)

    def evidence(self, essay: str, school: str) -> httpx.Response:
        return self.call("POST", "/api/v1/essays/evidence", school, json={"essay": essay})

    def key(self, school: str, scope: KeyScope = KeyScope.TEACHER) -> str:
        if (school, scope) not in self.keys:
            self.keys[school, scope] = self.stack.new_key(school, scope)
        return self.keys[school, scope]

    def book(self, school: str, book: str) -> dict[str, Any]:
        """What the interface says of it; empty where it is not there."""
        answer = self.call("GET", f"/api/v1/collections/books/sources/{book}", school)
        return answer.json() if answer.status_code == 200 else {}

    def wait_for_book(self, school: str, book: str, state: str = "ready", after: str | None = None) -> dict[str, Any]:
        """Until its newest version has come to that state, and is another one than `after`."""

        def there() -> dict[str, Any] | None:
            found = self.book(school, book)
            newest = (found.get("versions") or [{}])[0].get("version")  # none while it waits
            return found if found.get("state") == state and newest != after else None

        return eventually(there, f"{school}/{book} to be {state}: {self.book(school, book)}")

    def wait_until_quiet(self) -> None:
        """Until no event waits for anybody."""
        eventually(lambda: all(event["done"] for event in self.events()), "every event to be dealt with")

    def events(self, action: str = "", **query: Any) -> list[dict[str, Any]]:
        """What the bucket has told, or will; action: "/deadline" (scripts/cloud_local/storage.py)."""
        method = "POST" if action else "GET"
        answer = self.http.request(method, f"{self.stack.url('storage')}/_events{action}", params=query)
        return list(answer.raise_for_status().json())

    def settled(self, school: str) -> dict[str, Any]:
        """The contents once nothing happens any more: no event waits, no version is on its way in or out, no part is left."""
        self.wait_until_quiet()

        def at_rest() -> dict[str, Any] | None:
            with suppress(NotFound, NotFoundError):  # what was there a moment ago
                held = self.contents(school)
                states = {state for *_, versions in held["catalog"] for *_, state, _ in versions}
                units = [[unit for _, unit, *_ in versions] for *_, versions in held["catalog"]]
                asked = {book for collection, book, *_ in held["catalog"] if collection is Collection.DOCUMENTS}
                for_lectures = {book for collection, book, *_ in held["catalog"] if collection is Collection.LECTURES}
                moving = states - {"ready", "failed"} or [name for name in held["bucket"] if "-part-" in name]
                is_whole = asked == for_lectures and all(len(set(of_one)) == len(of_one) for of_one in units)
                return held if is_whole and not moving else None
            return None

        return eventually(at_rest, f"{school} to come to rest", every=0.3)

    def run(self, module: str, *arguments: str, stdin: str = "", **told: str) -> subprocess.CompletedProcess[str]:
        """A program of ours that is told what the functions are, run to its end."""
        command = [sys.executable, "-W", "ignore", "-m", module, *arguments]
        environment = {**os.environ, **self.stack.environment, **told}
        return subprocess.run(command, env=environment, cwd=ROOT, input=stdin, capture_output=True, text=True, check=False)

    def identity_token(self, part: str = "embedder") -> str:
        """A token for that part, of an account that may call it."""
        at = f"{self.stack.url('certs')}/computeMetadata/v1/instance/service-accounts/{TASKS_ACCOUNT}/identity"
        headers = {"Metadata-Flavor": "Google"}
        return self.http.get(at, params={"audience": self.stack.url(part)}, headers=headers).raise_for_status().text

    def contents(self, school: str) -> dict[str, Any]:
        """What catalog, bucket and index hold of a school, without its name: equal for two schools with the same history."""
        return {
            "catalog": [
                (collection, book.id, book.title, [(v.key.version, v.key.unit, v.state, v.sentences) for v in book.versions])
                for collection in Collection
                for book in self._books(school, collection)
            ],
            "bucket": {
                blob.name.removeprefix(school): sha256(blob.download_as_bytes()).hexdigest() for blob in self._artefacts(school)
            },
            "index": sorted(self._collections(school), key=sorted),
        }

    def _books(self, school: str, collection: Collection) -> list[CatalogBook]:
        with closing(SqlCatalog(self.stack.environment["CHAPTERVERSE_CATALOG"], collection=collection)) as catalog:
            return catalog.books(school)

    def _collections(self, school: str) -> Iterator[dict[str, Any]]:
        """Of each collection its vectors and metadata by id; but for what an interrupted write has left, which nobody reads."""
        client = chromadb.HttpClient("127.0.0.1", self.stack.ports.chroma)
        for each in client.list_collections():
            if each.name.startswith(f"{school}-sentence") and not each.name.endswith("-unfinished"):
                found = client.get_collection(each.name, embedding_function=None).get(include=["embeddings", "metadatas"])
                rows = zip(found["ids"], np.float32(found["embeddings"]), found["metadatas"] or [], strict=True)
                yield {id: (vector.tobytes(), sorted((metadata or {}).items())) for id, vector, metadata in rows}

    def uploaded(self, school: str) -> list[str]:
        """Names of the school's files."""
        return [blob.name for blob in self._storage.list_blobs(UPLOADS, prefix=f"{school}/")]

    def results(self, school: str) -> list[Blob]:
        """Objects of the school's batches."""
        return list(self._storage.list_blobs(RESULTS, prefix=f"{school}/"))

    def _artefacts(self, school: str) -> list[Blob]:
        return list(self._storage.list_blobs(ARTEFACTS, prefix=f"{school}/"))

    def _blob(self, name: str) -> Blob:
        return self._storage.bucket(UPLOADS).blob(name)

    @cached_property
    def http(self) -> httpx.Client:
        return httpx.Client(timeout=60)

    @cached_property
    def _storage(self) -> Client:
        options = {"api_endpoint": self.stack.url("storage")}
        return Client(project="local", credentials=AnonymousCredentials(), client_options=options)


@contextmanager
def running_cloud() -> Iterator[Cloud]:
    """All of it, with an embedder that needs no model, in a folder that PostgreSQL reaches when it may not be root."""
    with TemporaryDirectory(prefix="cloud-", dir=IN_MEMORY) as folder:
        Path(folder).chmod(0o755)
        with stack(Path(folder), WORDS, FAST) as running:
            yield Cloud(running)
