"""Textbooks in a real browser: read, and asked about (make web-test)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bookreader.worker import read_source
from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import Collection
from chapterverse.library.intake import add_book
from chapterverse.library.services import parsed
from chapterverse.questions.model import Levels
from chapterverse.questions.styles import TEXTBOOK_CHAT
from chapterverse.web.app import create_app
from tests.browser.conftest import Running, expect_accessible, take_picture
from tests.support.books import LIMITS
from tests.support.pdfs import a_pdf
from tests.support.pictures import a_zip, png
from tests.support.serving import serving
from tests.support.web import Site, web_parts

NEAR = replace(TEXTBOOK_CHAT, cosines=Levels(sure=0.99, answers=0.1, near=0.05))
TITLE = 'Robots "for <b>all</b>"'
NODES = """# Nodes & topics

A **node** is a process. Nodes talk by *topics*; see [how far they see](../02-hardware/lidar.md#range).
<script>document.title = "owned"</script><img src="x" onerror="document.title = 'owned'">

![Two nodes and a topic](img/nodes.png)

## What a node is

Every node calls `rclpy.init()` first. It spins until somebody stops it.

```python
rclpy.init()  # a line that is longer than the column of the page is wide, so that it has to be moved by hand or by the keyboard
```

### Names

1. A name has no blanks.
2. A name is unique:
   - within its namespace.

:::tip
Two nodes of one name stop each other.
:::

## Quality of service

| Policy | What it says | Default |
|---|---|---|
| Reliability | whether a message may be lost | reliable |
"""
LIDAR = """# Lidar

A lidar turns and sees all around.

## Range

A lidar sees a hundred metres. Fog shortens its range.
"""
PAGES: dict[str, bytes] = {
    "01-middleware/_category_.json": b'{"label": "Module 1: Middleware"}',
    "01-middleware/nodes.md": NODES.encode(),
    "01-middleware/img/nodes.png": png(480, 160),
    "02-hardware/lidar.md": LIDAR.encode(),
}


@pytest.fixture
def robots(tmp_path: Path, chromium: Browser) -> Iterator[Running]:
    """A school with a textbook of pages and one of paper, where words that are equal are near enough, but never quite sure."""
    with web_parts(tmp_path) as usual:
        parts = replace(usual, textbook_style=NEAR)
        pdf = a_pdf("A printed page says this. It says no more.")
        for shelf in (parts.collections[each] for each in (Collection.TEXTBOOK, Collection.DOCUMENTS)):
            add_book(a_zip(PAGES), "robots.zip", "school", replace(shelf, parser=read_source), LIMITS, title=TITLE)
            add_book(pdf, "paper.pdf", "school", replace(shelf, parser=parsed), replace(LIMITS, megabytes=2048))
        running = Site(parts, create_app(parts))
        with serving(running.app) as address:
            yield Running(address, running, chromium)


def at_chapter(robots: Running, number: int = 1, **context: object) -> Page:
    return robots.signed_in(f"/textbook/robots/{number}", **context)


def test_a_book_is_found_and_read_as_it_is_written(robots: Running) -> None:
    page = robots.signed_in("/ask")
    expect_accessible(page, "textbook-list")

    page.get_by_role("link", name="Robots").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Nodes & topics")
    text = page.get_by_role("article")
    expect(text.get_by_role("table")).to_be_visible()
    expect(text.locator("pre")).to_contain_text("rclpy.init()")
    expect(text.get_by_role("heading", name="Names")).to_have_js_property("tagName", "H3")
    picture = text.get_by_alt_text("Two nodes and a topic")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("naturalWidth", 480)
    assert "owned" not in page.title()
    expect_accessible(page, "textbook-reader")


def test_what_is_selected_is_asked_about_and_a_section_is_lit(robots: Running) -> None:
    page = at_chapter(robots)

    page.get_by_text("A name is unique:").select_text()
    page.get_by_role("button", name="Ask about this").click()
    chat = page.get_by_role("region", name="Ask this book")
    expect(chat.locator("#quoted")).to_contain_text("A name is unique:")
    chat.get_by_label("Your question").fill("A lidar sees a hundred metres.")
    take_picture(page, "textbook-selected")
    page.keyboard.press("Enter")

    answer = chat.get_by_role("article")
    expect(answer).to_contain_text("A lidar sees a hundred metres.")
    expect(answer).to_contain_text("it may not answer your question")
    expect(answer.locator(".selected-text")).to_have_text("A name is unique:")
    expect_accessible(page, "textbook-answer")
    answer.get_by_role("link", name="Range").first.click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Lidar")
    expect(page.locator(".is-cited")).to_contain_text("A lidar sees a hundred metres.")
    assert "/textbook/robots/2#" in page.url
    expect(answer).to_contain_text("A lidar sees")  # what was asked is still there
    expect_accessible(page, "textbook-lit")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Nodes & topics")
    page.reload()
    expect(answer.locator(".selected-text")).to_have_text("A name is unique:")
    expect(answer).to_contain_text("it may not answer your question")


def test_the_contents_are_scrolled_to_the_line_of_the_chapter(robots: Running) -> None:
    page = at_chapter(robots, 2, viewport={"width": 1200, "height": 160})

    expect(page.locator("#contents [aria-current]")).to_be_in_viewport()


def test_where_nothing_is_found_related_topics_lead_on(robots: Running) -> None:
    page = at_chapter(robots, 2)

    page.get_by_label("Your question").fill("Sourdough bread?")
    page.get_by_role("button", name="Ask", exact=True).click()

    answer = page.get_by_role("region", name="Ask this book").get_by_role("article")
    expect(answer).to_contain_text("I couldn't find relevant content.")
    expect_accessible(page)
    answer.get_by_role("link").first.click()
    expect(page.locator(".is-cited")).to_be_visible()


def test_an_answer_is_shown_where_storage_is_full_and_has_one_of_another_version(robots: Running) -> None:
    page = at_chapter(robots, 2)
    answers = page.get_by_role("region", name="Ask this book").get_by_role("article")
    page.evaluate(
        """() => sessionStorage.setItem("textbook-answers robots", '[{"about": "", "text": "Why?", "answer": {}}]')"""
    )
    page.reload()
    page.evaluate("""() => {
      for (let size = 1 << 22; size; size >>= 1) try { sessionStorage.setItem(`fill ${size}`, "x".repeat(size)); } catch {}
    }""")

    page.get_by_label("Your question").fill("A lidar sees a hundred metres.")
    page.keyboard.press("Enter")

    expect(answers).to_contain_text(["it may not answer your question"])


def test_the_keyboard_alone_marks_and_asks(robots: Running) -> None:
    page = at_chapter(robots, 2)

    page.get_by_role("article").focus()
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Enter")

    expect(page.locator("#quoted")).to_contain_text("A lidar sees a hundred metres. Fog shortens its range.")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("Fog shortens its range.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Ask this book").get_by_role("article")).to_contain_text("Fog shortens")


def test_on_a_phone_the_questions_are_a_sheet(robots: Running) -> None:
    page = at_chapter(robots, 2, viewport={"width": 390, "height": 844}, has_touch=True)
    expect(page.locator("#chat")).to_be_hidden()

    page.get_by_text("A lidar sees a hundred metres.").select_text()
    page.get_by_role("button", name="Ask about this").tap()

    chat = page.get_by_role("region", name="Ask this book")
    expect(chat).to_be_visible()
    expect_accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("#chat")).to_be_hidden()
    assert page.locator("#open-chat").evaluate("bar => bar.offsetLeft === 0 && bar.offsetWidth === innerWidth")
    page.get_by_role("button", name="Ask this book").click()
    expect(chat.get_by_label("Your question")).to_be_focused()


def test_a_lost_connection_takes_nothing_that_was_typed(robots: Running) -> None:
    page = at_chapter(robots, 2)

    page.context.set_offline(True)
    page.get_by_label("Your question").fill("How far does a lidar see?")
    page.keyboard.press("Enter")

    expect(page.locator("#state")).to_contain_text("connection was lost")
    expect(page.get_by_label("Your question")).to_have_value("How far does a lidar see?")
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Ask this book").get_by_role("article")).to_have_count(1)


def test_a_printed_textbook_shows_its_pages(robots: Running) -> None:
    page = robots.signed_in("/ask")

    page.get_by_role("link", name="paper").or_(page.get_by_role("link", name="On Principle")).first.click()
    page.wait_for_url("**/textbook/*/*")
    page.wait_for_load_state("networkidle")
    page.get_by_role("link", name="Page").first.click()

    expect(page.locator("dialog .print img")).to_have_js_property("complete", True)
    page.keyboard.press("Escape")
    expect(page.get_by_role("article")).to_contain_text("A printed page says this.")
    expect_accessible(page, "textbook-printed")


def test_a_teacher_renames_a_site_and_its_pages(robots: Running) -> None:
    page = robots.signed_in("/books", KeyScope.TEACHER)
    page.get_by_role("listitem").filter(has_text="robots.zip").get_by_role("link").last.click()

    page.get_by_text("Title and authors").click()
    page.get_by_label("Title").fill("Robots and people")
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("heading", name="Robots and people")).to_be_visible()
    page.get_by_text("Chapters", exact=True).last.click()
    page.locator("[data-correct=chapters] input").first.fill("What robots see")
    expect_accessible(page, "textbook-teacher")
    page.locator("[data-correct=chapters]").get_by_role("button", name="Save").click()
    expect(page.locator("#state")).to_have_text("Saved.")
    page.get_by_role("link", name="Read this book").click()
    expect(page.get_by_role("link", name="What robots see").first).to_be_visible()
