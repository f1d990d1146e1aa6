"""What a school sets in a real browser (make web-test)."""

import pytest
from playwright.sync_api import Page, expect

from chapterverse.accounts.model import KeyScope
from tests.browser.conftest import Running, expect_accessible, take_picture
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
    assert ben("PUT", "/api/v1/settings", {"tone": "plain", "codes": False}).status_code == 200

    for grade in ("9", "10"):
        anna.get_by_role("combobox", name="Grade").select_option(grade)
        with anna.expect_response(lambda answer: answer.request.method == "PUT"):
            anna.get_by_role("button", name="Save").click()
        expect(anna.get_by_text("Changed by anna@school.example")).to_have_count(1)
        expect(anna.get_by_label("Plain: only what to improve")).to_be_checked()

    told = ben("GET", "/api/v1/settings").get_json()
    assert {name: told[name]["value"] for name in ("tone", "grade", "codes")} == {
        "tone": "plain",
        "grade": 10,
        "codes": False,
    }


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


def test_students_set_nothing(running: Running) -> None:
    page = running.signed_in("/settings")

    expect(page.get_by_role("alert")).to_contain_text("for the teacher role")
