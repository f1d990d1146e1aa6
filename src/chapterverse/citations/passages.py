"""Renderings of evidence: for a language model (S1-23), for students in Markdown (S1-25), and as pictures of book pages."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from textwrap import shorten

from bookreader.drawing import PageDrawer
from chapterverse.citations.model import Evidence, cite, cite_with_origin
from chapterverse.core.errors import ChapterverseError
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import PageView, draw_pages, find_page
from chapterverse.library.services import CollectionServices
from chapterverse.messages import ENGLISH, in_words, message

INDENT = " " * 4
MAX_NEIGHBOUR = 220  # characters that a language model sees of a neighbour, of the one before its end
_MARKUP = re.compile(r"[\\`*_\[\]<>&]")
SCALE = 1.5  # pixels per point: 108 dpi at the page's size
PARALLEL_BOOKS = 4


def evidence_block(evidence: Sequence[Evidence]) -> str:
    """Evidence for a language model, with S1's header, numbering and line breaks. No newline at the end."""
    return "\n".join(["Retrieved Evidence:", *(line for one in evidence for line in evidence_lines(one))])


def evidence_lines(evidence: Evidence, longest: int | None = MAX_NEIGHBOUR) -> Iterator[str]:
    """One piece of evidence for a language model: its number and sentence, its place, its neighbours. longest: characters of a
    neighbour, None: all, as where the student quotes the sentence."""
    passage = evidence.passage
    longest = None if evidence.quotation else longest
    yield f'{evidence.number}. "{passage.sentence.text}"'
    yield f"{INDENT}{cite(passage)}"
    if passage.previous:
        yield f"{INDENT}Previous: {shorten_left(passage.previous.text, longest or len(passage.previous.text))}"
    if passage.next:
        yield f"{INDENT}Next: {shorten(passage.next.text, longest or len(passage.next.text), placeholder=' …')}"


def shorten_left(text: str, width: int) -> str:
    """The end of the text, from a whole word on, in at most so many characters."""
    return text if len(text) <= width else f"… {text[2 - width :].partition(' ')[2]}"


def evidence_section(evidence: Sequence[Evidence], language: str = ENGLISH) -> str:
    """Evidence in Markdown with S1's header, numbering and line breaks: the sentence in bold between its neighbours, its place,
    and how the essay quotes it, where it does. Text of books is escaped. No newline at the end."""
    lines = (line for one in evidence for line in _section_lines(one, language))
    return "\n".join([f"{in_words(message('evidence_used'), language)}:", *lines])


def _section_lines(evidence: Evidence, language: str) -> Iterator[str]:
    passage = evidence.passage
    before, after = (escaped(one.text) if one else "" for one in (passage.previous, passage.next))
    yield f"{evidence.number}. *{f'{before} **{escaped(passage.sentence.text)}** {after}'.strip()}*"
    yield f"{INDENT}{escaped(cite_with_origin(evidence.passage, language))}"
    if evidence.label:
        yield f"{INDENT}{escaped(in_words(evidence.label, language))}"


def escaped(text: str) -> str:
    """Text with Markdown's special characters escaped."""
    return _MARKUP.sub(r"\\\g<0>", text)


@dataclass(frozen=True, slots=True)
class HighlightedPage:
    """Picture of a page with a highlighted sentence. label: as printed on the page ("xiv", "35")."""

    label: str
    png: bytes

    @property
    def data(self) -> str:
        """The picture as a data: URL (RFC 2397)."""
        return f"data:image/png;base64,{b64encode(self.png).decode()}"


HighlightedPages = Mapping[int, tuple[HighlightedPage, ...]]  # by number of the evidence; two for a sentence on two pages


def highlighted_pages(
    evidence: Sequence[Evidence], school: str, services: CollectionServices, draw: PageDrawer
) -> HighlightedPages:
    """Pictures of the pages of all evidence, without those that cannot be drawn. Pages of a book are drawn together, several
    books in parallel."""
    wanted = [each for one in evidence for each in _pages_of(one, school, services)]

    def pictures_of(key: VersionKey) -> list[tuple[int, HighlightedPage]]:
        pages, pictures = [each for each in wanted if each[2].key == key], list[bytes | ChapterverseError]()
        with suppress(ChapterverseError):  # the book was removed meanwhile
            pictures = draw_pages(key, [view for *_, view in pages], SCALE, services, draw)
        both = zip(pages, pictures, strict=False)
        return [(number, HighlightedPage(label, png)) for (number, label, _), png in both if isinstance(png, bytes)]

    with ThreadPoolExecutor(PARALLEL_BOOKS) as pool:
        books = [pool.submit(copy_context().run, pictures_of, key) for key in {view.key for *_, view in wanted}]
        found = [each for book in books for each in book.result()]
    return {one.number: tuple(page for number, page in found if number == one.number) for one in evidence}


def _pages_of(evidence: Evidence, school: str, services: CollectionServices) -> Iterator[tuple[int, str, PageView]]:
    """Number of the evidence, printed label and view of each page."""
    sentence = evidence.passage.sentence
    for place in sentence.address.places:
        with suppress(ChapterverseError):
            view = find_page(school, sentence.address.book, place.page_index, sentence.id, services)
            yield evidence.number, place.page_label, view
