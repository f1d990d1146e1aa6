"""The evidence as a language model is given it (S1-23).

The evidence as a student reads it, in Markdown (S1-25).

Pictures of the pages that evidence stands on, its sentence lit, to be put into a page that is handed out."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from types import MappingProxyType

from chapterverse.citations.model import Evidence, Verdict, cite
from chapterverse.core.errors import ChapterverseError
from chapterverse.core.hits import Passage
from chapterverse.library.lookup import PageView, draw_pages, find_page
from chapterverse.library.model import VersionKey
from chapterverse.library.services import CollectionServices, PageDrawer

HEADER = "Retrieved Evidence:"

INDENT = " " * 4


def evidence_block(evidence: Sequence[Evidence]) -> str:
    """S1's header, numbering and line breaks; the line of a neighbour that is not there is left out. No newline at the end."""
    return "\n".join([HEADER, *(line for one in evidence for line in _lines(one))])


def _lines(evidence: Evidence) -> Iterator[str]:
    passage = evidence.passage
    yield f'{evidence.number}. "{passage.sentence.text}"'
    yield f"{INDENT}{cite(passage)}"
    if passage.previous:
        yield f"{INDENT}Previous: {passage.previous.text}"
    if passage.next:
        yield f"{INDENT}Next: {passage.next.text}"


SECTION_HEADER = "Evidence Used:"

_MARKUP = re.compile(r"[\\`*_\[\]<>&]")


def evidence_section(
    evidence: Sequence[Evidence], further_reading: bool = False, verdicts: Mapping[int, Verdict] = MappingProxyType({})
) -> str:
    """S1's header, numbering and line breaks: the sentence in bold between its neighbours, then where it stands.

    further_reading adds the whole paragraph of each, verdicts, by number, whether it bears the essay out. What looks like
    mark-up in a book is escaped. No newline at the end."""
    return "\n".join(
        [SECTION_HEADER, *(line for one in evidence for line in _section_lines(one, further_reading, verdicts.get(one.number)))]
    )


def _section_lines(evidence: Evidence, further_reading: bool, verdict: Verdict | None) -> Iterator[str]:
    yield f"{evidence.number}. *{in_context(evidence.passage)}*"
    yield f"{INDENT}{escaped(cite(evidence.passage))}"
    if verdict:
        yield f"{INDENT}{verdict.kind.in_words}."
    if further_reading:
        yield f"{INDENT}Further reading: {escaped(evidence.passage.paragraph)}"


def in_context(passage: Passage) -> str:
    """Previous sentence, the sentence in bold, next sentence; a neighbour that is not there is left out."""
    previous = f"{escaped(passage.previous.text)} " if passage.previous else ""
    following = f" {escaped(passage.next.text)}" if passage.next else ""
    return f"{previous}**{escaped(passage.sentence.text)}**{following}"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\g<0>", text)


SCALE = 1.5  # pixels a point: 108 dpi on the book's own page, and more where it is shown smaller

AT_ONCE = 4  # books


@dataclass(frozen=True, slots=True)
class HighlightedPage:
    """label: what is printed on the page ("xiv", "35"); png: the picture."""

    label: str
    png: bytes

    @property
    def data(self) -> str:
        """The picture as an address that needs no network (RFC 2397)."""
        return f"data:image/png;base64,{b64encode(self.png).decode()}"


@dataclass(frozen=True, slots=True)
class _EvidencePage:
    """A page for the evidence of that number."""

    number: int
    label: str
    view: PageView


HighlightedPages = Mapping[int, tuple[HighlightedPage, ...]]

"""By the number of the evidence; a sentence that runs over a page has two."""


def highlighted_pages(
    evidence: Sequence[Evidence], school: str, services: CollectionServices, draw: PageDrawer
) -> HighlightedPages:
    """Those that can be drawn: feedback holds without a picture, so one that cannot costs only itself. Pages of one book are
    drawn together, several books at once."""
    wanted = [each for one in evidence for each in _wanted_of(one, school, services)]
    by_book = {key: [each for each in wanted if each.view.key == key] for key in {each.view.key for each in wanted}}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        drawn = [pool.submit(copy_context().run, _drawn, key, some, services, draw) for key, some in by_book.items()]
        pages = {each: page for some in drawn for each, page in some.result()}
    return {
        one.number: tuple(pages[each] for each in wanted if each.number == one.number and each in pages) for one in evidence
    }


def _wanted_of(evidence: Evidence, school: str, services: CollectionServices) -> Iterator[_EvidencePage]:
    sentence = evidence.passage.sentence
    for place in sentence.address.places:
        with suppress(ChapterverseError):
            view = find_page(school, sentence.address.book, place.page_index, sentence.id, services)
            yield _EvidencePage(evidence.number, place.page_label, view)


def _drawn(
    key: VersionKey, wanted: Sequence[_EvidencePage], services: CollectionServices, draw: PageDrawer
) -> list[tuple[_EvidencePage, HighlightedPage]]:
    try:
        drawings = draw_pages(key, [each.view for each in wanted], SCALE, services, draw)
    except ChapterverseError:  # the book was removed meanwhile
        return []
    drawn = zip(wanted, drawings, strict=True)
    return [(each, HighlightedPage(each.label, png)) for each, png in drawn if isinstance(png, bytes)]
