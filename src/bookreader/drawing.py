"""Pages of a PDF as PNG, with sentences highlighted; run as a module, the child process that draws them in the sandbox.

The highlights of successive lines meet halfway. Pages of black print get a palette of greys: a third of the bytes in a third of
the time.

Standard input: one line of JSON {"pages": [[index, boxes], …], "scale", "seconds", "megabytes", "parent"}, then the PDF.
Standard output: for each page one line of JSON, {"png": n} and n bytes, or {"refused": message} for a picture that is too
large; nothing from the first page on that cannot be drawn. With --waits it loads its libraries before the request comes."""

from __future__ import annotations

import json
import signal
import struct
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, replace
from functools import partial
from math import inf
from typing import IO, Any

from bookreader.book import Box
from bookreader.errors import BadFile, PictureTooLarge
from bookreader.messages import from_json, to_json
from bookreader.sandbox import SandboxLimits, SpareWorkers
from bookreader.worker import confine, die_with, take_standard_output

BoxedPage = tuple[int, Sequence[Box]]
"""A page's index and the boxes to highlight, in points from its top left."""

Drawing = bytes | PictureTooLarge | BadFile
"""PNG of a page, or why there is none: too many pixels, or not drawable."""

PageDrawer = Callable[[bytes, Sequence[BoxedPage], float], list[Drawing]]
"""A PDF, pages of it, and pixels a point → a drawing of each page as displayed, in this order."""

GREYS, OF_PRINT = 32, 5  # more make no visible difference in a photograph, at the edge of a letter
SQUARE, DARK, BRIGHT = 8, 32, 250  # pixels a side; levels that are neither black nor white of OF_PRINT
SIGNATURE, PALETTE = b"\x89PNG\r\n\x1a\n", 3  # PNG, third edition, 5.2 and 11.2.1
LEVEL = 8  # 4 % less than by 6 in half as long again; 9 takes twice as long for 1 % more


