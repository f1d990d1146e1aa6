"""Print the sentences of a book as JSON lines: python -m bookreader FILE [--report]."""

import argparse
import json
import sys
from pathlib import Path

from bookreader import read
from bookreader.errors import ReaderError
from bookreader.records import BOOK, SENTENCE


def main() -> int:
    """Returns the exit code: 0, or 2 for a file that cannot be read."""
    parser = argparse.ArgumentParser(prog="bookreader", description="Print every sentence of a book with its address.")
    parser.add_argument("file", type=Path, help="PDF, EPUB, HTML, Markdown, a zip or a folder of pages")
    parser.add_argument("--report", action="store_true", help="print the report on the whole book instead, as JSON")
    asked = parser.parse_args()
    try:
        book = read(asked.file)
    except (ReaderError, OSError) as error:
        print(f"bookreader: {error}", file=sys.stderr)  # noqa: T201
        return 2
    if asked.report:
        whole = BOOK.dump_python(book, mode="json", exclude={"sentences", "chapters"})
        print(json.dumps(whole, ensure_ascii=False, indent=1))  # noqa: T201
    else:
        for sentence in book.sentences:
            print(SENTENCE.dump_json(sentence).decode())  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
