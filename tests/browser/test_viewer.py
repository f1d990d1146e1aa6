"""A book page by page, as a page of its own and over an essay (make web-test)."""

import re

import pytest
from playwright.sync_api import Page, expect

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId
from tests.browser.conftest import Running, expect_accessible, take_picture
from tests.support.pdfs import a_pdf
from tests.support.shelved import sentences_of
from tests.support.web import Site, shelve_pdf

RULES = " ".join(f"Rule number {n} of this house is that nobody runs." for n in range(36))
RULES_GO_ON = "keep to the rules. Silence is golden in the evening. That is all."
PAGES = (f"{RULES} All of us who live here", RULES_GO_ON, "Habits stay with us.")
HOUSE = "/books/house/2"
ESSAY = "Silence is golden in the evening."


@pytest.fixture
def house(running: Running) -> Running:
    shelve_pdf(running.site.services, a_pdf(*PAGES), "House")
    return running


def sentence_with(words: str, site: Site) -> str:
    book = site.services.catalog.book("school", BookId("house"))
    return next(each.id for each in sentences_of(book, site.services) if words in each.text)


def loaded(page: Page) -> None:
    expect(page.locator(".print img").first).not_to_have_js_property("naturalWidth", 0)


def test_pages_are_turned_by_links_and_by_keys_and_each_has_its_address(house: Running) -> None:
    page = house.signed_in(HOUSE)
    loaded(page)
    expect_accessible(page)
    page.get_by_role("link", name="Next page").click()
    expect(page).to_have_url(re.compile("/books/house/3$"))
    expect(page.locator(".layer")).to_contain_text("Habits stay")
    page.locator(".sheets").focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("/books/house/2$"))
    page.get_by_label("Go to page").fill("1")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/books/house/1$"))
    page.get_by_label("Go to page").fill("xlii")
    page.keyboard.press("Enter")
    expect(page.get_by_text("There is no page xlii.")).to_be_visible()

    page.reload()

    expect(page.locator(".layer")).to_contain_text("Rule number 7")


@pytest.mark.parametrize(("density", "scale"), [(1, "2"), (2, "4")])
def test_a_page_is_fetched_once_as_sharp_as_the_screen(house: Running, density: int, scale: str) -> None:
    page = house.signed_in("/", device_scale_factor=density, viewport={"width": 1366, "height": 768})
    asked: list[str] = []
    page.on("request", lambda request: asked.extend(re.findall(r"/pages/.*scale=([\d.]+)", request.url)))

    page.goto(house.address + HOUSE)
    loaded(page)
    page.wait_for_load_state("networkidle")

    assert asked == [scale]


def test_text_lies_over_its_print_and_is_copied_without_line_ends(house: Running) -> None:
    page = house.signed_in("/books/house/1")
    loaded(page)
    line = page.locator(".line", has_text="Rule number 0 of this house").first
    expect(line).to_have_css("position", "absolute")
    box, print_ = line.bounding_box(), page.locator(".print").bounding_box()
    assert box
    assert print_
    scale = print_["width"] / 400
    assert box["x"] - print_["x"] == pytest.approx(50 * scale, abs=3)
    assert box["y"] - print_["y"] == pytest.approx(50 * scale, abs=4)
    copied = page.evaluate(
        """() => {
            const [first, , , last] = document.querySelectorAll('.sentence');
            getSelection().setBaseAndExtent(first, 0, last, last.childNodes.length);
            const event = new ClipboardEvent('copy', {bubbles: true, cancelable: true, clipboardData: new DataTransfer()});
            first.dispatchEvent(event);
            return event.clipboardData.getData('text/plain');
        }"""
    )

    assert copied == " ".join(f"Rule number {n} of this house is that nobody runs." for n in range(4))


def test_a_sentence_is_chosen_by_a_click_or_by_keys_and_shared_by_its_address(house: Running) -> None:
    page = house.signed_in(HOUSE)
    loaded(page)
    page.locator(".sentence", has_text="Silence is golden").locator(".line").click()
    expect(page.locator(".is-cited")).to_contain_text("Silence is golden")
    golden = sentence_with("Silence", house.site)
    expect(page).to_have_url(re.compile(f"/books/house/2.sentence={golden}"))
    page.locator(".sheets").focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator(".is-cited")).to_contain_text("That is all.")

    page.goto(f"{house.address}/sentences/{golden}")

    expect(page.locator(".is-cited")).to_contain_text("Silence is golden")
    loaded(page)
    take_picture(page, "viewer")


