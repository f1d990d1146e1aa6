"""Mutated PDFs, e-books and folders against the reader: `python -m scripts.attack_files --seconds 120`, as often as wanted.

Each mutant has a number, which is its seed; a run goes on where the one before ended: its mutants are new. Half are
changed inside: in a stream of the PDF or a member of the zip, which is packed again, so that the change is reached. A
breach is an error that is no refusal, more than 1 GB of memory, or a text accepted of which most words are not the original's.

Each is read in a process of its own with the sandbox's limits, a fork of this one, which has loaded the libraries. One that
crashes is contained, and counted by itself."""

import argparse
import io
import json
import logging
import os
import sys
import traceback
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from signal import SIGKILL
from tempfile import TemporaryFile
from threading import Timer
from time import monotonic
from typing import Any, NoReturn

import pymupdf

from bookreader import worker
from bookreader.book import DEFAULT_LIMITS, Book, BookId
from bookreader.errors import BadFile, RecognitionNeeded
from bookreader.html.files import is_epub
from bookreader.reading import read_answer, what_ended
from bookreader.records import BOOK
from bookreader.sandbox import tail
from bookreader.source import BUDGETS, kind_of, too_slow
from chapterverse.core.errors import TooLarge
from tests.support.epubs import epub
from tests.support.pdfs import a_pdf
from tests.support.sites import folder

MEMORY_KIB = 2**20
TRIES, STATE = 10_000, Path("build/attack-files.json")
OWN_WORDS = 0.5  # share of the accepted text's words that have to be the original's
MIN_WORDS = 40  # of an accepted text that is judged
TEXT = Path("samples/essay.md").read_text("utf-8").replace("#", "").split("\n\n")
WORDS = {word.strip(".,;:!?“”\"'()").lower() for part in TEXT for word in part.split()} | {"page", "chapter", "ships", "tides"}


@cache
def originals() -> dict[str, bytes]:
    """A sound file of each kind, with the same words."""
    parts = [" ".join(part.split()) for part in TEXT if len(part.split()) > MIN_WORDS]
    return {
        "pdf": a_pdf(*parts),
        "epub": epub([(f"Chapter {n}", f"<p>{part}</p>") for n, part in enumerate(parts)]),
        "zip": folder({f"page{n}.md": f"# Page {n}\n\n{part}" for n, part in enumerate(parts)}),
        "pdf with its own font": _with_font(parts),
        "zip of HTML": folder({f"page{n}.html": f"<h1>Page {n}</h1><p>{part}</p>" for n, part in enumerate(parts)}),
    }


def _with_font(parts: list[str]) -> bytes:
    """A PDF whose letters are numbers of glyphs, with a table that says which letters they are."""
    pdf = pymupdf.open()
    for part in parts:
        page = pdf.new_page()
        page.insert_font(fontname="own", fontbuffer=pymupdf.Font("tiro").buffer)
        page.insert_textbox(pymupdf.Rect(72, 72, 540, 770), part, fontname="own")
    data: bytes = pdf.tobytes(deflate=True)
    return data


def mutated_inside(data: bytes, seed: int) -> bytes:
    """The file with a change in one stream or member, so that it opens; changed bytewise if it has none."""
    chance = Random(seed)
    if not data.startswith(b"PK"):
        return _in_stream(data, chance, seed)
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        chosen = chance.choice([each for each in old.namelist() if each != "mimetype"])
        for each in old.infolist():
            content = old.read(each)
            new.writestr(zipfile.ZipInfo(each.filename), mutant(content, seed) if each.filename == chosen else content)
    return packed.getvalue()


def _in_stream(data: bytes, chance: Random, seed: int) -> bytes:
    with pymupdf.open("pdf", data) as pdf:
        chosen = chance.choice([each for each in range(1, pdf.xref_length()) if pdf.xref_is_stream(each)])
        with suppress(RuntimeError, ValueError, zlib.error):
            pdf.update_stream(chosen, mutant(pdf.xref_stream(chosen), seed))
        changed: bytes = pdf.tobytes(deflate=True)
    return changed


