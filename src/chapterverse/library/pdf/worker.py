"""The child process that sandbox.py starts: run as a module, it confines itself and turns one file into one book.

Standard input: one line of JSON {"book", "limits", "parent"}, then the file. Standard output: lines of JSON, any number of
{"progress": [done, total]}, then {"refused": [reason, message]}, or {"book": n} and the book as n bytes of JSON. Output of
MuPDF and other libraries, and tracebacks of unexpected errors, go to standard error."""

import ctypes
import gc
import json
import math
import os
import signal
import sys
from typing import IO, Any

from chapterverse.messages import to_json

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main() -> None:
    """Answer one request; anything but an answer is a crash to the parent."""
    gc.disable()  # a page has about ten thousand objects without cycles; searching for cycles took a third of the time
    out = take_standard_output()
    request = json.loads(sys.stdin.buffer.readline())
    die_with(request["parent"])
    confine(request["limits"]["seconds"], request["limits"]["megabytes"])
    answer(sys.stdin.buffer.read(), request, out)


def take_standard_output() -> IO[bytes]:
    """Reserve standard output for the answer; what libraries print goes to standard error."""
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
    """Limit CPU seconds and MiB of address space, before anything large is imported.

    macOS does not enforce RLIMIT_AS and Windows has neither: there only the parent's clock stops a bad PDF."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")  # each thread's stack would count as address space
    if sys.platform == "win32":
        return
    import resource

    limits = {resource.RLIMIT_CPU: math.ceil(seconds), resource.RLIMIT_AS: megabytes * 2**20, resource.RLIMIT_CORE: 0}
    for which, soft in limits.items():
        _, hard = resource.getrlimit(which)
        resource.setrlimit(which, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def answer(pdf: bytes, request: dict[str, Any], out: IO[bytes]) -> None:
    """Write the progress, then the refusal or the whole book."""
    from chapterverse.core.book import Limits
    from chapterverse.core.errors import BadBook
    from chapterverse.library.artefacts import BOOK
    from chapterverse.library.source import read_source

    def say(line: dict[str, Any]) -> None:
        out.write(json.dumps(line).encode() + b"\n")
        out.flush()

    try:
        book = read_source(pdf, request["book"], Limits(**request["limits"]), lambda *pages: say({"progress": pages}))
    except BadBook as refusal:
        say({"refused": [refusal.reason, to_json(refusal.message)]})
    else:
        data = BOOK.dump_json(book)
        say({"book": len(data)})
        out.write(data)
        out.flush()


if __name__ == "__main__":
    main()
