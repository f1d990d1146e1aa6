"""Pages of a PDF as pictures, drawn behind the wall that parsing stands behind: a page can be as hostile as a whole PDF."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, replace
from functools import partial
from typing import IO, Any

from chapterverse.core.errors import BadBook, TooLarge
from chapterverse.infrastructure.sandbox import SpareChild, Wall, answer_of
from chapterverse.library.services import Drawing, HighlightedPage, PageDrawer
from chapterverse.messages import from_json

CHILD = "chapterverse.library.pages_worker"

WALL = Wall(seconds=20.0, megabytes=1536)  # for one page

MORE_SECONDS = 2.0  # for each further one: most of a page's time is the child's start

AT_HAND = 2  # a sentence may run over a page, and a browser asks for both at once

Ask = Callable[[Mapping[str, Any], bytes, Wall], AbstractContextManager[IO[bytes]]]

ANEW: Ask = partial(answer_of, CHILD)


def draw_at_once() -> PageDrawer:
    """The same with children at hand that have started already: for who waits for a page to open. Each takes some 60 MB, from
    the first page on."""
    return partial(draw_in_child, ask=SpareChild(CHILD, AT_HAND).answer_of)


def draw_in_child(pdf: bytes, pages: Sequence[HighlightedPage], scale: float, *, ask: Ask = ANEW) -> list[Drawing]:
    """The port PageDrawer within WALL; pages_worker.py says how the two speak. A page that a child dies of cannot be drawn, and
    another child draws those after it."""
    drawn: list[Drawing] = []
    while len(drawn) < len(pages):
        left = pages[len(drawn) :]
        some = list(_drawn(pdf, left, scale, ask))
        drawn += some
        if len(some) < len(left):
            drawn.append(_cannot_draw())
    return drawn


def _drawn(pdf: bytes, pages: Sequence[HighlightedPage], scale: float, ask: Ask) -> Iterator[Drawing]:
    """As many of the first ones as the child lives for."""
    wanted = {"pages": [[index, [astuple(box) for box in lit]] for index, lit in pages], "scale": scale}
    wall = replace(WALL, seconds=WALL.seconds + MORE_SECONDS * (len(pages) - 1))
    with ask(wanted, pdf, wall) as answer:
        for _ in pages:
            match json.loads(answer.readline() or b"null"):
                case {"png": size} if len(png := answer.read(size)) == size:
                    yield png
                case {"refused": message}:
                    yield TooLarge(from_json(message))
                case _:
                    return


def _cannot_draw() -> BadBook:
    return BadBook("cannot_draw", "page_not_drawable")
