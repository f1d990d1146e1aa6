"""The books that a caller may search, passages of sentences found in them, and what stands at an address: a sentence, a picture
of a page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from bookreader.drawing import PageDrawer
from bookreader.errors import ReaderError
from chapterverse.core.book import BookId, Box, SentenceId
from chapterverse.core.errors import ChapterverseError, IndexUnavailable, NotFound, of_reader
from chapterverse.core.hits import Found, Granularity, Passage, Scope
from chapterverse.library.artefacts import BookText, source_name
from chapterverse.library.corrections import corrected
from chapterverse.library.model import BookVersion, CatalogBook, Corrections, VersionKey, VersionState
from chapterverse.library.services import CollectionServices

if TYPE_CHECKING:
    from chapterverse.library.store import SqlCatalog


LOOKS = 5  # tries in books that change meanwhile
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class OpenBook:
    """A searchable book: title, active version, number of sentences, corrections, its department at the help desk, authors."""

    title: str
    key: VersionKey
    sentences: int = 0
    corrections: Corrections = field(default_factory=Corrections)
    department: str | None = None
    authors: tuple[str, ...] = ()


def open_books(scope: Scope, catalog: "SqlCatalog", model: str, unit: str = Granularity.SENTENCE.value) -> dict[str, OpenBook]:
    """The books of `scope` by version that this embedding model indexed in that unit.

    Copies have the same version; the first by title counts. Raises NotFound if there are none, unless the scope is
    empty, or for an unknown name in it; CatalogUnavailable."""
    if scope.is_empty:
        return {}
    books = books_in_scope(scope, catalog)
    active = [(book, book.active) for book in books if book.active]
    searchable = [opened(book, one) for book, one in active if (one.key.model, one.key.unit) == (model, unit)]
    if not books:
        raise NotFound("collection_empty", collection=catalog.collection)
    if not searchable:
        raise NotFound("collection_indexed_otherwise", model=model) if active else NotFound("collection_not_ready")
    return {book.key.version: book for book in reversed(searchable)}


def known_empty(scope: Scope, catalog: "SqlCatalog") -> Scope:
    """The scope, empty if no book of it is searched or on its way. Raises as books_in_scope does."""
    versions = [version for book in books_in_scope(scope, catalog) for version in (book.active, book.newest) if version]
    return replace(scope, is_empty=all(version.state is VersionState.FAILED for version in versions))


def books_in_scope(scope: Scope, catalog: "SqlCatalog") -> list[CatalogBook]:
    """The books of the scope, searchable or not. Raises NotFound for an unknown name or if none has the topics;
    CatalogUnavailable."""
    if scope.books:
        return about_topics([catalog.book(scope.school, book) for book in scope.books], scope.topics)
    may_see = {None, scope.department}
    books = [book for book in catalog.books(scope.school) if scope.department is None or book.department in may_see]
    return about_topics(books, scope.topics)


def about_topics(books: list[CatalogBook], topics: Sequence[str]) -> list[CatalogBook]:
    """The books with one of the topics, in any case; all if no topic is given. Raises NotFound if none is left."""
    wanted = {topic.casefold() for topic in topics}
    about = [book for book in books if not wanted or wanted & {topic.casefold() for topic in book.topics}]
    if books and not about:
        known = sorted({topic for book in books for topic in book.topics})
        raise NotFound("no_such_topic", topics="; ".join(known)) if known else NotFound("no_topics")
    return about


def opened(book: CatalogBook, active: BookVersion) -> OpenBook:
    return OpenBook(book.title, active.key, active.sentences or 0, book.corrections, book.department, book.authors)


def look_in_open_books(look: Callable[[dict[str, OpenBook]], Answer], scope: Scope, services: CollectionServices) -> Answer:
    """Result of `look` in the books of `scope`, which did not change while it ran.

    An old version is removed only after the switch to the new one. So if the catalog says the same before and after, nothing
    was removed meanwhile; if not, `look` is called again. Raises as open_books and `look` do, and IndexUnavailable."""
    current_books = partial(open_books, scope, services.catalog, services.embedder.model, services.chunker.unit)
    for _ in range(LOOKS):
        books = current_books()
        try:
            found = look(books)
        except (NotFound, IndexUnavailable):
            if books == current_books():
                raise
        else:
            if books == current_books():
                return found
    raise IndexUnavailable("books_keep_changing")


def passages_of(found: Sequence[Found], books: Mapping[str, OpenBook], services: CollectionServices) -> list[Passage]:
    """Each found sentence with its neighbours and paragraph. books: by version. Raises NotFound if one is gone."""
    versions = {one.record.version for one in found}
    texts = {version: services.text_of(books[version].key) for version in versions}
    return [passage(texts[one.record.version], one.record.id, books[one.record.version]) for one in found]


def passage(text: BookText, id: SentenceId, book: OpenBook) -> Passage:
    """One sentence in its passage, with the teacher's corrections. Raises NotFound."""
    sentence = text.sentence(id)
    previous, following = (each and corrected(each, book.corrections) for each in text.neighbours(sentence))
    own, paragraph = corrected(sentence, book.corrections), text.paragraph(sentence)
    return Passage(book.title, own, previous, following, paragraph, book.authors, book.key.collection)


@dataclass(frozen=True, slots=True)
class PageView:
    """One page of the active version, which has so many, and the boxes highlighted on it."""

    key: VersionKey
    page_index: int
    pages: int
    highlighted: tuple[Box, ...] = ()


def find_passage(school: str, id: SentenceId, *collections: CollectionServices) -> Passage:
    """The sentence in its passage, with the teacher's corrections, in the first collection that has it; a file in two has the
    same sentences. Raises NotFound."""
    version = id.partition("-")[0]  # with which its id begins
    for services in collections:
        for book in services.catalog.books(school):
            if book.active and book.active.key.version == version:
                with suppress(NotFound):
                    return passage(services.text_of(book.active.key), id, opened(book, book.active))
    raise NotFound("no_such_sentence")


def find_page(school: str, book: BookId, index: int, sentence: SentenceId | None, services: CollectionServices) -> PageView:
    """The page to draw, with the sentence's boxes if one is given. Raises NotFound."""
    active = services.catalog.book(school, book).active
    if active is None or active.report is None:
        raise NotFound("book_has_no_page_yet")
    if not 0 <= index < active.report.pages:
        raise NotFound("no_such_page", page=index + 1, pages=active.report.pages)
    if sentence is None:
        return PageView(active.key, index, active.report.pages)
    places = services.text_of(active.key).sentence(sentence).address.places
    if not (boxes := tuple(box for place in places if place.page_index == index for box in place.boxes)):
        raise NotFound("sentence_not_on_page", pages=", ".join(str(place.page_index) for place in places))
    return PageView(active.key, index, active.report.pages, boxes)


def draw_pages(
    key: VersionKey, views: Iterable[PageView], scale: float, services: CollectionServices, draw: PageDrawer
) -> list[bytes | ChapterverseError]:
    """PNGs of pages of one version, in the order given, scale pixels a point; TooLarge or BadBook for one that cannot be drawn.
    Raises NotFound."""
    drawings = draw(services.bucket.read(source_name(key)), [(view.page_index, view.highlighted) for view in views], scale)
    return [of_reader(each) if isinstance(each, ReaderError) else each for each in drawings]
