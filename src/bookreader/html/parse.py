"""A zip of a folder → pages with titles, URLs and pieces, in the order in which a reader is led through them → a Book: the
pages are its chapters, their folders the modules, their headings the sections."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Chapter, Limits, QualityReport, Sentence, title_of_file
from bookreader.errors import BadFile
from bookreader.html.files import PAGE_ENDINGS, File, file_named, is_config, is_wanted, names_in, unpack
from bookreader.html.html import HtmlHeading, Piece, pieces_of, problem_of, problem_of_markdown, title_in
from bookreader.html.markdown import front_matter_text, github_anchors, html_of, number_in, parted, toc_anchors, without_mdx
from bookreader.html.site import (
    HTML,
    NavEntry,
    SiteConfig,
    SiteGenerator,
    number_of,
    parent_of,
    site_of,
    url_of,
    without_number,
)
from bookreader.messages import Message, message
from bookreader.source import version_of
from bookreader.text.passages import PassagePlace, SpannedPassage, sentences_at

MAX_PAGE_BYTES = 5 * 2**20  # a whole novel has 1 MiB
BETWEEN_NAMES = (" | ", " — ", " – ", " · ")  # the page's name and the site's, in an HTML title


class Unreadable(Exception):
    """A file cannot be a page; the message completes a sentence that begins with its name."""

    def __init__(self, id: str | Message, **values: object) -> None:
        self.problem = id if isinstance(id, Message) else message(id, **values)
        super().__init__(self.problem)


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page. path: below the site's root. position: in its folder, given by the author, else None. note: a warning for the
    author, else empty."""

    path: str
    url: str
    title: str
    position: float | None
    pieces: tuple[Piece, ...]
    note: Message | None = None


def is_page(path: str, site: SiteConfig) -> bool:
    """Whether the file becomes a page: by its ending, and unless it is a partial (`_part.md`), which Docusaurus ignores."""
    hidden = any(part.startswith("_") for part in PurePosixPath(path).parts)
    return path.lower().endswith(PAGE_ENDINGS) and not (hidden and site.tool is SiteGenerator.DOCUSAURUS)


def read_page(file: File, site: SiteConfig) -> SitePage | None:
    """The page; None for a draft. file.path: below the site's root. Raises Unreadable."""
    text = text_of_file(file.data, file.path)
    facts, body, note = facts_and_body(text, file.path)
    if facts.get("draft") is True:
        return None
    if excess := (problem_of if is_html(file.path) else problem_of_markdown)(body):
        raise Unreadable(excess)
    pieces = tuple(pieces_of(body if is_html(file.path) else html_from(body, site)))
    if not any(isinstance(piece, SpannedPassage) for piece in pieces):
        raise Unreadable("site_no_text")
    title = front_matter_text(facts, "title") or head_of(pieces) or (title_in(body) if is_html(file.path) else "")
    url = url_of(file.path, facts, site)
    return SitePage(
        file.path, url, without_site(title) or title_of_path(file.path), position_in(facts), without_head(pieces), note
    )


