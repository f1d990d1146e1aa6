"""Which part of a page is highlighted as a browser renders it: the picture with the highlight compared with the one without."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pymupdf

INK = 40  # of 255: what is darker is as dark under the marker
HALF = 0.5 * (1 - 120 / 255)  # of a pixel's blue: where a picture is shown smaller, the edge of the highlight is blended


@dataclass(frozen=True, slots=True)
class Overlap:
    """Shares of areas. covered: the share of the gold area that is highlighted; inside: the share of the highlight that is
    gold; whole: intersection over union. along: the same as `whole` along each line, as goldbooks/score.py has it: a line's
    height is a matter of taste."""

    covered: float
    inside: float
    whole: float
    along: float


def overlap(highlighted: bytes, plain: bytes, gold: Sequence[dict[str, Any]], width: float) -> Overlap:
    """highlighted, plain: PNG of the same page; gold: its boxes in points; width: of the page, in points."""
    highlighted_pixels, without = _pixels(highlighted), _pixels(plain)
    paper = without[:, :, 2] > INK
    changed = (without[:, :, 2] - highlighted_pixels[:, :, 2] > HALF * without[:, :, 2]) & paper
    scale = without.shape[1] / width
    meant = np.zeros(paper.shape, bool)
    for box in gold:
        meant[_rows(box, scale), _columns(box, scale)] = True
    both = (changed & meant).sum()
    whole = both / max(1, ((changed | meant) & paper).sum())
    return Overlap(both / max(1, (meant & paper).sum()), both / max(1, changed.sum()), whole, _along(changed, gold, scale))


def _along(changed: Any, gold: Sequence[dict[str, Any]], scale: float) -> float:
    """Mean over the lines of the boxes: intersection over union of the highlighted and the gold length."""
    shares = []
    for line in _lines(gold):
        middle = slice(
            round((line["y0"] * 0.6 + line["y1"] * 0.4) * scale), round((line["y0"] * 0.4 + line["y1"] * 0.6) * scale)
        )
        near = slice(max(0, round((line["x0"] - 12) * scale)), round((line["x1"] + 12) * scale))
        highlighted = changed[middle, near].any(axis=0)
        meant = np.zeros(highlighted.shape, bool)
        start = round(line["x0"] * scale) - near.start
        meant[start : start + round((line["x1"] - line["x0"]) * scale)] = True
        reach = np.zeros(highlighted.shape, bool)
        if highlighted.any():
            reach[highlighted.argmax() : len(highlighted) - highlighted[::-1].argmax()] = (
                True  # letters are holes in the highlight
            )
        shares.append((reach & meant).sum() / max(1, (reach | meant).sum()))
    return float(np.mean(shares)) if shares else 0.0


def _lines(boxes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pieces of one line together."""
    lines: list[dict[str, Any]] = []
    for box in sorted(boxes, key=lambda box: (round(box["y0"]), box["x0"])):
        last = lines[-1] if lines else None
        if last and abs(last["y0"] + last["y1"] - box["y0"] - box["y1"]) < 6 and box["x0"] - last["x1"] < 25:
            last["x1"] = max(last["x1"], box["x1"])
        else:
            lines.append(dict(box))
    return lines


def _rows(box: dict[str, Any], scale: float) -> slice:
    return slice(round(box["y0"] * scale), round(box["y1"] * scale))


def _columns(box: dict[str, Any], scale: float) -> slice:
    return slice(round(box["x0"] * scale), round(box["x1"] * scale))


def _pixels(png: bytes) -> Any:
    picture = pymupdf.Pixmap(png)
    pixels = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.width, picture.n)
    return pixels[:, :, :3].astype(np.int16)
