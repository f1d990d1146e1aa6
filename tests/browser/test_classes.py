"""A teacher's class in a real browser: handed in, looked through, changed, approved (make web-test)."""

import json
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from chapterverse.accounts.model import KeyScope
from chapterverse.essays.batch.tasks import run_batch_task
from chapterverse.infrastructure.queue.local import LocalQueue
from tests.browser.conftest import Running, expect_accessible, take_picture
from tests.support.documents import word
from tests.support.shelved import shelve

SILENCING = "Silencing an opinion robs mankind of truth, even <script>alert(1)</script> one."
SINGS = "My uncle sings."
FILES = [
    {"name": 'Ada "Countess" L.txt', "mimeType": "text/plain", "buffer": SILENCING.encode()},
    {"name": "Ben.txt", "mimeType": "text/plain", "buffer": f"{SINGS}\n\n{SILENCING}".encode()},
    {"name": "Zoe.txt", "mimeType": "text/plain", "buffer": b""},
    {"name": "photo.png", "mimeType": "image/png", "buffer": b"PNG"},
]


@pytest.fixture
def page(running: Running) -> Page:
    queue = running.site.parts.batches.queue
    assert isinstance(queue, LocalQueue)
    queue.start(partial(run_batch_task, context=running.site.parts.batches))
    teacher = running.signed_in("/essay/classes", KeyScope.TEACHER)
    teacher.get_by_text("Upload essays without an assignment").click()
    return teacher


@pytest.fixture
def handed_in(page: Page) -> Page:
    """Three files, one of them empty, on the page of their class, all ended."""
    page.get_by_label("Name", exact=True).fill("Form 3b")
    page.locator("#files").set_input_files(FILES)  # type: ignore[arg-type]
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("heading", name="Form 3b")).to_be_visible()
    expect(page.locator("#progress-text")).to_contain_text("2 of 3 essays are done.")
    expect(page.locator("#rows tr")).to_have_count(3)
    return page


@pytest.fixture
def essay(handed_in: Page) -> Page:
    handed_in.get_by_role("link", name="Ada").click()
    expect(handed_in.locator("#evidence-1")).to_be_visible()
    return handed_in


def test_a_class_is_chosen_and_what_is_no_text_is_named(page: Page) -> None:
    page.locator("#files").set_input_files(FILES)  # type: ignore[arg-type]

    expect(page.locator("#chosen")).to_contain_text("Files chosen: 3")
    expect(page.locator("#chosen")).to_contain_text("photo.png")
    for summary in page.locator("form summary").all():
        summary.click()
    expect(page.locator("#books")).to_contain_text("On Principle")
    expect_accessible(page)
    take_picture(page, "classes-hand-in")


def test_files_of_word_are_essays(page: Page) -> None:
    essay = word(f"<w:p><w:r><w:t>{SILENCING.replace('<', '').replace('>', '')}</w:t></w:r></w:p>")
    page.locator("#files").set_input_files([{"name": "Ada.docx", "mimeType": "", "buffer": essay}])
    page.get_by_role("button", name="Upload", exact=True).click()

    expect(page.locator("#rows")).to_contain_text("Ada")
    expect(page.locator("#progress-text")).to_contain_text("1 of 1 essays are done.")


def test_what_cannot_be_used_is_told_by_its_line_and_the_others_go_on(page: Page) -> None:
    lines = "".join(json.dumps({"id": who, "text": text}) + "\n" for who, text in (("Ada", SILENCING), ("Ben", "")))
    page.get_by_text("Paste the essays instead").click()
    page.locator("#pasted").fill(lines + "no JSON\n")
    page.get_by_role("button", name="Upload", exact=True).click()

    expect(page.locator("#rows")).to_contain_text("Line 2 has no text.")
    expect(page.locator("#rows")).to_contain_text("Line 3 is not JSON.")
    expect(page.locator("#progress-text")).to_contain_text("1 of 3 essays are done.")


