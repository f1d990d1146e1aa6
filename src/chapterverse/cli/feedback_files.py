"""Feedback into a file, in the form that its name asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from chapterverse import composition
from chapterverse.cli.session import settings
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.usecases.lit_pages import LitPages
    from chapterverse.usecases.services import Services
    from chapterverse.usecases.write_feedback import Feedback

Form = Callable[["Feedback", "Services"], bytes]


def form_of(path: Path) -> Form:
    """What makes the file's content. Raises BadRequest for an ending that stands for none."""
    try:
        return FORMS[path.suffix.lower()]
    except KeyError:
        raise BadRequest("cli_output_form", path=path, endings=", ".join(FORMS)) from None


def write(path: Path, content: bytes) -> None:
    """In the place of what is there. Raises BadRequest where nothing can be written."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise BadRequest("cli_output_not_writable", path=path, reason=error.strerror) from error


def _html(given: Feedback, services: Services) -> bytes:
    from chapterverse.usecases.feedback_html import feedback_html

    return feedback_html(given, _pages(given, services)).encode()


def _pdf(given: Feedback, services: Services) -> bytes:
    from chapterverse.usecases.feedback_html import feedback_pdf

    return feedback_pdf(given, _pages(given, services), composition.printer(settings()))


def _markdown(given: Feedback, _: Services) -> bytes:
    from chapterverse.usecases.feedback_markdown import feedback_markdown

    return feedback_markdown(given).encode("utf-8", "replace")


def _json(given: Feedback, _: Services) -> bytes:
    from chapterverse.usecases.feedback_json import feedback_json

    return json.dumps(feedback_json(given), ensure_ascii=False, indent=2, default=str).encode("utf-8", "replace")


def _pages(given: Feedback, services: Services) -> LitPages:
    from chapterverse.usecases.lit_pages import lit_pages

    return lit_pages(given.evidence.evidence, settings().school, services, composition.drawer())


FORMS: dict[str, Form] = {".html": _html, ".pdf": _pdf, ".md": _markdown, ".json": _json}
