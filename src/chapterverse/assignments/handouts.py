"""The feedback of a whole class in one archive: a file per student to print or to give out, and the table of the class."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from zipfile import ZIP_DEFLATED, ZipFile

from chapterverse.assignments.glance import csv_of_roster
from chapterverse.assignments.overview import Roster
from chapterverse.assignments.service import AssignmentContext
from chapterverse.core.errors import NotFound, TooLarge
from chapterverse.essays.history import find_feedback, visible_feedback, with_earlier
from chapterverse.essays.model import Feedback
from chapterverse.essays.render import NO_PAGES, feedback_html, feedback_pdf
from chapterverse.infrastructure.storage.files import ZipParts
from chapterverse.library.services import Printer

MAX_NAME = 80  # characters of a student's name in the name of a file
TABLE = "students.csv"


def class_archive(school: str, roster: Roster, context: AssignmentContext, printer: Printer, language: str) -> Iterator[bytes]:
    """Yield a zip in parts, each as soon as it is written: the feedback on every essay as a PDF, as a web page where that is
    too large to print, without pictures of the books' pages; and the table. language: as feedback_html."""
    parts = ZipParts()
    with ZipFile(parts, "w", ZIP_DEFLATED) as archive:
        archive.writestr(TABLE, csv_of_roster(roster))
        yield parts.take()
        for number, each in enumerate(roster.students, start=1):
            if each.feedback is None:
                continue
            with suppress(NotFound):  # deleted meanwhile, or written by another version of chapterverse
                visible = visible_feedback(find_feedback(school, each.feedback, context.history))
                feedback = replace(with_earlier(visible, school, context.history, for_student=True), written_by=each.name)
                ending, content = _printed(feedback, printer, language)
                archive.writestr(f"{number:02} {_file_name(each.name)}.{ending}", content)
                yield parts.take()
    yield parts.take()


def _printed(feedback: Feedback, printer: Printer, language: str) -> tuple[str, str | bytes]:
    """The ending and the content of a student's file."""
    try:
        return "pdf", feedback_pdf(feedback, NO_PAGES, printer, language)
    except TooLarge:
        return "html", feedback_html(feedback, language=language)


def _file_name(name: str) -> str:
    """The name without signs that file systems give a meaning."""
    return re.sub(r"[^\w ()'-]+", "_", name).strip(" _")[:MAX_NAME] or "_"
