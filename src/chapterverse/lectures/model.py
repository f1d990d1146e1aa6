"""A lecture as it is spoken, the books beside it, and the citations that appear (S3)."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from chapterverse.core.book import BookId, ChunkId, Collection, SentenceId


@dataclass(frozen=True, slots=True)
class Segment:
    """What a transcriber has just heard, [start, end) in seconds. The same id again: the text is corrected."""

    id: str
    start: float
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences that are looked up together; index from 0, [start, end) in seconds.

    overlap: characters at the beginning of text that the window before had, too. segments: ids of those that it came from."""

    index: int
    start: float
    end: float
    text: str
    overlap: int = 0
    segments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attached:
    """A book beside a session: by its name, whatever version of it is the newest. shelf: the collection that its file is in."""

    book: BookId
    shelf: Collection = Collection.LECTURES


@dataclass(frozen=True, slots=True)
class LectureSession:
    """books: in the order attached, each once. created: UTC. begun_by: the e-mail address of who began it in a browser, None
    for a program."""

    id: UUID
    school: str
    created: datetime
    books: tuple[Attached, ...] = ()
    begun_by: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """S3's entity, and the sentence that it shows.

    rank: 1 to 3 within its window. document: of the book, chunk: of the paragraph, each as a UUID made from our id, so that the
    same is the same; transcript: of the window's words, which are not kept. page_number: from 1, as a viewer opens the PDF; in
    a folder of pages, the how-manieth it is. page_label: as printed on it, empty where there is none. relevance_score: in
    [0, 1]. created: UTC. snippet: words of the book around the sentence."""

    id: UUID
    session: UUID
    transcript: UUID
    window_index: int
    rank: int
    document: UUID
    chunk: UUID
    page_number: int
    section_heading: str | None
    snippet: str
    relevance_score: float
    created: datetime
    attached: Attached
    document_name: str
    version: str
    chunk_id: ChunkId
    sentence_id: SentenceId
    page_label: str = ""


@dataclass(frozen=True, slots=True)
class EnrichedQuery:
    """What is embedded in the place of a window's text. keywords: best first, in the query, too; concepts: headings of the
    attached books that are nearest to them."""

    text: str
    keywords: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StageTimes:
    """Milliseconds that each stage took; of windows looked up together, each has the whole of it."""

    keywords: float = 0.0
    embed: float = 0.0
    search: float = 0.0
    rerank: float = 0.0


@dataclass(frozen=True, slots=True)
class WindowResult:
    """What appears beside a window. citations: best first, at most three; none where nothing is near enough, or where something
    was away. total: milliseconds from the window to this; failed: the stage that was away, None where none was."""

    window: Window
    citations: tuple[Citation, ...] = ()
    query: EnrichedQuery = field(default_factory=lambda: EnrichedQuery(""))
    stages: StageTimes = StageTimes()
    total: float = 0.0
    failed: str | None = None
