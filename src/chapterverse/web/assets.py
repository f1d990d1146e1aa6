"""Style sheets and scripts. Their addresses change with their content, so that browsers can cache them for ever."""

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

MIN_PACKED = 4096  # bytes of JSON: less gains nothing
GZIP_LEVEL = 5
IMMUTABLE = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file. gzipped: its data, compressed."""

    type: str
    data: bytes
    gzipped: bytes


@cache
def assets() -> dict[str, Asset]:
    """All files by path, with the texts of each language that scripts name as a script; a few dozen kilobytes."""
    found = {name: file.read_bytes() for name, file in _walk(files("chapterverse.assets"), "")}
    scripts = "".join(data.decode() for name, data in found.items() if name.endswith(".js"))
    found |= {f"js/texts/{code}.js": _as_module(catalogue(code), scripts) for code in LANGUAGES}
    return {name: _asset(name, data) for name, data in found.items()}


@cache
def edition() -> str:
    """Twelve hex digits of the digest of all files: scripts import each other by relative address."""
    digest = sha256()
    for name, asset in sorted(assets().items()):
        digest.update(f"{name}\0{len(asset.data)}\0".encode() + asset.data)
    return digest.hexdigest()[:12]


def address_of(name: str) -> str:
    """The address of the file."""
    return f"/assets/{edition()}/{name}"


def offer_assets(app: Flask) -> None:
    """GET /assets/{edition}/{name}."""

    def view(edition: str, name: str) -> Response:  # noqa: ARG001  # only makes the address unique
        if (asset := assets().get(name)) is None:
            raise NotFound("no_such_asset")
        packed = request.accept_encodings["gzip"] > 0
        response = Response(asset.gzipped if packed else asset.data, content_type=asset.type)
        response.headers.update({"Cache-Control": IMMUTABLE, "Vary": "Accept-Encoding"})
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        return response

    app.add_url_rule("/assets/<edition>/<path:name>", "asset", view)


def pack_json(response: Response) -> Response:
    """The response (for Flask's after_request), compressed if it is much JSON and the caller takes gzip. No JSON of ours holds
    both a secret of the caller's and words of somebody else's, from whose length the secret could be guessed (BREACH)."""
    packable = response.mimetype == "application/json" and not response.is_streamed and not response.get_etag()[0]
    if not packable or len(response.get_data()) < MIN_PACKED:
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] > 0 and "Content-Encoding" not in response.headers:
        response.set_data(gzip.compress(response.get_data(), GZIP_LEVEL))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _walk(folder: Traversable, before: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for each in folder.iterdir():
        name = f"{before}{each.name}"
        found += _walk(each, f"{name}/") if each.is_dir() else [(name, each)]
    return [(name, file) for name, file in found if _ending(name) in TYPES]


def _as_module(texts: Mapping[str, str], scripts: str) -> bytes:
    named = {text: translated for text, translated in texts.items() if json.dumps(text, ensure_ascii=False) in scripts}
    return f"export default {json.dumps(named, ensure_ascii=False)};\n".encode()


def _asset(name: str, data: bytes) -> Asset:
    return Asset(TYPES[_ending(name)], data, gzip.compress(data, 9, mtime=0))


def _ending(name: str) -> str:
    return f".{name.rpartition('.')[2]}"
