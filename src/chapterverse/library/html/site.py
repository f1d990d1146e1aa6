"""Where links and pictures of a page lead, seen from the folder that it is in.

How a folder's site is made: by which tool, under which address, in which order. Read from its own files.

From a page's file to its address and its place among the others, by the rules of the tool that makes the site."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from posixpath import join, normpath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from chapterverse.library.html.files import File
from chapterverse.library.html.markdown import front_matter_text, mapping_of
from chapterverse.library.html.typeset import OWN_PICTURE

PICTURES: Mapping[str, str] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
}

"""Media types of pictures that are shown, by the file's ending."""

AWAY = frozenset({"http", "https", "mailto"})

FOLDERS_OWN = ("index.md", "README.md", "index.mdx", "index.html")

STATIC = "static"  # where Docusaurus has what pages call "/img/…"


def is_picture(path: str) -> bool:
    """Whether it is called like one that pages can show; nothing hidden."""
    name = PurePosixPath(path)
    return name.suffix.lower() in PICTURES and not name.name.startswith(".")


@dataclass(frozen=True, slots=True)
class Folder:
    """pages: the chapter's number by the path of its file below root; urls: by the address that its site gives it, without a
    slash at its end. names: of all files there are, from the top. root: "" or ending in "/"."""

    pages: Mapping[str, int]
    urls: Mapping[str, int]
    names: Collection[str]
    root: str = ""

    def page_at(self, href: str, file: str, url: str) -> tuple[int | None, str] | None:
        """The chapter that a link leads to from the page at that path and address, None for the page itself, and the heading's
        anchor; nothing where it leads to no page of the book."""
        try:
            parts = urlsplit(href)
        except ValueError:
            return None
        if parts.scheme or parts.netloc:
            return None
        path = unquote(parts.path)
        if not path:
            return (None, unquote(parts.fragment)) if parts.fragment else None
        found = self._of_file(path, file) or self._of_url(path, url)
        return (found[0], unquote(parts.fragment)) if found else None

    def picture_at(self, src: str, file: str) -> str | None:
        """The name of the picture's file, from the top; None where the folder has no such picture."""
        path = unquote(src.partition("?")[0].partition("#")[0])
        if PurePosixPath(path).suffix.lower() not in PICTURES:
            return None
        below = path.lstrip("/")
        tried = [self.root + below, f"{STATIC}/{below}", below] if path.startswith("/") else [beside(self.root + file, path)]
        tried += [name for name in self.names if path.startswith("/") and name.endswith(f"/{STATIC}/{below}")]
        return next((name for name in tried if name in self.names), None)

    def _of_file(self, path: str, file: str) -> tuple[int] | None:
        here = path.lstrip("/") if path.startswith("/") else beside(file, path)
        tried = (here, *(here + ending for ending in (".md", ".mdx", ".html")), *(join(here, name) for name in FOLDERS_OWN))
        return next(((self.pages[each],) for each in tried if each in self.pages), None)

    def _of_url(self, path: str, url: str) -> tuple[int] | None:
        tried = (path,) if path.startswith("/") else (normpath(join(url, path)), beside(url, path))
        return next(((self.urls[each.rstrip("/")],) for each in tried if each.rstrip("/") in self.urls), None)


def leads_away(href: str) -> str | None:
    """The address of another site, or of somebody's post; None for all else."""
    try:
        return href if urlsplit(href.strip()).scheme.lower() in AWAY else None
    except ValueError:
        return None


def stands_in_itself(src: str) -> bool:
    """Whether a picture is in its own address."""
    return OWN_PICTURE.match(src) is not None


def beside(file: str, path: str) -> str:
    """A path that is told from a file's folder on."""
    return normpath(join(str(PurePosixPath(file).parent), path))


class SiteGenerator(StrEnum):
    """Whose rules make addresses and anchors of Markdown pages. HTML pages have their own, whichever it is."""

    DOCUSAURUS = "docusaurus"
    MKDOCS = "mkdocs"


BASES = {SiteGenerator.DOCUSAURUS: "/docs/", SiteGenerator.MKDOCS: "/"}

"""Where the tools put the pages of a folder unless they are told otherwise."""


@dataclass(frozen=True, slots=True)
class NavEntry:
    """A page in mkdocs' nav. titles: of the sections above it, outermost first; title: its own, if nav says one."""

    path: str
    titles: tuple[str, ...]
    title: str | None


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """base: what every page's address begins with, ending in "/". root: the pages' folder, "" or ending in "/". folders: of
    folders that describe themselves, what they say (Docusaurus' _category_). as_folders: mkdocs' use_directory_urls."""

    tool: SiteGenerator
    base: str
    root: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    nav: tuple[NavEntry, ...] = ()
    as_folders: bool = True
    folders: Mapping[str, Mapping[str, Any]] | None = None


def site_of(files: Sequence[File]) -> SiteConfig:
    """The site as its files say it is made. textbook.yml (title, authors, site, base_url) goes before all else."""
    own, mkdocs, docusaurus = (
        nearest(files, name) for name in (r"textbook\.ya?ml", r"mkdocs\.ya?ml", r"docusaurus\.config\.\w+")
    )
    told, settings = facts_in(own), facts_in(mkdocs)
    tool = tool_of(front_matter_text(told, "site"), mkdocs is not None)
    base = front_matter_text(told, "base_url") or urlsplit(front_matter_text(settings, "site_url") or "").path or BASES[tool]
    root = root_of(files, mkdocs or docusaurus or own, front_matter_text(settings, "docs_dir") or "docs")
    return SiteConfig(
        tool=tool,
        base=base.rstrip("/") + "/",
        root=root,
        title=front_matter_text(told, "title") or front_matter_text(settings, "site_name") or "",
        authors=authors_in(told),
        nav=tuple(entries_in(settings.get("nav"))) if tool is SiteGenerator.MKDOCS else (),
        as_folders=settings.get("use_directory_urls") is not False,
        folders={parent_of(file.path): facts_in(file) for file in files if is_category(file.path)},
    )


