"""How a folder's site is made: by which tool, under which address, in which order. Read from its own files."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from chapterverse.ingestion.site.files import File
from chapterverse.ingestion.site.front_matter import mapping_of, text_in


class Tool(StrEnum):
    """Whose rules make addresses and anchors of Markdown pages. HTML pages have their own, whichever it is."""

    DOCUSAURUS = "docusaurus"
    MKDOCS = "mkdocs"


BASES = {Tool.DOCUSAURUS: "/docs/", Tool.MKDOCS: "/"}
"""Where the tools put the pages of a folder unless they are told otherwise."""


@dataclass(frozen=True, slots=True)
class NavEntry:
    """A page in mkdocs' nav. titles: of the sections above it, outermost first; title: its own, if nav says one."""

    path: str
    titles: tuple[str, ...]
    title: str | None


@dataclass(frozen=True, slots=True)
class Site:
    """base: what every page's address begins with, ending in "/". root: the pages' folder, "" or ending in "/". folders: of
    folders that describe themselves, what they say (Docusaurus' _category_). as_folders: mkdocs' use_directory_urls."""

    tool: Tool
    base: str
    root: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    nav: tuple[NavEntry, ...] = ()
    as_folders: bool = True
    folders: Mapping[str, Mapping[str, Any]] | None = None


def site_of(files: Sequence[File]) -> Site:
    """The site as its files say it is made. textbook.yml (title, authors, site, base_url) goes before all else."""
    own, mkdocs, docusaurus = (
        nearest(files, name) for name in (r"textbook\.ya?ml", r"mkdocs\.ya?ml", r"docusaurus\.config\.\w+")
    )
    told, settings = facts_in(own), facts_in(mkdocs)
    tool = tool_of(text_in(told, "site"), mkdocs is not None)
    base = text_in(told, "base_url") or urlsplit(text_in(settings, "site_url") or "").path or BASES[tool]
    root = root_of(files, mkdocs or docusaurus or own, text_in(settings, "docs_dir") or "docs")
    return Site(
        tool=tool,
        base=base.rstrip("/") + "/",
        root=root,
        title=text_in(told, "title") or text_in(settings, "site_name") or "",
        authors=authors_in(told),
        nav=tuple(entries_in(settings.get("nav"))) if tool is Tool.MKDOCS else (),
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


def tool_of(told: str | None, has_mkdocs: bool) -> Tool:
    """As told, else as seen."""
    if told in set(Tool):
        return Tool(told)
    return Tool.MKDOCS if has_mkdocs else Tool.DOCUSAURUS


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
