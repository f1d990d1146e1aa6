"""Limits with the numbers of the settings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chapterverse.composition.collections import BOOKS

if TYPE_CHECKING:
    from chapterverse.model import Collection, Limits
    from chapterverse.settings import Settings
    from chapterverse.web.parts import Figures


def limits(s: Settings, collection: Collection | None = None) -> Limits:
    """What one school may store in that collection and one PDF may cost."""
    from chapterverse.ingestion.limits import MAX_SOURCES, USUAL

    return replace(USUAL, books=s.max_books if collection in {None, BOOKS} else MAX_SOURCES)


def figures(s: Settings) -> Figures:
    """The limits of the HTTP interface."""
    from chapterverse.web.parts import Figures

    return Figures(
        requests_per_minute=s.requests_per_minute,
        open_requests=s.max_open_requests,
        segments_per_minute=s.segments_per_minute,
    )
