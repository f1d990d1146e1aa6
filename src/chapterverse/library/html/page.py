"""One file → one page: what it says of itself, its address, its pieces.

Pages in the order in which a reader is led through them, each in its module."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any

from chapterverse.core.names import title_of_file
from chapterverse.library.html.files import PAGE_ENDINGS, File, file_named, is_config, is_wanted, names_in
from chapterverse.library.html.html import HtmlHeading, Piece, pieces_of, title_in
from chapterverse.library.html.markdown import (
    front_matter_text,
    github_anchors,
    html_of,
    number_in,
    parted,
    toc_anchors,
    without_mdx,
)
from chapterverse.library.html.site import (
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
from chapterverse.library.text.passages import SpannedPassage
from chapterverse.messages import Message, message

MOST_BYTES = 5 * 2**20  # of one page: a whole novel has one

BETWEEN_NAMES = (" | ", " — ", " – ", " · ")  # the page's name and the site's, in an HTML title


class Unreadable(Exception):
    """Why a file is no page: the end of a sentence that begins with its name."""

    def __init__(self, id: str, **values: object) -> None:
        self.problem = message(id, **values)
        super().__init__(self.problem)


@dataclass(frozen=True, slots=True)
class SitePage:
    """path: below the site's root. title: of the page. position: in its folder, as its author says; None where nobody does.
    note: what its author should know of it, empty where all is well."""

    path: str
    url: str
    title: str
    position: float | None
    pieces: tuple[Piece, ...]
    note: Message | None = None


def is_page(path: str, site: SiteConfig) -> bool:
    """Whether the file becomes a page: not what the tool leaves out, parts that other pages load ("_part.md")."""
    hidden = any(part.startswith("_") for part in PurePosixPath(path).parts)
    return path.lower().endswith(PAGE_ENDINGS) and not (hidden and site.tool is SiteGenerator.DOCUSAURUS)


def read_page(file: File, site: SiteConfig) -> SitePage | None:
    """The page; None for a draft. file.path: below the site's root. Raises Unreadable."""
    text = text_of_file(file.data)
    facts, body, note = facts_and_body(text, file.path)
    if facts.get("draft") is True:
        return None
    pieces = tuple(pieces_of(body if is_html(file.path) else html_from(body, site)))
    if not any(isinstance(piece, SpannedPassage) for piece in pieces):
        raise Unreadable("site_no_text")
    title = front_matter_text(facts, "title") or head_of(pieces) or (title_in(body) if is_html(file.path) else "")
    url = url_of(file.path, facts, site)
    return SitePage(
        file.path, url, without_site(title) or title_of_path(file.path), position_in(facts), without_head(pieces), note
    )


