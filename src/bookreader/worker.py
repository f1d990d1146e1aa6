"""The child process that reading.py starts: run as a module, it confines itself and turns one file into one book.

Standard input: one line of JSON {"book", "limits", "parent"}, then the file. Standard output: lines of JSON, any number of
{"progress": [done, total]}, {"recognizing": pages} before text recognition, which the parent may not want here,
then {"refused": [reason, message]}, or {"answer": n} and n bytes: the book as JSON. Where "book" is null, the file is an
e-book, and the answer its PDF. Output of MuPDF and other libraries, and unexpected tracebacks, go to standard error."""

import atexit
import ctypes
import gc
import json
import math
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Limits, with_short_names
from bookreader.errors import BadFile
from bookreader.messages import to_json

if TYPE_CHECKING:
    from bookreader.pdf.parse import ScanReader

PR_SET_PDEATHSIG = 1  # linux/prctl.h
SECONDS_A_STEP = 1.0  # of the processor, by which this process becomes nicer by one
SECONDS_PER_PICTURE = 30.0  # of text recognition; a page takes 2 to 8 on a free core


def main() -> None:
    """Answer one request; anything but an answer is a crash to the parent."""
    gc.disable()  # a page has about ten thousand objects without cycles; searching for cycles took a third of the time
    out = take_standard_output()
    request = json.loads(sys.stdin.buffer.readline())
    die_with(request["parent"])
    limits = request["limits"]
    confine(limits["cpu_seconds"], limits["megabytes"])
    give_way(limits["niceness"])
    answer(sys.stdin.buffer.read(), request, out)


def take_standard_output() -> IO[bytes]:
    """Reserve standard output for the answer; what libraries print goes to standard error. And let the program end quickly."""
    atexit.register(gc.freeze)  # else the interpreter searches all that is left for cycles: a third of a second
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return out


def die_with(parent: int) -> None:
    """End this process when the parent ends: on Linux at once, elsewhere at its next report of progress, which fails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides what becomes of us
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.name == "posix" and os.getppid() != parent:  # it died before we asked
        os._exit(1)


def confine(seconds: float, megabytes: int) -> None:
    """Limit CPU seconds and MiB of address space, before anything large is imported."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")  # each thread's stack would count as address space
    allow(seconds, megabytes, more=False)


def allow(seconds: float, megabytes: int, *, more: bool = True) -> None:
    """Set these limits; more: raise those of `confine` by so much. The clock of the parent holds all the same.

    macOS does not enforce RLIMIT_AS and Windows has neither: there only the parent's clock stops a bad PDF."""
    if sys.platform == "win32":
        return
    import resource

    limits = {resource.RLIMIT_CPU: math.ceil(seconds), resource.RLIMIT_AS: megabytes * 2**20, resource.RLIMIT_CORE: 0}
    for which, value in limits.items():
        soft, hard = resource.getrlimit(which)
        wanted = value + soft if more else value
        resource.setrlimit(which, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def give_way(niceness: int) -> None:
    """Leave the cores to processes that people wait for, the more the longer this one takes: seconds to minutes."""
    if sys.platform == "win32":
        return
    os.nice(niceness)
    signal.signal(signal.SIGPROF, lambda *_: os.nice(1))
    signal.siginterrupt(signal.SIGPROF, False)
    signal.setitimer(signal.ITIMER_PROF, SECONDS_A_STEP, SECONDS_A_STEP)  # of the processor


def read_source(
    data: bytes,
    book: BookId,
    limits: Limits = DEFAULT_LIMITS,
    progress: Callable[[int, int], None] | None = None,
    scans: "ScanReader | None" = None,
) -> Book:
    """Parse a PDF, a zip of a folder of Markdown and HTML pages, or a list of questions and answers (JSON, CSV), in this
    process. No PDF library is imported for the others.

    progress(done, total) counts pages. scans: reads the pages of a PDF that are pictures of text. Raises BadFile: see
    parse_book, parse_folder, read_entries."""
    from bookreader.source import kind_of, refuse_too_large, version_of

    refuse_too_large(len(data), limits)
    match kind_of(data):
        case "folder":
            from bookreader.html.site import parse_folder

            found = parse_folder(data, book, limits, progress)
        case "entries":
            from bookreader.text.entries import book_of_entries, read_entries

            found = book_of_entries(read_entries(data), book, version_of(data))
        case _:
            from bookreader.pdf.parse import parse_book

            found = parse_book(data, book, limits, progress, scans)
    return with_short_names(found)


def answer(pdf: bytes, request: dict[str, Any], out: IO[bytes]) -> None:
    """Write the progress, then the refusal or the whole book."""
    from bookreader.ocr import installed_recognizer
    from bookreader.records import BOOK
    from bookreader.scans.recognition import read_scans

    def say(line: dict[str, Any]) -> None:
        out.write(json.dumps(line).encode() + b"\n")
        out.flush()

    def progress(done: int, total: int) -> None:
        say({"progress": [done, total]})

    def recognizing(pages: int) -> None:
        allow(SECONDS_PER_PICTURE * pages, recognizer.megabytes if recognizer else 0)
        say({"recognizing": pages})

    limits = Limits(**request["limits"])
    elsewhere = not limits.recognition_seconds
    recognizer = None if elsewhere else installed_recognizer()
    reads = recognizer is not None or elsewhere
    scans = partial(read_scans, recognizer=recognizer, begin=recognizing, progress=progress) if reads else None
    try:
        if request["book"] is None:
            from bookreader.html.epub import pdf_of

            data = pdf_of(pdf, limits)
        else:
            data = BOOK.dump_json(read_source(pdf, request["book"], limits, progress, scans))
    except BadFile as refusal:
        say({"refused": [refusal.reason, to_json(refusal.message)]})
    else:
        say({"answer": len(data)})
        out.write(data)
        out.flush()


if __name__ == "__main__":
    main()
