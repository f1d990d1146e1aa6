"""A teacher's corrections, laid over what was parsed: on every read, in the place of nothing that is kept.

They belong to the book, not to one version of it: a new file of the book is read with them, too."""

from collections.abc import Callable
from dataclasses import replace

from chapterverse.core.book import Address, BookId, Chapter, Place, Sentence
from chapterverse.core.errors import BookBusy, NotInBook
from chapterverse.library.artefacts import load_head
from chapterverse.library.model import CatalogBook, Corrections, VersionState
from chapterverse.library.services import Services


def correct_book(school: str, book: BookId, change: Callable[[Corrections], Corrections], services: Services) -> CatalogBook:
    """The book, called as its corrections say once they are changed. Raises NotFound, NotInBook, also where the book failed
    before its chapters and pages were known, and BookBusy where they are not known yet, or somebody else is at work on it."""
    with services.catalog.claim(school, book):
        shelved = services.catalog.book(school, book)
        corrections = change(shelved.corrections)
        _must_be_in_book(corrections, shelved, services)
        services.catalog.correct(school, book, corrections)
        return corrected_book(services.catalog.book(school, book))


def corrected_book(book: CatalogBook) -> CatalogBook:
    """The book by the title and authors that the teacher gives it."""
    said = book.corrections
    return replace(book, title=said.title or book.title, authors=book.authors if said.authors is None else said.authors)


def chapters_of(book: CatalogBook, services: Services) -> list[Chapter]:
    """Those of the version that is searched, by the titles that the teacher gives them; none where no version is."""
    if book.active is None:
        return []
    chapters = load_head(services.bucket, book.active.key).chapters
    return [corrected_chapter(chapter, book.corrections) for chapter in chapters]


def corrected_chapter(chapter: Chapter, corrections: Corrections) -> Chapter:
    """The chapter by the title that the teacher gives it."""
    title = corrections.chapters.get(chapter.index)
    return replace(chapter, title=title) if title else chapter


def corrected(sentence: Sentence, corrections: Corrections) -> Sentence:
    """The sentence with the chapter's title and the printed pages that the teacher says; its words and ids are as they were."""
    if not corrections.chapters and not corrections.page_labels:
        return sentence
    return replace(sentence, address=_corrected_address(sentence.address, corrections))


def _corrected_address(address: Address, corrections: Corrections) -> Address:
    places = tuple(_corrected_place(place, corrections) for place in address.places)
    return replace(address, chapter=corrected_chapter(address.chapter, corrections), places=places)


def _corrected_place(place: Place, corrections: Corrections) -> Place:
    return replace(place, page_label=corrections.page_labels.get(place.page_index, place.page_label))


def _must_be_in_book(corrections: Corrections, book: CatalogBook, services: Services) -> None:
    """What was corrected before may be of an earlier version and is let be."""
    chapters = corrections.chapters.keys() - book.corrections.chapters.keys()
    pages = corrections.page_labels.keys() - book.corrections.page_labels.keys()
    if not chapters and not pages:
        return
    if book.active is None:
        raise _has_none(book)
    parsed = load_head(services.bucket, book.active.key)
    if unknown := chapters - {chapter.index for chapter in parsed.chapters}:
        raise NotInBook("no_chapter_of_index", index=min(unknown))
    if unknown := pages - set(range(parsed.report.pages)):
        raise NotInBook("no_page_of_index", index=min(unknown), pages=parsed.report.pages)


def _has_none(book: CatalogBook) -> NotInBook | BookBusy:
    if book.newest and book.newest.state is VersionState.FAILED:
        return NotInBook("failed_book_not_correctable", why=book.newest.message)
    return BookBusy("book_not_ready_to_correct")