def test_the_book_is_searched_and_a_hit_opened(house: Running) -> None:
    page = house.signed_in("/books/house/1")
    page.get_by_label("Search in this book").fill("habits STAY")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 found")).to_be_visible()

    page.get_by_role("link", name="Habits stay with us.").click()

    expect(page).to_have_url(re.compile("/books/house/3.sentence="))
    expect(page.get_by_text("1 found")).to_be_visible()
    expect(page.locator(".is-cited")).to_contain_text("Habits stay")
    expect_accessible(page)


def test_zoom_thumbnails_and_text_alone(house: Running) -> None:
    page = house.signed_in(HOUSE)
    loaded(page)
    before = page.locator(".sheet").bounding_box()
    page.get_by_role("button", name="Smaller").click()
    expect(page.get_by_text("80 %")).to_be_visible()
    after = page.locator(".sheet").bounding_box()
    assert before
    assert after
    assert after["width"] < before["width"]
    page.locator(".thumbs summary").click()
    pictures = page.locator(".thumb-grid img")
    expect(pictures).to_have_count(3)
    expect(pictures.nth(2)).not_to_have_js_property("naturalWidth", 0)
    expect_accessible(page, "viewer-thumbnails")
    page.locator(".thumb-grid a").nth(2).click()
    expect(page.locator(".thumb-grid [aria-current]")).to_have_text("3")

    page.get_by_role("button", name="Text only").click()

    expect(page.locator(".print img")).to_be_hidden()
    expect(page.locator(".line").first).to_have_css("position", "static")
    expect_accessible(page)


def test_a_teacher_corrects_page_numbers_beside_the_page(house: Running) -> None:
    page = house.signed_in(HOUSE, KeyScope.TEACHER)
    page.get_by_text("Correct this page").click()
    expect_accessible(page, "viewer-correcting")
    page.get_by_label("Renumber from here").fill("xiv")

    page.get_by_role("button", name="Save").nth(1).click()

    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.locator(".where")).to_contain_text("Page xiv")
    page.get_by_label("Go to page").fill("XV")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/books/house/3$"))


def test_back_stays_in_the_essay_and_the_address_in_between_is_the_pages(house: Running) -> None:
    page = house.signed_in("/essay")
    page.get_by_label("Paste your essay").fill(ESSAY)
    page.get_by_role("button", name="Get feedback").click()
    expect(page.get_by_text("Done and saved.")).to_be_visible()
    page.get_by_role("link", name="(House").first.click()
    panel = page.get_by_role("dialog", name="House")
    expect(panel.locator(".is-cited")).to_contain_text("Silence is golden")
    expect(page).to_have_url(re.compile("/books/house/2.sentence="))
    expect_accessible(page, "viewer-panel")
    panel.locator(".print").last.evaluate("each => each.scrollIntoView({ block: 'end' })")
    expect(panel.get_by_role("searchbox")).to_be_in_viewport()
    page.get_by_role("button", name="Quote this").first.click()  # beside it
    panel.get_by_role("link", name="Next page").click()
    expect(page).to_have_url(re.compile("/books/house/3$"))

    page.go_back()

    expect(panel).to_have_count(0)
    expect(page).to_have_url(re.compile("/essay$"))
    expect(page.get_by_text("Copied.")).to_be_visible()
    page.get_by_role("link", name="(House").first.click()
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(page.get_by_role("link", name="(House").first).to_be_focused()
    expect(page).to_have_url(re.compile("/essay$"))


def test_on_a_phone_the_text_is_read(house: Running) -> None:
    page = house.signed_in(HOUSE, viewport={"width": 390, "height": 844}, has_touch=True)
    expect(page.locator(".line").first).to_have_css("position", "static")
    assert page.locator(".line").first.evaluate("line => parseFloat(getComputedStyle(line).fontSize)") >= 16
    expect_accessible(page)
    page.goto(f"{house.address}/sentences/{sentence_with('Silence', house.site)}")
    expect(page.locator(".is-cited")).to_be_in_viewport()

    page.get_by_role("button", name="Show the page").click()

    loaded(page)
    expect_accessible(page)
