"""Teachers' pages: who is let in, and that nothing of what is named in an address is run."""

import pytest

from chapterverse.accounts.model import KeyScope
from tests.support.web import Site
from tests.unit.web.test_pages import signed_in

UNKNOWN = (
    "/essay/others/abc",
    "/essay/assignments/abc/essays/abc",
    "/books/none",
)


@pytest.mark.parametrize("path", ["/essay/assignments/new", *UNKNOWN])
def test_teachers_alone_are_let_in(library: Site, path: str) -> None:
    assert signed_in(library).get(path).status_code == 403


@pytest.mark.parametrize("path", UNKNOWN)
def test_what_does_not_exist_is_a_page_of_its_own_with_the_navigation(library: Site, path: str) -> None:
    answer = signed_in(library, KeyScope.TEACHER).get(path, headers={"Accept": "text/html"})

    assert answer.status_code == 404
    assert 'href="/books"' in answer.text


def test_an_essay_that_is_not_ones_own_is_not_found(library: Site) -> None:
    assert signed_in(library).get("/essay/mine/abc", headers={"Accept": "text/html"}).status_code == 404


def test_a_name_in_an_address_is_only_shown(library: Site) -> None:
    page = signed_in(library, KeyScope.TEACHER).get('/essay/others/"><script>alert(1)<script>')

    assert "<script>alert" not in page.text
