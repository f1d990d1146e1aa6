"""The bytes of a transcript to segments. What form they have, the content says; a file's name is not asked."""

import codecs

from chapterverse.errors import BadRequest
from chapterverse.lecture.transcripts.captions import are_captions, read_captions
from chapterverse.lecture.transcripts.objects import are_objects, read_objects
from chapterverse.lecture.transcripts.plain import read_plain
from chapterverse.messages import message
from chapterverse.model import Segment

BOMS = {  # the longer ones first: UTF-32's begins with UTF-16's
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
FORMS = message("transcript_forms")


def read_transcript(data: bytes) -> list[Segment]:
    """Captions by time; JSON in the order of its lines, which is that of their arrival. Raises BadRequest: with the number of
    the line that cannot be read, or where nobody says anything."""
    lines = decoded(data).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    segments = _segments(lines)
    if not any(segment.text for segment in segments):
        raise BadRequest("transcript_empty", forms=FORMS)
    return segments


def _segments(lines: list[str]) -> list[Segment]:
    if are_captions(lines):
        return read_captions(lines)
    return read_objects(lines) if are_objects(lines) else read_plain(lines)


def decoded(data: bytes) -> str:
    """Unicode, by its mark or without; else Windows's Latin letters. Raises BadRequest for what is no text."""
    text = _text(data)
    if "\0" in text or text.startswith("%PDF-"):
        raise BadRequest("transcript_not_text", forms=FORMS)
    return text


def _text(data: bytes) -> str:
    encoding = next((name for mark, name in BOMS.items() if data.startswith(mark)), None) or _unmarked(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding.startswith("utf-8"):
            return data.decode("cp1252", "replace")
        raise BadRequest("transcript_breaks_off", encoding=encoding.upper()) from error


def _unmarked(data: bytes) -> str:
    """UTF-16 shows in the zeros of its Latin letters."""
    first = data[:1000]
    if first[1::2].count(0) * 2 > len(first) // 2:
        return "utf-16-le"
    return "utf-16-be" if first[::2].count(0) * 2 > len(first) // 2 else "utf-8"