def _of_greys(grey: Any, under: Any) -> bytes:
    """PNG of a grey page, (height, width) uint8. under: (height, width) bool, where colours are multiplied by LIGHT."""
    import numpy as np

    height, width = grey.shape
    greys, in_byte = (OF_PRINT, 2) if _is_print(grey) else (GREYS, 1)
    shades = np.zeros((height, width + width % in_byte), np.uint8)
    shades[:, :width] = (grey.astype(np.uint16) * (greys - 1) + 127) // 255 + greys * under
    packed = shades[:, ::2] << 4 | shades[:, 1::2] if in_byte == 2 else shades
    rows = np.insert(packed, 0, 0, axis=1)  # each begins with its filter: none
    levels = [round(255 * level / (greys - 1)) for level in range(greys)]
    colours = [(level,) * 3 for level in levels] + [tuple(level * share // 255 for share in LIGHT) for level in levels]
    head = struct.pack(">IIBBBBB", width, height, 8 // in_byte, PALETTE, 0, 0, 0)
    parts = {b"IHDR": head, b"PLTE": bytes(sum(colours, ())), b"IDAT": zlib.compress(rows.tobytes(), LEVEL), b"IEND": b""}
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in parts.items())


def _is_print(grey: Any) -> bool:
    """Whether no square is grey all over, as photographs and shaded boxes are."""
    height, width = (side // SQUARE for side in grey.shape)
    squares = grey[: height * SQUARE, : width * SQUARE].reshape(height, SQUARE, width, SQUARE)
    return not ((squares > DARK) & (squares < BRIGHT)).all((1, 3)).any()


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _of_colours(pixels: Any, under: Any) -> bytes:
    import numpy as np
    import pymupdf

    colours = pixels.copy()
    colours[under] = colours[under].astype(np.uint16) * np.array(LIGHT, np.uint16) // 255
    height, width, _ = colours.shape
    return bytes(pymupdf.Pixmap(pymupdf.csRGB, width, height, colours.tobytes(), False).tobytes("png"))


MAX_PIXELS = 16_000_000  # A4 at 4 pixels a point has 8 million
LIGHT = (255, 238, 120)  # a highlighter's yellow
SIDE_MARGIN = 0.5  # points on the left and right of each box
FAR = 1.0  # × a box's height: one that is further below is not on the next line
WAITING = (20.0, 1536)  # seconds of CPU and MiB, until a request says its own


def main() -> None:
    """Answer one request; anything but an answer means a page that cannot be drawn."""
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
    """Import the libraries, which takes most of a page's time."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; without us there is nothing to read
    confine(*WAITING)
    import numpy as np  # noqa: F401
    import pymupdf  # noqa: F401


def answer(request: dict[str, Any], pdf: bytes, out: IO[bytes]) -> None:
    """Write each picture, or why there is none, as soon as it is drawn."""
    pages = [(index, [Box(*box) for box in boxes]) for index, boxes in request["pages"]]
    for rendered in pictures(pdf, pages, request["scale"]):
        head, png = (
            ({"png": len(rendered)}, rendered) if isinstance(rendered, bytes) else ({"refused": to_json(rendered.message)}, b"")
        )
        out.write(json.dumps(head).encode() + b"\n" + png)
        out.flush()


def pictures(pdf: bytes, pages: Iterable[BoxedPage], scale: float) -> Iterator[bytes | PictureTooLarge]:
    """One picture a page; the PDF is opened once."""
    import pymupdf  # after `confine`

    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        for index, boxes in pages:
            page = document[index]
            pixels = page.rect.width * page.rect.height * scale * scale
            if pixels > MAX_PIXELS:
                yield PictureTooLarge("picture_too_large", pixels=round(pixels), max_pixels=MAX_PIXELS)
                continue
            yield rendered(page, boxes, scale)


def rendered(page: Any, boxes: Sequence[Box], scale: float) -> bytes:
    """PNG of the page with the boxes highlighted."""
    import numpy as np
    import pymupdf

    picture = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False)
    pixels = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width, 3)
    under = np.zeros(pixels.shape[:2], bool)
    for box in meeting(boxes):
        left, top, right, bottom = (max(0, round(edge * scale)) for edge in (box.x0, box.y0, box.x1, box.y1))
        under[top:bottom, left:right] = True  # once, where two boxes overlap
    is_grey = (pixels == pixels[:, :, :1]).all()
    return _of_greys(pixels[:, :, 0].copy(), under) if is_grey else _of_colours(pixels, under)


def meeting(boxes: Sequence[Box]) -> Iterator[Box]:
    """The boxes in the size in which they are highlighted: those of successive lines meet halfway."""
    for box in boxes:
        far = FAR * (box.y1 - box.y0)
        level = [other for other in boxes if other.x0 < box.x1 and box.x0 < other.x1]
        above = max((other.y1 for other in level if other.y0 < box.y0 and other.y1 < box.y1), default=-inf)
        below = min((other.y0 for other in level if other.y0 > box.y0 and other.y1 > box.y1), default=inf)
        top = (above + box.y0) / 2 if box.y0 - above < far else box.y0
        bottom = (box.y1 + below) / 2 if below - box.y1 < far else box.y1
        yield Box(box.x0 - SIDE_MARGIN, top, box.x1 + SIDE_MARGIN, bottom)


DRAWER = "bookreader.drawing"
PAGE_LIMITS = SandboxLimits(seconds=20.0, megabytes=1536)  # for one page
SECONDS_PER_FURTHER_PAGE = 2.0  # drawing is faster than the child's start
AT_HAND = 2  # a sentence may be on two pages, and a browser asks for both at once
Ask = Callable[[Mapping[str, Any], bytes, SandboxLimits], AbstractContextManager[IO[bytes]]]
ANEW: Ask = SpareWorkers(DRAWER, at_hand=0).answer_of


def draw_at_once() -> PageDrawer:
    """draw_in_sandbox with AT_HAND children started in advance, for pages that a person waits for; each takes about 60 MB."""
    return partial(draw_in_sandbox, ask=SpareWorkers(DRAWER, AT_HAND).answer_of)


def draw_in_sandbox(pdf: bytes, pages: Sequence[BoxedPage], scale: float, *, ask: Ask = ANEW) -> list[Drawing]:
    """Draw pages in a child process within PAGE_LIMITS, as PageDrawer says; drawing.py describes the messages.

    A page that ends the child is answered with BadFile; another child draws the pages after it."""
    drawings: list[Drawing] = []
    while left := pages[len(drawings) :]:
        drawings += _draw_some(pdf, left, scale, ask)
        if len(drawings) < len(pages):
            drawings.append(BadFile("cannot_draw", "page_not_drawable"))
    return drawings


def _draw_some(pdf: bytes, pages: Sequence[BoxedPage], scale: float, ask: Ask) -> Iterator[Drawing]:
    """Pictures of the first pages, until the child ends."""
    wanted = {"pages": [[index, [astuple(box) for box in boxes]] for index, boxes in pages], "scale": scale}
    limits = replace(PAGE_LIMITS, seconds=PAGE_LIMITS.seconds + SECONDS_PER_FURTHER_PAGE * (len(pages) - 1))
    with ask(wanted, pdf, limits) as answer:
        for _ in pages:
            match json.loads(answer.readline() or b"null"):
                case {"png": size} if len(png := answer.read(size)) == size:
                    yield png
                case {"refused": message}:
                    yield PictureTooLarge(from_json(message))
                case _:
                    return


if __name__ == "__main__":
    main()
