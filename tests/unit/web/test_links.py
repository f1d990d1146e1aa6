from chapterverse.core.book import Collection
from chapterverse.web.operations import linked, page_links

PAGES = [{"page_index": 6, "page_label": "vii"}, {"page_index": 7, "page_label": "viii"}]


def test_each_page_that_a_sentence_stands_on_has_a_picture_and_the_first_is_its_url() -> None:
    cited = {"book": "on liberty", "sentence_id": "v1-0-1", "pages": PAGES, "url": None}

    [shown] = linked({"claims": [{"citations": [cited]}]}, Collection.DOCUMENTS)["claims"][0]["citations"]

    assert shown["url"] == "/api/v1/pages/on%20liberty/6.png?sentence=v1-0-1&collection=documents"
    assert [page["page_label"] for page in shown["pages"]] == ["vii", "viii"]


def test_on_a_site_its_url_is_the_pages_own() -> None:
    cited = {"book": "site", "sentence_id": "v1-0-1", "pages": [], "url": "/docs/nodes#what"}

    assert linked(cited, Collection.TEXTBOOK) == cited


def test_a_book_of_essays_needs_no_collection() -> None:
    assert page_links(Collection.BOOKS, "emma", "v1", PAGES[:1])[0]["image"] == "/api/v1/pages/emma/6.png?sentence=v1"
