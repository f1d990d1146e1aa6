"""What a school sets, and how its answers came out, in a real browser (make web-test)."""

from datetime import timedelta

from playwright.sync_api import expect

from chapterverse.accounts.model import KeyScope
from chapterverse.essays.model import Rating
from chapterverse.questions.model import GivenAnswer
from tests.browser.conftest import Running, expect_accessible, take_picture


def test_what_is_set_is_kept_told_and_taken_back(running: Running) -> None:
    page = running.signed_in("/settings/advanced", KeyScope.ADMIN)

    page.get_by_label("School grade").select_option("9")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("status").first).to_have_text("Saved.")
    expect(page.get_by_text("Changed by anna@school.example")).to_have_count(1)
    page.reload()
    expect(page.get_by_label("School grade")).to_have_value("9")

    page.get_by_role("group", name="Reading level").get_by_role("button", name="Reset to default").click()

    expect(page.get_by_label("School grade")).to_have_value("7")
    expect(page.get_by_text("Reset to default by anna@school.example")).to_be_visible()
    expect_accessible(page)


def test_of_two_who_set_different_things_both_stay(running: Running) -> None:
    anna = running.signed_in("/settings", KeyScope.TEACHER)
    ben = running.site.caller(KeyScope.TEACHER)
    assert ben("PATCH", "/api/v1/settings", {"grade": 10, "codes": False}).status_code == 200

    anna.get_by_label("Plain: only what to improve").check()
    anna.get_by_role("button", name="Save").click()

    expect(anna.get_by_role("status").first).to_have_text("Saved.")
    told = ben("GET", "/api/v1/settings").get_json()
    assert {name: told[name]["value"] for name in ("tone", "grade", "codes")} == {"tone": "plain", "grade": 10, "codes": False}
    take_picture(anna, "settings-changed")


def test_an_admin_sees_how_answers_came_out_and_takes_the_schools_data_along(running: Running) -> None:
    now = running.site.parts.now()
    for day in range(5):
        best = 0.4 + 0.1 * day
        rating = (Rating.UP, Rating.DOWN, None)[day % 3]
        counts = (best,), "low", 0.5, best < 0.45
        given = GivenAnswer(f"{day}", "school", "documents", now - timedelta(days=day), *counts, rating=rating, seconds=1.5)
        running.site.parts.answers.add(given)
    page = running.signed_in("/settings/advanced", KeyScope.ADMIN)

    expect(page.get_by_role("row")).to_have_count(7)
    expect(page.get_by_role("row", name="All days")).to_contain_text("5")
    expect_accessible(page, "advanced")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the school’s data (ZIP)").click()
    assert download.value.path().stat().st_size > 1000
    page.get_by_label("Questions about").select_option("helpdesk")
    expect(page.get_by_text("No questions in this period.")).to_be_visible()


def test_a_model_is_tested_once_it_is_saved_and_an_error_stands_in_its_form(running: Running) -> None:
    page = running.signed_in("/settings/setup", KeyScope.ADMIN)
    page.route("**/setup/model/test", lambda route: route.fulfill(status=502, json={"detail": "The key is wrong."}))
    page.get_by_label("Server address").fill("https://llm.school.example/v1")
    page.get_by_label("Model name").fill("gpt-school")
    page.locator("#model").get_by_role("button", name="Save").click()
    expect(page.locator("#model .state")).to_have_text("The key is wrong.")
    mail = page.locator("form", has=page.get_by_label("Mail server"))
    mail.get_by_label("Mail server").fill("mail.school.example")
    mail.get_by_label("Sender").fill("no-reply@school.example")
    mail.get_by_role("button", name="Save").click()
    expect(mail.locator(".error")).not_to_be_empty()
