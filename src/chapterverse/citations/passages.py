"""Renderings of evidence: for a language model (S1-23), for students in Markdown (S1-25), and as pictures of book pages."""

import re
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from types import MappingProxyType

from bookreader.drawing import PageDrawer
from chapterverse.citations.model import MAY_HELP, Evidence, Verdict, cite, cite_with_origin
from chapterverse.core.errors import ChapterverseError
from chapterverse.core.hits import Passage
from chapterverse.library.lookup import PageView, draw_pages, find_page
from chapterverse.library.model import VersionKey
from chapterverse.library.services import CollectionServices

HEADER = "Retrieved Evidence:"
INDENT = " " * 4


def evidence_block(evidence: Sequence[Evidence]) -> str:
    """Evidence for a language model, with S1's header, numbering and line breaks. No newline at the end."""
    return "\n".join([HEADER, *(line for one in evidence for line in _lines(one))])


def _lines(evidence: Evidence) -> Iterator[str]:
    passage = evidence.passage
    yield f'{evidence.number}. "{passage.sentence.text}"'
    yield f"{INDENT}{cite(passage)}"
    if passage.previous:
        yield f"{INDENT}Previous: {passage.previous.text}"
    if passage.next:
        yield f"{INDENT}Next: {passage.next.text}"


SECTION_HEADER, OFFERED_HEADER = "Evidence Used", "Also in your books"
_MARKUP = re.compile(r"[\\`*_\[\]<>&]")


def evidence_section(
    evidence: Sequence[Evidence],
    further_reading: bool = False,
    verdicts: Mapping[int, Verdict] = MappingProxyType({}),
    offered: Collection[int] = (),
) -> str:
    """Evidence in Markdown with S1's header, numbering and line breaks: the sentence in bold between its neighbours, then its
    place.

    further_reading: adds the whole paragraphs; verdicts: by number of evidence. offered: numbers of what no comment uses; it
    comes last, under a header of its own, with the essay's paragraph that it may help. Text of books is escaped. No newline at
    the end."""

    def part(header: str, some: Sequence[Evidence]) -> str:
        lines = (line for one in some for line in _section_lines(one, further_reading, _note_on(one, verdicts, offered)))
        return "\n".join([header, *lines])

    return "\n\n".join(part(f"{header}:", some) for header, some in by_header(evidence, offered))


def by_header(evidence: Sequence[Evidence], offered: Collection[int]) -> Iterator[tuple[str, Sequence[Evidence]]]:
    """The evidence that comments use, then what is only offered, each under its header; none that would be empty."""
    used, others = ([one for one in evidence if (one.number in offered) is last] for last in (False, True))
    yield from ((header, some) for header, some in ((SECTION_HEADER, used), (OFFERED_HEADER, others)) if some)


def _section_lines(evidence: Evidence, further_reading: bool, note: str) -> Iterator[str]:
    yield f"{evidence.number}. *{in_context(evidence.passage)}*"
    yield f"{INDENT}{escaped(cite_with_origin(evidence.passage))}"
    if note:
        yield f"{INDENT}{escaped(note)}"
    if further_reading:
        yield f"{INDENT}Further reading: {escaped(evidence.passage.paragraph)}"


def _note_on(evidence: Evidence, verdicts: Mapping[int, Verdict], offered: Collection[int]) -> str:
    """Which paragraph an offered sentence may help, and the verdict; empty without both."""
    verdict = verdicts.get(evidence.number) or evidence.verdict
    found_by = evidence.found_by if evidence.number in offered else ()
    paragraph = [f"For paragraph {found_by[0].query.paragraph + 1}."] if found_by else []
    return " ".join([*paragraph, *([f"{verdict.label}."] if verdict else [])])


def labels_of(evidence: Sequence[Evidence], verdicts: Mapping[int, Verdict]) -> dict[int, Verdict]:
    """What is said of each piece of evidence where feedback shows it; without a verdict, that it may help."""
    return {one.number: verdicts.get(one.number, MAY_HELP) for one in evidence}


def in_context(passage: Passage) -> str:
    """Previous sentence, the sentence in bold, next sentence, as far as they exist."""
    previous = f"{escaped(passage.previous.text)} " if passage.previous else ""
    following = f" {escaped(passage.next.text)}" if passage.next else ""
    return f"{previous}**{escaped(passage.sentence.text)}**{following}"


def escaped(text: str) -> str:
    """Text with Markdown's special characters escaped."""
    return _MARKUP.sub(r"\\\g<0>", text)


SCALE = 1.5  # pixels per point: 108 dpi at the page's size
PARALLEL_BOOKS = 4


@dataclass(frozen=True, slots=True)
class HighlightedPage:
    """Picture of a page with a highlighted sentence. label: as printed on the page ("xiv", "35")."""

    label: str
    png: bytes

    @property
    def data(self) -> str:
        """The picture as a data: URL (RFC 2397)."""
        return f"data:image/png;base64,{b64encode(self.png).decode()}"


@dataclass(frozen=True, slots=True)
class _EvidencePage:
    """A page with the evidence of that number."""

    number: int
    label: str
    view: PageView


HighlightedPages = Mapping[int, tuple[HighlightedPage, ...]]
"""Pages by the number of the evidence; a sentence across a page break has two."""


def highlighted_pages(
    evidence: Sequence[Evidence], school: str, services: CollectionServices, draw: PageDrawer
) -> HighlightedPages:
    """Pictures of the pages of all evidence, without those that cannot be drawn. Pages of a book are drawn together, several
    books in parallel."""
    wanted = [each for one in evidence for each in _pages_of(one, school, services)]
    by_book = {key: [each for each in wanted if each.view.key == key] for key in {each.view.key for each in wanted}}
    with ThreadPoolExecutor(PARALLEL_BOOKS) as pool:
        futures = [pool.submit(copy_context().run, _pictures_of, key, some, services, draw) for key, some in by_book.items()]
        pages = {each: page for some in futures for each, page in some.result()}
    return {
        one.number: tuple(pages[each] for each in wanted if each.number == one.number and each in pages) for one in evidence
    }


def _pages_of(evidence: Evidence, school: str, services: CollectionServices) -> Iterator[_EvidencePage]:
    sentence = evidence.passage.sentence
    for place in sentence.address.places:
        with suppress(ChapterverseError):
            view = find_page(school, sentence.address.book, place.page_index, sentence.id, services)
            yield _EvidencePage(evidence.number, place.page_label, view)


def _pictures_of(
    key: VersionKey, wanted: Sequence[_EvidencePage], services: CollectionServices, draw: PageDrawer
) -> list[tuple[_EvidencePage, HighlightedPage]]:
    try:
        drawings = draw_pages(key, [each.view for each in wanted], SCALE, services, draw)
    except ChapterverseError:  # the book was removed meanwhile
        return []
    pictures = zip(wanted, drawings, strict=True)
    return [(each, HighlightedPage(each.label, png)) for each, png in pictures if isinstance(png, bytes)]
