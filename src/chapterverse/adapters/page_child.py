"""The inner side of pages: run as a module, it confines itself and draws pages of one PDF.

In, on standard input: one line of JSON {"pages": [[index, boxes], …], "scale", "seconds", "megabytes", "parent"}, then the PDF.
Out, on standard output, for each page one line of JSON, {"png": n} and the picture as n bytes, or {"refused": message} for a
picture too large; nothing from the first page on that cannot be drawn. Told --waits, it loads what it needs before it is asked
(spare_child.py)."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from chapterverse.adapters.line_heights import as_high_as_lines, lines_beside, lines_of
from chapterverse.adapters.marked_png import marked_png
from chapterverse.adapters.parser_child import confine, die_with, take_standard_output
from chapterverse.errors import TooLarge
from chapterverse.messages import to_json
from chapterverse.model import Box

if TYPE_CHECKING:  # it would take as long to import as a page takes to draw
    from chapterverse.usecases.services import Drawing, LitIndex

MOST_PIXELS = 16_000_000  # A4 at 4 pixels a point has 8 million
LIGHT = (255, 238, 120)  # a marker's yellow; what is printed is seen through it
BESIDE = 0.5  # points on the left and right of each box
WAITING = (20.0, 1536)  # seconds of CPU and MiB, until a request says its own


def main() -> None:
    """Answer one request; anything but an answer is a page that cannot be drawn."""
    out = take_standard_output()
    waits = len(sys.argv) > 1
    if waits:
        get_ready()
    request = json.loads(sys.stdin.buffer.readline())
    if not waits:  # else the thread that started it may end at any moment, and Linux would take that for the parent's end
        die_with(request["parent"])
    confine(request["seconds"], request["megabytes"])
    answer(request, sys.stdin.buffer.read(), out)


def get_ready() -> None:
    """Most of a page's time is this."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; without us there is nothing to read
    confine(*WAITING)
    import numpy as np  # noqa: F401
    import pymupdf  # noqa: F401


def answer(request: dict[str, Any], pdf: bytes, out: IO[bytes]) -> None:
    """Write each picture as soon as it is drawn, or why there is none."""
    pages = [(index, [Box(*box) for box in lit]) for index, lit in request["pages"]]
    for drawn in pictures(pdf, pages, request["scale"]):
        told, png = ({"png": len(drawn)}, drawn) if isinstance(drawn, bytes) else ({"refused": to_json(drawn.message)}, b"")
        out.write(json.dumps(told).encode() + b"\n" + png)
        out.flush()


def draw_here(pdf: bytes, pages: Sequence[LitIndex], scale: float) -> list[Drawing]:
    """The port PageDrawer, in this process, for PDFs that are trusted: what cannot be drawn raises MuPDF's own errors."""
    return list(pictures(pdf, pages, scale))


def pictures(pdf: bytes, pages: Iterable[LitIndex], scale: float) -> Iterator[bytes | TooLarge]:
    """One a page; the PDF is opened once."""
    import pymupdf  # after `confine`

    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        for index, lit in pages:
            page = document[index]
            pixels = page.rect.width * page.rect.height * scale * scale
            if pixels > MOST_PIXELS:
                yield TooLarge("picture_too_large", pixels=round(pixels), max_pixels=MOST_PIXELS)
                continue
            yield drawn(page, lit, scale)


def drawn(page: Any, lit: Sequence[Box], scale: float) -> bytes:
    """PNG of the page, the boxes under the marker."""
    import numpy as np
    import pymupdf

    picture = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False)
    pixels = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width, 3)
    under = np.zeros(pixels.shape[:2], bool)
    for box in at_lines(page, lit):
        left, top, right, bottom = (max(0, round(edge * scale)) for edge in (box.x0, box.y0, box.x1, box.y1))
        under[top:bottom, left:right] = True  # once, where two boxes overlap
    return marked_png(pixels, under, LIGHT)


def at_lines(page: Any, lit: Sequence[Box]) -> list[Box]:
    """The boxes as a marker is drawn over them."""
    high = as_high_as_lines(lit, lines_of(page), partial(lines_beside, page)) if lit else []
    return [Box(box.x0 - BESIDE, box.y0, box.x1 + BESIDE, box.y1) for box in high]


if __name__ == "__main__":
    main()
