"""Where links and pictures of a page lead, seen from the folder that it is in."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from posixpath import join, normpath
from urllib.parse import unquote, urlsplit

from chapterverse.ingestion.site.typeset import OWN_PICTURE

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
