"""The books of a school and how far each has come.

The name of what a file becomes: the same bytes read by the same parser are the same version, so there is no work to do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from chapterverse.core.book import BookId, Collection, QualityReport
from chapterverse.core.errors import BadBook
from chapterverse.core.hits import Granularity, Partition
from chapterverse.core.names import department_of
from chapterverse.library.html.files import File, is_folder, unpack
from chapterverse.library.pdf.open import USUAL
from chapterverse.messages import Message


class VersionState(StrEnum):
    """How far one version of a book has come. Only a READY one can be the active one."""

    UPLOADED = "uploaded"
    PARSING = "parsing"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class VersionKey:
    """One file's bytes as one book of a collection, cut into one unit (see Partition), embedded by one model: built, switched
    to and removed as a whole."""

    school: str
    book: BookId
    version: str
    model: str
    unit: str = Granularity.SENTENCE.value
    collection: Collection = Collection.BOOKS

    @property
    def partition(self) -> Partition:
        """Where its vectors are."""
        return Partition(self.school, self.unit, self.model)

    @property
    def is_companion(self) -> bool:
        """Whether it is cut for lectures, and stands beside the version that is searched on its own shelf."""
        return self.collection is not Collection.LECTURES and self.unit.startswith(Granularity.PARAGRAPH)


@dataclass(frozen=True, slots=True)
class BookVersion:
    """What the catalog knows of one version. reason and message say why it failed; sentences counts the indexed ones, or the
    chunks where they are indexed in chunks.

    sentences and report are None until the file is parsed; times are UTC. batches: into how many its sentences were parted for
    indexing, batches_done: how many of them have their vectors; both 0 where the sentences are indexed at once."""

    key: VersionKey
    state: VersionState
    reason: str | None
    message: Message | None
    sentences: int | None
    report: QualityReport | None
    parser_version: str
    began: datetime
    changed: datetime
    batches: int = 0
    batches_done: int = 0


@dataclass(frozen=True, slots=True)
class Corrections:
    """What a teacher says of a book where the parser was wrong: applied when read, kept whatever version is searched.

    chapters: titles by Chapter.index; page_labels: printed labels by page index. What is not named stays as it was parsed.
    topics: what it is about, None for found_topics, which were told by its vectors when it was added (usecases/topics.py)."""

    title: str | None = None
    authors: tuple[str, ...] | None = None
    chapters: Mapping[int, str] = field(default_factory=dict)
    page_labels: Mapping[int, str] = field(default_factory=dict)
    topics: tuple[str, ...] | None = None
    found_topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CatalogBook:
    """A book as a school has it. active: the version that is searched; versions: every one not yet removed, newest first."""

    school: str
    id: BookId
    title: str
    authors: tuple[str, ...]
    file_name: str
    created: datetime
    active: BookVersion | None
    versions: tuple[BookVersion, ...]
    corrections: Corrections = field(default_factory=Corrections)

    @property
    def department(self) -> str | None:
        """Whose source it is at the help desk; None: everybody's."""
        return department_of(self.file_name)

    @property
    def topics(self) -> tuple[str, ...]:
        """What it is about: as somebody says, else as it was found."""
        return self.corrections.found_topics if self.corrections.topics is None else self.corrections.topics

    @property
    def newest(self) -> BookVersion | None:
        """The version last begun for this shelf; while it is being built, or where it failed, it is not the active one."""
        return next((version for version in self.versions if not version.key.is_companion), None)


PARSER_VERSION = "1"  # raise it whenever the same bytes may give other sentences or addresses


def version_of(data: bytes) -> str:
    """First 16 hex digits of SHA-256 over the parser's version and the bytes; known before anything is parsed.

    Of a zip of a folder it is made over the pages and their names: the same folder zipped again is the same version."""
    said = folder_digest(data) if is_folder(data) else data
    return sha256(PARSER_VERSION.encode() + b"\0" + said).hexdigest()[:16]


def folder_digest(data: bytes) -> bytes:
    """Over all files that make the book, by name; the bytes themselves where they will be refused anyway."""
    try:
        return sha256(b"".join(map(file_digest, unpack(data, USUAL)))).digest()
    except BadBook:
        return data


def file_digest(file: File) -> bytes:
    """Over name and content."""
    return sha256(file.path.encode()).digest() + sha256(file.data).digest()