def test_pasted_essays_are_parted_by_their_lines_and_given_twice_are_one_class(page: Page) -> None:
    for known in (False, True):
        page.get_by_text("Paste the essays instead").click()
        page.locator("#pasted").fill(f"=== Ada\n{SILENCING}\n\n=== Dr. Ben\n{SINGS}\n")
        page.get_by_role("button", name="Upload", exact=True).click()
        expect(page.get_by_role("link", name="Dr. Ben")).to_be_visible()
        expect(page.locator("#state")).to_have_text(
            "You have already uploaded these essays: this is the class." if known else ""
        )
        page.get_by_role("link", name="Other essays").click()
        expect(page.locator("#batches li")).to_have_count(1)
        page.get_by_text("Upload essays without an assignment").click()
    expect_accessible(page)
    take_picture(page, "classes-list")


def test_a_lost_connection_is_said_and_what_was_pasted_stays(page: Page) -> None:
    page.get_by_text("Paste the essays instead").click()
    page.locator("#pasted").fill(SILENCING)
    page.context.set_offline(True)

    page.get_by_role("button", name="Upload", exact=True).click()

    expect(page.locator("#state")).to_contain_text("connection was lost")
    assert page.locator("#pasted").input_value() == SILENCING


def test_the_table_is_sorted_by_its_heads_filtered_and_saved(handed_in: Page) -> None:
    page = handed_in
    names = page.locator("#rows th")
    expect_accessible(page)
    take_picture(page, "classes-table")

    page.get_by_role("button", name="Student").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Student")).to_have_attribute("aria-sort", "ascending")
    page.keyboard.press("Enter")
    expect(names).to_have_text(["Zoe", "Ben", 'Ada "Countess" L'])

    page.get_by_label("Show").select_option("failed")
    expect(names).to_have_text(["Zoe"])
    expect(page.locator("#rows")).to_contain_text("File 3 is empty.")
    page.get_by_label("Show").select_option("all")
    page.get_by_label("Find").fill("be")
    expect(names).to_have_text(["Ben"])

    with page.expect_download() as saved:
        page.get_by_role("link", name="Export CSV").click()
    assert saved.value.suggested_filename == "results.csv"


def test_one_essay_after_the_other_by_the_keyboard(essay: Page) -> None:
    expect(essay.locator("#place")).to_have_text("1 of 3")
    essay.keyboard.press("ArrowRight")
    expect(essay.get_by_role("heading", name="Ben")).to_be_visible()
    essay.keyboard.press("ArrowRight")
    expect(essay.locator("#review-state")).to_contain_text("File 3 is empty.")
    expect_accessible(essay)
    essay.keyboard.press("ArrowLeft")
    expect(essay.get_by_role("heading", name="Ben")).to_be_visible()


def test_whoever_comes_back_to_the_class_finds_it_sorted_and_filtered_as_it_was(handed_in: Page) -> None:
    handed_in.get_by_label("Show").select_option("untouched")
    handed_in.get_by_label("Find").fill("b")
    for _ in range(2):
        handed_in.get_by_role("button", name="Student").click()
    handed_in.get_by_role("link", name="Ben").click()
    expect(handed_in.locator("#place")).to_have_text("1 of 1")

    handed_in.get_by_role("link", name="Form 3b").click()

    expect(handed_in.locator("#rows th")).to_have_text(["Ben"])
    expect(handed_in.get_by_label("Find")).to_have_value("b")
    handed_in.get_by_label("Find").fill("")
    expect(handed_in.locator("#rows th")).to_have_text(["Ben", 'Ada "Countess" L'])


def test_whoever_changes_what_a_colleague_has_deleted_is_told_so(essay: Page) -> None:
    other = essay.context.new_page()
    other.on("dialog", lambda asked: asked.accept())
    other.goto(essay.url)
    other.locator("#actions summary").click()
    other.get_by_role("button", name="Delete this feedback").click()
    expect(other.locator("#review-state")).to_have_text("You have deleted this feedback.")

    essay.locator("#evidence-1").get_by_role("button", name="Pin to the top").click()

    expect(essay.locator("#state")).to_contain_text("it was deleted or has expired")
    expect(essay.locator("#evidence-1")).to_have_count(0)