def text_of_file(data: bytes) -> str:
    """Raises Unreadable for what is no text, or too much."""
    if len(data) > MOST_BYTES:
        raise Unreadable("site_too_large", max_mib=MOST_BYTES // 2**20)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("site_not_utf8") from error
    if "\0" in text:
        raise Unreadable("site_not_text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def facts_and_body(text: str, path: str) -> tuple[Mapping[str, Any], str, Message | None]:
    """Front matter, the rest, and what is wrong with the front matter. HTML has none."""
    if is_html(path):
        return {}, text, None
    try:
        return (*parted(text), None)
    except ValueError:
        return {}, text.split("\n---", 1)[-1], message("site_front_matter")


def html_from(markdown: str, site: SiteConfig) -> str:
    """By the rules of the site's tool."""
    if site.tool is SiteGenerator.DOCUSAURUS:
        return html_of(without_mdx(markdown), github_anchors())
    return html_of(markdown, toc_anchors())


def is_html(path: str) -> bool:
    """By its ending."""
    return path.lower().endswith(HTML)


def head_of(pieces: tuple[Piece, ...]) -> str:
    """The heading of the page as a whole, if it opens with one."""
    first = next((piece for piece in pieces if isinstance(piece, HtmlHeading)), None)
    return first.text if first and first.level == 1 else ""


def without_head(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces but for the heading of the page as a whole."""
    first = next((at for at, piece in enumerate(pieces) if isinstance(piece, HtmlHeading)), None)
    if first is None or not head_of(pieces):
        return pieces
    return pieces[:first] + pieces[first + 1 :]


def without_site(title: str) -> str:
    """An HTML title without the name of the site behind it."""
    for between in BETWEEN_NAMES:
        title = title.partition(between)[0]
    return title.strip()


def title_of_path(path: str) -> str:
    """What a page or folder is called that does not say it: "guide/01-first-steps.md" → "First Steps"."""
    pure = PurePosixPath(path)
    name = pure.parent.name if pure.stem.lower() in {"index", "readme"} and pure.parent.name else pure.stem
    return title_of_name(name)


def title_of_name(name: str) -> str:
    """A file's or a folder's name as a title."""
    return title_of_file(f"{without_number(name)}.md")


def position_in(facts: Mapping[str, Any]) -> float | None:
    """Docusaurus' sidebar_position."""
    return number_in(facts, "sidebar_position")


def source_html(data: bytes, name: str, site: SiteConfig) -> str:
    """The HTML of one file of a zip that has been a book before: written so, or made of its Markdown. name: from the top.
    Raises Unreadable."""
    read = file_named(data, name, MOST_BYTES)
    if read is None:
        raise Unreadable("site_not_there")
    _, body, _ = facts_and_body(text_of_file(read), name)
    return body if is_html(name) else html_from(body, site)


def site_in(data: bytes) -> tuple[SiteConfig, list[str]]:
    """How the site of a zip is made that has been a book before, and the names of all files in it. Raises BadBook: damaged."""
    names = names_in(data)
    told = (
        File(name, (file_named(data, name, MOST_BYTES) or b"") if is_config(name) else b"") for name in names if is_wanted(name)
    )
    return site_of(list(told)), names


BETWEEN = " > "

Owners = Mapping[str, SitePage]

"""By folder, the page that is the folder's own."""

Rank = tuple[int, int, float, int, tuple[tuple[int, int | str], ...]]


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page; module: the titles of the folders or sections it is in, joined by " > ", None in none; title: its own."""

    page: SitePage
    module: str | None
    title: str


def in_order(pages: Iterable[SitePage], site: SiteConfig) -> list[PlacedPage]:
    """By mkdocs' nav where there is one, pages that it leaves out behind it; else as the tool orders folders."""
    found = {page.path: page for page in pages}
    owners = {parent_of(path).rstrip("/"): page for path, page in found.items() if opens_folder(path)}
    nav = {normpath(entry.path): entry for entry in site.nav}
    led = [placed_by_nav(found[path], entry) for path, entry in nav.items() if path in found]
    rest = sorted((page for page in found.values() if page.path not in nav), key=lambda page: rank_of(page, owners, site))
    return [*led, *(PlacedPage(page, module_of(page, owners, site), page.title) for page in rest)]


def placed_by_nav(page: SitePage, entry: NavEntry) -> PlacedPage:
    """As nav calls it and what it is in."""
    return PlacedPage(page, BETWEEN.join(entry.titles) or None, entry.title or page.title)


def rank_of(page: SitePage, owners: Owners, site: SiteConfig) -> tuple[Rank, ...]:
    """One rank for each folder on the way to the page, and one for itself."""
    *folders, name = PurePosixPath(page.path).parts
    paths = ["/".join(folders[: depth + 1]) for depth in range(len(folders))]
    position = page.position if page.position is not None else number_of(PurePosixPath(name).stem)
    last = (int(not opens_folder(page.path)), 0, ranked(position), 0, natural(name))
    return (*(rank_of_folder(path, owners, site) for path in paths), last)


def rank_of_folder(path: str, owners: Owners, site: SiteConfig) -> Rank:
    """A folder among what stands beside it: mkdocs puts folders behind pages, Docusaurus by their position."""
    own = owners.get(path)
    told = number_in((site.folders or {}).get(f"{site.root}{path}/", {}), "position")
    positions = (told, own.position if own else None, number_of(PurePosixPath(path).name))
    position = next((each for each in positions if each is not None), None)
    return (1, int(site.tool is SiteGenerator.MKDOCS), ranked(position), 1, natural(PurePosixPath(path).name))


def ranked(position: float | None) -> float:
    """What has no position comes last."""
    return inf if position is None else position


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """Numbers in names as numbers: "ch2" before "ch10"."""
    parts = re.findall(r"[0-9]{1,9}|[^0-9]+|[0-9]+", name.casefold())
    return tuple((0, int(part)) if part.isdecimal() and len(part) < 10 else (1, part) for part in parts)


def opens_folder(path: str) -> bool:
    """Whether it is its folder's own page."""
    return PurePosixPath(path).stem.lower() in {"index", "readme"}


def module_of(page: SitePage, owners: Owners, site: SiteConfig) -> str | None:
    """The titles of its folders: as they say of themselves, else as their own page is called, else as they are named."""
    folders: Sequence[str] = PurePosixPath(page.path).parts[:-1]
    paths = ["/".join(folders[: depth + 1]) for depth in range(len(folders))]
    return BETWEEN.join(title_of_folder(path, owners, site) for path in paths) or None


def title_of_folder(path: str, owners: Owners, site: SiteConfig) -> str:
    """What the folder is called."""
    told = front_matter_text((site.folders or {}).get(f"{site.root}{path}/", {}), "label")
    own = owners.get(path)
    return told or (own.title if own else "") or title_of_name(PurePosixPath(path).name)
