"""Questions on documents in a real browser (make web-test)."""

from dataclasses import replace

from playwright.sync_api import expect

from chapterverse.accounts.model import KeyScope
from chapterverse.assignments.model import NewAssignment
from chapterverse.assignments.service import add_names, create_assignment
from chapterverse.core.book import BookId, Collection
from chapterverse.library.intake import add_book
from chapterverse.library.model import VersionKey
from chapterverse.library.services import parsed
from chapterverse.library.versions import remove_book
from chapterverse.messages import plain
from tests.browser.conftest import TEXT, Running, expect_accessible
from tests.support.books import LIMITS
from tests.support.pdfs import a_pdf
from tests.support.web import shelve_pdf

RULES = "The library closes at nine. Borrowed books come back within two weeks, and nobody eats between the shelves."
MENU = "Soup is served at noon. Whoever comes later gets bread and cheese, and tea until the kitchen closes for the day."


def shelve(running: Running, name: str, text: str) -> None:
    services = replace(running.site.parts.collections[Collection.DOCUMENTS], parser=parsed)
    add_book(a_pdf(text), name, "school", services, replace(LIMITS, megabytes=2048))


def test_from_a_question_to_the_lit_page_and_a_thumb(running: Running) -> None:
    shelve(running, "rules.pdf", RULES)
    shelve(running, "menu.pdf", MENU)
    page = running.signed_in("/ask")

    expect(page.get_by_role("checkbox")).to_have_count(2)
    page.get_by_label("Your question").fill("The library closes at nine.")
    page.keyboard.press("Enter")

    answer = page.get_by_role("article")
    expect(answer.locator("mark").first).to_contain_text("The library closes at nine.")
    expect_accessible(page, "ask-answer")
    answer.get_by_role("link", name="Open the page").first.click()
    expect(page.locator("dialog .print img")).not_to_have_js_property("naturalWidth", 0)
    page.keyboard.press("Escape")
    answer.get_by_role("button", name="This helped").click()
    expect(answer).to_contain_text("Thank you.")


def test_only_what_is_ticked_is_asked(running: Running) -> None:
    shelve(running, "rules.pdf", RULES)
    shelve(running, "menu.pdf", MENU)
    page = running.signed_in("/ask", KeyScope.TEACHER)

    page.get_by_role("checkbox").first.check()
    page.get_by_label("Your question").fill("The library closes at nine.")
    page.get_by_role("button", name="Ask", exact=True).click()

    expect(page.get_by_role("article")).not_to_contain_text("closes at nine. Borrowed")
    page.reload()
    expect(page.get_by_role("article")).to_have_count(1)  # a conversation outlives a reload


def test_a_student_asks_the_books_of_their_class_first(running: Running) -> None:
    shelve(running, "rules.pdf", RULES)
    principles = a_pdf(TEXT)
    shelve_pdf(running.site.services, principles, "Principles")
    services = replace(running.site.parts.collections[Collection.DOCUMENTS], parser=parsed)
    add_book(principles, "Principles.pdf", "school", services, replace(LIMITS, megabytes=2048))
    context = running.site.parts.coursework
    of = create_assignment("school", NewAssignment(title="Free speech", class_name="9b", books=("principles",)), context)
    add_names("school", str(of.class_id), "Anna, anna@school.example", context)
    page = running.signed_in("/ask")

    expect(page.locator("#documents .choice")).to_have_text("Principles")
    page.get_by_label("Your question").fill("The library closes at nine.")
    page.keyboard.press("Enter")

    expect(page.get_by_role("article")).not_to_contain_text("Borrowed books")
    expect_accessible(page, "ask-class")
    page.get_by_role("button", name="Search all the school’s books").click()
    expect(page.get_by_role("article").first).to_contain_text("The library closes at nine.")
    expect(page.locator("#documents")).to_contain_text("Rules")


def test_that_a_ticked_document_was_removed_meanwhile_is_said(running: Running) -> None:
    shelve(running, "rules.pdf", RULES)
    key = VersionKey("school", BookId("broken"), "v1", "MiniLM", Collection.DOCUMENTS)
    catalog = running.site.parts.collections[Collection.DOCUMENTS].catalog
    catalog.begin(key, "broken.zip")
    catalog.failed(key, "no_pages", plain("There are no pages in it."))
    page = running.signed_in("/ask")
    page.get_by_role("checkbox").check()  # there is nothing else to tick
    remove_book("school", BookId("rules"), running.site.parts.collections[Collection.DOCUMENTS])

    page.get_by_label("Your question").fill("When does the library close?")
    page.keyboard.press("Enter")

    expect(page.get_by_text("A book you selected no longer exists. Ask again.")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    expect(page.get_by_label("Your question")).to_have_value("When does the library close?")


def test_where_nothing_is_near_it_says_what_to_do(running: Running) -> None:
    shelve(running, "rules.pdf", RULES)
    page = running.signed_in("/ask")

    page.get_by_label("Your question").fill("Do quokkas sleep?")
    page.keyboard.press("Enter")

    answer = page.get_by_role("article")
    expect(answer).to_contain_text("There’s nothing about this in your books.")
    expect(answer).to_contain_text("Try rephrasing, or ask your teacher for a book about it.")
    expect_accessible(page)


def test_a_teacher_says_what_a_document_is_about_and_asks_by_that(running: Running) -> None:
    for name, text in (("rules", RULES), ("menu", MENU), ("bread", "Bread is baked at five. Cheese comes later.")):
        shelve(running, f"{name}.pdf", text)
    page = running.signed_in("/books", KeyScope.TEACHER)

    for name, topic in (("Rules", "Library"), ("Menu", "Meals"), ("Bread", "Meals")):
        page.goto(f"{running.address}/books")
        page.get_by_role("link", name=name, exact=True).click()
        page.get_by_text("Title and authors").click()
        page.get_by_label("Topics").fill(topic)
        page.get_by_role("button", name="Save").first.click()
        expect(page.locator("#state")).to_have_text("Saved.")
    page.goto(f"{running.address}/ask")
    expect(page.locator("#topics label")).to_have_text("Meals (2)")  # that of one book says no more than its title
    page.get_by_label("Meals (2)").check()
    page.get_by_label("Your question").fill("The library closes at nine.")
    page.get_by_label("Your question").press("Enter")

    expect(page.get_by_role("article")).not_to_contain_text("Borrowed books")
    expect_accessible(page, "ask-topics")