def test_what_a_teacher_changes_shows_at_once_and_is_there_after_a_reload(essay: Page) -> None:
    page, card = essay, essay.locator("#evidence-1")
    expect_accessible(page)
    take_picture(page, "classes-essay")

    card.get_by_role("button", name="Pin to the top").click()
    expect(card.get_by_text("Pinned: students see it first.")).to_be_visible()

    card.get_by_role("button", name="Replace …").click()
    expect(page.locator(".candidates li").first).to_be_visible()
    page.get_by_label("Search your books").fill("So much is certain")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".candidates strong").first).to_have_text("So much is certain.")
    expect_accessible(page)
    take_picture(page, "classes-replace")
    page.get_by_role("button", name="Use this sentence").first.click()
    expect(card.locator("strong")).to_have_text("So much is certain.")
    expect(card).to_contain_text("Replaces: “Silencing an opinion")

    page.reload()
    expect(card.locator("strong")).to_have_text("So much is certain.")
    card.get_by_role("button", name="Restore the original sentence").click()
    expect(card.locator("strong")).to_have_text("Silencing an opinion robs mankind of truth.")
    card.get_by_role("button", name="Unpin").click()
    expect(card.get_by_role("button", name="Pin to the top")).to_be_visible()

    card.get_by_role("button", name="Hide").click()
    expect(card).to_have_count(0)
    expect(page.get_by_role("heading", name="Hidden from students")).to_be_visible()
    expect(page.get_by_text("No evidence is shown. Your teacher has hidden it.")).to_be_visible()
    expect_accessible(page)
    take_picture(page, "classes-hidden")
    page.get_by_role("button", name="Show again").click()
    expect(card).to_be_visible()


def test_whoever_uses_the_keyboard_goes_on_where_something_was_hidden_or_replaced(running: Running, essay: Page) -> None:
    page, card = essay, essay.locator("#evidence-1")
    card.get_by_role("button", name="Hide").press("Enter")
    expect(page.get_by_role("button", name="Show again")).to_be_focused()
    page.get_by_role("button", name="Show again").press("Enter")
    expect(card).to_be_focused()

    card.get_by_role("button", name="Replace …").press("Enter")
    page.get_by_role("button", name="Use this sentence").first.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    expect(card).to_be_focused()


def test_another_sentence_is_looked_for_in_one_book(running: Running, essay: Page) -> None:
    shelve(running.site.services, "Another Book", ["Cats sleep all day."])
    essay.locator("#evidence-1").get_by_role("button", name="Replace …").click()
    expect(essay.locator(".candidates li")).to_have_count(3)

    essay.get_by_role("combobox", name="Book").select_option("Another Book")

    expect(essay.locator(".candidates strong")).to_have_text(["Cats sleep all day."])
    expect_accessible(essay)
    take_picture(essay, "classes-replace-in-one")


def test_a_remark_is_kept_and_one_that_is_being_written_outlives_other_changes(essay: Page) -> None:
    card = essay.locator("#evidence-1")
    card.get_by_text("Private rating").click()
    remark = card.get_by_label("Remark on Evidence #1")
    remark.fill("Off the point.")

    card.get_by_role("button", name="Not good").click()
    expect(card.get_by_role("button", name="Not good")).to_have_attribute("aria-pressed", "true")
    expect(remark).to_have_value("Off the point.")
    card.get_by_role("button", name="Save the remark").click()
    expect(card.locator(".remark .excerpt")).to_contain_text("Off the point.")

    essay.reload()
    expect(card.locator(".remark .excerpt")).to_contain_text("Not good Off the point.")


def test_approval_is_taken_back_and_given(essay: Page) -> None:
    essay.get_by_role("button", name="Take back").click()
    expect(essay.locator("#review-state")).to_have_text("Students do not see this feedback yet.")
    expect_accessible(essay)
    take_picture(essay, "classes-unapproved")

    essay.get_by_role("link", name="Form 3b").click()
    essay.get_by_label("Show").select_option("unapproved")
    expect(essay.locator("#rows th")).to_have_text(['Ada "Countess" L'])
    essay.get_by_role("link", name="Ada").click()
    essay.get_by_role("button", name="Release", exact=True).click()
    expect(essay.locator("#review-state")).to_contain_text("Visible to students since")


