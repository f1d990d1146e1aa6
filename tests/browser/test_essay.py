"""A student's essay in a real browser (make web-test)."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Running, expect_accessible

ESSAY = "Silencing an opinion robs mankind of truth, even <script>alert(1)</script> one.\n\nMy uncle sings.\n"


@pytest.fixture
def page(running: Running) -> Page:
    return running.signed_in("/essay")


def test_from_the_essay_to_the_lit_page(page: Page) -> None:
    page.get_by_label("Paste your essay").fill(ESSAY)
    page.get_by_role("button", name="Get feedback").click()

    expect(page.locator("#features h2")).to_be_visible()
    card = page.locator("#evidence-1")
    expect(card.locator("strong")).to_have_text("Silencing an opinion robs mankind of truth.")
    expect(page.locator("#text")).to_contain_text("<script>alert(1)</script>")
    expect_accessible(page)

    card.get_by_role("button", name="Open the page").click()
    picture = page.locator("dialog img")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 0
    expect_accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_by_the_keyboard_alone(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.get_by_label("Paste your essay").focus()
    page.keyboard.insert_text(ESSAY)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator("#features h2")).to_be_visible()
    chip = page.get_by_role("link", name="Evidence #1").first
    chip.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#evidence-1")).to_be_focused()


def test_a_lost_connection_is_said_and_nothing_written_is_lost(page: Page) -> None:
    page.get_by_label("Paste your essay").fill(ESSAY)
    page.context.set_offline(True)

    page.get_by_role("button", name="Get feedback").click()

    expect(page.locator("#state")).to_contain_text("connection was lost")
    assert page.get_by_label("Paste your essay").input_value() == ESSAY


def test_at_400_percent_nothing_is_beside_the_screen(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})  # 1280 at 400 %: WCAG 2.2, 1.4.10

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
