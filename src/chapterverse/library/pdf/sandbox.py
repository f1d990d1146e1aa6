"""Parse and draw PDFs in a sandbox: a PDF that hangs, crashes or uses too much memory ends a child process and gives BadBook.

The child is a new interpreter, because a fork would copy locks of threads in any state. worker.py and drawing.py describe the
messages. The child ends with this process, with the caller's exception and with Ctrl-C."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, astuple, replace
from functools import partial
from tempfile import TemporaryFile
from typing import IO, Any

from chapterverse.core.book import Book, BookId, Limits
from chapterverse.core.errors import BadBook, RecognitionElsewhere, TooLarge
from chapterverse.infrastructure.sandbox import (
    SandboxLimits,
    SpareWorkers,
    WorkerError,
    answer_of,
    killed_after,
    request_file,
    tail,
    was_killed_by,
    worker,
)
from chapterverse.library.artefacts import BOOK
from chapterverse.library.html.files import is_epub
from chapterverse.library.pdf.worker import SECONDS_PER_PICTURE
from chapterverse.library.services import BoxedPage, Drawing, PageDrawer
from chapterverse.library.uploads import BUDGETS, damaged, kind_of, refuse_too_large, too_much_memory, too_slow
from chapterverse.messages import from_json

log = logging.getLogger(__name__)
Progress = Callable[[int, int], None]
PARSER = (sys.executable, "-P", "-m", "chapterverse.library.pdf.worker")  # -P: no module from the current folder
OUT_OF_MEMORY = (
    *(b"MemoryError", b"bad_alloc", b"alloc (", b"failed to map segment", b"Cannot allocate memory"),
    b"memory allocation of",  # says Rust
)
NOT_INSTALLED = (b"ImportError", b"ModuleNotFoundError")


def parse_in_sandbox(pdf: bytes, book: BookId, limits: Limits, progress: Progress | None = None) -> Book:
    """The book that read_source gives, from a child process within limits.seconds and limits.megabytes.

    It has SECONDS_PER_PICTURE more for each page read by text recognition, at most limits.recognition_seconds. progress(pages
    done, pages in all) is called in this process. Raises BadBook: the child's own, or too_many_bytes, too_many_words, too_slow,
    too_much_memory, damaged (it crashed); RecognitionElsewhere if recognition_seconds is 0 and a page needs it."""
    return BOOK.validate_json(answer_of_parser(pdf, book, limits, progress))


def as_pdf_in_sandbox(data: bytes, limits: Limits) -> bytes:
    """An e-book as a PDF; anything else as it is. Raises BadBook: epub.pdf_of's own, or as parse_in_sandbox does."""
    return answer_of_parser(data, None, limits) if is_epub(data) else data


def answer_of_parser(data: bytes, book: BookId | None, limits: Limits, progress: Progress | None = None) -> bytes:
    """What worker.py answers: the book as JSON, or without an id the e-book as a PDF. Raises BadBook."""
    refuse_too_large(len(data), limits)
    limits = BUDGETS[kind_of(data)].within(len(data), limits)
    seconds = limits.seconds
    with (
        request_file({"book": book, "limits": asdict(limits)}, data) as request,
        TemporaryFile() as noise,
        worker(request, noise, PARSER) as process,
    ):
        with killed_after(limits.seconds, process) as deadline:

            def recognizing(pictures: int) -> None:
                nonlocal seconds
                more = seconds_for(pictures, limits)
                deadline.extend(more)
                seconds += more

            answer = read_answer(process, progress, recognizing)
            process.wait()
        if answer is None:
            spent = seconds if deadline.passed else min(seconds, limits.cpu_seconds + seconds - limits.seconds)
            raise what_ended(process.returncode, tail(noise), too_slow(data, spent), deadline.passed)
    return answer


def seconds_for(pictures: int, limits: Limits) -> float:
    """The time for reading so many pages by text recognition; the child's word counts up to the limit of pages.

    Raises RecognitionElsewhere if they are not read in this process."""
    if not limits.recognition_seconds:
        raise RecognitionElsewhere("recognition_elsewhere", pages=pictures)
    return min(SECONDS_PER_PICTURE * min(pictures, limits.pages), limits.recognition_seconds)


