"""A zip of a folder: pages with titles, URLs and pieces, in the order in which a reader is led
through them, and where their links and pictures lead; and the Book of it: the pages are its chapters, their folders the
modules, their headings the sections.

All of it is read from the folder's own files and follows the rules of Docusaurus."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import PurePosixPath
from posixpath import join, normpath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Chapter, Limits, QualityReport, Sentence, title_of_file
from bookreader.errors import BadFile, ReaderError
from bookreader.html.files import PAGE_ENDINGS, File, file_named, is_config, is_wanted, names_in, unpack
from bookreader.html.html import HtmlHeading, Piece, pieces_of, problem_of, problem_of_markdown, title_in
from bookreader.html.markdown import front_matter_text, html_of, mapping_of, number_in, parted, without_mdx
from bookreader.messages import Message, message
from bookreader.source import version_of
from bookreader.text.passages import SpannedPassage, sentences_at

PICTURES = {f".{name}": f"image/{name}" for name in ("png", "jpeg", "gif", "webp", "avif")}
PICTURES |= {".jpg": "image/jpeg", ".svg": "image/svg+xml"}
"""Media types of the pictures that are shown, by file ending."""

AWAY = frozenset({"http", "https", "mailto"})
FOLDERS_OWN = ("index.md", "README.md", "index.mdx", "index.html")
STATIC = "static"  # where Docusaurus keeps the files of "/img/…"
BASE = "/docs/"  # its default base URL


def is_picture(path: str) -> bool:
    """Whether the file is a picture that pages can show; hidden files are not."""
    name = PurePosixPath(path)
    return name.suffix.lower() in PICTURES and not name.name.startswith(".")


@dataclass(frozen=True, slots=True)
class Folder:
    """Files and pages for resolving links. pages: chapter number by path below root; urls: chapter number by URL without a
    slash at its end; names: all files, from the top. root: "" or ending in "/"."""

    pages: Mapping[str, int]
    urls: Mapping[str, int]
    names: Collection[str]
    root: str = ""

    def page_at(self, href: str, file: str, url: str) -> tuple[int | None, str] | None:
        """The chapter that a link leads to from the page at that path and URL, and the heading's anchor.

        The chapter is None for the page itself. None if the link leads to no page of the book."""
        try:
            parts = urlsplit(href)
        except ValueError:
            return None
        if parts.scheme or parts.netloc:
            return None
        path = unquote(parts.path)
        if not path:
            return (None, unquote(parts.fragment)) if parts.fragment else None
        here = path.lstrip("/") if path.startswith("/") else relative(file, path)
        paths = (here, *(here + ending for ending in (".md", ".mdx", ".html")), *(join(here, name) for name in FOLDERS_OWN))
        urls = (path,) if path.startswith("/") else (normpath(join(url, path)), relative(url, path))
        found = [self.pages[each] for each in paths if each in self.pages]
        found += [self.urls[each.rstrip("/")] for each in urls if each.rstrip("/") in self.urls]
        return (found[0], unquote(parts.fragment)) if found else None

    def picture_at(self, src: str, file: str) -> str | None:
        """The name of the picture's file, from the top; None if the folder has no such picture."""
        path = unquote(src.partition("?")[0].partition("#")[0])
        if PurePosixPath(path).suffix.lower() not in PICTURES:
            return None
        below = path.lstrip("/")
        tried = [self.root + below, f"{STATIC}/{below}", below] if path.startswith("/") else [relative(self.root + file, path)]
        tried += [name for name in self.names if path.startswith("/") and name.endswith(f"/{STATIC}/{below}")]
        return next((name for name in tried if name in self.names), None)


def leads_away(href: str) -> str | None:
    """The URL if it leads to another site or an e-mail address, else None."""
    try:
        return href if urlsplit(href.strip()).scheme.lower() in AWAY else None
    except ValueError:
        return None


def relative(file: str, path: str) -> str:
    """The path relative to a file's folder, resolved."""
    return normpath(join(str(PurePosixPath(file).parent), path))


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """Configuration of a site. base: beginning of every page's URL, ends in "/". root: the pages' folder, "" or ending in "/".
    folders: metadata of folders (Docusaurus' _category_)."""

    base: str
    root: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    folders: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def site_of(files: Sequence[File]) -> SiteConfig:
    """The configuration found in the site's files: textbook.yml, and where Docusaurus' own stands."""
    own, docusaurus = (nearest(files, name) for name in (r"textbook\.ya?ml", r"docusaurus\.config\.\w+"))
    given = facts_in(own)
    named = given.get("authors", given.get("author"))
    return SiteConfig(
        base=(front_matter_text(given, "base_url") or BASE).rstrip("/") + "/",
        root=root_of(files, docusaurus or own),
        title=front_matter_text(given, "title") or "",
        authors=tuple(" ".join(str(name).split()) for name in (named if isinstance(named, list) else [named]) if name),
        folders={parent_of(file.path): facts_in(file) for file in files if name_of(file).startswith("_category_.")},
    )


