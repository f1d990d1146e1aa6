"""The inner side of pages: run as a module, it confines itself and draws pages of one PDF.

In, on standard input: one line of JSON {"pages": [[index, boxes], …], "scale", "seconds", "megabytes", "parent"}, then the PDF.
Out, on standard output, for each page one line of JSON, {"png": n} and the picture as n bytes, or {"refused": message} for a
picture too large; nothing from the first page on that cannot be drawn."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

from chapterverse.adapters.parser_child import confine, die_with, take_standard_output
from chapterverse.errors import TooLarge
from chapterverse.model import Box

if TYPE_CHECKING:  # it would take as long to import as a page takes to draw
    from chapterverse.usecases.services import Drawing, LitIndex

MOST_PIXELS = 16_000_000  # A4 at 4 pixels a point has 8 million
TOO_MANY = "The picture would have {pixels:,.0f} pixels, the limit is {most:,}. Ask for a smaller scale."
LIGHT = (255, 238, 120)  # a marker's yellow; what is printed is seen through it
MARGIN = 1.0  # points around each box


def main() -> None:
    """Answer one request; anything but an answer is a page that cannot be drawn."""
    out = take_standard_output()
    request = json.loads(sys.stdin.buffer.readline())
    die_with(request["parent"])
    confine(request["seconds"], request["megabytes"])
    answer(request, sys.stdin.buffer.read(), out)


def answer(request: dict[str, Any], pdf: bytes, out: IO[bytes]) -> None:
    """Write each picture as soon as it is drawn, or why there is none."""
    pages = [(index, [Box(*box) for box in lit]) for index, lit in request["pages"]]
    for drawn in pictures(pdf, pages, request["scale"]):
        told, png = ({"png": len(drawn)}, drawn) if isinstance(drawn, bytes) else ({"refused": str(drawn)}, b"")
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
                yield TooLarge(TOO_MANY.format(pixels=pixels, most=MOST_PIXELS))
                continue
            picture = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False)
            yield bytes(with_light(picture, lit, scale).tobytes("png"))


def with_light(picture: Any, boxes: Sequence[Box], scale: float) -> Any:
    """The picture with the boxes under the marker: each colour is dimmed to the marker's share of it."""
    import numpy as np
    import pymupdf

    pixels = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width, 3).copy()
    under = np.zeros(pixels.shape[:2], bool)
    for box in boxes:
        left, top = (max(0, int((edge - MARGIN) * scale)) for edge in (box.x0, box.y0))
        right, bottom = (max(0, int((edge + MARGIN) * scale)) for edge in (box.x1, box.y1))
        under[top:bottom, left:right] = True  # once, where two boxes overlap
    pixels[under] = pixels[under].astype(np.uint16) * np.array(LIGHT, np.uint16) // 255
    return pymupdf.Pixmap(pymupdf.csRGB, picture.width, picture.height, pixels.tobytes(), False)


if __name__ == "__main__":
    main()
