from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

from tests.support.pdfs import a_pdf
from tests.support.shelved import sentences_of
from tests.support.web import Caller, Site, shelve_pdf, site

PAGE = "/api/v1/pages/on-principle/0.png"


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A school with a real PDF of two pages."""
    with site(tmp_path_factory.mktemp("site")) as running:
        shelve_pdf(running.services, a_pdf("The first page says one thing.", "The second page says another thing."))
        yield running


@pytest.fixture
def student(printed: Site) -> Caller:
    return printed.caller()


@pytest.fixture
def sentence(printed: Site) -> str:
    """The one on the first page."""
    [book] = printed.services.catalog.books("school")
    return sentences_of(book, printed.services)[0].id


def size_of(png: bytes) -> tuple[int, int]:
    picture = pymupdf.Pixmap(png)
    return picture.width, picture.height


def test_a_page_is_a_picture_of_the_scale_asked_for(student: Caller) -> None:
    assert size_of(student("GET", PAGE).data) == (800, 1200)
    assert size_of(student("GET", PAGE, query_string={"scale": "0.5"}).data) == (200, 300)


def test_a_sentence_is_lit_on_its_page_which_can_be_kept_for_good_because_it_never_changes(
    student: Caller, sentence: str
) -> None:
    plain, lit = student("GET", PAGE), student("GET", PAGE, query_string={"sentence": sentence})

    assert lit.status_code == 200
    assert lit.data != plain.data
    assert "immutable" in lit.headers["Cache-Control"]
    assert plain.headers["Cache-Control"] == "private, no-cache"


def test_a_page_that_is_known_is_not_drawn_or_sent_again(student: Caller, sentence: str) -> None:
    first = student("GET", PAGE, query_string={"sentence": sentence})

    again = student("GET", PAGE, headers={"If-None-Match": first.headers["ETag"]}, query_string={"sentence": sentence})
    other = student("GET", PAGE, headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert other.status_code == 200


def test_a_page_that_is_not_there_and_a_sentence_of_another_page_are_not_found(student: Caller, sentence: str) -> None:
    for page in ("on-principle/2", "emma/0", f"emma/{'9' * 40}"):
        assert student("GET", f"/api/v1/pages/{page}.png").status_code == 404
    other = student("GET", "/api/v1/pages/on-principle/1.png", query_string={"sentence": sentence})
    assert other.status_code == 404


@pytest.mark.parametrize("scale", ["0.1", "5", "nan", "inf", "large", ""])
def test_a_scale_out_of_bounds_is_refused(student: Caller, scale: str) -> None:
    answer = student("GET", PAGE, query_string={"scale": scale})

    assert answer.status_code == 400
    assert answer.get_json()["errors"][0]["pointer"] == "/scale"


def test_a_picture_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    with pymupdf.open(stream=a_pdf()) as document:
        document[0].set_mediabox(pymupdf.Rect(0, 0, 14_000, 14_000))
        poster = bytes(document.tobytes())
    with site(tmp_path) as running:
        shelve_pdf(running.services, poster)
        answer = running.caller()("GET", PAGE)

    assert (answer.status_code, answer.get_json()["code"]) == (413, "too_large")
