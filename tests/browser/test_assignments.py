"""The teacher's day in a real browser: sets an assignment, collects essays by code and by upload, mends comments, releases
(make web-test)."""

from functools import partial

import pytest
from playwright.sync_api import Page, expect

from chapterverse.accounts.model import KeyScope
from chapterverse.essays.batch.tasks import run_batch_task
from chapterverse.infrastructure.queue.local import LocalQueue
from tests.browser.conftest import Running, expect_accessible, take_picture

SILENCING = "Silencing an opinion robs mankind of truth."
FILES = [
    {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": SILENCING.encode()} for name in ("Ada Lovelace", "Ben_Okri")
]


@pytest.fixture
def teacher(running: Running) -> Page:
    queue = running.site.parts.batches.queue
    assert isinstance(queue, LocalQueue)
    queue.start(partial(run_batch_task, context=running.site.parts.batches))
    return running.signed_in("/essay/assignments", KeyScope.TEACHER, email="okri@school.example", name="Ms Okri")


@pytest.fixture
def assignment(teacher: Page) -> Page:
    """The page of a new assignment."""
    teacher.get_by_role("link", name="New assignment").click()
    expect_accessible(teacher)
    teacher.get_by_label("Title").fill("Free speech")
    teacher.get_by_label("Name of the class").fill("9b")
    teacher.get_by_role("button", name="Create the assignment").click()
    expect(teacher.get_by_role("heading", name="Free speech")).to_be_visible()
    return teacher


def test_a_class_is_uploaded_mended_and_released(assignment: Page) -> None:
    page = assignment
    page.get_by_text("Upload the essays of the class yourself").click()
    page.locator("#files").set_input_files(FILES)  # type: ignore[arg-type]
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("button", name="Release all that is ready: 2")).to_be_visible()
    expect_accessible(page)
    take_picture(page, "assignment")

    page.get_by_role("link", name="Open the essay of Ada Lovelace").click()
    expect(page.get_by_role("heading", name="Ada Lovelace")).to_be_visible()
    comment = page.locator("#comment-content-1")
    comment.get_by_role("button", name="Edit").click()
    comment.get_by_role("textbox").first.fill("Say which page.")
    comment.get_by_role("button", name="Save", exact=True).click()
    expect(comment).to_contain_text("Say which page.")
    page.get_by_label("Comment", exact=True).fill("A strong beginning.")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#comment-content-1001")).to_contain_text("A strong beginning.")
    page.locator("#comment-content-1001").get_by_role("button", name="Hide").click()
    expect(page.locator("#comment-content-1001")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#comment-content-1001")).to_be_visible()
    page.get_by_label("Note to the student").fill("Well done.")
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.locator("#state")).to_contain_text("Saved.")
    expect_accessible(page)
    take_picture(page, "assignment-essay")

    page.get_by_role("link", name="Free speech").click()
    page.get_by_role("button", name="Release all that is ready: 2").click()
    expect(page.locator("#state")).to_contain_text("Released: 2.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Release all that is ready: 2")).to_be_visible()


def test_a_student_joins_by_the_code_hands_in_and_reads_what_is_released(running: Running, assignment: Page) -> None:
    code = assignment.locator(".code").inner_text()
    student = running.browser.new_context().new_page()
    student.goto(f"{running.address}/join")
    expect_accessible(student)
    student.get_by_label("Code from your teacher").fill(code.lower())
    student.get_by_role("button", name="Continue").click()
    student.get_by_label("Your name").fill("Chloe")
    student.get_by_role("button", name="Join").click()
    expect(student.get_by_role("heading", name="Welcome, Chloe")).to_be_visible()
    expect_accessible(student)
    student.get_by_role("link", name="Continue").click()
    student.locator("#essay").fill(SILENCING)
    student.get_by_role("button", name="Hand in").click()
    expect(student.locator("#submission-result")).to_have_text("Handed in.")

    assignment.reload()
    assignment.get_by_role("button", name="Release Chloe’s feedback").click()
    expect(assignment.locator("#state")).to_contain_text("Released: 1.")

    student.goto(f"{running.address}/essay/mine")
    student.locator("#essays a").first.click()
    expect(student.locator("#comment-content-1")).to_be_visible()


def test_names_are_added_and_each_has_a_code(assignment: Page) -> None:
    assignment.get_by_role("link", name="Students and their codes").click()
    assignment.locator("#names").fill("Ada Lovelace\nBen Okri, ben@school.example\n")
    assignment.get_by_role("button", name="Add", exact=True).click()

    expect(assignment.locator("#students tbody tr")).to_have_count(2)
    expect(assignment.locator("#students code")).to_have_count(1)
    expect_accessible(assignment)
    take_picture(assignment, "assignment-students")
