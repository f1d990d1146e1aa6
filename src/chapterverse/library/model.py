"""Sources of a school, their versions and states, and which files may become one. A version is named after the parser and the
file's bytes: the same file read by the same parser is the same version. A file's name says what it is of:

    {school}/{file}.pdf                       a book
    {school}/{collection}/{file}              a source of another collection
    {school}/helpdesk/{department}/{file}     a source of a department of the help desk"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from chapterverse.core.book import BookId, Collection, Limits, QualityReport
from chapterverse.core.errors import BadRequest
from chapterverse.core.hits import Granularity, Partition
from chapterverse.core.names import department_of
from chapterverse.messages import Message


class VersionState(StrEnum):
    """State of a version. Only a READY version can be active. WAITING: its file is stored and not read yet; no version is
    recorded."""

    WAITING = "waiting"
    UPLOADED = "uploaded"
    PARSING = "parsing"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class VersionKey:
    """Key of a version: one file as one source of a collection, chunked by one unit, embedded by one model.

    A version is built, activated and removed as a whole. unit: see Partition."""

    school: str
    book: BookId
    version: str
    model: str
    unit: str = Granularity.SENTENCE.value
    collection: Collection = Collection.BOOKS

    @property
    def partition(self) -> Partition:
        """The partition of the index that holds its vectors."""
        return Partition(self.school, self.unit, self.model)


@dataclass(frozen=True, slots=True)
class IndexingProgress:
    """Indexed batches of how many; both 0 if not known (yet)."""

    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class BookVersion:
    """The catalog's record of one version. reason, message: code and text of the failure, else None.

    sentences: number of indexed chunks (a book's chunks are its sentences); it and report are None until the file is parsed.
    Times are UTC. batches: number of indexing tasks, batches_done: those whose vectors are stored; both 0 without tasks."""

    key: VersionKey
    state: VersionState
    reason: str | None
    message: Message | None
    sentences: int | None
    report: QualityReport | None
    began: datetime
    changed: datetime
    batches: int = 0
    batches_done: int = 0

    @property
    def progress(self) -> IndexingProgress:
        """How far its tasks are."""
        return IndexingProgress(self.batches_done, self.batches)


@dataclass(frozen=True, slots=True)
class Corrections:
    """A teacher's corrections of a source, applied on reading and independent of the version; None: as parsed.

    chapters: titles by Chapter.index; page_labels: printed labels by page index; page_counts: labels, arabic or roman, from
    which the pages from that index on are counted, up to the next such index. topics: None for found_topics, which
    corrections.py derives from the vectors when the source is added."""

    title: str | None = None
    authors: tuple[str, ...] | None = None
    chapters: Mapping[int, str] = field(default_factory=dict)
    page_labels: Mapping[int, str] = field(default_factory=dict)
    page_counts: Mapping[int, str] = field(default_factory=dict)
    topics: tuple[str, ...] | None = None
    found_topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CatalogBook:
    """The catalog's record of a source. own_title, own_authors: before a teacher's corrections. active: the version that is
    searched; versions: those not yet removed, newest first."""

    school: str
    id: BookId
    own_title: str
    own_authors: tuple[str, ...]
    file_name: str
    created: datetime
    active: BookVersion | None
    versions: tuple[BookVersion, ...]
    corrections: Corrections = field(default_factory=Corrections)

    @property
    def title(self) -> str:
        """Its title, corrected."""
        return self.corrections.title or self.own_title

    @property
    def authors(self) -> tuple[str, ...]:
        """Its authors, corrected."""
        return self.own_authors if self.corrections.authors is None else self.corrections.authors

    @property
    def department(self) -> str | None:
        """Department of a help-desk source; None: all departments."""
        return department_of(self.file_name)

    @property
    def report(self) -> QualityReport | None:
        """Of the searched version, else of the newest; None before one is parsed."""
        version = self.active or self.newest
        return version.report if version else None

    @property
    def topics(self) -> tuple[str, ...]:
        """Its topics: the corrected ones, else those found."""
        return self.corrections.found_topics if self.corrections.topics is None else self.corrections.topics

    def is_same(self, other: "CatalogBook") -> bool:
        """Whether both, of two collections, are of one file, or of a file and its replacement, or one is being removed."""
        ours, theirs = ({version.key.version for version in each.versions} for each in (self, other))
        return (self.id, self.file_name) == (other.id, other.file_name) and not (ours and theirs and ours.isdisjoint(theirs))

    @property
    def newest(self) -> BookVersion | None:
        """The version begun last; None while the source is being removed. It may be unfinished or failed."""
        return next(iter(self.versions), None)


SCHOOL_LIMITS = Limits(seconds=300.0)  # a function that an event calls ends after 540

ENDINGS: Mapping[Collection, tuple[str, ...]] = {
    **dict.fromkeys(Collection, (".pdf", ".epub", ".zip")),
    Collection.BOOKS: (".pdf", ".epub"),
}
"""Endings of the files that each collection takes: PDFs, e-books, zips of folders of pages. Lists of questions and answers
become entries (questions/faq.py)."""


def folder_of(school: str, collection: Collection) -> str:
    """Prefix of the names of the collection's files, with a slash at its end."""
    return f"{school}/" if collection is Collection.BOOKS else f"{school}/{collection}/"


def collection_of(name: str) -> Collection:
    """The collection that a file's name belongs to."""
    folders = name.split("/")[1:-1]
    others = set(Collection) - {Collection.BOOKS}
    return Collection(folders[0]) if folders and folders[0] in others else Collection.BOOKS


def parts_of(name: str) -> tuple[str, str]:
    """School and file name; the latter with folders below the collection's. Raises BadRequest if no source can have it."""
    school, collection = name.partition("/")[0], collection_of(name)
    file_name = name.removeprefix(folder_of(school, collection))
    plain = not any(character < " " or character == "\x7f" for character in name)
    hidden = any(not part or part.startswith(".") for part in file_name.split("/"))
    if plain and school and school != name and not hidden and file_name.lower().endswith(ENDINGS[collection]):
        return school, file_name
    wanted = " or ".join(f"{folder_of('SCHOOL', collection)}NAME{ending}" for ending in ENDINGS[collection])
    raise BadRequest("wrong_ending", name=repr(name), endings=wanted)


def is_misplaced(name: str) -> bool:
    """Whether the file is in a subfolder of its collection's folder that is not a department of the help desk."""
    folders = parts_of(name)[1].count("/")
    return folders > (1 if collection_of(name) is Collection.HELPDESK else 0)
