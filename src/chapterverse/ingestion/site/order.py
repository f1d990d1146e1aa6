"""Pages in the order in which a reader is led through them, each in its module."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import PurePosixPath
from posixpath import normpath

from chapterverse.ingestion.site.front_matter import number_in, text_in
from chapterverse.ingestion.site.pages import Page, title_of_name
from chapterverse.ingestion.site.routes import number_of
from chapterverse.ingestion.site.sites import NavEntry, Site, Tool, parent_of

BETWEEN = " > "
Owners = Mapping[str, Page]
"""By folder, the page that is the folder's own."""
Rank = tuple[int, int, float, int, tuple[tuple[int, int | str], ...]]


@dataclass(frozen=True, slots=True)
class Placed:
    """A page; module: the titles of the folders or sections it is in, joined by " > ", None in none; title: its own."""

    page: Page
    module: str | None
    title: str


def in_order(pages: Iterable[Page], site: Site) -> list[Placed]:
    """By mkdocs' nav where there is one, pages that it leaves out behind it; else as the tool orders folders."""
    found = {page.path: page for page in pages}
    owners = {parent_of(path).rstrip("/"): page for path, page in found.items() if opens_folder(path)}
    nav = {normpath(entry.path): entry for entry in site.nav}
    led = [placed_by_nav(found[path], entry) for path, entry in nav.items() if path in found]
    rest = sorted((page for page in found.values() if page.path not in nav), key=lambda page: rank_of(page, owners, site))
    return [*led, *(Placed(page, module_of(page, owners, site), page.title) for page in rest)]


def placed_by_nav(page: Page, entry: NavEntry) -> Placed:
    """As nav calls it and what it is in."""
    return Placed(page, BETWEEN.join(entry.titles) or None, entry.title or page.title)


def rank_of(page: Page, owners: Owners, site: Site) -> tuple[Rank, ...]:
    """One rank for each folder on the way to the page, and one for itself."""
    *folders, name = PurePosixPath(page.path).parts
    paths = ["/".join(folders[: depth + 1]) for depth in range(len(folders))]
    position = page.position if page.position is not None else number_of(PurePosixPath(name).stem)
    last = (int(not opens_folder(page.path)), 0, ranked(position), 0, natural(name))
    return (*(rank_of_folder(path, owners, site) for path in paths), last)


def rank_of_folder(path: str, owners: Owners, site: Site) -> Rank:
    """A folder among what stands beside it: mkdocs puts folders behind pages, Docusaurus by their position."""
    own = owners.get(path)
    told = number_in((site.folders or {}).get(f"{site.root}{path}/", {}), "position")
    positions = (told, own.position if own else None, number_of(PurePosixPath(path).name))
    position = next((each for each in positions if each is not None), None)
    return (1, int(site.tool is Tool.MKDOCS), ranked(position), 1, natural(PurePosixPath(path).name))


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


def module_of(page: Page, owners: Owners, site: Site) -> str | None:
    """The titles of its folders: as they say of themselves, else as their own page is called, else as they are named."""
    folders: Sequence[str] = PurePosixPath(page.path).parts[:-1]
    paths = ["/".join(folders[: depth + 1]) for depth in range(len(folders))]
    return BETWEEN.join(title_of_folder(path, owners, site) for path in paths) or None


def title_of_folder(path: str, owners: Owners, site: Site) -> str:
    """What the folder is called."""
    told = text_in((site.folders or {}).get(f"{site.root}{path}/", {}), "label")
    own = owners.get(path)
    return told or (own.title if own else "") or title_of_name(PurePosixPath(path).name)