def mutant(data: bytes, seed: int) -> bytes:
    """The file with one to eight changes: bytes turned, cut, doubled, swapped, invented, numbers made huge, its end lost."""
    chance, made = Random(seed), bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        at = chance.randrange(max(len(made), 1))
        size = chance.choice((1, 2, 16, 256, len(made) // 8))
        match chance.randrange(7):
            case 0:
                made[at : at + size] = bytes(each ^ (1 << chance.randrange(8)) for each in made[at : at + size])
            case 1:
                del made[at : at + size]
            case 2:
                made[at:at] = made[at : at + size] * chance.choice((1, 2, 50))
            case 3:
                made[at : at + size] = chance.randbytes(size)
            case 4:
                digit = next((n for n in range(at, len(made)) if chr(made[n]).isdigit()), at)
                made[digit : digit + 1] = chance.choice((b"-1", b"0", b"99999999999", b"2147483647"))
            case 5:
                other = chance.randrange(max(len(made), 1))
                made[at : at + size], made[other : other + size] = made[other : other + size], made[at : at + size]
            case _:
                del made[at:]
    return bytes(made)


def read(data: bytes, book: str | None, seen: Counter[str]) -> bytes:
    """What worker.py answers about the file, from a fork within the limits. seen: its crashes and most memory are noted there.
    Raises BadFile, RecognitionNeeded."""
    limits = BUDGETS[kind_of(data)].within(len(data), replace(DEFAULT_LIMITS, recognition_seconds=0))
    ours, theirs = os.pipe()
    with TemporaryFile() as noise:
        if not (child := os.fork()):
            os.close(ours)
            _answer(data, {"book": book, "limits": asdict(limits)}, theirs, noise.fileno())
        os.close(theirs)
        clock = Timer(limits.seconds, os.kill, (child, SIGKILL))
        clock.start()
        try:
            with os.fdopen(ours, "rb") as out:
                answer = read_answer(out, None, _recognition)
        finally:
            is_late = not clock.is_alive()
            clock.cancel()
            with suppress(ProcessLookupError):
                os.kill(child, SIGKILL) if sys.exc_info()[0] else None
            _, status, usage = os.wait4(child, 0)
            seen["KiB"] = max(seen["KiB"], usage.ru_maxrss)
        if answer is None:
            code = os.waitstatus_to_exitcode(status)
            seen["crashed"] += code < 0 and not is_late
            slow = too_slow(data, limits.cpu_seconds)
            raise slow if is_late else what_ended(code, tail(noise), slow)
    return answer


def _recognition(pages: int) -> NoReturn:
    raise RecognitionNeeded("recognition_elsewhere", pages=pages)


def _answer(data: bytes, request: Mapping[str, Any], out: int, noise: int) -> NoReturn:
    """Do in this process what worker.py does, and end it."""
    code = 1
    try:
        os.dup2(noise, 2)
        limits = request["limits"]
        worker.confine(min(limits["seconds"], limits["cpu_seconds"]), limits["megabytes"])
        worker.answer(data, dict(request), os.fdopen(out, "wb"))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def outcome(data: bytes, seen: Counter[str]) -> str:
    """What the reader says of a file: the code of a refusal, "accepted", or a breach in capitals."""
    try:
        pdf = read(data, None, seen) if is_epub(data) else data
        book: Book = BOOK.validate_json(read(pdf, BookId("mutant"), seen))
    except BadFile as refused:
        return refused.reason
    except TooLarge:
        return "too_large"
    except RecognitionNeeded:
        return "to be recognized"
    except Exception as error:
        return f"BREACH {type(error).__name__}"
    words = [word.strip(".,;:!?“”\"'()").lower() for one in book.sentences for word in one.text.split()]
    own = sum(word in WORDS for word in words)
    return "BREACH garbage" if len(words) >= MIN_WORDS and own < OWN_WORDS * len(words) else "accepted"


def tried(number: int) -> tuple[int, str, str, Counter[str]]:
    """Number and kind of a mutant, what the reader says of it, and what was seen."""
    seen, kinds, ways = Counter[str](), list(originals().items()), (mutant, mutated_inside)
    (kind, data), way = kinds[number % len(kinds)], ways[number // len(kinds) % len(ways)]
    return number, kind, outcome(way(data, number), seen), seen


def prepare() -> None:
    """Load the libraries, of which the forks have a copy."""
    logging.disable()
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    for sound in originals().values():
        worker.answer(sound, {"book": "sound", "limits": asdict(DEFAULT_LIMITS)}, io.BytesIO())


def main() -> int:
    """Print tries and breaches; 1 if there are any."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=120.0)
    until = monotonic() + options.parse_args().seconds
    first = json.loads(STATE.read_text("utf-8"))["tries"] if STATE.exists() else 0
    outcomes, most, crashed, last = Counter[str](), 0, 0, first - 1
    STATE.parent.mkdir(parents=True, exist_ok=True)
    prepare()
    with get_context("fork").Pool() as pool:
        for last, kind, came, seen in pool.imap(tried, range(first, first + TRIES)):
            outcomes[f"{kind}: {came}"] += 1
            most, crashed = max(most, seen["KiB"]), crashed + seen["crashed"]
            if came.startswith("BREACH"):
                print(f"mutant {last} of a {kind}: {came}", flush=True)
            STATE.write_text(json.dumps({"tries": last + 1}), "utf-8")
            if monotonic() > until:
                break
    breaches = sum(count for came, count in outcomes.items() if "BREACH" in came) + (most > MEMORY_KIB)
    print(f"{dict(sorted(outcomes.items()))}, mutants {first} to {last}, largest process {most // 1024} MiB, {crashed} crashed")
    print(f"tries={last + 1 - first} breaches={breaches}")
    return int(breaches > 0)


if __name__ == "__main__":
    sys.exit(main())
