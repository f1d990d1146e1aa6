"""Pictures of the pages that evidence stands on, its sentence lit, to be put into a page that is handed out."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass

from chapterverse.errors import ChapterverseError
from chapterverse.evidence.numbering import Evidence
from chapterverse.usecases.lookup import draw_page, find_page
from chapterverse.usecases.services import PageDrawer, Services

SCALE = 1.5  # pixels a point: 108 dpi on the book's own page, and more where it is shown smaller
AT_ONCE = 4  # pages


@dataclass(frozen=True, slots=True)
class LitPage:
    """label: what is printed on the page ("xiv", "35"); png: the picture."""

    label: str
    png: bytes

    @property
    def data(self) -> str:
        """The picture as an address that needs no network (RFC 2397)."""
        return f"data:image/png;base64,{b64encode(self.png).decode()}"


LitPages = Mapping[int, tuple[LitPage, ...]]
"""By the number of the evidence; a sentence that runs over a page has two."""


def lit_pages(evidence: Iterable[Evidence], school: str, services: Services, draw: PageDrawer) -> LitPages:
    """Those that can be drawn: feedback holds without a picture, so one that cannot costs only itself."""
    evidence = tuple(evidence)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        drawn = [pool.submit(copy_context().run, tuple, _pages_of(one, school, services, draw)) for one in evidence]
        return {one.number: pages.result() for one, pages in zip(evidence, drawn, strict=True)}


def _pages_of(evidence: Evidence, school: str, services: Services, draw: PageDrawer) -> Iterator[LitPage]:
    sentence = evidence.passage.sentence
    for place in sentence.address.places:
        try:
            view = find_page(school, sentence.address.book, place.page_index, sentence.id, services)
            yield LitPage(place.page_label, draw_page(view, SCALE, services, draw))
        except ChapterverseError:
            continue
