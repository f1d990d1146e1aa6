"""Messages that appear without a new page are marked for screen readers (WCAG 2.2, 4.1.3)."""

import re
from pathlib import Path

import pytest

import chapterverse

PAGES = sorted((Path(chapterverse.__file__).parent / "templates" / "site").glob("*.html"))
TAG = re.compile(r"<\w+\b[^>]*>")
IS_STATE = re.compile(r'class="[^"]*\bstate\b[^"]*"|id="(?:[\w-]+-)?(?:state|status)"')


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_appears_on_a_page_is_marked_as_a_status_or_an_alert(page: Path) -> None:
    unmarked = [tag for tag in TAG.findall(page.read_text("utf-8")) if IS_STATE.search(tag) and 'role="' not in tag]

    assert unmarked == []
