"""What a school sets, and what is measured on its own texts, in a real browser (make web-test)."""

import pytest
from playwright.sync_api import Page, expect

from chapterverse.accounts.model import KeyScope
from tests.browser.conftest import Running, expect_accessible, take_picture
from tests.support.measuring import measure_all
from tests.support.shelved import shelve

TOWN = [f"The harbour{n} keeps boats{n} beside walls{n} near roads{n} and towers{n}." for n in range(60)]


@pytest.fixture
def town(running: Running) -> Running:
    """With a book whose sentences are many."""
    shelve(running.site.services, "The Town", TOWN)
    return running


def open_books(page: Page) -> None:
    page.get_by_text("Essays: sentences of your books").click()


def test_what_is_set_is_kept_told_and_taken_back(running: Running) -> None:
    page = running.signed_in("/settings", KeyScope.TEACHER)
    expect_accessible(page)
    take_picture(page, "settings-first")

    page.get_by_label("Sentences, at most").fill("3")
    page.get_by_label("Plain: only what to improve").check()
    page.get_by_role("combobox", name="Grade").select_option("9")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("status").first).to_have_text("Saved.")
    expect(page.get_by_text("Changed by anna@school.example")).to_have_count(3)
    page.reload()
    expect(page.get_by_label("Sentences, at most")).to_have_value("3")
    expect(page.get_by_label("Plain: only what to improve")).to_be_checked()
    expect(page.get_by_role("combobox", name="Grade")).to_have_value("9")
    take_picture(page, "settings-changed")

    page.get_by_role("group", name="Reading level").get_by_role("button", name="Reset to default").click()

    expect(page.get_by_role("combobox", name="Grade")).to_have_value("7")
    expect(page.get_by_text("Reset to default by anna@school.example")).to_be_visible()
    expect_accessible(page)


def test_of_two_who_set_different_things_both_stay(running: Running) -> None:
    anna = running.signed_in("/settings", KeyScope.TEACHER)
    ben = running.site.caller(KeyScope.TEACHER)
    assert ben("PUT", "/api/v1/settings", {"tone": "plain", "least_books": 0.7}).status_code == 200

    for grade in ("9", "10"):
        anna.get_by_role("combobox", name="Grade").select_option(grade)
        with anna.expect_response(lambda answer: answer.request.method == "PUT"):
            anna.get_by_role("button", name="Save").click()
        expect(anna.get_by_text("Changed by anna@school.example")).to_have_count(1)
        expect(anna.get_by_label("Plain: only what to improve")).to_be_checked()

    told = ben("GET", "/api/v1/settings").get_json()
    assert {name: told[name]["value"] for name in ("tone", "grade", "least_books")} == {
        "tone": "plain",
        "grade": 10,
        "least_books": 0.7,
    }


def test_a_threshold_is_measured_drawn_and_moved_by_the_keyboard(town: Running) -> None:
    page = town.signed_in("/settings", KeyScope.TEACHER)
    open_books(page)
    page.get_by_role("button", name="Measure on our texts").click()
    expect(page.get_by_text("Measuring … You can leave this page.")).to_be_visible()
    expect_accessible(page)

    measure_all(town.site.parts.measuring)

    expect(page.get_by_role("img", name="Of 100 ideas")).to_be_visible()
    expect_accessible(page)
    page.locator(".threshold[open]").evaluate("one => one.scrollIntoView()")
    take_picture(page, "settings-threshold")
    slider = page.get_by_role("slider", name="Threshold")
    before = page.locator(".meaning").text_content()
    slider.focus()
    for _ in range(20):
        slider.press("ArrowRight")
    assert page.locator(".meaning").text_content() != before
    page.get_by_role("button", name="Save this threshold").click()
    expect(page.get_by_text("Changed by anna@school.example")).to_be_visible()
    expect(page.get_by_text("Sentences with a score of at least")).to_be_visible()
    page.get_by_text("Show as a table").first.click()
    page.get_by_text("Distribution of scores").click()
    expect_accessible(page)


def test_at_night_and_in_german_it_is_as_good(town: Running) -> None:
    page = town.signed_in("/settings", KeyScope.TEACHER, color_scheme="dark")
    page.get_by_role("button", name="Deutsch").click()
    page.get_by_text("Aufsätze: Sätze aus deinen Büchern").click()
    page.get_by_role("button", name="An unseren Texten messen").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    measure_all(town.site.parts.measuring)

    expect(page.get_by_role("img", name="Von 100 Gedanken")).to_be_visible()
    expect_accessible(page)
    page.emulate_media(color_scheme="dark")
    page.locator(".threshold[open]").evaluate("one => one.scrollIntoView()")
    take_picture(page, "settings-dark")


def test_with_the_connection_lost_it_is_said_and_nothing_typed_is_lost(running: Running) -> None:
    page = running.signed_in("/settings", KeyScope.TEACHER)
    page.get_by_label("Sentences, at most").fill("4")
    page.context.set_offline(True)

    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("status").first).to_contain_text("The connection was lost.")
    expect(page.get_by_label("Sentences, at most")).to_have_value("4")
    page.context.set_offline(False)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_have_text("Saved.")


def test_a_book_is_evaluated_in_the_background_and_runs_are_compared(town: Running) -> None:
    page = town.signed_in("/settings/advanced", KeyScope.ADMIN)
    expect_accessible(page)
    take_picture(page, "evaluation-first")
    page.get_by_label("Book").select_option("the-town")
    page.get_by_role("spinbutton", name="Sentences").fill("20")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Running … You can leave this page.")).to_be_visible()
    expect_accessible(page)

    measure_all(town.site.parts.measuring)

    expect(page.get_by_role("img", name="Level 1: found first")).to_be_visible()
    expect(page.get_by_text("20 sentences per level, searched among 63")).to_be_visible()
    expect_accessible(page)
    take_picture(page, "evaluation-done")
    page.get_by_text("What these terms mean").click()
    page.get_by_text("Show as a table").click()
    page.get_by_label("Use other sentences than before").check()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("running", exact=True)).to_be_visible()
    measure_all(town.site.parts.measuring)
    expect(page.get_by_text("running", exact=True)).to_have_count(0)
    expect(page.locator("#runs tbody tr")).to_have_count(2)
    expect_accessible(page)

    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").first.click()
    expect(page.locator("#runs tbody tr")).to_have_count(1)


def test_students_set_nothing(running: Running) -> None:
    page = running.signed_in("/settings")

    expect(page.get_by_role("alert")).to_contain_text("for the teacher role")


def test_of_a_short_book_a_run_says_how_many_sentences_there_were(town: Running) -> None:
    page = town.signed_in("/settings/advanced", KeyScope.ADMIN)
    page.get_by_label("Book").select_option("the-town")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Running … You can leave this page.")).to_be_visible()

    measure_all(town.site.parts.measuring)

    drawn = page.get_by_text("sentences per level")
    expect(drawn).to_be_visible()
    expect(page.locator("#runs tbody td").first).to_have_text(drawn.inner_text().split()[0])


def test_a_run_that_ends_while_the_line_is_lost_is_seen_when_it_is_back(town: Running) -> None:
    page = town.signed_in("/settings/advanced", KeyScope.ADMIN)
    page.get_by_label("Book").select_option("the-town")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("Running … You can leave this page.")).to_be_visible()

    page.context.set_offline(True)
    expect(page.locator("#state")).to_contain_text("The connection was lost.")
    measure_all(town.site.parts.measuring)
    page.context.set_offline(False)

    expect(page.get_by_text("sentences per level")).to_be_visible()
    expect(page.locator("#state")).to_have_text("The evaluation is finished.")
