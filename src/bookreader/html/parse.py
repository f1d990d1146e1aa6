"""A zip of a folder → a Book: the pages are its chapters, their folders the modules, their headings the sections."""

from collections.abc import Callable, Iterator, Sequence

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Chapter, Limits, QualityReport, Sentence
from bookreader.errors import BadFile
from bookreader.html.files import File, unpack
from bookreader.html.html import HtmlHeading
from bookreader.html.page import PlacedPage, SitePage, Unreadable, in_order, is_page, read_page
from bookreader.html.site import SiteConfig, site_of
from bookreader.messages import Message, message
from bookreader.source import version_of
from bookreader.text.passages import PassagePlace, sentences_at

MAX_WARNINGS = 20
Progress = Callable[[int, int], None]


def parse_folder(data: bytes, book: BookId, limits: Limits = DEFAULT_LIMITS, progress: Progress | None = None) -> Book:
    """The book with all its sentences. Files that cannot be read are named in the report and do not stop the others.

    progress(done, total) counts files. Raises BadFile: see `unpack`, and no_pages, no_text, too_many_words."""
    files = unpack(data, limits)
    site = site_of(files)
    named = [File(file.path.removeprefix(site.root), file.data) for file in files if file.path.startswith(site.root)]
    pages, warnings = read_pages([file for file in named if is_page(file.path, site)], site, progress)
    return book_of(in_order(pages, site), site, (book, version_of(data)), warnings, limits)


def read_pages(files: Sequence[File], site: SiteConfig, progress: Progress | None) -> tuple[list[SitePage], list[Message]]:
    """The pages, and a warning for each file that needs a look. Raises BadFile: no_pages, no_text."""
    pages: list[SitePage] = []
    warnings: list[Message] = []
    for number, file in enumerate(files):
        try:
            page = read_page(file, site)
        except Unreadable as error:
            warnings.append(message("site_page_left_out", path=file.path, problem=error.problem))
            continue
        if page:
            pages.append(page)
            warnings += [message("site_page_note", path=page.path, note=page.note)] if page.note else []
        if progress:
            progress(number + 1, len(files))
    refuse_nothing(files, pages, warnings)
    return pages, warnings


def refuse_nothing(files: Sequence[File], pages: Sequence[SitePage], warnings: Sequence[Message]) -> None:
    """Raises BadFile: no_pages, no_text."""
    if not files:
        raise BadFile("no_pages", "folder_without_pages")
    if not pages:
        raise BadFile("no_text", "folder_unreadable", pages=len(files), warnings=tuple(warnings[:3]))


def book_of(
    placed: Sequence[PlacedPage], site: SiteConfig, edition: tuple[BookId, str], warnings: Sequence[Message], limits: Limits
) -> Book:
    """The book made of pages in order. Raises BadFile: too_many_words."""
    chapters = tuple(Chapter(n, None, each.title, each.module, each.page.path) for n, each in enumerate(placed))
    sentences = tuple(
        sentence
        for chapter, each in zip(chapters, placed, strict=True)
        for sentence in sentences_in(each.page, chapter, edition)
    )
    report = report_on(sentences, len(chapters), warnings)
    if report.words > limits.words:
        raise BadFile("too_many_words", "folder_too_many_words", words=report.words, max_words=limits.words)
    return Book(*edition, site.title, site.authors, chapters, sentences, report)


def sentences_in(page: SitePage, chapter: Chapter, edition: tuple[BookId, str]) -> Iterator[Sentence]:
    """A page's sentences in order, each with the headings above it and a link to the nearest."""
    sections: list[HtmlHeading] = []
    number = 0
    for piece in page.pieces:
        if isinstance(piece, HtmlHeading):
            sections = [*(above for above in sections if above.level < piece.level), piece]
        else:
            path = tuple(section.text for section in sections)
            yield from sentences_at(piece, PassagePlace(*edition, chapter, path, number, linked(page.url, sections)))
            number += 1


def linked(url: str, sections: Sequence[HtmlHeading]) -> str:
    """The page's URL with the anchor of the innermost heading that has one."""
    anchor = next((section.anchor for section in reversed(sections) if section.anchor), None)
    return f"{url}#{anchor}" if anchor else url


def report_on(sentences: Sequence[Sentence], pages: int, warnings: Sequence[Message]) -> QualityReport:
    """The report for teachers."""
    more = len(warnings) - MAX_WARNINGS
    listed = (*warnings[:MAX_WARNINGS], *([message("site_more_pages", count=more)] if more > 0 else []))
    words = sum(len(sentence.text.split()) for sentence in sentences)
    return QualityReport(pages, words, len(sentences), pages, "pages", "none", 0.0, (), listed)
