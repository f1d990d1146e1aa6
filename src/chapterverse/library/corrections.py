"""Topics and a teacher's corrections of a source. Both belong to the source and stay when its file is replaced.

Corrections are applied on every read; stored artefacts do not change.

Topics come without examples from the likeness of the source's mean vector to a sentence about each topic that the school
named, or to the source's own headings, shortened (S2, "Chunk Metadata Tagging"). A topic that another source has in another
form takes that form. A teacher's topics replace them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from bookreader.numerals import counted_on
from chapterverse.core.book import Book, BookId, Chapter, Sentence
from chapterverse.core.errors import BookBusy, NotInBook
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.core.words import terms_of
from chapterverse.library.chunks import ENTRIES
from chapterverse.library.model import CatalogBook, Corrections, VersionKey, VersionState
from chapterverse.library.services import CollectionServices


def correct_book(
    school: str, book: BookId, change: Callable[[Corrections], Corrections], services: CollectionServices
) -> CatalogBook:
    """Change the corrections of a source; returns the corrected source.

    Raises NotFound; NotInBook for an unknown chapter or page, and if the source failed before these were known; BookBusy if
    they are not known yet or another process holds the source."""
    with services.catalog.claim(school, book):
        source = services.catalog.book(school, book)
        corrections = change(source.corrections)
        _must_be_in_book(corrections, source, services)
        services.catalog.correct(school, book, corrections)
        return services.catalog.book(school, book)


def corrected_chapter(chapter: Chapter, corrections: Corrections) -> Chapter:
    """The chapter with the corrected title."""
    title = corrections.chapters.get(chapter.index)
    return replace(chapter, title=title) if title else chapter


def corrected(sentence: Sentence, corrections: Corrections) -> Sentence:
    """The sentence with corrected chapter title and page labels; its text and ids do not change."""
    if not (corrections.chapters or corrections.page_labels or corrections.page_counts):
        return sentence
    address = sentence.address
    labels = (corrected_label(place.page_index, place.page_label, corrections) for place in address.places)
    places = tuple(replace(place, page_label=label) for place, label in zip(address.places, labels, strict=True))
    chapter = corrected_chapter(address.chapter, corrections)
    return replace(sentence, address=replace(address, chapter=chapter, places=places))


def corrected_label(page: int, label: str, corrections: Corrections) -> str:
    """The printed number of a page: that of its own correction, else counted from the last page from which a teacher counts,
    else `label`."""
    if own := corrections.page_labels.get(page):
        return own
    start = max((index for index in corrections.page_counts if index <= page), default=None)
    return label if start is None else counted_on(corrections.page_counts[start], page - start)


def _must_be_in_book(corrections: Corrections, book: CatalogBook, services: CollectionServices) -> None:
    """Raises NotInBook, BookBusy for new corrections; earlier ones may belong to a former version."""
    chapters = corrections.chapters.keys() - book.corrections.chapters.keys()
    pages = corrections.page_labels.keys() - book.corrections.page_labels.keys()
    pages |= corrections.page_counts.keys() - book.corrections.page_counts.keys()
    if not chapters and not pages:
        return
    if book.active is None:
        if book.newest and book.newest.state is VersionState.FAILED:
            raise NotInBook("failed_book_not_correctable", why=book.newest.message)
        raise BookBusy("book_not_ready_to_correct")
    parsed = services.text_of(book.active.key).head
    if unknown := chapters - {chapter.index for chapter in parsed.chapters}:
        raise NotInBook("no_chapter_of_index", index=min(unknown))
    if unknown := pages - set(range(parsed.report.pages)):
        raise NotInBook("no_such_page", page=min(unknown) + 1, pages=parsed.report.pages)


MAX_TOPICS = 3
ABOUT = "This text is about {topic}."
MAX_WORDS = 4  # of a topic made of a heading
MAX_ACRONYM = 4  # characters in capitals; longer ones are a heading in capitals
_NUMBER = re.compile(
    r"^(?:(?:chapter|part|section|unit|module|week|lecture|appendix|book)\s+)?(?:\d+(?:\.\d+)*\b|[ivxlc]+(?=[.:)]))[\s.:)–—-]*",
    re.IGNORECASE,
)
_REST = re.compile(r"\s*[:;,(–—|/]|\s-\s")
_OF_ANY_SOURCE = frozenset(
    terms_of(
        "introduction preface foreword contents overview conclusion summary reference bibliography index appendix "
        "syllabus course information description policy schedule objective outcome note acknowledgement general welcome "
        "about question answer help chapter part section page title text table more important"
    )
)


def note_topics(key: VersionKey, book: Book, vectors: Vectors, services: CollectionServices) -> None:
    """Record the topics found in the source; a teacher's topics stay. Raises as the embedder and the catalog do."""
    others = (other for other in services.catalog.books(key.school) if other.id != key.book)
    forms = {_terms(topic): topic for other in others for topic in other.topics}
    found = topics_of(book, vectors, services.embedder)
    topics = tuple(dict.fromkeys(forms.get(_terms(topic), topic) for topic in found))
    before = services.catalog.book(key.school, key.book).corrections
    if topics != before.found_topics:
        services.catalog.correct(key.school, key.book, replace(before, found_topics=topics))


def topics_of(book: Book, vectors: Vectors, embedder: Embedder) -> tuple[str, ...]:
    """At most MAX_TOPICS of the source's headings, nearest to its text first. vectors: of the chunks, (n, d), unit norm."""
    offered = list(dict.fromkeys(headings_of(book)))
    if not offered or not len(vectors):
        return ()
    mean = vectors.mean(axis=0)
    scores = embedder.embed_queries([ABOUT.format(topic=topic) for topic in offered]) @ (mean / np.linalg.norm(mean))
    return tuple(offered[at] for at in np.argsort(-scores, kind="stable")[:MAX_TOPICS])


def headings_of(book: Book) -> list[str]:
    """Titles of the chapters as topics, each once, or of a single chapter's sections; empty for a list of entries, whose
    titles are questions."""
    if book.report.chapter_source == ENTRIES:
        return []
    titles = [chapter.title or "" for chapter in book.chapters]
    sections = [sentence.address.section_path[0] for sentence in book.sentences if sentence.address.section_path]
    return (_short_topics(sections) if len(titles) == 1 else []) or _short_topics(titles)


def _short_topics(headings: Iterable[str]) -> list[str]:
    topics = (short_topic(heading) for heading in dict.fromkeys(headings))
    return list({_terms(topic): topic for topic in topics if topic}.values())


def short_topic(heading: str) -> str:
    """The heading without its number and what follows a colon, comma, bracket or dash; empty if it is longer than MAX_WORDS
    words, or if any source may have it ("Introduction")."""
    short = _REST.split(_NUMBER.sub("", heading.strip()), maxsplit=1)[0].strip(" .")
    terms = _terms(short)
    if not terms or terms <= _OF_ANY_SOURCE or len(short.split()) > MAX_WORDS or not any(map(str.isalpha, short)):
        return ""
    return short.capitalize() if short.isupper() and len(short) > MAX_ACRONYM and not any(map(str.isdigit, short)) else short


def _terms(topic: str) -> frozenset[str]:
    """The stems of its words: topics with the same ones are the same."""
    return frozenset(terms_of(topic))
