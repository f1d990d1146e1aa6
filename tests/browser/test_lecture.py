"""A lecture in a real browser (make web-test): S3, "Frontend Behavior"."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Collection
from chapterverse.library.versions import remove_book
from tests.browser.conftest import TEXT, Running, expect_accessible
from tests.support.pdfs import a_pdf
from tests.support.web import shelve_pdf

SAID = "Silencing an opinion robs mankind of truth. "
CAPTIONS = "WEBVTT\n\n" + "\n\n".join(
    f"00:00:{second:02}.000 --> 00:00:{second + 4:02}.000\n{SAID * 2}So much is certain, and some wish it were otherwise."
    for second in range(0, 40, 5)
)


@pytest.fixture(autouse=True)
def cited(running: Running) -> None:
    """A book that lectures cite."""
    shelve_pdf(running.site.parts.collections[Collection.LECTURES], a_pdf(TEXT))


def replayed(running: Running, tmp_path: Path) -> Page:
    """The page of a lecture that was played to its end."""
    (tmp_path / "lecture.vtt").write_text(CAPTIONS)
    page = running.signed_in("/lecture")
    expect(page.get_by_role("checkbox")).to_be_checked()
    page.get_by_label("Speed").select_option("20")
    page.get_by_label("Replay a transcript").set_input_files(tmp_path / "lecture.vtt")
    return page


def ended(running: Running, tmp_path: Path) -> Page:
    """The page of a lecture that was played to its end, with all its citations."""
    page = replayed(running, tmp_path)
    expect(page.locator("#condition")).to_have_text("ended", timeout=30_000)
    return page


def test_citations_appear_in_the_transcript_and_in_the_panel_as_s3_draws_them(running: Running, tmp_path: Path) -> None:
    page = ended(running, tmp_path)
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    expect(page.locator("#total")).not_to_have_text("0")
    expect(page.locator("#words")).to_contain_text("some wish it were otherwise")
    mark, card = page.locator("#words sup a").first, page.locator("#citations .card").first
    mark.hover()
    expect(page.get_by_role("tooltip")).to_have_text("On Principle, page 1")
    mark.click()
    expect(page.locator("#citations .card.is-highlighted")).to_be_visible()
    expect_accessible(page)

    windows = [int(group.get_attribute("data-window") or "") for group in page.locator(".group").all()]
    assert len(windows) > 1
    assert windows == sorted(windows, reverse=True)  # the newest at the top
    assert card.inner_text().split("\n")[0].split() == ["1", "On", "Principle"]
    assert [part in card.inner_text() for part in ("Page 1", "“", "View Page")] == [True] * 3
    marks = page.locator("#words sup").first.locator("a").all()
    shown = [each.evaluate("mark => getComputedStyle(mark).opacity") for each in marks]
    assert shown == ["1", "0.7", "0.5"][: len(shown)]
    assert {int(each) for each in page.locator("#words sup a").all_inner_texts()} <= {1, 2, 3}  # they begin again
    page.get_by_label("Filter citations").fill("no such words")
    expect(card).to_be_hidden()
    mark.click()
    expect(page.locator("#citations .card.is-highlighted")).to_be_visible()
    page.get_by_role("link", name="View Page").first.click(timeout=30_000)
    expect(page.locator("dialog .print img")).not_to_have_js_property("naturalWidth", 0)


def test_a_slow_line_is_said_and_the_words_wait_for_nothing(running: Running, tmp_path: Path) -> None:
    slow = {"offline": False, "latency": 2500, "downloadThroughput": -1, "uploadThroughput": -1}  # ms
    page = replayed(running, tmp_path)
    expect(page.locator("#words .speech").first).to_be_visible()

    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)

    expect(page.get_by_text("Finding citations …")).to_be_visible()
    expect(page.locator("#words .speech")).to_have_count(CAPTIONS.count("-->"))
    expect(page.locator("#citations .card").first).to_be_visible()
    expect(page.get_by_text("Finding citations …")).to_be_hidden()


def test_a_lost_line_is_said_and_what_was_said_meanwhile_is_sent_later(running: Running, tmp_path: Path) -> None:
    page = replayed(running, tmp_path)
    expect(page.locator("#words .speech").first).to_be_visible()

    page.context.set_offline(True)
    expect(page.locator("#state")).to_contain_text("The connection was lost")
    expect(page.locator("#words .speech")).to_have_count(CAPTIONS.count("-->"))
    page.context.set_offline(False)

    expect(page.locator("#state")).to_be_empty()
    expect(page.locator("#citations .card").first).to_be_visible()


def test_without_a_document_the_panel_says_where_they_are_brought(running: Running) -> None:
    remove_book("school", BookId("on-principle"), running.site.parts.collections[Collection.LECTURES])

    page = running.signed_in("/lecture", KeyScope.TEACHER, email="teach@school.example", name="Thea Teach")
    student = running.signed_in("/lecture")

    panel, theirs = (each.get_by_role("region", name="Citations") for each in (page, student))
    expect(panel).to_contain_text("No books yet.")
    expect(panel.get_by_role("link")).to_have_count(1)
    expect_accessible(page)
    expect(theirs).to_contain_text("No books yet.")
    expect(theirs.get_by_role("link")).to_have_count(0)


def test_who_reads_what_was_said_is_left_there(running: Running, tmp_path: Path) -> None:
    page = replayed(running, tmp_path)
    words = page.locator("#words")
    words.evaluate("words => words.style.maxHeight = '8rem'")
    expect(page.locator("#words .speech").nth(2)).to_be_visible()  # more than END_MARGIN, within which the page follows

    words.evaluate("words => words.scrollTop = 0")

    expect(page.locator("#words .speech")).to_have_count(CAPTIONS.count("-->"))
    assert words.evaluate("words => words.scrollTop") == 0


def test_a_stream_that_the_server_refuses_is_asked_for_again(running: Running, tmp_path: Path) -> None:
    refused = []

    def busy(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=503) if len(refused) == 1 else route.continue_()

    running.browser.on("context", lambda context: context.route("**/events?*", busy))
    page = replayed(running, tmp_path)

    expect(page.locator("#citations .card").first).to_be_visible()
    assert len(refused) > 1


def test_a_lecture_has_a_name_a_list_and_is_saved(running: Running, tmp_path: Path) -> None:
    page = ended(running, tmp_path)
    listed = page.locator("#lecture-list > li")
    expect(page.locator("#open-name")).to_contain_text("On Principle, ")

    page.get_by_label("Name").fill("The harm principle")
    page.get_by_label("Name").blur()

    expect(page.locator("#open-name")).to_have_text("The harm principle")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("The harm principle")
    with page.expect_download() as saved:
        listed.get_by_role("button", name="Save").click()
    assert Path(saved.value.path()).read_text("utf-8").startswith("# The harm principle")
    assert saved.value.suggested_filename == "The-harm-principle.md"
    expect_accessible(page)
    page.get_by_label("Name").fill("Of harm")
    page.reload()  # while it is typed
    expect(page.locator("#open-name")).to_have_text("Of harm")
    expect(page.get_by_label("Name")).to_have_value("Of harm")
    page.on("dialog", lambda asked: asked.accept())
    listed.get_by_role("button", name="Delete").click()
    expect(listed).to_have_count(0)
    expect(page.locator("#open")).to_be_hidden()


def test_the_class_follows_a_lecture_by_its_code_while_it_runs(running: Running, tmp_path: Path) -> None:
    page = replayed(running, tmp_path)
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Share with the class").click()
    expect(page.locator("#code")).not_to_be_empty()
    code = page.locator("#code").inner_text()

    classmate = running.signed_in("/lecture", email="ben@school.example", name="Ben")
    classmate.set_viewport_size({"width": 390, "height": 844})
    classmate.get_by_label("Lecture code").fill("nothing")
    classmate.get_by_role("button", name="Follow").click()
    expect(classmate.get_by_role("alert")).to_contain_text("Check it, or ask")
    classmate.get_by_label("Lecture code").fill(code.lower())
    classmate.get_by_role("button", name="Follow").click()

    expect(classmate.locator("#condition")).to_have_text("live")
    expect(classmate.locator("#citations .card").first).to_be_visible(timeout=30_000)
    expect(classmate.locator("#words")).to_contain_text("The transcript isn’t stored.")
    expect(classmate.get_by_role("button", name="Stop")).to_be_hidden()
    expect(classmate.get_by_label("Delete after")).to_be_hidden()
    page.get_by_label("Speed").select_option("20")
    expect(classmate.locator("#condition")).to_have_text("ended", timeout=30_000)
    expect(page.locator("#condition")).to_have_text("ended")
    expect(classmate.locator("#total")).to_have_text(page.locator("#total").inner_text())
    expect_accessible(classmate)
    expect_accessible(page)
    page.get_by_role("button", name="Stop sharing").click()
    expect(page.locator("#state")).to_have_text("The code no longer works.")
    classmate.reload()
    expect(classmate.get_by_role("alert")).to_contain_text("Check it, or ask")


def test_where_the_school_keeps_transcripts_the_words_are_there_after_a_reload(running: Running, tmp_path: Path) -> None:
    running.site.caller(KeyScope.ADMIN)("PATCH", "/api/v1/settings", {"transcripts": True})
    page = ended(running, tmp_path)
    said = page.locator("#words .heard").first.inner_text()

    page.reload()

    expect(page.locator("#words")).to_contain_text(said)
    expect(page.locator("#words sup").first).to_be_visible()
    expect(page.locator("#words")).not_to_contain_text("isn’t stored")


UNFINISHED = """WEBVTT

00:00:00.000 --> 00:00:04.000
Some wish it were otherwise in this and in every other country of the world. Silencing an opinion robs mankind of truth.
Silencing an opinion robs all of mankind of the truth. So said Mr.

00:00:04.000 --> 00:00:08.000
Mill, who had written of truth, and so it goes on and on and on for all of us here. Silencing an opinion robs

00:00:08.000 --> 00:00:12.000
mankind of truth. Silencing an opinion robs mankind of truth in every country of the world. Nobody knows
"""


def test_numbers_stand_after_a_sentence_and_wait_for_its_end(running: Running, tmp_path: Path) -> None:
    (tmp_path / "lecture.vtt").write_text(UNFINISHED)
    page = running.signed_in("/lecture")
    page.get_by_label("Replay a transcript").set_input_files(tmp_path / "lecture.vtt")
    expect(page.locator("#condition")).to_have_text("ended", timeout=30_000)

    text = page.locator("#words").evaluate("words => words.innerHTML.replace(/<sup>.*?<[/]sup>/g, '#').replace(/<[^>]*>/g, '')")
    assert "#" in text
    assert "Mr.#" not in text
    assert {text[at - 1] for at, each in enumerate(text) if each == "#" and text[at - 1] != "#"} == {"."}
