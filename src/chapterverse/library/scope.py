"""The books that a caller may look in, and what stands in them around a sentence found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import IndexUnavailable, NotFound
from chapterverse.core.hits import Found, Granularity, Passage, Scope
from chapterverse.library.artefacts import BookText
from chapterverse.library.corrections import corrected, corrected_book
from chapterverse.library.model import BookVersion, CatalogBook, Corrections, VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, message

if TYPE_CHECKING:
    from chapterverse.library.store import SqlCatalog


LOOKS = 5  # at books that change while they are looked in, before giving up

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class OpenBook:
    """A book that can be searched: its title, the version that is, how many sentences it has, what a teacher corrected,
    whose it is at the help desk."""

    title: str
    key: VersionKey
    sentences: int = 0
    corrections: Corrections = field(default_factory=Corrections)
    department: str | None = None


def open_books(
    scope: Scope,
    catalog: "SqlCatalog",
    models: Sequence[str],
    unit: str = Granularity.SENTENCE.value,
) -> dict[str, OpenBook]:
    """The books of `scope` by the version that is searched, of those that one embedding model has indexed in that unit: the
    first of `models` that has any. Of copies, which have the same version, the first by title.

    Raises NotFound where there is none, or no book of a name that scope gives; CatalogUnavailable."""
    books = books_shown(scope, catalog)
    active = [(book, book.active) for book in books if book.active]
    for model in models:
        if shown := [opened(book, one) for book, one in active if (one.key.model, one.key.unit) == (model, unit)]:
            return {book.key.version: book for book in reversed(shown)}
    raise NotFound(what_to_do(books, models[0]))


def books_shown(scope: Scope, catalog: "SqlCatalog") -> list[CatalogBook]:
    """Searched or not. Raises NotFound for a name that no book has, and where none is about the topics; CatalogUnavailable."""
    if scope.books:
        return about_topics([catalog.book(scope.school, book) for book in scope.books], scope.topics)
    may_see = {None, scope.department}
    books = [book for book in catalog.books(scope.school) if scope.department is None or book.department in may_see]
    return about_topics(books, scope.topics)


def about_topics(books: list[CatalogBook], topics: Sequence[str]) -> list[CatalogBook]:
    """Those about one of them, however it is written; all where none is named. Raises NotFound where there are none left."""
    wanted = {topic.casefold() for topic in topics}
    about = [book for book in books if not wanted or wanted & {topic.casefold() for topic in book.topics}]
    if books and not about:
        known = sorted({topic for book in books for topic in book.topics})
        raise NotFound("no_such_topic", topics="; ".join(known))
    return about


def model_of(books: Mapping[str, OpenBook]) -> str:
    """The embedding model that has indexed open books."""
    return next(iter(books.values())).key.model


def opened(book: CatalogBook, active: BookVersion) -> OpenBook:
    """The book with that version of it, by the title that the teacher gives it."""
    return OpenBook(corrected_book(book).title, active.key, active.sentences or 0, book.corrections, book.department)


def look_in_open_books(look: Callable[[dict[str, OpenBook]], Answer], scope: Scope, services: CollectionServices) -> Answer:
    """What `look` finds in the books of `scope`, which were the same ones, and whole, from its beginning to its end. All are
    of one embedding model, see model_of; the next look may be with another.

    A book's old version is removed only after the switch to the new one; so where the catalog says the same before and after,
    nothing was removed meanwhile, and where it does not, the look is repeated. Raises as open_books and `look` do."""
    shown = partial(open_books, scope, services.catalog, services.models, services.chunker.unit)
    for _ in range(LOOKS):
        books = shown()
        try:
            found = look(books)
        except (NotFound, IndexUnavailable):
            if books == shown():
                raise
        else:
            if books == shown():
                return found
    raise IndexUnavailable("books_keep_changing")


def what_to_do(books: Sequence[CatalogBook], model: str) -> Message:
    """Why none of the collection's books can be searched, and how to change that."""
    if not books:
        return message("collection_empty")
    if any(book.active for book in books):
        return message("collection_indexed_otherwise", model=model)
    return message("collection_not_ready")


def passages_of(found: Sequence[Found], books: Mapping[str, OpenBook], services: CollectionServices) -> list[Passage]:
    """Each sentence found, with its neighbours and its paragraph. books: by version. Raises NotFound for one gone meanwhile."""
    versions = {one.record.version for one in found}
    texts = {version: services.text_of(books[version].key) for version in versions}
    return [passage(texts[one.record.version], one.record.id, books[one.record.version]) for one in found]


def passage(text: BookText, id: SentenceId, book: OpenBook) -> Passage:
    """One sentence where it stands, as the teacher corrected it. Raises NotFound."""
    sentence = text.sentence(id)
    previous, following = (each and corrected(each, book.corrections) for each in text.neighbours(sentence))
    return Passage(book.title, corrected(sentence, book.corrections), previous, following, text.paragraph(sentence))
