"""The inner side of pages: run as a module, it confines itself and draws one page.

In, on standard input: one line of JSON {"page_index", "lit", "scale", "seconds", "megabytes", "parent"}, then the PDF. Out, on
standard output: one line of JSON, {"png": n} and the picture as n bytes, or {"refused": message} for a picture too large."""

import json
import sys
from collections.abc import Sequence
from typing import IO, Any

from chapterverse.adapters.parser_child import confine, die_with, take_standard_output
from chapterverse.errors import TooLarge
from chapterverse.model import Box

MOST_PIXELS = 16_000_000  # A4 at 4 pixels a point has 8 million
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
    """Write the picture, or why there is none."""
    try:
        png = draw_page(pdf, request["page_index"], [Box(*box) for box in request["lit"]], request["scale"])
    except TooLarge as error:
        out.write(json.dumps({"refused": str(error)}).encode() + b"\n")
    else:
        out.write(json.dumps({"png": len(png)}).encode() + b"\n" + png)
    out.flush()


def draw_page(pdf: bytes, page_index: int, lit: Sequence[Box], scale: float) -> bytes:
    """The port PageDrawer, in this process. Raises TooLarge."""
    import pymupdf  # after `confine`

    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        page = document[page_index]
        refuse_too_many_pixels(page.rect.width * page.rect.height * scale * scale)
        picture = page.get_pixmap(matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False)
    return bytes(with_light(picture, lit, scale).tobytes("png"))


def refuse_too_many_pixels(pixels: float) -> None:
    """Raises TooLarge."""
    if pixels > MOST_PIXELS:
        raise TooLarge(f"The picture would have {pixels:,.0f} pixels, the limit is {MOST_PIXELS:,}. Ask for a smaller scale.")


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
