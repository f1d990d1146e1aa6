"""Mutated PDFs, e-books and folders against the reader: `python -m scripts.attack_files --seconds 120`, as often as wanted.

Each mutant has a number, which is its seed; a run goes on where the one before ended (--state), so that the tries add up. A
breach is an error that is no refusal, more than 1 GB of memory, or a text accepted of which most words are not the original's.
A reader's process that crashes is contained by the sandbox, and counted by itself."""

import argparse
import json
import resource
import sys
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic

from chapterverse.core.book import Book, BookId
from chapterverse.core.errors import BadBook, TooLarge
from chapterverse.library.pdf.sandbox import as_pdf_in_sandbox, parse_in_sandbox
from chapterverse.library.uploads import DEFAULT_LIMITS
from tests.support.epubs import epub
from tests.support.pdfs import a_pdf
from tests.support.sites import folder

MEMORY_KIB = 2**20
OWN_WORDS = 0.5  # share of the accepted text's words that have to be the original's
MIN_WORDS = 40  # of an accepted text that is judged
TEXT = Path("samples/essay.md").read_text("utf-8").replace("#", "").split("\n\n")
WORDS = {word.strip(".,;:!?“”\"'()").lower() for part in TEXT for word in part.split()} | {"page", "chapter", "ships", "tides"}


def originals() -> dict[str, bytes]:
    """A sound file of each kind, with the same words."""
    parts = [" ".join(part.split()) for part in TEXT if len(part.split()) > MIN_WORDS]
    return {
        "pdf": a_pdf(*parts),
        "epub": epub([(f"Chapter {n}", f"<p>{part}</p>") for n, part in enumerate(parts)]),
        "zip": folder({f"page{n}.md": f"# Page {n}\n\n{part}" for n, part in enumerate(parts)}),
    }


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


def outcome(data: bytes) -> str:
    """What the reader says of a file: the code of a refusal, "accepted", or a breach in capitals."""
    try:
        book: Book = parse_in_sandbox(as_pdf_in_sandbox(data, DEFAULT_LIMITS), BookId("mutant"), DEFAULT_LIMITS)
    except BadBook as refused:
        return refused.code
    except TooLarge:
        return "too_large"
    except Exception as error:
        return f"BREACH {type(error).__name__}"
    words = [word.strip(".,;:!?“”\"'()").lower() for one in book.sentences for word in one.text.split()]
    own = sum(word in WORDS for word in words)
    return "BREACH garbage" if len(words) >= MIN_WORDS and own < OWN_WORDS * len(words) else "accepted"


def main() -> int:
    """Print tries and breaches; 1 if there are any."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=120.0)
    options.add_argument("--state", type=Path, default=Path("build/attack-files.json"))
    given = options.parse_args()
    known = json.loads(given.state.read_text("utf-8")) if given.state.exists() else {"tries": 0, "outcomes": {}}
    tries, outcomes, kinds = int(known["tries"]), Counter[str](known["outcomes"]), list(originals().items())
    until = monotonic() + given.seconds
    while monotonic() < until:
        kind, data = kinds[tries % len(kinds)]
        came = outcome(mutant(data, tries))
        tries += 1
        outcomes[f"{kind}: {came}"] += 1
        if came.startswith("BREACH"):
            print(f"mutant {tries - 1} of a {kind}: {came}", flush=True)
    if (peak := resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) > MEMORY_KIB:
        outcomes["BREACH memory"] += 1
    given.state.parent.mkdir(parents=True, exist_ok=True)
    given.state.write_text(json.dumps({"tries": tries, "outcomes": outcomes}), "utf-8")
    breaches = sum(count for came, count in outcomes.items() if "BREACH" in came)
    print(f"{dict(sorted(outcomes.items()))}, largest process {peak // 1024} MiB")
    print(f"tries={tries} breaches={breaches}")
    return int(breaches > 0)


if __name__ == "__main__":
    sys.exit(main())
