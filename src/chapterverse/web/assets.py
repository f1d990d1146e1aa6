"""Style sheets and scripts. Their addresses change with their content, so that a browser may keep them for good."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from flask import Flask, Response, request

from chapterverse.core.errors import NotFound
from chapterverse.texts import LANGUAGES, catalogue

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

FOR_GOOD = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file. small: the same, compressed."""

    type: str
    data: bytes
    small: bytes


@cache
def assets() -> dict[str, Asset]:
    """All of them, by their path below the folder, and what the pages say in each language: a few dozen kilobytes."""
    found = {name: file.read_bytes() for name, file in _walk(files("chapterverse.assets"), "")}
    found |= {f"js/texts/{code}.js": _as_module(catalogue(code)) for code in LANGUAGES}
    return {name: _asset(name, data) for name, data in found.items()}


@cache
def edition() -> str:
    """Twelve hex digits that stand for the content of all of them: scripts name each other relative to their own address."""
    told = sha256()
    for name, asset in sorted(assets().items()):
        told.update(f"{name}\0{len(asset.data)}\0".encode() + asset.data)
    return told.hexdigest()[:12]


def address_of(name: str) -> str:
    """Where the file is found."""
    return f"/assets/{edition()}/{name}"


def offer_assets(app: Flask) -> None:
    """GET /assets/{edition}/{name}."""

    def view(edition: str, name: str) -> Response:  # noqa: ARG001  # it only makes the address another one
        if (asset := assets().get(name)) is None:
            raise NotFound("no_such_asset")
        packed = request.accept_encodings["gzip"] > 0
        response = Response(asset.small if packed else asset.data, content_type=asset.type)
        response.headers.update({"Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding"})
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        return response

    app.add_url_rule("/assets/<edition>/<path:name>", "asset", view)


def _walk(folder: Traversable, before: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for each in folder.iterdir():
        name = f"{before}{each.name}"
        found += _walk(each, f"{name}/") if each.is_dir() else [(name, each)]
    return [(name, file) for name, file in found if _ending(name) in TYPES]


def _as_module(texts: Mapping[str, str]) -> bytes:
    return f"export default {json.dumps(dict(texts), ensure_ascii=False)};\n".encode()


def _asset(name: str, data: bytes) -> Asset:
    return Asset(TYPES[_ending(name)], data, gzip.compress(data, 9, mtime=0))


def _ending(name: str) -> str:
    return f".{name.rpartition('.')[2]}"
