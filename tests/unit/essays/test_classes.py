"""Teachers' pages: who is let in, and that nothing of what is named in an address is run."""

import pytest

from chapterverse.accounts.model import KeyScope
from tests.support.web import Site
from tests.unit.web.test_pages import signed_in

PAGES = ("/essay/classes", "/essay/classes/0123456789abcdef", "/essay/classes/0123456789abcdef/3", "/essay/classes/others/abc")


@pytest.mark.parametrize("path", PAGES)
def test_teachers_alone_are_let_in(library: Site, path: str) -> None:
    assert signed_in(library).get(path).status_code == 403
    assert signed_in(library, KeyScope.TEACHER).get(path).status_code == 200


def test_classes_stand_beside_essays_for_teachers_alone(library: Site) -> None:
    assert 'href="/essay/classes"' in signed_in(library, KeyScope.TEACHER).get("/essay").text
    assert 'href="/essay/classes"' not in signed_in(library).get("/essay").text


def test_a_name_in_an_address_is_only_shown(library: Site) -> None:
    page = signed_in(library, KeyScope.TEACHER).get('/essay/classes/"><script>alert(1)<script>')

    assert "<script>alert" not in page.text