def nearest(files: Iterable[File], name: str) -> File | None:
    """The file so called that is least deep in the folder."""
    found = (file for file in files if re.fullmatch(name, PurePosixPath(file.path).name))
    return min(found, key=lambda file: (file.path.count("/"), file.path), default=None)


def facts_in(file: File | None) -> Mapping[str, Any]:
    """Of a file of YAML or JSON; nothing where there is none, or it is something else."""
    try:
        return mapping_of(file.data.decode("utf-8-sig")) if file else {}
    except ValueError:
        return {}


def tool_of(told: str | None, has_mkdocs: bool) -> SiteGenerator:
    """As told, else as seen."""
    if told in set(SiteGenerator):
        return SiteGenerator(told)
    return SiteGenerator.MKDOCS if has_mkdocs else SiteGenerator.DOCUSAURUS


def root_of(files: Sequence[File], config: File | None, docs: str) -> str:
    """The folder of the pages: that which the site's own files tell, else the one that holds them."""
    if config is None:
        return holder_of(files)
    beside = parent_of(config.path)
    below = f"{beside}{docs.strip('./')}/"
    return below if any(file.path.startswith(below) for file in files) else beside


def holder_of(files: Sequence[File]) -> str:
    """A folder that holds all files and has folders in it, as zip programs make it, or "docs" with most of them; else ""."""
    first = Counter(f"{file.path.split('/')[0]}/" for file in files if "/" in file.path)
    holder, held = first.most_common(1)[0] if first else ("", 0)
    has_folders = any("/" in file.path.removeprefix(holder) for file in files)
    return holder if (held == len(files) and has_folders) or (holder == "docs/" and 2 * held > len(files)) else ""


def parent_of(path: str) -> str:
    """From "a/b/c.md" to "a/b/"; "" for a file in the folder itself."""
    return path[: path.rfind("/") + 1]


def is_category(path: str) -> bool:
    """Whether it says of its folder what that is called, and where it stands."""
    return PurePosixPath(path).name.startswith("_category_.")


def authors_in(told: Mapping[str, Any]) -> tuple[str, ...]:
    """Names; one or a list of them."""
    named = told.get("authors", told.get("author"))
    return tuple(" ".join(str(name).split()) for name in (named if isinstance(named, list) else [named]) if name)


def entries_in(nav: object, titles: tuple[str, ...] = ()) -> Iterable[NavEntry]:
    """The pages of mkdocs' nav, in its order: a path, a title with a path, or a title with more of them."""
    for entry in nav if isinstance(nav, list) and len(titles) < 20 else ():
        for title, value in entry.items() if isinstance(entry, dict) else [(None, entry)]:
            if isinstance(value, str):
                yield NavEntry(value, titles, title)
            else:
                yield from entries_in(value, (*titles, str(title)))


NUMBERED = re.compile(r"(?P<number>\d+)\s*[-_.]+\s*(?P<name>[^-_.\s].*)")

DATED = re.compile(r"\d+[-_.]\d+")  # "7.0-foo" and "2021-11-foo" are versions and dates (docusaurus issues 4640, 4653)

HTML = (".html", ".htm")

URL_SAFE = "/-_.~!$&'()*+,;=:@"  # RFC 3986, 3.3


def url_of(path: str, facts: Mapping[str, Any], site: SiteConfig) -> str:
    """The page's address. path: below the site's root; facts: its front matter."""
    if path.lower().endswith(HTML):
        route = path
    else:
        route = docusaurus_route(path, facts) if site.tool is SiteGenerator.DOCUSAURUS else mkdocs_route(path, site)
    return quote(site.base + route.lstrip("/"), safe=URL_SAFE)


def docusaurus_route(path: str, facts: Mapping[str, Any]) -> str:
    """Numbers before names go; a folder's index or README, or a page called like it, is the folder; `slug` goes before `id`,
    `id` before the name. An address from "/" on is one from the docs' base on."""
    *folders, name = (without_number(part) for part in PurePosixPath(path).with_suffix("").parts)
    folder = "/".join(folders)
    slug = front_matter_text(facts, "slug")
    if slug is None and is_index(name, folders):
        return f"{folder}/"
    last = slug or front_matter_text(facts, "id") or name
    joined = last if last.startswith("/") else f"/{folder}/{last}"
    return normpath(joined).replace("//", "/") + ("/" if joined.endswith("/") and joined != "/" else "")


def is_index(name: str, folders: list[str]) -> bool:
    """Whether Docusaurus takes the page for its folder's own."""
    return name.lower() in {"index", "readme", *(folder.lower() for folder in folders[-1:])}


def mkdocs_route(path: str, site: SiteConfig) -> str:
    """A folder for each page, or without use_directory_urls a file; index and README are the folder that they are in."""
    plain = PurePosixPath(path).with_suffix("")
    parent = "" if str(plain.parent) == "." else f"{plain.parent}/"
    if plain.name.lower() in {"index", "readme"}:
        return parent if site.as_folders else f"{parent}index.html"
    return f"{parent}{plain.name}/" if site.as_folders else f"{parent}{plain.name}.html"


def without_number(name: str) -> str:
    """From "01-intro" to "intro"; what looks like a date or a version stays."""
    match = NUMBERED.fullmatch(name)
    return match["name"] if match and not DATED.match(name) else name


def number_of(name: str) -> float | None:
    """The number before a name; None where there is none."""
    match = NUMBERED.fullmatch(name)
    return float(match["number"]) if match and not DATED.match(name) else None