def nearest(files: Iterable[File], name: str) -> File | None:
    """The file of this name that is least deep in the folder."""
    found = (file for file in files if re.fullmatch(name, name_of(file)))
    return min(found, key=lambda file: (file.path.count("/"), file.path), default=None)


def name_of(file: File) -> str:
    return PurePosixPath(file.path).name


def facts_in(file: File | None) -> Mapping[str, Any]:
    """The values in a YAML or JSON file; empty if there is none or it is something else."""
    try:
        return mapping_of(file.data.decode("utf-8-sig")) if file else {}
    except ValueError:
        return {}


def root_of(files: Sequence[File], config: File | None) -> str:
    """The folder of the pages: from the site's own files, else the folder that holds them."""
    if config is None:
        return holder_of(files)
    parent = parent_of(config.path)
    below = f"{parent}docs/"
    return below if any(file.path.startswith(below) for file in files) else parent


def holder_of(files: Sequence[File]) -> str:
    """A folder that holds all files and has subfolders, as zip programs make it, or "docs" with most files; else ""."""
    first = Counter(f"{file.path.split('/')[0]}/" for file in files if "/" in file.path)
    holder, held = first.most_common(1)[0] if first else ("", 0)
    has_folders = any("/" in file.path.removeprefix(holder) for file in files)
    return holder if (held == len(files) and has_folders) or (holder == "docs/" and 2 * held > len(files)) else ""


def parent_of(path: str) -> str:
    """The folder of a path: "a/b/c.md" gives "a/b/"; "" at the top."""
    return path[: path.rfind("/") + 1]


NUMBERED = re.compile(r"(?P<number>\d+)\s*[-_.]+\s*(?P<name>[^-_.\s].*)")
DATED = re.compile(r"\d+[-_.]\d+")  # "7.0-foo" and "2021-11-foo" are versions and dates (docusaurus issues 4640, 4653)
HTML = (".html", ".htm")
URL_SAFE = "/-_.~!$&'()*+,;=:@"  # RFC 3986, 3.3


def docusaurus_route(path: str, facts: Mapping[str, Any]) -> str:
    """Route of a page in Docusaurus. path: below the site's root; facts: its front matter.

    Numbers before names are dropped; index, README and a page named like its folder are the folder. `slug` wins over `id`, `id`
    over the name. A route that begins with "/" is relative to the docs' base."""
    *folders, name = (without_number(part) for part in PurePosixPath(path).with_suffix("").parts)
    folder = "/".join(folders)
    slug = front_matter_text(facts, "slug")
    if slug is None and name.lower() in {"index", "readme", *(each.lower() for each in folders[-1:])}:
        return f"{folder}/"
    last = slug or front_matter_text(facts, "id") or name
    joined = last if last.startswith("/") else f"/{folder}/{last}"
    return normpath(joined).replace("//", "/") + ("/" if joined.endswith("/") and joined != "/" else "")


def without_number(name: str) -> str:
    """A name without its number: "01-intro" gives "intro"; dates and versions stay."""
    match = NUMBERED.fullmatch(name)
    return match["name"] if match and not DATED.match(name) else name


def number_of(name: str) -> float:
    """The number before a name; infinite without one, as such pages come last."""
    match = NUMBERED.fullmatch(name)
    return float(match["number"]) if match and not DATED.match(name) else inf


MAX_PAGE_BYTES = 5 * 2**20  # a whole novel has 1 MiB
BETWEEN_NAMES = re.compile(r" [|—–·] ")  # the page's name and the site's, in an HTML title


class Unreadable(ReaderError):
    """A file cannot be a page; the message completes a sentence that begins with its name."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page. path: below the site's root. position: in its folder, if given. note: a warning for the author, or empty."""

    path: str
    url: str
    title: str
    position: float | None
    pieces: tuple[Piece, ...]
    note: Message | None = None


