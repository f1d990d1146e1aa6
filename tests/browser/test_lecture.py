"""A lecture in a real browser (make web-test): S3, "Frontend Behavior"."""

from functools import partial
from pathlib import Path

from playwright.sync_api import Page, expect

from chapterverse.adapters.local_queue import LocalQueue
from chapterverse.usecases.run_task import run_task
from tests.browser.conftest import Running, expect_accessible

SAID = "Silencing an opinion robs mankind of truth. "
CAPTIONS = "WEBVTT\n\n" + "\n\n".join(
    f"00:00:{second:02}.000 --> 00:00:{second + 4:02}.000\n{SAID * 2}So much is certain, and some wish it were otherwise."
    for second in range(0, 40, 5)
)


def replayed(running: Running, tmp_path: Path) -> Page:
    """The page of a lecture that was played to its end."""
    parts = running.site.parts
    for queue in (parts.lectures.desk.queue, parts.intake.queue):  # to begin with a book, and for each of its batches
        assert isinstance(queue, LocalQueue)
        queue.start(partial(run_task, intake=parts.intake))
    (tmp_path / "lecture.vtt").write_text(CAPTIONS)
    page = running.signed_in("/lecture")
    expect(page.get_by_role("checkbox")).to_be_checked()
    page.get_by_label("Speed").select_option("20")
    page.get_by_label("Replay a transcript").set_input_files(tmp_path / "lecture.vtt")
    return page


def test_citations_appear_in_the_transcript_and_in_the_panel(running: Running, tmp_path: Path) -> None:
    page = replayed(running, tmp_path)

    mark = page.locator("#words sup a").first
    expect(mark).to_be_visible(timeout=30_000)
    expect(page.get_by_role("button", name="Stop")).to_be_hidden(timeout=30_000)
    expect(page.locator("#total")).not_to_have_text("0")
    expect(page.locator("#words")).to_contain_text("some wish it were otherwise")
    mark.hover()
    expect(page.get_by_role("tooltip")).to_have_text("On Principle, page 1")
    mark.click()
    expect(page.locator("#citations .card.is-lit")).to_be_visible()
    expect_accessible(page)


def test_a_citation_opens_its_page(running: Running, tmp_path: Path) -> None:
    page = replayed(running, tmp_path)

    page.get_by_role("button", name="View page").first.click(timeout=30_000)

    picture = page.locator("dialog img")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 0


def test_what_is_no_transcript_is_said(running: Running, tmp_path: Path) -> None:
    (tmp_path / "notes.vtt").write_text("no captions")
    page = running.signed_in("/lecture")

    page.get_by_label("Replay a transcript").set_input_files(tmp_path / "notes.vtt")

    expect(page.locator("#state")).to_contain_text("no captions in this file")
