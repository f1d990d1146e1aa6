"""The teacher's day in a real browser: sets an assignment, collects essays by code and by upload, mends comments, releases
(make web-test)."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from chapterverse.accounts.model import KeyScope
from tests.browser.conftest import SIZES, Running, expect_accessible, take_picture

SILENCING = "Silencing an opinion robs mankind of truth."
FILES = [
    {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": SILENCING.encode()} for name in ("Ada Lovelace", "Ben_Okri")
]
PHONE, LAPTOP = ({"width": width, "height": height} for width, height in (SIZES["phone"], SIZES["laptop"]))


@pytest.fixture
def teacher(running: Running) -> Page:
    running.writing()
    return running.signed_in("/", KeyScope.TEACHER, email="okri@school.example", name="Ms Okri")


@pytest.fixture
def assignment(teacher: Page) -> Page:
    """The page of a new assignment."""
    teacher.get_by_role("link", name="New assignment").click()
    expect(teacher.get_by_role("heading", name="Assignments")).to_be_visible()
    expect_accessible_at_both_widths(teacher)
    teacher.get_by_label("Title").fill("Free speech")
    teacher.get_by_label("Class name").fill("9b")
    teacher.get_by_text("Rubric", exact=True).click()
    for at, (criterion, points) in enumerate([("Gives reasons", "20"), ("Uses evidence from books", "9")]):
        teacher.locator("#rubric-rows").get_by_label("Criterion").nth(at).fill(criterion)
        teacher.locator("#rubric-rows").get_by_label("Points").nth(at).fill(points)
        teacher.keyboard.press("Enter")
        expect(teacher.locator("#rubric-rows").get_by_label("Criterion").nth(at + 1)).to_be_focused()
    teacher.get_by_label("Due").fill("2020-02-02T10:00")
    expect(teacher.get_by_text("This time has already passed.")).to_be_visible()
    expect_accessible(teacher, "assignment-new")
    teacher.get_by_label("Due").fill("")
    teacher.get_by_role("button", name="Create the assignment").click()
    expect(teacher.get_by_role("heading", name="Free speech")).to_be_visible()
    return teacher


@pytest.fixture
def uploaded(assignment: Page) -> Page:
    """The same with two essays that are ready."""
    assignment.wait_for_load_state("networkidle")
    assignment.locator("#files").set_input_files(FILES)  # type: ignore[arg-type]
    assignment.get_by_role("button", name="Upload", exact=True).click()
    expect(assignment.get_by_role("button", name="Release all 2")).to_be_visible()
    return assignment


def expect_accessible_at_both_widths(page: Page) -> None:
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect_accessible(page)


def press_until(page: Page, key: str, selector: str) -> None:
    """Press the key until an element that matches has the focus."""
    for _ in range(120):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    pytest.fail(f"{key} does not lead to {selector}")


def test_a_class_is_uploaded_mended_and_released(uploaded: Page) -> None:
    page = uploaded
    expect(page.locator("#rows")).to_contain_text("Ada Lovelace")
    expect_accessible_at_both_widths(page)
    take_picture(page, "assignment")

    page.get_by_role("link", name="Open the essay of Ada Lovelace").click()
    expect(page.get_by_role("heading", name="Ada Lovelace")).to_be_visible()
    comment = page.locator("#comment-1")
    comment.get_by_role("button", name="Edit").click()
    comment.get_by_role("textbox").first.fill("Say which page.")
    comment.get_by_role("button", name="Save", exact=True).click()
    expect(comment).to_contain_text("Say which page.")
    page.get_by_text("Add a comment").click()
    page.get_by_label("Comment", exact=True).fill("A strong beginning.")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#comment-1001")).to_contain_text("A strong beginning.")
    page.locator("#comment-1001").get_by_role("button", name="Hide").click()
    expect(page.locator("#comment-1001")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#comment-1001")).to_be_visible()
    page.locator("#criterion-2").get_by_label("Level").select_option("mostly")
    expect(page.locator(".from-teacher")).to_contain_text("Points: 6 of 9")
    page.get_by_label("Note to the student").fill("Well done.")  # while the level is stored
    page.locator("#grade").fill("2+")
    expect(page.locator("#state")).to_contain_text("Saved.")
    expect(page.locator("#saved")).to_have_text("Saved.")
    expect(page.locator(".from-teacher .note")).to_have_count(0)  # the form has the note already
    expect_accessible_at_both_widths(page)
    take_picture(page, "assignment-essay")

    page.get_by_role("link", name="Free speech").click()
    page.get_by_role("button", name="Release all 2").click()
    expect(page.locator("#state")).to_contain_text("Released: 2.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Release all 2")).to_be_visible()
    page.get_by_label("Select Ben Okri’s feedback").check()
    page.get_by_role("button", name="Release 1 selected").click()
    expect(page.locator(".progress-of")).to_have_text(["ready to release", "released"])


def test_a_class_is_taken_home_as_a_table_and_as_an_archive_that_says_how_far_it_is(uploaded: Page) -> None:
    with uploaded.expect_download() as table:
        uploaded.get_by_role("link", name="Export CSV").click()
    uploaded.route("**/feedback.zip", lambda route: (uploaded.wait_for_timeout(500), route.continue_()))
    with uploaded.expect_download() as archive:
        uploaded.get_by_role("button", name="All feedback as PDFs (ZIP)").click()
        expect(uploaded.locator("#state")).to_contain_text("0 of 2")

    assert b"Ada Lovelace" in Path(table.value.path()).read_bytes()
    assert archive.value.suggested_filename == "Free speech.zip"
    assert "01 Ada Lovelace.pdf" in ZipFile(archive.value.path()).namelist()
    expect(uploaded.locator("#state")).to_have_text("Downloaded.")


def test_essays_are_read_and_released_by_the_keyboard_alone(uploaded: Page) -> None:
    page = uploaded
    press_until(page, "Tab", "a[href*='/essays/']")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Ada Lovelace")).to_be_visible()
    press_until(page, "Tab", "#keys")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.locator("#main").focus()

    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Ben Okri")).to_be_visible()
    expect(page.locator("#place")).to_have_text("2 of 2")
    expect(page.get_by_role("button", name="Release", exact=True)).to_be_enabled()
    page.keyboard.press("r")
    expect(page.get_by_text("Visible to students since")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="Ada Lovelace")).to_be_visible()
    page.locator("#comment-1").focus()
    page.keyboard.press("h")
    expect(page.get_by_text("Hidden comments")).to_be_visible()
    press_until(page, "Tab", "#state button")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Hidden comments")).to_have_count(0)


def test_a_student_joins_by_the_code_hands_in_and_reads_what_is_released(running: Running, assignment: Page) -> None:
    code = assignment.locator(".code").inner_text()
    student = running.browser.new_context(viewport=PHONE).new_page()  # type: ignore[arg-type]
    student.goto(f"{running.address}/join")
    expect_accessible_at_both_widths(student)
    student.get_by_label("Code from your teacher").fill(code.lower())
    student.get_by_role("button", name="Continue").click()
    student.get_by_label("Your name").fill("Chloe")
    student.get_by_role("button", name="Join").click()
    expect(student.get_by_role("heading", name="Welcome, Chloe")).to_be_visible()
    expect_accessible_at_both_widths(student)
    student.get_by_role("link", name="Continue").click()
    student.locator("#essay").fill(SILENCING)
    student.get_by_role("button", name="Hand in").click()
    expect(student.locator("#submission-state")).to_contain_text("Handed in at")
    student.goto(running.address)
    expect(student.get_by_text("handed in", exact=True)).to_be_visible()
    expect_accessible_at_both_widths(student)
    take_picture(student, "start-student")

    assignment.goto(running.address)
    expect(assignment.get_by_text("1 ready to release")).to_be_visible()
    expect_accessible_at_both_widths(assignment)
    take_picture(assignment, "start")
    assignment.get_by_role("link", name="Free speech").first.click()
    assignment.get_by_role("button", name="Release Chloe’s feedback").click()
    expect(assignment.locator("#state")).to_contain_text("Released: 1.")

    student.reload()
    student.locator("a[href*='/essay/mine/']").click()
    expect(student.locator("#comment-1")).to_be_visible()
    expect_accessible_at_both_widths(student)


def test_a_rubric_is_there_for_the_next_assignment(running: Running, assignment: Page) -> None:
    assignment.goto(f"{running.address}/essay/assignments?new")
    assignment.get_by_text("Rubric", exact=True).click()
    assignment.get_by_label("Start with").select_option("Free speech")
    assignment.set_viewport_size({"width": 360, "height": 800})
    assert assignment.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rows = assignment.locator("#rubric-rows tr")
    expect(rows).to_have_count(3)  # and an empty one
    expect(rows.nth(1).get_by_label("Points")).to_have_value("9")
    rows.nth(2).get_by_label("Criterion").fill("Is brave")

    assignment.reload()

    expect(rows).to_have_count(4)
    expect(rows.nth(2).get_by_label("Criterion")).to_have_value("Is brave")


def test_a_school_without_books_tries_the_sample(running: Running) -> None:
    page = running.signed_in("/", KeyScope.TEACHER, email="head@empty.example", name="Ms Lee", school="empty")
    expect_accessible_at_both_widths(page)
    take_picture(page, "start-empty")
    running.reading()

    page.get_by_role("button", name="Try it with a sample book").click()
    page.get_by_role("link", name="Get feedback on a sample essay").click(timeout=300_000)
    assert "aloud" in page.locator("#essay").input_value()
    page.get_by_role("button", name="Get feedback").click()
    expect(page.get_by_text("Done and saved.")).to_be_visible(timeout=120_000)