def is_page(path: str) -> bool:
    """Whether the file becomes a page: by its ending, and unless it is a partial (`_part.md`), which Docusaurus ignores."""
    hidden = any(part.startswith("_") for part in PurePosixPath(path).parts)
    return path.lower().endswith(PAGE_ENDINGS) and not hidden


def read_page(file: File, site: SiteConfig) -> SitePage | None:
    """The page; None for a draft. file.path: below the site's root. Raises Unreadable."""
    text = text_of_file(file.data, file.path)
    facts, body, note = facts_and_body(text, file.path)
    if facts.get("draft") is True:
        return None
    if excess := (problem_of if is_html(file.path) else problem_of_markdown)(body):
        raise Unreadable(excess)
    pieces = tuple(pieces_of(body if is_html(file.path) else html_of(without_mdx(body))))
    if not any(isinstance(piece, SpannedPassage) for piece in pieces):
        raise Unreadable("site_no_text")
    head, rest = head_and_rest(pieces)
    title = front_matter_text(facts, "title") or head or (title_in(body) if is_html(file.path) else "")
    title, position = BETWEEN_NAMES.split(title)[0].strip(), number_in(facts, "sidebar_position")
    title = title or title_of_path(file.path)
    route = file.path if is_html(file.path) else docusaurus_route(file.path, facts)
    url = quote(site.base + route.lstrip("/"), safe=URL_SAFE)
    return SitePage(file.path, url, title, position, rest, note)


def text_of_file(data: bytes, path: str) -> str:
    """The file's text: UTF-8, or as HTML declares. Raises Unreadable for binary data or a file that is too large."""
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


def is_html(path: str) -> bool:
    return path.lower().endswith(HTML)


def head_and_rest(pieces: tuple[Piece, ...]) -> tuple[str, tuple[Piece, ...]]:
    """The heading of the whole page if its first one is, else "", and the other pieces."""
    at, first = next(((at, piece) for at, piece in enumerate(pieces) if isinstance(piece, HtmlHeading)), (0, None))
    return (first.text, pieces[:at] + pieces[at + 1 :]) if first and first.level == 1 else ("", pieces)


def title_of_path(path: str) -> str:
    """A title from a path: "guide/01-first-steps.md" gives "First Steps"."""
    pure = PurePosixPath(path)
    name = pure.parent.name if pure.stem.lower() in {"index", "readme"} and pure.parent.name else pure.stem
    return title_of_file(f"{without_number(name)}.md")


def source_html(data: bytes, name: str) -> str:
    """The HTML of one file of a stored zip, made from Markdown if needed. name: path in the zip. Raises Unreadable."""
    read = file_named(data, name, MAX_PAGE_BYTES)
    if read is None:
        raise Unreadable("site_not_there")
    _, body, _ = facts_and_body(text_of_file(read, name), name)
    return body if is_html(name) else html_of(without_mdx(body))


def site_in(data: bytes) -> tuple[SiteConfig, list[str]]:
    """The site configuration of a stored zip, and the names of all its files. Raises BadFile: damaged."""
    names = names_in(data)
    wanted = filter(is_wanted, names)
    given = [File(name, (file_named(data, name, MAX_PAGE_BYTES) or b"") if is_config(name) else b"") for name in wanted]
    return site_of(given), names


Owners = Mapping[str, SitePage]
"""The folder's own page, by folder."""

Rank = tuple[int, float, int, tuple[tuple[int, int | str], ...]]


def in_order(pages: Iterable[SitePage], site: SiteConfig) -> list[tuple[SitePage, str | None]]:
    """The pages in the order of folders, each with the titles of its folders joined by " > ", None without any."""
    found = {page.path: page for page in pages}
    owners = {parent_of(path).rstrip("/"): page for path, page in found.items() if opens_folder(path)}
    ranked = sorted(found.values(), key=lambda page: rank_of(page, owners, site))
    return [(one, " > ".join(title_of_folder(path, owners, site) for path in folders_of(one.path)) or None) for one in ranked]


def rank_of(page: SitePage, owners: Owners, site: SiteConfig) -> tuple[Rank, ...]:
    """Sort key of a page: one rank for each folder above it and one for itself."""
    name = PurePosixPath(page.path).name
    position = page.position if page.position is not None else number_of(PurePosixPath(name).stem)
    last = (int(not opens_folder(page.path)), position, 0, natural(name))
    return (*(rank_of_folder(path, owners, site) for path in folders_of(page.path)), last)


