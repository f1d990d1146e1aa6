"""Whether a lecture on another book is silent: the sample book attached, and each typeset book of SHARED read aloud beside it.

    CHAPTERVERSE_HOME=build/lecture python -m scripts.eval.lecture_others [SHARED] [--windows 90]

Nine minutes of each book, three sentences a window, without punctuation and capitals, as captions are; and the sample's own
lecture. Prints the share of windows without a citation, with and without the test whether the book is spoken of at all."""

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import numpy as np

from chapterverse import composition
from chapterverse.composition import lecture_context
from chapterverse.lectures.citing import cite_windows
from chapterverse.lectures.context import LectureContext
from chapterverse.lectures.following import PositionFilter
from chapterverse.lectures.model import Attached, LectureSession, Window
from chapterverse.lectures.transcripts import read_transcript
from chapterverse.lectures.windows import all_windows
from chapterverse.library.intake import add_book
from chapterverse.settings import read_settings
from scripts.eval.lecture_set import OFF_TOPIC
from scripts.eval.shared import shared_folder

SCHOOL, AT_ONCE, SENTENCES, SECONDS = "others", 30, 3, 6.0
SAMPLES = Path(__file__).parents[2] / "samples"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, help="the shared folder")
    parser.add_argument("--windows", type=int, default=90)
    args = parser.parse_args()
    shared = shared_folder(args.shared, OFF_TOPIC).parents[1]
    context = lecture_context(read_settings())
    services, limits = context.services, composition.limits(read_settings(), context.services.collection)
    added = add_book((SAMPLES / "on-liberty.pdf").read_bytes(), "on-liberty.pdf", SCHOOL, services, limits)
    attached = Attached(added.book.id)
    lectures = dict(read_aloud(shared, args.windows))
    lectures["its own lecture"] = own_lecture()
    print(f"{'':28} windows  silent: window by window, with the whole lecture")
    shares = []
    for name, windows in lectures.items():
        both = [silent(windows, attached, replace(context, reorder=PositionFilter(min_about=about))) for about in (0.0, 0.6)]
        shares += [both] if name not in ("its own lecture", "on-liberty") else []
        print(f"{name:28} {len(windows):7} {both[0]:.3f} {both[1]:.3f}", flush=True)
    print(f"{'all other books':28} {'':7} {np.mean(shares, axis=0).round(3)}, least {np.min(shares, axis=0).round(3)}")


def read_aloud(shared: Path, number: int) -> Iterator[tuple[str, list[Window]]]:
    """The middle of each typeset book."""
    for file in sorted((shared / OFF_TOPIC).glob("*.gold.jsonl.gz")):
        texts = [json.loads(line)["text"] for line in gzip.decompress(file.read_bytes()).splitlines()]
        begin = max(0, len(texts) // 2 - number * SENTENCES // 2)
        parts = [" ".join(texts[at : at + SENTENCES]) for at in range(begin, begin + number * SENTENCES, SENTENCES)]
        spoken = [" ".join(re.findall(r"\w+", part.lower())) for part in parts]
        name = file.name.partition(".")[0]
        yield name, [Window(at, at * SECONDS, (at + 1) * SECONDS, text) for at, text in enumerate(spoken) if text]


def own_lecture() -> list[Window]:
    """The windows of the sample's captions."""
    return all_windows(read_transcript((SAMPLES / "lecture-on-liberty.vtt").read_bytes()))


def silent(windows: list[Window], attached: Attached, context: LectureContext) -> float:
    """Share of the windows without a citation, in one session."""
    session = LectureSession(uuid4(), SCHOOL, datetime.now(UTC), (attached,))
    context.store.begin(session)
    cited = 0
    for at in range(0, len(windows), AT_ONCE):
        for result in cite_windows(session, windows[at : at + AT_ONCE], context):
            if result.failed:
                sys.exit(f"{result.failed} was away")
            cited += bool(result.citations)
    return 1 - cited / len(windows)


if __name__ == "__main__":
    main()
