"""A folder's site: which tool builds it, under which URLs, in which order; and where links and pictures of its pages lead.

All of it is read from the folder's own files and follows the rules of Docusaurus or mkdocs."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from posixpath import join, normpath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from bookreader.html.files import File
from bookreader.html.markdown import front_matter_text, mapping_of
from bookreader.html.typeset import OWN_PICTURE

PICTURES: Mapping[str, str] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
}
"""Media types of the pictures that are shown, by file ending."""

AWAY = frozenset({"http", "https", "mailto"})
FOLDERS_OWN = ("index.md", "README.md", "index.mdx", "index.html")
STATIC = "static"  # where Docusaurus keeps the files of "/img/…"


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
        found = self._of_file(path, file) or self._of_url(path, url)
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

    def _of_file(self, path: str, file: str) -> tuple[int] | None:
        here = path.lstrip("/") if path.startswith("/") else relative(file, path)
        tried = (here, *(here + ending for ending in (".md", ".mdx", ".html")), *(join(here, name) for name in FOLDERS_OWN))
        return next(((self.pages[each],) for each in tried if each in self.pages), None)

    def _of_url(self, path: str, url: str) -> tuple[int] | None:
        tried = (path,) if path.startswith("/") else (normpath(join(url, path)), relative(url, path))
        return next(((self.urls[each.rstrip("/")],) for each in tried if each.rstrip("/") in self.urls), None)


def leads_away(href: str) -> str | None:
    """The URL if it leads to another site or an e-mail address, else None."""
    try:
        return href if urlsplit(href.strip()).scheme.lower() in AWAY else None
    except ValueError:
        return None


def stands_in_itself(src: str) -> bool:
    """Whether the URL holds the picture itself (data:)."""
    return OWN_PICTURE.match(src) is not None


def relative(file: str, path: str) -> str:
    """The path relative to a file's folder, resolved."""
    return normpath(join(str(PurePosixPath(file).parent), path))


class SiteGenerator(StrEnum):
    """The tool whose rules give URLs and anchors of Markdown pages. HTML pages have their own."""

    DOCUSAURUS = "docusaurus"
    MKDOCS = "mkdocs"


BASES = {SiteGenerator.DOCUSAURUS: "/docs/", SiteGenerator.MKDOCS: "/"}
"""Default base URL of each tool."""


@dataclass(frozen=True, slots=True)
class NavEntry:
    """A page in mkdocs' nav. titles: of the sections above it, outermost first; title: its own, if nav says one."""

    path: str
    titles: tuple[str, ...]
    title: str | None


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """Configuration of a site. base: beginning of every page's URL, ends in "/". root: the pages' folder, "" or ending in "/".
    folders: metadata of folders (Docusaurus' _category_). as_folders: mkdocs' use_directory_urls."""

    tool: SiteGenerator
    base: str
    root: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    nav: tuple[NavEntry, ...] = ()
    as_folders: bool = True
    folders: Mapping[str, Mapping[str, Any]] | None = None


def site_of(files: Sequence[File]) -> SiteConfig:
    """The configuration found in the site's files. textbook.yml (title, authors, site, base_url) overrides all others."""
    own, mkdocs, docusaurus = (
        nearest(files, name) for name in (r"textbook\.ya?ml", r"mkdocs\.ya?ml", r"docusaurus\.config\.\w+")
    )
    given, settings = facts_in(own), facts_in(mkdocs)
    tool = tool_of(front_matter_text(given, "site"), mkdocs is not None)
    base = front_matter_text(given, "base_url") or urlsplit(front_matter_text(settings, "site_url") or "").path or BASES[tool]
    root = root_of(files, mkdocs or docusaurus or own, front_matter_text(settings, "docs_dir") or "docs")
    return SiteConfig(
        tool=tool,
        base=base.rstrip("/") + "/",
        root=root,
        title=front_matter_text(given, "title") or front_matter_text(settings, "site_name") or "",
        authors=authors_in(given),
        nav=tuple(entries_in(settings.get("nav"))) if tool is SiteGenerator.MKDOCS else (),
        as_folders=settings.get("use_directory_urls") is not False,
        folders={parent_of(file.path): facts_in(file) for file in files if is_category(file.path)},
    )


def nearest(files: Iterable[File], name: str) -> File | None:
    """The file of this name that is least deep in the folder."""
    found = (file for file in files if re.fullmatch(name, PurePosixPath(file.path).name))
    return min(found, key=lambda file: (file.path.count("/"), file.path), default=None)


def facts_in(file: File | None) -> Mapping[str, Any]:
    """The values in a YAML or JSON file; empty if there is none or it is something else."""
    try:
        return mapping_of(file.data.decode("utf-8-sig")) if file else {}
    except ValueError:
        return {}


def tool_of(given: str | None, has_mkdocs: bool) -> SiteGenerator:
    """The given tool, else the one whose files are there."""
    if given in set(SiteGenerator):
        return SiteGenerator(given)
    return SiteGenerator.MKDOCS if has_mkdocs else SiteGenerator.DOCUSAURUS


def root_of(files: Sequence[File], config: File | None, docs: str) -> str:
    """The folder of the pages: from the site's own files, else the folder that holds them."""
    if config is None:
        return holder_of(files)
    parent = parent_of(config.path)
    below = f"{parent}{docs.strip('./')}/"
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


def is_category(path: str) -> bool:
    """Whether the file has metadata of its folder: title and position."""
    return PurePosixPath(path).name.startswith("_category_.")


def authors_in(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of authors from one name or a list."""
    named = given.get("authors", given.get("author"))
    return tuple(" ".join(str(name).split()) for name in (named if isinstance(named, list) else [named]) if name)


def entries_in(nav: object, titles: tuple[str, ...] = ()) -> Iterable[NavEntry]:
    """The pages of mkdocs' nav in order. An item is a path, a title with a path, or a title with more items."""
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
    """The page's URL. path: below the site's root; facts: its front matter."""
    if path.lower().endswith(HTML):
        route = path
    else:
        route = docusaurus_route(path, facts) if site.tool is SiteGenerator.DOCUSAURUS else mkdocs_route(path, site)
    return quote(site.base + route.lstrip("/"), safe=URL_SAFE)


def docusaurus_route(path: str, facts: Mapping[str, Any]) -> str:
    """Route of a page in Docusaurus.

    Numbers before names are dropped; index, README and a page named like its folder are the folder. `slug` wins over `id`, `id`
    over the name. A route that begins with "/" is relative to the docs' base."""
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
    """Route of a page in mkdocs: a folder for each page, or a file without use_directory_urls; index and README are their
    folder."""
    plain = PurePosixPath(path).with_suffix("")
    parent = "" if str(plain.parent) == "." else f"{plain.parent}/"
    if plain.name.lower() in {"index", "readme"}:
        return parent if site.as_folders else f"{parent}index.html"
    return f"{parent}{plain.name}/" if site.as_folders else f"{parent}{plain.name}.html"


def without_number(name: str) -> str:
    """A name without its number: "01-intro" gives "intro"; dates and versions stay."""
    match = NUMBERED.fullmatch(name)
    return match["name"] if match and not DATED.match(name) else name


def number_of(name: str) -> float | None:
    """The number before a name; None if there is none."""
    match = NUMBERED.fullmatch(name)
    return float(match["number"]) if match and not DATED.match(name) else None
