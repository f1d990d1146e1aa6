"""A folder of Markdown and HTML pages on this machine → the one zip file that it travels in."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chapterverse.cli.files import GivenPdf, name_of, pdfs_at, read_pdf
from chapterverse.errors import BadRequest, NotFound

if TYPE_CHECKING:
    from chapterverse.ingestion.site.files import File
    from chapterverse.model import Limits

OWN = "textbook.yml"
"""Where a folder says how its site is made; what is told on the command line goes into it."""


def sources_at(given: str, limits: Limits, told: dict[str, str]) -> list[GivenPdf]:
    """A folder of pages, or else of PDFs; one page, a zip of a folder, or PDFs as pdfs_at finds them. told: what goes before
    the folder's own word of its site.

    Raises BadRequest, NotFound, BucketUnavailable."""
    from chapterverse.ingestion.site.files import PAGE_ENDINGS

    folder = Path(given)
    if folder.is_dir() and not told and not any(path.name.lower().endswith(PAGE_ENDINGS) for path in paths_in(folder)):
        return pdfs_in(folder, limits)
    if folder.is_dir():
        return [GivenPdf(f"{name_of(folder.resolve())}.zip", partial(packed, folder, limits, told))]
    if given.lower().endswith(PAGE_ENDINGS) and not told:
        return [GivenPdf(f"{name_of(folder.with_suffix(''))}.zip", partial(packed_page, folder, limits))]
    if told:
        raise BadRequest("cli_site_needs_folder")
    return pdfs_at(given, limits)


def pdfs_in(folder: Path, limits: Limits) -> list[GivenPdf]:
    """The PDFs that lie in a folder without pages; where there are none either, a source that says so when it is read, as one
    that is not there does."""
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".pdf" and path.is_file())
    given = [given for path in found for given in pdfs_at(str(path), limits)]
    return given or [GivenPdf(name_of(folder.resolve()), partial(refuse_empty, folder))]


def refuse_empty(folder: Path) -> bytes:
    """Raises NotFound."""
    raise NotFound("cli_folder_without_pages", folder=folder)


def packed(folder: Path, limits: Limits, told: dict[str, str]) -> bytes:
    """All pages of the folder, and its pictures. Raises BadBook: too_many_bytes."""
    from chapterverse.ingestion.site.files import File, pack

    files = {file.path: file for file in files_in(folder, limits)}
    pictures = list(pictures_in(folder, limits.bytes - sum(len(file.data) for file in files.values())))
    if told:
        own = files.get(OWN)
        files[OWN] = File(OWN, json.dumps({**facts_of(own), **told}).encode())
    return pack([*files.values(), *pictures])


def packed_page(page: Path, limits: Limits) -> bytes:
    """A page by itself, as a folder of one. Raises BadBook, BadRequest."""
    from chapterverse.ingestion.site.files import File, pack

    return pack([File(name_of(page), read_pdf(page, limits))])


def facts_of(own: File | None) -> dict[str, Any]:
    """What the folder says itself; JSON is YAML, too, so it can be written back so."""
    from chapterverse.ingestion.site.sites import facts_in

    return dict(facts_in(own))


def files_in(folder: Path, limits: Limits) -> Iterator[File]:
    """What makes the book, by path. Raises BadBook before more is read than a book may have; BadRequest for what cannot be."""
    from chapterverse.ingestion.refusals import refuse_too_large

    total = 0
    for path in paths_in(folder):
        total += path.stat().st_size
        refuse_too_large(total, limits)
        yield file_at(path, folder)


def pictures_in(folder: Path, room: int) -> Iterator[File]:
    """What pages may show, as far as there is room (bytes): a book is its text, so it is not refused for its pictures."""
    from chapterverse.ingestion.site.leading import is_picture
    from chapterverse.usecases.reading import MOST_PICTURE

    for path in paths_in(folder, is_picture):
        if (size := path.stat().st_size) <= min(room, MOST_PICTURE):
            room -= size
            yield file_at(path, folder)


def file_at(path: Path, folder: Path) -> File:
    """Raises BadRequest."""
    from chapterverse.ingestion.site.files import File

    try:
        return File(path.relative_to(folder).as_posix(), path.read_bytes())
    except OSError as error:
        raise BadRequest("cli_folder_unreadable", path=path, reason=error.strerror) from error


def paths_in(folder: Path, kind: Callable[[str], bool] | None = None) -> Iterator[Path]:
    """Files of a kind, by default pages and how the site is made; folders that are not wanted are not even looked into, nor is
    what links lead to."""
    from chapterverse.ingestion.site.files import is_wanted

    for root, folders, names in os.walk(folder):
        here = Path(root)
        folders[:] = sorted(name for name in folders if is_wanted(f"{name}/page.md"))
        yield from (here / name for name in sorted(names) if (kind or is_wanted)(name) and not (here / name).is_symlink())
