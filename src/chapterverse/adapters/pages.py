"""A page of a PDF as a picture, drawn behind the wall that parsing stands behind: a page can be as hostile as a whole PDF."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import astuple
from tempfile import TemporaryFile
from typing import IO

from chapterverse.adapters.guarded_parser import child, killed_after
from chapterverse.errors import BadBook, TooLarge
from chapterverse.model import Box

CHILD = (sys.executable, "-P", "-m", "chapterverse.adapters.page_child")
SECONDS = 20.0  # wall clock, for one page
MEGABYTES = 1536  # MiB of address space


def draw_in_child(pdf: bytes, page_index: int, lit: Sequence[Box], scale: float) -> bytes:
    """The port PageDrawer within SECONDS and MEGABYTES; page_child.py says how the two speak."""
    with (
        _request(pdf, page_index, lit, scale) as request,
        TemporaryFile() as noise,
        child(request, noise, CHILD) as process,
        killed_after(SECONDS, process),
    ):
        assert process.stdout is not None  # noqa: S101  # a pipe was asked for
        return _picture_in(process.stdout)


def _request(pdf: bytes, page_index: int, lit: Sequence[Box], scale: float) -> IO[bytes]:
    """What the child reads."""
    wanted = {"page_index": page_index, "lit": [astuple(box) for box in lit], "scale": scale}
    head = wanted | {"seconds": SECONDS, "megabytes": MEGABYTES, "parent": os.getpid()}
    file = TemporaryFile()  # noqa: SIM115  # the caller closes it
    file.write(json.dumps(head).encode() + b"\n")
    file.write(pdf)
    file.seek(0)
    return file


def _picture_in(answer: IO[bytes]) -> bytes:
    match json.loads(answer.readline() or b"null"):
        case {"png": size} if len(png := answer.read(size)) == size:
            return png
        case {"refused": message}:
            raise TooLarge(message)
    raise BadBook("cannot_draw", "This page cannot be drawn. Open the PDF in a PDF reader and print it to a new PDF.")