def folders_of(path: str) -> list[str]:
    """The folders that hold a page, outermost first."""
    return [str(each) for each in PurePosixPath(path).parents][-2::-1]


def rank_of_folder(path: str, owners: Owners, site: SiteConfig) -> Rank:
    own = owners.get(path)
    given = number_in(site.folders.get(f"{site.root}{path}/", {}), "position")
    stated = (each for each in (given, own.position if own else None) if each is not None)
    return (1, next(stated, number_of(PurePosixPath(path).name)), 1, natural(PurePosixPath(path).name))


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """Sort key with numbers in names as numbers: "ch2" before "ch10"."""
    parts = re.findall(r"[0-9]{1,9}|[^0-9]+|[0-9]+", name.casefold())
    return tuple((0, int(part)) if part.isdecimal() and len(part) < 10 else (1, part) for part in parts)


def opens_folder(path: str) -> bool:
    return PurePosixPath(path).stem.lower() in {"index", "readme"}


def title_of_folder(path: str, owners: Owners, site: SiteConfig) -> str:
    """The folder's title: from its own metadata, else from its own page, else from its name."""
    given = front_matter_text(site.folders.get(f"{site.root}{path}/", {}), "label")
    own = owners.get(path)
    return given or (own.title if own else "") or title_of_file(f"{without_number(PurePosixPath(path).name)}.md")


MAX_WARNINGS = 20
Progress = Callable[[int, int], None]


def parse_folder(data: bytes, book: BookId, limits: Limits = DEFAULT_LIMITS, progress: Progress | None = None) -> Book:
    """The book with all its sentences. Files that cannot be read are named in the report and do not stop the others.

    progress(done, total) counts files. Raises BadFile: see `unpack`, and no_pages, no_text, too_many_words."""
    files = unpack(data, limits)
    site = site_of(files)
    named = [File(file.path.removeprefix(site.root), file.data) for file in files if file.path.startswith(site.root)]
    pages, warnings = read_pages([file for file in named if is_page(file.path)], site, progress)
    placed, edition = in_order(pages, site), (book, version_of(data))
    chapters = tuple(Chapter(n, None, page.title, module, page.path) for n, (page, module) in enumerate(placed))
    sentences = tuple(
        each for chapter, (page, _) in zip(chapters, placed, strict=True) for each in sentences_in(page, chapter, edition)
    )
    words = sum(len(sentence.text.split()) for sentence in sentences)
    if words > limits.words:
        raise BadFile("too_many_words", "folder_too_many_words", words=words, max_words=limits.words)
    more = len(warnings) - MAX_WARNINGS
    listed = (*warnings[:MAX_WARNINGS], *([message("site_more_pages", count=more)] if more > 0 else []))
    report = QualityReport(len(chapters), words, len(sentences), len(chapters), "pages", "none", 0.0, (), listed)
    return Book(*edition, site.title, site.authors, chapters, sentences, report)


def read_pages(files: Sequence[File], site: SiteConfig, progress: Progress | None) -> tuple[list[SitePage], list[Message]]:
    """The pages, and a warning for each file that needs a look. Raises BadFile: no_pages, no_text."""
    pages: list[SitePage] = []
    warnings: list[Message] = []
    for number, file in enumerate(files):
        try:
            page = read_page(file, site)
        except Unreadable as error:
            warnings.append(message("site_page_left_out", path=file.path, problem=error.message))
            continue
        if page:
            pages.append(page)
            warnings += [message("site_page_note", path=page.path, note=page.note)] if page.note else []
        if progress:
            progress(number + 1, len(files))
    if not files:
        raise BadFile("no_pages", "folder_without_pages")
    if not pages:
        raise BadFile("no_text", "folder_unreadable", pages=len(files), warnings=tuple(warnings[:3]))
    return pages, warnings


def sentences_in(page: SitePage, chapter: Chapter, edition: tuple[BookId, str]) -> Iterator[Sentence]:
    """A page's sentences in order, each with the headings above it and a link to the nearest that has an anchor."""
    sections: list[HtmlHeading] = []
    number = 0
    for piece in page.pieces:
        if isinstance(piece, HtmlHeading):
            sections = [*(above for above in sections if above.level < piece.level), piece]
        else:
            path = tuple(section.text for section in sections)
            anchor = next((f"#{section.anchor}" for section in reversed(sections) if section.anchor), "")
            yield from sentences_at(piece, edition, chapter, path, number, url=page.url + anchor)
            number += 1
