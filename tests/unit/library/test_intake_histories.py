"""Whatever is done to a school's files, and in whatever order and however often it is told, the texts of the files that are
there in the end are what is searched, and nothing else is left anywhere."""

import shutil
from pathlib import Path
from tempfile import mkdtemp

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from chapterverse.core.tasks import StoredFile
from chapterverse.library.intake import file_deleted, receive_file, run_task
from tests.support.intake import SCHOOL, Town

NAMES = ("At Sea.pdf", "At-Sea.PDF", "at sea.pdf", "Storm.pdf")  # three that look alike
TEXTS = (b"The sea was calm.|The wind rose.\nNobody saw the ship.", b"The sea was rough.", b"Bees gather nectar.|They dance.")
names, texts = st.sampled_from(NAMES), st.sampled_from(TEXTS)
Event = tuple[str, StoredFile | None]
"""A file's name, and what was stored under it; None where it was deleted."""


class Histories(RuleBasedStateMachine):
    """Files are put, replaced, swapped, renamed and deleted; of each event it is told late, often, and out of order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp(prefix="chapterverse-"))
        self.town = Town(self.folder)
        self.untold: list[Event] = []
        self.told: list[Event] = []

    @property
    def files(self) -> dict[str, bytes]:
        uploads = self.town.uploads
        return {file.name.split("/")[1]: uploads.read(file, 1000) for file in uploads.files("")}

    @rule(name=names, text=texts)
    def put(self, name: str, text: bytes) -> None:
        if name in self.files:
            self.untold.append((f"{SCHOOL}/{name}", None))  # Cloud Storage tells of the old content's end, too
        file = self.town.put(text, name)
        self.untold.append((file.name, file))

    @rule(one=names, other=names)
    def swap(self, one: str, other: str) -> None:
        files = self.files
        if one in files and other in files:
            self.put(one, files[other])
            self.put(other, files[one])

    @rule(old=names, new=names)
    def rename(self, old: str, new: str) -> None:
        files = self.files
        if old in files and old != new:
            self.put(new, files[old])
            self.delete(old)

    @rule(name=names)
    def delete(self, name: str) -> None:
        if name in self.files:
            self.town.uploads.delete(f"{SCHOOL}/{name}")
            self.untold.append((f"{SCHOOL}/{name}", None))

    @precondition(lambda self: self.untold)
    @rule(which=st.integers(0, 99))
    def tell(self, which: int) -> None:
        self._handle(self.untold.pop(which % len(self.untold)))

    @precondition(lambda self: self.told)
    @rule(which=st.integers(0, 99))
    def tell_again(self, which: int) -> None:
        self._handle(self.told[which % len(self.told)])

    @precondition(lambda self: self.town.queue.waiting)
    @rule(which=st.integers(0, 99))
    def do_a_task(self, which: int) -> None:
        waiting = self.town.queue.waiting
        run_task(waiting[which % len(waiting)], 1, self.town.intake)  # its answer is lost: it comes again

    def _handle(self, event: Event) -> None:
        name, file = event
        receive_file(file, self.town.intake) if file else file_deleted(name, self.town.intake)
        self.told.append(event)

    @rule()
    def come_to_rest(self) -> None:
        while self.untold:
            self._handle(self.untold.pop())
        self.town.do_all()

        books = self.town.catalog.books(SCHOOL)
        active = {book.file_name: book.active.key for book in books if book.active}
        bucket, searched = self.town.bucket, set(self.town.searched())
        sources = {name: bucket.read(f"{SCHOOL}/{key.book}/{key.version}/source.pdf") for name, key in active.items()}
        assert sources == self.files
        assert len({book.id for book in books}) == len(books) == len(active)
        assert searched == {key.version for key in active.values()}
        assert {tuple(name.split("/")[1:3]) for name in bucket.names("")} == {
            (key.book, key.version) for key in active.values()
        }
        assert not [name for name in bucket.names("") if "-part-" in name]

    def teardown(self) -> None:
        self.come_to_rest()
        self.town.catalog.close()
        shutil.rmtree(self.folder)


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=settings.default.max_examples // 3, stateful_step_count=20)
