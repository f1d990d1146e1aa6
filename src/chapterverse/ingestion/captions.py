"""Captions: short runs that name a figure or table, set apart from the text; taken out of the flow so that it reads on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from chapterverse.ingestion.flow import FlowLine
from chapterverse.ingestion.headings import ENDS, Body, body_of, continues, stands_alone
from chapterverse.ingestion.marks import Style

NAMED = re.compile(
    r"^(?:fig(?:ure|\.)?|table|plate|map|illustration|chart|diagram|exhibit|photo(?:graph)?|box|listing|algorithm)\s+"
    r"(?:\d+(?:[.\-–]\d+)*|[IVXLC]+|[A-Z])(?P<end>[.:—–)]|\s|$)",
    re.IGNORECASE,
)
MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class Captioned:
    """The flow without captions, and the captions."""

    flow: tuple[FlowLine, ...]
    captions: tuple[tuple[FlowLine, ...], ...]


def part_captions(flow: Sequence[FlowLine]) -> Captioned:
    """Where a caption stands within a sentence, the line after it has no line above it any more, as at the top of a page."""
    kept: list[FlowLine] = []
    captions: list[tuple[FlowLine, ...]] = []
    body = body_of(flow) if flow else None
    i = 0
    while i < len(flow):
        end = caption_end(flow, i, body) if body else i
        if end > i:
            captions.append(tuple(flow[i:end]))
        else:
            after = bool(captions) and captions[-1][-1] is flow[i - 1]
            kept.append(replace(flow[i], above=None) if after and is_cut(kept) else flow[i])
        i = max(end, i + 1)
    return Captioned(tuple(kept), tuple(captions))


def is_cut(kept: Sequence[FlowLine]) -> bool:
    """Whether the text before a caption breaks off within a sentence."""
    return bool(kept) and kept[-1].text[-1:] not in ENDS


def caption_end(flow: Sequence[FlowLine], start: int, body: Body) -> int:
    """End of the caption that begins at `start`; `start` itself if none does."""
    found = NAMED.match(flow[start].text)
    if not found:
        return start
    end = start + 1
    while end < len(flow) and end - start < MOST_LINES and continues(flow[end - 1], flow[end]):
        end += 1
    unlike = differs(flow[start].line.style, body.style) or flow[start].is_centred
    return end if stands_alone(flow, start, end, body) and (unlike or found["end"] in ".:—–") else start


def differs(style: Style, body: Style) -> bool:
    """Whether a run is set in other type than the text."""
    return abs(style.size - body.size) > 0.03 * body.size or style.italic != body.italic or style.font != body.font