def read_answer(
    process: subprocess.Popen[bytes], progress: Progress | None, recognizing: Callable[[int], None]
) -> bytes | None:
    """The bytes of the book; None if the child ended before it had sent all of them. Raises its BadBook.

    recognizing: called with the number of pages that the child is about to read by text recognition."""
    assert process.stdout is not None  # noqa: S101  # a pipe was asked for
    for line in process.stdout:
        if not line.endswith(b"\n"):
            return None
        match json.loads(line):
            case {"progress": [done, total]}:
                if progress:
                    progress(done, total)
            case {"recognizing": pictures}:
                recognizing(pictures)
            case {"refused": [reason, message]}:
                raise BadBook(reason, from_json(message))
            case {"answer": size}:
                data = process.stdout.read(size)
                return data if len(data) == size else None
    return None


def what_ended(exit_code: int, output: bytes, slow: BadBook, too_late: bool) -> BadBook | WorkerError:
    """The error for a child without an answer: BadBook, or WorkerError if the parser could not be loaded.

    slow: the refusal if its time was up. A traceback in the parser counts as damage: no sound PDF is known to cause one."""
    cause = WorkerError(f"The parser ended with exit code {exit_code}. {output.decode(errors='replace')}")
    if too_late or was_killed_by(exit_code, "SIGXCPU"):
        refusal = slow
    elif any(sign in output for sign in OUT_OF_MEMORY) or was_killed_by(
        exit_code, "SIGKILL"
    ):  # the kernel kills for memory only
        refusal = too_much_memory()
    elif any(sign in output for sign in NOT_INSTALLED):
        return cause
    else:
        refusal = damaged("pdf_not_readable")
    log.warning("a PDF was refused because its parser ended", exc_info=cause)
    refusal.__cause__ = cause
    return refusal


DRAWER = "chapterverse.library.pdf.drawing"
PAGE_LIMITS = SandboxLimits(seconds=20.0, megabytes=1536)  # for one page
SECONDS_PER_FURTHER_PAGE = 2.0  # drawing is faster than the child's start
AT_HAND = 2  # a sentence may be on two pages, and a browser asks for both at once
Ask = Callable[[Mapping[str, Any], bytes, SandboxLimits], AbstractContextManager[IO[bytes]]]
ANEW: Ask = partial(answer_of, DRAWER)


def draw_at_once() -> PageDrawer:
    """draw_in_sandbox with AT_HAND children started in advance, for pages that a person waits for; each takes about 60 MB."""
    return partial(draw_in_sandbox, ask=SpareWorkers(DRAWER, AT_HAND).answer_of)


def draw_in_sandbox(pdf: bytes, pages: Sequence[BoxedPage], scale: float, *, ask: Ask = ANEW) -> list[Drawing]:
    """Draw pages in a child process within PAGE_LIMITS, as PageDrawer says; drawing.py describes the messages.

    A page that ends the child is answered with BadBook; another child draws the pages after it."""
    drawings: list[Drawing] = []
    while len(drawings) < len(pages):
        left = pages[len(drawings) :]
        some = list(_draw_some(pdf, left, scale, ask))
        drawings += some
        if len(some) < len(left):
            drawings.append(_cannot_draw())
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
                    yield TooLarge(from_json(message))
                case _:
                    return


def highlight_in_sandbox(pdf: bytes, pages: Sequence[BoxedPage], *, ask: Ask = ANEW) -> bytes:
    """The PDF with highlights, from a child process, as PdfHighlighter says."""
    limits = replace(PAGE_LIMITS, seconds=PAGE_LIMITS.seconds + SECONDS_PER_FURTHER_PAGE * len(pages))
    wanted = {"highlights": [[index, [astuple(box) for box in boxes]] for index, boxes in pages]}
    with ask(wanted, pdf, limits) as answer:
        match json.loads(answer.readline() or b"null"):
            case {"pdf": size} if len(data := answer.read(size)) == size:
                return data
    raise _cannot_draw()


def _cannot_draw() -> BadBook:
    return BadBook("cannot_draw", "page_not_drawable")
