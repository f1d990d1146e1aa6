"""Parsed paragraphs as mark-up: below their headings, and beside them where each page of the PDF begins."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import escape

from chapterverse.ingestion.site.pieces import Heading
from chapterverse.ingestion.site.typeset import heading_tag
from chapterverse.model import Kind, Place, Sentence
from chapterverse.usecases.artefacts import joined

MOST = 400  # paragraphs that are shown at once: some eighty pages, half a megabyte of mark-up


@dataclass(frozen=True, slots=True)
class Shown:
    """A paragraph. place: of its first page, None for what has no pages."""

    id: str
    text: str
    kind: Kind
    headings: tuple[str, ...]
    place: Place | None


def in_stretches(sentences: Iterable[Sentence]) -> list[list[Shown]]:
    """Their paragraphs in reading order, at most MOST in each; one stretch, though it be empty, at least."""
    groups = groupby(sentences, key=lambda sentence: sentence.address.paragraph_id)
    paragraphs = [_shown(list(of_one)) for _, of_one in groups]
    return [paragraphs[at : at + MOST] for at in range(0, len(paragraphs), MOST)] or [[]]


def set_paragraphs(
    paragraphs: Sequence[Shown], page: Callable[[int], str], page_name: Callable[[str], str]
) -> tuple[str, tuple[Heading, ...]]:
    """The mark-up, and the headings in it. page: the address of a page's picture, page_name: what it is called."""
    headings: list[Heading] = []
    parts: list[str] = []
    above: tuple[str, ...] = ()
    index = None
    for each in paragraphs:
        if each.kind is Kind.SENTENCE:
            new = list(_new_headings(above, each))
            above = each.headings
            headings += new
            parts += map(heading_tag, new)
        if each.place and each.place.page_index != index:
            index = each.place.page_index
            name = page_name(each.place.page_label)
            parts.append(f'<a class="folio" href="{escape(page(index))}">{escape(name)}</a>')
        kind = "passage" if each.kind is Kind.SENTENCE else f"passage {each.kind.value}"
        parts.append(f'<p class="{kind}" id="{escape(each.id)}">{escape(each.text)}</p>')
    return "\n".join(parts), tuple(headings)


def _new_headings(above: tuple[str, ...], paragraph: Shown) -> Iterator[Heading]:
    """Those that begin here."""
    same = next((n for n, pair in enumerate(zip(above, paragraph.headings, strict=False)) if pair[0] != pair[1]), None)
    first = min(len(above), len(paragraph.headings)) if same is None else same
    for depth in range(first, len(paragraph.headings)):
        yield Heading(min(depth + 2, 6), paragraph.headings[depth], f"at-{paragraph.id}-{depth}")


def _shown(sentences: list[Sentence]) -> Shown:
    address = sentences[0].address
    place = address.places[0] if address.places else None
    return Shown(address.paragraph_id, joined(sentences), sentences[0].kind, address.section_path, place)