def test_all_that_are_shown_are_approved_at_once(essay: Page) -> None:
    essay.on("dialog", lambda asked: asked.accept())
    for name in ("Ada", "Ben"):
        expect(essay.get_by_role("heading", name=name)).to_be_visible()
        essay.get_by_role("button", name="Take back").click()
        expect(essay.locator("#review-state")).to_have_text("Students do not see this feedback yet.")
        essay.keyboard.press("ArrowRight")
    essay.get_by_role("link", name="Form 3b").click()
    expect(essay.get_by_role("button", name="Release all shown: 2")).to_be_visible()
    essay.get_by_label("Find").fill("Ben")
    expect_accessible(essay)
    take_picture(essay, "classes-approve")

    essay.get_by_role("button", name="Release all shown: 1").click()

    expect(essay.locator("#state")).to_have_text("Released: 1")
    essay.get_by_label("Find").fill("")
    expect(essay.get_by_role("button", name="Release all shown: 1")).to_be_visible()
    essay.get_by_label("Show").select_option("unapproved")
    expect(essay.locator("#rows th")).to_have_text(['Ada "Countess" L'])


def test_of_two_windows_the_second_is_told_and_sees_what_the_first_did(essay: Page) -> None:
    other = essay.context.new_page()
    other.goto(essay.url)
    expect(other.locator("#evidence-1")).to_be_visible()
    essay.locator("#evidence-1").get_by_role("button", name="Pin to the top").click()
    expect(essay.get_by_role("button", name="Unpin")).to_be_visible()

    other.locator("#evidence-1").get_by_role("button", name="Hide").click()

    expect(other.locator("#state")).to_contain_text("This was changed meanwhile")
    expect(other.get_by_role("button", name="Unpin")).to_be_visible()


def test_feedback_that_is_deleted_is_said_to_be_gone(essay: Page) -> None:
    essay.on("dialog", lambda asked: asked.accept())
    essay.locator("#actions summary").click()
    essay.get_by_role("button", name="Delete this feedback").click()
    expect(essay.locator("#review-state")).to_have_text("You have deleted this feedback.")

    essay.reload()
    expect(essay.locator("#review-state")).to_have_text("A teacher has deleted this essay.")
    essay.goto(f"{essay.url.rpartition('/classes/')[0]}/classes/others/0123456789abcdef")
    expect(essay.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(essay.get_by_role("link", name="Assignments")).to_be_visible()


def test_a_class_is_removed_after_a_question(handed_in: Page) -> None:
    handed_in.on("dialog", lambda asked: asked.accept())
    handed_in.get_by_role("button", name="Remove this class").click()

    expect(handed_in.get_by_text("No essays yet.")).to_be_visible()


def test_of_a_class_that_a_colleague_removes_nothing_stays_on_the_page(handed_in: Page) -> None:
    handed_in.evaluate("fetch('/api/v1/batches/' + document.getElementById('name').dataset.batch, {method: 'DELETE'})")
    handed_in.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    expect(handed_in.locator("#state")).to_contain_text("This class does not exist any more")
    expect(handed_in.get_by_role("link", name="Ada")).to_have_count(0)
    expect(handed_in.get_by_role("button", name="Remove this class")).to_have_count(0)


def test_an_essay_of_no_class_is_listed_and_opened(running: Running, page: Page) -> None:
    running.site.caller()("POST", "/api/v1/essays/feedback", {"essay": SILENCING})
    page.reload()

    page.locator("#other-rows tr", has_text="Silencing an opinion").get_by_role("link").click()

    expect(page.get_by_role("button", name="Pin to the top: Evidence #1")).to_be_visible()


def test_in_german_at_night_nothing_is_hard_to_read(running: Running, handed_in: Page) -> None:
    page = handed_in.context.browser.new_context(color_scheme="dark", locale="de").new_page()  # type: ignore[union-attr]
    page.context.add_cookies(handed_in.context.cookies())  # type: ignore[arg-type]
    page.goto(handed_in.url)
    expect(page.get_by_role("columnheader", name="Fehlgeschlagen").or_(page.get_by_text("2 von 3 Aufsätzen"))).to_be_visible()
    expect(page.locator("#rows tr")).to_have_count(3)
    expect_accessible(page)
    take_picture(page, "classes-table-dark")
    page.get_by_role("link", name="Ada").click()
    expect(page.locator("#evidence-1")).to_be_visible()
    expect_accessible(page)
    take_picture(page, "classes-essay-dark")
