"""A picture under a marker as PNG. A page of print is grey, so that some dozens of colours tell it: a third of the bytes, in a
third of the time."""

import struct
import zlib
from typing import Any

GREYS = 32  # more are not told apart at the edge of a letter
SIGNATURE, PALETTE = b"\x89PNG\r\n\x1a\n", 3  # PNG, third edition, 5.2 and 11.2.1
LEVEL = 6  # zlib's own choice: 9 takes five times as long for 3 % less


def marked_png(pixels: Any, under: Any, light: tuple[int, int, int]) -> bytes:
    """pixels: (height, width, 3) uint8; under: (height, width) bool, where the marker was: there each colour is dimmed to
    the marker's share of it."""
    if (pixels == pixels[:, :, :1]).all():
        return _of_greys(pixels[:, :, 0], under, light)
    return _of_colours(pixels, under, light)


def _of_greys(grey: Any, under: Any, light: tuple[int, int, int]) -> bytes:
    import numpy as np

    height, width = grey.shape
    rows = np.zeros((height, width + 1), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = (grey.astype(np.uint16) * (GREYS - 1) + 127) // 255 + GREYS * under
    levels = [round(255 * level / (GREYS - 1)) for level in range(GREYS)]
    colours = [(level,) * 3 for level in levels] + [tuple(level * share // 255 for share in light) for level in levels]
    head = struct.pack(">IIBBBBB", width, height, 8, PALETTE, 0, 0, 0)
    parts = {b"IHDR": head, b"PLTE": bytes(sum(colours, ())), b"IDAT": zlib.compress(rows.tobytes(), LEVEL), b"IEND": b""}
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in parts.items())


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _of_colours(pixels: Any, under: Any, light: tuple[int, int, int]) -> bytes:
    import numpy as np
    import pymupdf

    lit = pixels.copy()
    lit[under] = lit[under].astype(np.uint16) * np.array(light, np.uint16) // 255
    height, width, _ = lit.shape
    return bytes(pymupdf.Pixmap(pymupdf.csRGB, width, height, lit.tobytes(), False).tobytes("png"))
