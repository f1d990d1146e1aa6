"""One file → one page: what it says of itself, its address, its pieces."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from chapterverse.ingestion.passages import Passage
from chapterverse.ingestion.site.anchors import github_anchors, toc_anchors
from chapterverse.ingestion.site.files import PAGE_ENDINGS, File, file_named, is_config, is_wanted, names_in
from chapterverse.ingestion.site.front_matter import number_in, parted, text_in
from chapterverse.ingestion.site.html import pieces_of
from chapterverse.ingestion.site.markdown import html_of
from chapterverse.ingestion.site.mdx import without_mdx
from chapterverse.ingestion.site.nodes import title_in
from chapterverse.ingestion.site.pieces import Heading, Piece
from chapterverse.ingestion.site.routes import HTML, url_of, without_number
from chapterverse.ingestion.site.sites import Site, Tool, site_of
from chapterverse.messages import Message, message
from chapterverse.names import title_of_file

MOST_BYTES = 5 * 2**20  # of one page: a whole novel has one
BETWEEN_NAMES = (" | ", " — ", " – ", " · ")  # the page's name and the site's, in an HTML title


class Unreadable(Exception):
    """Why a file is no page: the end of a sentence that begins with its name."""

    def __init__(self, id: str, **values: object) -> None:
        self.problem = message(id, **values)
        super().__init__(self.problem)


@dataclass(frozen=True, slots=True)
class Page:
    """path: below the site's root. title: of the page. position: in its folder, as its author says; None where nobody does.
    note: what its author should know of it, empty where all is well."""

    path: str
    url: str
    title: str
    position: float | None
    pieces: tuple[Piece, ...]
    note: Message | None = None


def is_page(path: str, site: Site) -> bool:
    """Whether the file becomes a page: not what the tool leaves out, parts that other pages load ("_part.md")."""
    hidden = any(part.startswith("_") for part in PurePosixPath(path).parts)
    return path.lower().endswith(PAGE_ENDINGS) and not (hidden and site.tool is Tool.DOCUSAURUS)


def read_page(file: File, site: Site) -> Page | None:
    """The page; None for a draft. file.path: below the site's root. Raises Unreadable."""
    text = text_of_file(file.data)
    facts, body, note = facts_and_body(text, file.path)
    if facts.get("draft") is True:
        return None
    pieces = tuple(pieces_of(body if is_html(file.path) else html_from(body, site)))
    if not any(isinstance(piece, Passage) for piece in pieces):
        raise Unreadable("site_no_text")
    title = text_in(facts, "title") or head_of(pieces) or (title_in(body) if is_html(file.path) else "")
    url = url_of(file.path, facts, site)
    return Page(file.path, url, without_site(title) or title_of_path(file.path), position_in(facts), without_head(pieces), note)


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


def facts_and_body(text: str, path: str) -> tuple[Mapping[str, Any], str, str]:
    """Front matter, the rest, and what is wrong with the front matter. HTML has none."""
    if is_html(path):
        return {}, text, None
    try:
        return (*parted(text), None)
    except ValueError:
        return {}, text.split("\n---", 1)[-1], message("site_front_matter")


def html_from(markdown: str, site: Site) -> str:
    """By the rules of the site's tool."""
    if site.tool is Tool.DOCUSAURUS:
        return html_of(without_mdx(markdown), github_anchors())
    return html_of(markdown, toc_anchors())


def is_html(path: str) -> bool:
    """By its ending."""
    return path.lower().endswith(HTML)


def head_of(pieces: tuple[Piece, ...]) -> str:
    """The heading of the page as a whole, if it opens with one."""
    first = next((piece for piece in pieces if isinstance(piece, Heading)), None)
    return first.text if first and first.level == 1 else ""


def without_head(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces but for the heading of the page as a whole."""
    first = next((at for at, piece in enumerate(pieces) if isinstance(piece, Heading)), None)
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


def source_html(data: bytes, name: str, site: Site) -> str:
    """The HTML of one file of a zip that has been a book before: written so, or made of its Markdown. name: from the top.
    Raises Unreadable."""
    read = file_named(data, name, MOST_BYTES)
    if read is None:
        raise Unreadable("site_not_there")
    _, body, _ = facts_and_body(text_of_file(read), name)
    return body if is_html(name) else html_from(body, site)


def site_in(data: bytes) -> tuple[Site, list[str]]:
    """How the site of a zip is made that has been a book before, and the names of all files in it. Raises BadBook: damaged."""
    names = names_in(data)
    told = (
        File(name, (file_named(data, name, MOST_BYTES) or b"") if is_config(name) else b"") for name in names if is_wanted(name)
    )
    return site_of(list(told)), names
