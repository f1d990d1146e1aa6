"""The pages of what a school sets: who is let in, and what they hold at first."""

from chapterverse.accounts.model import KeyScope
from tests.support.web import Site
from tests.unit.web.test_pages import OURS, signed_in


def test_what_is_set_is_in_the_page_from_the_start(library: Site) -> None:
    browser = signed_in(library, KeyScope.ADMIN)
    browser.patch("/api/v1/settings", json={"grade": 11, "evidences": 4}, headers=OURS)

    page = browser.get("/settings/advanced").text

    assert '<option value="11" selected>' in page
    assert 'max="50" value="4"' in page
    assert "anna@school.example" in page
