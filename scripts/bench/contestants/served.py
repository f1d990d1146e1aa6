"""A contestant is a process of its own: a line of JSON in, the work done and timed, a line of JSON out.

Standard library only: it runs in our environment and in that of the peers. What is loaded once (imports, weights) is loaded
before the first request and is not timed."""

import json
import os
import re
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

Request = dict[str, Any]
Work = Callable[[Request], dict[str, Any]]
"""Does what is asked and says of it what is wanted beside the times, e.g. {"sentences": 1363}."""

SENTENCE = re.compile(r"[^.!?]*[.!?]+[\"'”’)\]]*\s*|[^.!?]+$")  # quick and rough: the same for all who have no splitter of ours


def rough_sentences(text: str) -> list[str]:
    """Pieces of a page's text that end in a stop."""
    return [piece.strip() for piece in SENTENCE.findall(text.replace("\n", " ")) if piece.strip()]


def serve(work: Work) -> None:
    """Answer requests until there is no more; what libraries print goes to standard error."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    print(json.dumps({"ready": True}), file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(timed(work, json.loads(line))), file=out, flush=True)


def timed(work: Work, request: Request) -> dict[str, Any]:
    """Wall and CPU seconds, those of its own children included, and MiB at the most so far."""
    cpu, began = cpu_seconds(), time.perf_counter()
    said = work(request)
    wall = time.perf_counter() - began
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"wall": wall, "cpu": cpu_seconds() - cpu, "mib": most, **said}


def cpu_seconds() -> float:
    """Of this process and of those children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)
