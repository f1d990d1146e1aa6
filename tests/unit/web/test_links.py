from collections.abc import Sequence

from pydantic import BaseModel

from chapterverse.citations.records import PageNumber, SentencePlace
from chapterverse.core.book import Collection
from chapterverse.library.schemas import with_addresses

PAGES = [PageNumber(page_index=6, page_label="vii"), PageNumber(page_index=7, page_label="viii")]


class Stored(BaseModel):
    places: Sequence[SentencePlace]


def seen(place: SentencePlace, collection: Collection) -> SentencePlace:
    [one] = with_addresses(Stored(places=[place]), collection).places
    return one


def test_each_page_that_a_sentence_stands_on_has_a_picture_and_the_first_is_its_url() -> None:
    place = SentencePlace(book="on liberty", sentence_id="v1-0-1", pages=PAGES, url=None)

    shown = seen(place, Collection.DOCUMENTS)

    assert shown.url == "/api/v1/pages/on%20liberty/6.png?sentence=v1-0-1&collection=documents"
    assert [page.page_label for page in shown.pages] == ["vii", "viii"]


def test_on_a_site_its_url_is_the_pages_own() -> None:
    place = SentencePlace(book="site", sentence_id="v1-0-1", pages=[], url="/docs/nodes#what")

    assert seen(place, Collection.TEXTBOOK).model_dump() == place.model_dump()
