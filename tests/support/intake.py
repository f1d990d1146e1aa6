"""Files that arrive by themselves, on real storage: what intake needs, and a queue that does its tasks when it is told to."""

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from chapterverse.core.errors import NotFound, RetryableError
from chapterverse.core.hits import arrays_in
from chapterverse.core.recent import Recent
from chapterverse.core.tasks import StoredFile, Task
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.storage.folder import FolderBucket, FolderUploads
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.library.intake import receive_file, run_task
from chapterverse.library.model import BookVersion, CatalogBook
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.store import SqlCatalog
from tests.support.books import LIMITS, TextParser
from tests.support.word_embedder import WordEmbedder

SCHOOL = "school"
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@dataclass
class WaitingTasks:
    """TaskQueue that keeps its tasks until somebody does them; a name counts once, also when it is done."""

    waiting: list[Task] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def add(self, task: Task) -> None:
        if task.name not in self.names:
            self.names.add(task.name)
            self.waiting.append(task)


class ListQueue(WaitingTasks):
    """The tasks of a Town."""

    def do_all(self, intake: Intake, attempts: int = 100) -> None:
        """Each until it succeeds, the first one first. One during which the process dies comes again another time."""
        for attempt in range(1, attempts + 1):
            for task in list(self.waiting):
                self.do(task, intake, attempt)
            if not self.waiting:
                return
        raise AssertionError(f"{len(self.waiting)} tasks do not come to an end.")

    def do(self, task: Task, intake: Intake, attempt: int = 1) -> None:
        try:
            run_task(task, attempt, intake)
        except RetryableError:
            return
        self.waiting.remove(task)


@dataclass
class MemoryBucket:
    """Bucket in this process's memory."""

    objects: dict[str, bytes] = field(default_factory=dict)

    def write(self, name: str, data: bytes) -> None:
        self.objects[name] = data

    def read(self, name: str) -> bytes:
        if name not in self.objects:
            raise NotFound("nothing_stored", name=name)
        return self.objects[name]

    open = read

    def delete(self, prefix: str) -> None:
        for name in self.names(prefix):
            del self.objects[name]

    def names(self, prefix: str) -> list[str]:
        return sorted(name for name in self.objects if name.startswith(prefix))


def index_in(vectors: MemoryBucket) -> BucketIndex:
    """The index of one machine, which reads the bucket at every search."""
    return BucketIndex(vectors, Recent(0))


class Killed(BaseException):
    """The process ends here: nothing catches it."""


@dataclass
class Clockwork:
    """Counts writes, and kills before the n-th."""

    kill_before: int | None = None
    writes: int = 0

    def tick(self) -> None:
        self.writes += 1
        if self.writes == self.kill_before:
            raise Killed


OF_STORES = {"write", "delete", "remove", "add", "save", "note", "remove_batch"}
OF_THE_CATALOG = {"begin", "parsing", "parsed", "batch_done", "failed", "activate", "describe", "correct", "retire", "forget"}


class Watched:
    """A port all of whose writes tick."""

    def __init__(self, port: object, clockwork: Clockwork) -> None:
        self._port, self._clockwork = port, clockwork

    def __getattr__(self, name: str) -> Callable[..., object]:
        method: Callable[..., object] = getattr(self._port, name)
        if name not in OF_STORES | OF_THE_CATALOG:
            return method

        def ticking(*arguments: object, **options: object) -> object:
            self._clockwork.tick()
            return method(*arguments, **options)

        return ticking


def timeless(version: BookVersion) -> BookVersion:
    """Without its times, and without how its vectors came in where they have."""
    done = version.batches_done == version.batches
    return replace(version, began=NOON, changed=NOON, batches=not done, batches_done=0)


def rows_in(data: bytes) -> tuple[object, bytes]:
    """The vectors of a version in the index, but for rounding, and its records."""
    vectors, records, *_ = arrays_in(data)
    return vectors.round(4).tolist(), records.tobytes()


@dataclass
class Town:
    """A school's files and what becomes of them: real bucket, catalog and uploads, in a folder. events: not handled yet."""

    folder: Path
    events: list[StoredFile] = field(default_factory=list)
    queue: ListQueue = field(default_factory=ListQueue)
    embedder: WordEmbedder = field(default_factory=WordEmbedder)
    parser: TextParser = field(default_factory=TextParser)
    vectors: MemoryBucket = field(default_factory=MemoryBucket)
    closing: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        self.index = index_in(self.vectors)
        self.bucket = FolderBucket(self.folder / "artefacts")
        self.database = Database(f"sqlite:///{self.folder / 'catalog.db'}")
        self.catalog = SqlCatalog(self.database)
        self.closing.callback(self.catalog.close)
        self.uploads = FolderUploads(self.folder / "uploads")
        services = CollectionServices(self.bucket, self.catalog, self.index, self.embedder, self.parser)
        self.intake = Intake(services, self.uploads, self.queue, LIMITS, batch_sentences=2, attempts=5)

    def copy(self, folder: Path) -> "Town":
        """Another that has come as far as this one."""
        return Town(shutil.copytree(self.folder, folder), queue=deepcopy(self.queue), vectors=deepcopy(self.vectors))

    def watched(self, clockwork: Clockwork) -> Intake:
        """The same, each of its writes counted."""
        services = self.intake.services
        ports = {name: Watched(getattr(services, name), clockwork) for name in ("bucket", "catalog", "index")}
        return replace(self.intake, services=replace(services, **ports), queue=Watched(self.queue, clockwork))

    def put(self, text: bytes, name: str = "At Sea.pdf", school: str = SCHOOL) -> StoredFile:
        return self.uploads.write(f"{school}/{name}", text)

    def receive(self, text: bytes, name: str = "At Sea.pdf", school: str = SCHOOL) -> StoredFile:
        """A file arrives, and what happens next happens; its tasks wait."""
        file = self.put(text, name, school)
        receive_file(file, self.intake)
        return file

    def do_all(self) -> None:
        self.queue.do_all(self.intake)

    def do_in_any_order(self, random: Random) -> None:
        """Every task twice or more, in disorder."""
        while self.queue.waiting:
            tasks = [*self.queue.waiting, *self.queue.waiting]
            random.shuffle(tasks)
            for task in tasks:
                if task in self.queue.waiting:
                    self.queue.do(task, self.intake)
                else:
                    run_task(task, 1, self.intake)

    def searched(self) -> list[str]:
        """The versions in the index."""
        return [Path(name).stem for name in self.vectors.objects]

    def models(self) -> set[str]:
        """The models of the vectors in the index."""
        return {Path(name).parent.name.rpartition("-")[2] for name in self.vectors.objects}

    def book(self, school: str = SCHOOL) -> CatalogBook:
        [book] = self.catalog.books(school)
        return book

    def contents(self) -> dict[str, object]:
        """All that is kept, times aside."""
        books = [book for school in (SCHOOL, "other") for book in self.catalog.books(school)]
        shelf = [(replace(book, created=NOON, active=None, versions=()), book.active and book.active.key) for book in books]
        versions = [timeless(version) for book in books for version in book.versions]
        index = {name: rows_in(data) for name, data in self.vectors.objects.items()}
        bucket = {name: self.bucket.read(name) for name in self.bucket.names("")}
        return {"shelf": shelf, "versions": versions, "bucket": bucket, "index": index}
