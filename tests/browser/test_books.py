"""A teacher's books in a real browser (make web-test)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Route, expect

from chapterverse.accounts.model import KeyScope
from tests.browser.conftest import Running, expect_accessible
from tests.support.pdfs import a_pdf

DROPPED = """([name, bytes]) => {
  const held = new DataTransfer();
  held.items.add(new File([new Uint8Array(bytes)], name, {type: "application/pdf"}));
  return held;
}"""


def test_a_pdf_is_dropped_on_the_shelf(running: Running) -> None:
    page = running.signed_in("/books", KeyScope.TEACHER)
    drop = page.locator("#drop")
    held = page.evaluate_handle(DROPPED, ["Schools.pdf", list(a_pdf("Schools teach what the town needs."))])

    drop.dispatch_event("dragover", {"dataTransfer": held})
    expect(drop).to_contain_class("is-over")
    drop.dispatch_event("drop", {"dataTransfer": held})

    expect(page.locator("#state")).to_contain_text("Uploaded. Waiting to be processed …")
    expect(drop).not_to_contain_class("is-over")


def test_a_file_that_the_server_does_not_take_unread_is_called_too_large(running: Running) -> None:
    page = running.signed_in("/books", KeyScope.TEACHER)
    page.route("**/collections/books/sources", lambda route: route.fulfill(status=413, body="Request Entity Too Large"))

    page.get_by_label("Choose books").set_input_files({"name": "Atlas.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-"})

    expect(page.locator("#uploads")).to_contain_text("too large")


def test_another_file_of_the_same_name_replaces_a_book_only_if_that_is_meant(running: Running) -> None:
    running.reading()
    page = running.signed_in("/books", KeyScope.TEACHER)
    book = page.get_by_role("list", name="Your school’s books").get_by_role("listitem").filter(has_text="Lesebuch.pdf")
    bees, ants = a_pdf("Bees keep one queen. She lays eggs."), a_pdf("Ants build. They build a lot. So be it.")
    asked: list[str] = []

    def send(data: bytes, answer: Callable[[Dialog], None] | None = None) -> None:
        if answer:
            page.once("dialog", lambda dialog: (asked.append(dialog.message), answer(dialog)))
        file = {"name": "Lesebuch.pdf", "mimeType": "application/pdf", "buffer": data}
        page.get_by_label("Choose books").set_input_files(file)  # type: ignore[arg-type]

    send(bees)
    expect(book).to_contain_text("Ready: 2 sentences")
    send(bees)
    expect(page.locator("#uploads li")).to_have_count(0)
    send(ants, Dialog.dismiss)
    expect(page.locator("#uploads")).to_contain_text("Lesebuch.pdf: not uploaded.")
    expect(book).to_contain_text("Ready: 2 sentences")
    send(ants, Dialog.accept)
    expect(book).to_contain_text("Ready: 3 sentences")
    assert ["Lesebuch" in each for each in asked] == [True, True]


def test_a_pdf_becomes_a_book_that_is_corrected_and_removed(running: Running, tmp_path: Path) -> None:
    running.reading()
    name = 'A "Quoted" <b>Title.pdf'
    (tmp_path / name).write_bytes(a_pdf("Schools teach what the town needs. They do so badly."))
    page = running.signed_in("/books", KeyScope.TEACHER)

    page.get_by_label("Choose books").set_input_files(tmp_path / name)

    book = page.get_by_role("listitem").filter(has_text='A "Quoted" <b>Title')
    expect(book).to_contain_text("Ready: 2 sentences")
    expect_accessible(page)
    book.locator("a.title").click()
    expect(page.get_by_role("heading", level=1)).to_have_text('A "Quoted" <b>Title')
    page.get_by_text("Title and authors").click()
    page.get_by_label("Title", exact=True).fill("Schools")
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Schools")
    expect_accessible(page)

    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Remove this book").click()
    page.wait_for_url("**/books")
    expect(page.get_by_role("listitem")).to_have_count(1)


def test_a_book_is_replaced_and_the_one_before_is_searched_until_then(running: Running, tmp_path: Path) -> None:
    running.reading()
    (tmp_path / "corrected.pdf").write_bytes(a_pdf("Truth is late. It comes on foot. It stays the night."))
    (tmp_path / "scan.pdf").write_bytes(a_pdf(" "))
    page = running.signed_in("/books/on-principle", KeyScope.TEACHER)
    expect(page.get_by_text("Ready: 3 sentences")).to_be_visible()

    page.get_by_label("Replace with a new file").set_input_files(tmp_path / "scan.pdf")
    expect(page.get_by_text("We couldn’t read the new file; the previous one is still in use.")).to_be_visible()
    expect(page.locator("#report")).to_contain_text("text")
    expect_accessible(page)

    page.get_by_label("Replace with a new file").set_input_files(tmp_path / "corrected.pdf")
    expect(page.locator(".key-numbers")).to_contain_text("11")
    expect(page.get_by_text("Ready: 3 sentences")).to_be_visible()


@pytest.mark.parametrize("how", ["button", "reload"])
@pytest.mark.parametrize(("path", "choice"), [("/books", "Choose books"), ("/books/on-principle", "Replace with a new file")])
def test_a_file_that_the_line_lost_is_sent_again(running: Running, tmp_path: Path, path: str, choice: str, how: str) -> None:
    running.reading()
    (tmp_path / "schools.pdf").write_bytes(a_pdf("Schools teach what the town needs."))
    page = running.signed_in(path, KeyScope.TEACHER)
    page.context.set_offline(True)
    page.get_by_label(choice).set_input_files(tmp_path / "schools.pdf")
    expect(page.get_by_text("schools.pdf: The connection was lost during the upload.")).to_be_visible()
    expect_accessible(page)
    page.context.set_offline(False)

    page.get_by_role("button", name="Try again: schools.pdf").click() if how == "button" else page.reload()

    expect(page.get_by_text("Ready: 1 sentence")).to_be_visible()
    expect(page.locator("#uploads")).to_be_empty()
    page.reload()
    expect(page.locator("#uploads")).to_be_empty()


def test_what_is_dropped_beside_the_place_for_it_does_not_take_the_page_away(running: Running) -> None:
    page = running.signed_in("/books", KeyScope.TEACHER)
    held = page.evaluate_handle(
        "() => { const held = new DataTransfer(); held.items.add(new File(['x'], 'x.pdf')); return held; }"
    )

    goes_on = page.locator("h1").evaluate(
        """(heading, dataTransfer) => ["dragover", "drop"].map(
            (name) => heading.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer })))""",
        held,
    )

    assert goes_on == [False, False]


def test_the_pages_that_look_odd_are_shown(running: Running, tmp_path: Path) -> None:
    running.reading()
    (tmp_path / "torn.pdf").write_bytes(a_pdf("and truth is late here. It comes on foot. It stays the night."))
    page = running.signed_in("/books/on-principle", KeyScope.TEACHER)
    expect(page.get_by_text("Ready: 3 sentences")).to_be_visible()

    page.get_by_label("Replace with a new file").set_input_files(tmp_path / "torn.pdf")

    expect(page.get_by_role("heading", name="Check these pages first")).to_be_visible()
    picture = page.get_by_role("img", name="Page 1 (PDF page 1)")
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 0
    expect(page.get_by_text("It comes on foot.", exact=False)).to_be_visible()
    expect_accessible(page)


def test_a_file_is_uploaded_once_and_serves_all_that_is_ticked(running: Running, tmp_path: Path) -> None:
    running.reading()
    (tmp_path / "schools.pdf").write_bytes(a_pdf("Schools teach what the town needs. They do so badly."))
    page = running.signed_in("/books", KeyScope.TEACHER)

    page.get_by_label("Choose books").set_input_files(tmp_path / "schools.pdf")

    card = page.get_by_role("listitem").filter(has_text="Schools")
    expect(card.get_by_label("Ask")).to_be_checked()
    expect(card).to_contain_text("Ready: 2 sentences")
    card.get_by_label("Textbook").uncheck()
    expect(page.locator("#state")).to_have_text("Saved.")
    expect(card.get_by_label("Textbook")).not_to_be_checked()
    expect(card.locator("img")).not_to_have_js_property("naturalWidth", 0)
    expect_accessible(page, "library")
    page.get_by_label("Find a book").fill("schools")
    expect(page.get_by_role("listitem")).to_have_count(1)
    page.get_by_label("Find a book").fill("zebra")
    expect(page.get_by_text("No book matches.")).to_be_visible()

    student = running.signed_in("/ask", email="ben@school.example")

    expect(student.get_by_role("checkbox", name="Schools")).to_be_visible()


def test_uploads_that_a_reload_interrupts_go_on(running: Running, tmp_path: Path) -> None:
    running.reading()
    names = [f"book {n}.pdf" for n in range(3)]
    for n, name in enumerate(names):
        (tmp_path / name).write_bytes(a_pdf(f"Schools teach what town number {n} of this country needs."))
    page = running.signed_in("/books", KeyScope.TEACHER)
    held: list[Route] = []
    sources = "**/collections/books/sources"
    page.route(sources, lambda route: held.append(route) if route.request.method == "POST" else route.continue_())

    page.get_by_label("Choose books").set_input_files([tmp_path / name for name in names])
    expect(page.locator("#uploads")).to_contain_text("book 2.pdf: waiting …")
    expect(page.locator("#uploads")).to_contain_text("Uploading book 0.pdf …")
    page.unroute(sources)
    page.reload()

    expect(page.locator("#uploads")).to_be_empty()
    for n in range(3):
        expect(page.locator("#books li", has_text=f"book {n}.pdf")).to_have_count(1)