def text_of_file(data: bytes, path: str) -> str:
    """The file's text: UTF-8, or in the encoding that HTML declares. Raises Unreadable for binary data or a file that is too
    large."""
    if len(data) > MAX_PAGE_BYTES:
        raise Unreadable("site_too_large", max_mib=MAX_PAGE_BYTES // 2**20)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = (LexborHTMLParser(data, encoding=True).raw_html or b"").decode("utf-8", "replace") if is_html(path) else "\ufffd"
        if "\ufffd" in text:
            raise Unreadable("site_not_utf8") from error
    if "\0" in text:
        raise Unreadable("site_not_text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def facts_and_body(text: str, path: str) -> tuple[Mapping[str, Any], str, Message | None]:
    """Front matter, the rest, and what is wrong with the front matter. HTML has no front matter."""
    if is_html(path):
        return {}, text, None
    try:
        return (*parted(text), None)
    except ValueError:
        return {}, text.split("\n---", 1)[-1], message("site_front_matter")


def html_from(markdown: str, site: SiteConfig) -> str:
    """The page's HTML by the rules of the site's tool."""
    if site.tool is SiteGenerator.DOCUSAURUS:
        return html_of(without_mdx(markdown), github_anchors())
    return html_of(markdown, toc_anchors())


def is_html(path: str) -> bool:
    """Whether the file's name ends like HTML."""
    return path.lower().endswith(HTML)


def head_of(pieces: tuple[Piece, ...]) -> str:
    """The heading of the whole page if it opens with one, else None."""
    first = next((piece for piece in pieces if isinstance(piece, HtmlHeading)), None)
    return first.text if first and first.level == 1 else ""


def without_head(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces without the heading of the whole page."""
    first = next((at for at, piece in enumerate(pieces) if isinstance(piece, HtmlHeading)), None)
    if first is None or not head_of(pieces):
        return pieces
    return pieces[:first] + pieces[first + 1 :]


def without_site(title: str) -> str:
    """An HTML title without the name of the site at its end."""
    for between in BETWEEN_NAMES:
        title = title.partition(between)[0]
    return title.strip()


def title_of_path(path: str) -> str:
    """A title from a path: "guide/01-first-steps.md" gives "First Steps"."""
    pure = PurePosixPath(path)
    name = pure.parent.name if pure.stem.lower() in {"index", "readme"} and pure.parent.name else pure.stem
    return title_of_name(name)


def title_of_name(name: str) -> str:
    """A title from the name of a file or folder."""
    return title_of_file(f"{without_number(name)}.md")


def position_in(facts: Mapping[str, Any]) -> float | None:
    """The sidebar_position of Docusaurus."""
    return number_in(facts, "sidebar_position")


def source_html(data: bytes, name: str, site: SiteConfig) -> str:
    """The HTML of one file of a stored zip, made from Markdown if needed. name: path in the zip. Raises Unreadable."""
    read = file_named(data, name, MAX_PAGE_BYTES)
    if read is None:
        raise Unreadable("site_not_there")
    _, body, _ = facts_and_body(text_of_file(read, name), name)
    return body if is_html(name) else html_from(body, site)


def site_in(data: bytes) -> tuple[SiteConfig, list[str]]:
    """The site configuration of a stored zip, and the names of all its files. Raises BadFile: damaged."""
    names = names_in(data)
    given = (
        File(name, (file_named(data, name, MAX_PAGE_BYTES) or b"") if is_config(name) else b"")
        for name in names
        if is_wanted(name)
    )
    return site_of(list(given)), names


BETWEEN = " > "

Owners = Mapping[str, SitePage]
"""The folder's own page, by folder."""

Rank = tuple[int, int, float, int, tuple[tuple[int, int | str], ...]]


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page in its place. module: titles of its folders or sections joined by " > ", None without any; title: its own."""

    page: SitePage
    module: str | None
    title: str


def in_order(pages: Iterable[SitePage], site: SiteConfig) -> list[PlacedPage]:
    """The pages by mkdocs' nav if there is one, with unlisted pages last; else in the tool's order of folders."""
    found = {page.path: page for page in pages}
    owners = {parent_of(path).rstrip("/"): page for path, page in found.items() if opens_folder(path)}
    nav = {normpath(entry.path): entry for entry in site.nav}
    led = [placed_by_nav(found[path], entry) for path, entry in nav.items() if path in found]
    rest = sorted((page for page in found.values() if page.path not in nav), key=lambda page: rank_of(page, owners, site))
    return [*led, *(PlacedPage(page, module_of(page, owners, site), page.title) for page in rest)]


def placed_by_nav(page: SitePage, entry: NavEntry) -> PlacedPage:
    """The page with its title and sections in nav."""
    return PlacedPage(page, BETWEEN.join(entry.titles) or None, entry.title or page.title)


def rank_of(page: SitePage, owners: Owners, site: SiteConfig) -> tuple[Rank, ...]:
    """Sort key of a page: one rank for each folder above it and one for itself."""
    *folders, name = PurePosixPath(page.path).parts
    paths = ["/".join(folders[: depth + 1]) for depth in range(len(folders))]
    position = page.position if page.position is not None else number_of(PurePosixPath(name).stem)
    last = (int(not opens_folder(page.path)), 0, ranked(position), 0, natural(name))
    return (*(rank_of_folder(path, owners, site) for path in paths), last)


def rank_of_folder(path: str, owners: Owners, site: SiteConfig) -> Rank:
    """Sort key of a folder: mkdocs puts folders after pages, Docusaurus sorts by position."""
    own = owners.get(path)
    given = number_in((site.folders or {}).get(f"{site.root}{path}/", {}), "position")
    positions = (given, own.position if own else None, number_of(PurePosixPath(path).name))
    position = next((each for each in positions if each is not None), None)
    return (1, int(site.tool is SiteGenerator.MKDOCS), ranked(position), 1, natural(PurePosixPath(path).name))


def ranked(position: float | None) -> float:
    """Sort key of a position; pages without position come last."""
    return inf if position is None else position


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """Sort key with numbers in names as numbers: "ch2" before "ch10"."""
    parts = re.findall(r"[0-9]{1,9}|[^0-9]+|[0-9]+", name.casefold())
    return tuple((0, int(part)) if part.isdecimal() and len(part) < 10 else (1, part) for part in parts)


def opens_folder(path: str) -> bool:
    """Whether the page is its folder's own page."""
    return PurePosixPath(path).stem.lower() in {"index", "readme"}


def module_of(page: SitePage, owners: Owners, site: SiteConfig) -> str | None:
    """Titles of the page's folders: from their own metadata, else from their own page, else from their names."""
    folders: Sequence[str] = PurePosixPath(page.path).parts[:-1]
    paths = ["/".join(folders[: depth + 1]) for depth in range(len(folders))]
    return BETWEEN.join(title_of_folder(path, owners, site) for path in paths) or None


def title_of_folder(path: str, owners: Owners, site: SiteConfig) -> str:
    """The folder's title."""
    given = front_matter_text((site.folders or {}).get(f"{site.root}{path}/", {}), "label")
    own = owners.get(path)
    return given or (own.title if own else "") or title_of_name(PurePosixPath(path).name)


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
