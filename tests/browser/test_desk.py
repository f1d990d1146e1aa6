"""An essay on its teacher's desk in a real browser: looked through, changed, released (make web-test)."""

import pytest
from playwright.sync_api import Page, expect

from chapterverse.accounts.model import KeyScope
from chapterverse.assignments.model import NewAssignment, Release
from chapterverse.assignments.service import create_assignment, upload
from chapterverse.essays.batch.entries import EssayEntry
from tests.browser.conftest import PATIENT, Running, expect_accessible
from tests.support.shelved import shelve

SILENCING = "Silencing an opinion robs mankind of truth, even <script>alert(1)</script> one."
SINGS = "My uncle sings."


@pytest.fixture
def essay(running: Running) -> Page:
    """The desk with the first of two essays, whose students see the feedback at once."""
    coursework = running.site.parts.coursework
    of = create_assignment("school", NewAssignment(title="Form 3b", release=Release.AT_ONCE), coursework)
    ada, ben = EssayEntry(1, 'Ada "Countess" L', text=SILENCING), EssayEntry(2, "Ben", text=f"{SINGS}\n\n{SILENCING}")
    upload(of, [ada, ben], coursework)
    running.writing().wait_until_idle(PATIENT / 1000)
    page = running.signed_in(f"/essay/assignments/{of.id}", KeyScope.TEACHER)
    page.get_by_role("link", name="Ada").click()
    expect(page.locator("#evidence-1")).to_be_visible()
    return page


def test_what_a_colleague_has_deleted_is_said_to_be_gone(essay: Page) -> None:
    other = essay.context.new_page()
    other.on("dialog", lambda asked: asked.accept())
    other.goto(essay.url)
    other.locator("#actions summary").click()
    other.get_by_role("button", name="Delete this feedback").click()
    expect(other.locator("#review-state")).to_have_text("You have deleted this feedback.")

    essay.get_by_role("button", name="Hide: Comment 1").click()

    expect(essay.locator("#state")).to_contain_text("was deleted or has expired")
    expect(essay.locator("#evidence-1")).to_have_count(0)
    essay.reload()
    expect(essay.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(essay.get_by_role("link", name="Books")).to_be_visible()


def test_a_passage_is_replaced_hidden_and_shown_again(essay: Page) -> None:
    page, card = essay, essay.locator("#evidence-1")
    expect_accessible(page, "desk")

    card.get_by_role("button", name="Replace …").press("Enter")
    expect(page.locator(".candidates li").first).to_be_visible()
    page.get_by_label("Search your books").fill("So much is certain")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".candidates strong").first).to_have_text("So much is certain.")
    expect_accessible(page, "desk-replace")
    page.get_by_role("button", name="Use this passage").first.press("Enter")
    expect(card.locator("strong")).to_have_text("So much is certain.")
    expect(card).to_be_focused()

    page.reload()
    expect(card.locator("strong")).to_have_text("So much is certain.")
    card.get_by_role("button", name="Restore the original sentence").click()
    expect(card.locator("strong")).to_have_text("Silencing an opinion robs mankind of truth.")

    page.get_by_role("button", name="Hide").press("Enter")  # there is one: of the comment with its passage
    expect(card).to_have_count(0)
    expect(page.locator(".hidden-parts")).to_contain_text("Paragraph 1: Could you use this?")
    expect_accessible(page, "desk-hidden")
    page.get_by_role("button", name="Show again").click()
    expect(card).to_be_visible()


def test_a_passage_is_added_for_a_paragraph_from_one_book(running: Running, essay: Page) -> None:
    shelve(running.site.services, "Another Book", ["Cats sleep all day."])
    essay.get_by_role("button", name="Add a passage").first.click()
    expect(essay.locator(".candidates li").first).to_be_visible()

    essay.get_by_role("combobox", name="Book").select_option("Another Book")
    expect(essay.locator(".candidates strong")).to_have_text(["Cats sleep all day."])
    essay.get_by_role("button", name="Use this passage").click()

    expect(essay.locator("#evidence-1001 strong")).to_have_text("Cats sleep all day.")
    expect_accessible(essay)
    essay.reload()
    essay.locator("#evidence-1001").get_by_role("button", name="Replace …").click()
    essay.get_by_role("button", name="Use this passage").first.click()
    expect(essay.locator("#evidence-1001 strong")).not_to_have_text("Cats sleep all day.")
    essay.locator("#comment-1001").get_by_role("button", name="Edit").click()
    essay.locator("#comment-1001").get_by_role("textbox").fill("See what he says.")
    essay.locator("#comment-1001").get_by_role("button", name="Save", exact=True).click()
    expect(essay.locator("#saved")).to_have_text("Saved.")
    essay.reload()
    expect(essay.locator("#comment-1001")).to_contain_text("See what he says.")
    essay.locator("#comment-1001").get_by_role("button", name="Hide").click()
    expect(essay.locator("#evidence-1001")).to_have_count(0)


def test_of_two_windows_the_second_is_told_and_sees_what_the_first_did(essay: Page) -> None:
    other = essay.context.new_page()
    other.goto(essay.url)
    expect(other.locator("#evidence-1")).to_be_visible()
    essay.get_by_role("button", name="Hide: Comment 1").click()
    expect(essay.get_by_role("button", name="Show again")).to_be_visible()

    other.locator("#evidence-1").get_by_role("button", name="Replace …").click()
    other.get_by_role("button", name="Use this passage").first.click()

    expect(other.get_by_role("button", name="Show again")).to_be_visible()


def test_an_essay_of_no_assignment_is_listed_and_opened(running: Running) -> None:
    running.site.caller()("POST", "/api/v1/essays/feedback", {"essay": SILENCING})
    page = running.signed_in("/essay/assignments", KeyScope.TEACHER)

    page.get_by_text("Essays without an assignment: 1").click()
    page.get_by_role("link", name="Silencing an opinion").click()

    expect(page.get_by_role("button", name="Hide: Comment 1")).to_be_visible()
