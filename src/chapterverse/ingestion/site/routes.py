"""From a page's file to its address and its place among the others, by the rules of the tool that makes the site."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any
from urllib.parse import quote

from chapterverse.ingestion.site.front_matter import text_in
from chapterverse.ingestion.site.sites import Site, Tool

NUMBERED = re.compile(r"(?P<number>\d+)\s*[-_.]+\s*(?P<name>[^-_.\s].*)")
DATED = re.compile(r"\d+[-_.]\d+")  # "7.0-foo" and "2021-11-foo" are versions and dates (docusaurus issues 4640, 4653)
HTML = (".html", ".htm")
URL_SAFE = "/-_.~!$&'()*+,;=:@"  # RFC 3986, 3.3


def url_of(path: str, facts: Mapping[str, Any], site: Site) -> str:
    """The page's address. path: below the site's root; facts: its front matter."""
    if path.lower().endswith(HTML):
        route = path
    else:
        route = docusaurus_route(path, facts) if site.tool is Tool.DOCUSAURUS else mkdocs_route(path, site)
    return quote(site.base + route.lstrip("/"), safe=URL_SAFE)


def docusaurus_route(path: str, facts: Mapping[str, Any]) -> str:
    """Numbers before names go; a folder's index or README, or a page called like it, is the folder; `slug` goes before `id`,
    `id` before the name. An address from "/" on is one from the docs' base on."""
    *folders, name = (without_number(part) for part in PurePosixPath(path).with_suffix("").parts)
    folder = "/".join(folders)
    slug = text_in(facts, "slug")
    if slug is None and is_index(name, folders):
        return f"{folder}/"
    last = slug or text_in(facts, "id") or name
    joined = last if last.startswith("/") else f"/{folder}/{last}"
    return normpath(joined).replace("//", "/") + ("/" if joined.endswith("/") and joined != "/" else "")


def is_index(name: str, folders: list[str]) -> bool:
    """Whether Docusaurus takes the page for its folder's own."""
    return name.lower() in {"index", "readme", *(folder.lower() for folder in folders[-1:])}


def mkdocs_route(path: str, site: Site) -> str:
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
