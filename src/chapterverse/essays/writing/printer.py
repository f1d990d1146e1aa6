"""HTML as a PDF, laid out by MuPDF behind the wall that parsing stands behind: what it shows was written by others."""

import json

from chapterverse.core.errors import TooLarge
from chapterverse.infrastructure.sandbox import SandboxLimits, answer_of

CHILD = "chapterverse.essays.writing.print_worker"

LIMITS = SandboxLimits(seconds=40.0, megabytes=1536)  # 20,000 words as 2,800 paragraphs took 15 s on a busy machine


def print_in_child(html: str, paper: str = "a4") -> bytes:
    """The port Printer within LIMITS; print_worker.py says how the two speak. paper: "a4" or "letter"."""
    with answer_of(CHILD, {"paper": paper}, html.encode(), LIMITS) as answer:
        match json.loads(answer.readline() or b"null"):
            case {"pdf": size} if len(pdf := answer.read(size)) == size:
                return pdf
    raise TooLarge("pdf_export_too_large", seconds=LIMITS.seconds, megabytes=LIMITS.megabytes)
