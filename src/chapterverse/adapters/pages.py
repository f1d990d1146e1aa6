"""A page of a PDF as a picture, drawn behind the wall that parsing stands behind: a page can be as hostile as a whole PDF."""

import json
from collections.abc import Sequence
from dataclasses import astuple

from chapterverse.adapters.one_answer import Wall, answer_of
from chapterverse.errors import BadBook, TooLarge
from chapterverse.model import Box

CHILD = "chapterverse.adapters.page_child"
WALL = Wall(seconds=20.0, megabytes=1536)  # for one page


def draw_in_child(pdf: bytes, page_index: int, lit: Sequence[Box], scale: float) -> bytes:
    """The port PageDrawer within WALL; page_child.py says how the two speak."""
    wanted = {"page_index": page_index, "lit": [astuple(box) for box in lit], "scale": scale}
    with answer_of(CHILD, wanted, pdf, WALL) as answer:
        match json.loads(answer.readline() or b"null"):
            case {"png": size} if len(png := answer.read(size)) == size:
                return png
            case {"refused": message}:
                raise TooLarge(message)
    raise BadBook("cannot_draw", "This page cannot be drawn. Open the PDF in a PDF reader and print it to a new PDF.")
