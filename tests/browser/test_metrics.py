"""Answer quality in a real browser (make web-test)."""

from datetime import timedelta

from playwright.sync_api import expect

from chapterverse.accounts.model import KeyScope
from chapterverse.essays.model import Rating
from chapterverse.questions.model import GivenAnswer
from tests.browser.conftest import Running, expect_accessible, take_picture


def note_some(running: Running) -> None:
    """Three weeks of answers, with a weekend in which nobody asked."""
    now = running.site.parts.now()
    for day in (each for each in range(21) if each % 7 not in {0, 1}):
        for number in range(4 + day % 3):
            best = 0.4 + 0.02 * day + 0.05 * number
            running.site.parts.answers.add(
                GivenAnswer(
                    id=f"{day}-{number}",
                    school="school",
                    application="documents" if number % 2 else "textbook",
                    created=now - timedelta(days=20 - day),
                    scores=(best, best - 0.1, best - 0.2),
                    band="low" if best < 0.5 else "high",
                    relevance=0.5,
                    nothing=best < 0.45,
                    rating=(Rating.UP, Rating.DOWN, None)[(day + number) % 3],
                    seconds=0.2 + 0.3 * number,
                )
            )


def test_a_teacher_sees_how_answers_came_out(running: Running) -> None:
    note_some(running)
    page = running.signed_in("/ask", KeyScope.TEACHER)

    page.get_by_role("link", name="Answer quality").click()

    expect(page.get_by_role("img")).to_have_count(4)
    expect(page.locator(".charts")).to_contain_text("Median match")
    expect_accessible(page)
    take_picture(page, "metrics")
    page.get_by_label("Questions about").select_option("helpdesk")
    expect(page.get_by_text("No questions in these days.")).to_be_visible()
    page.get_by_label("Questions about").select_option("textbook")
    page.get_by_label("Days").select_option("7")
    page.get_by_text("Show as a table").first.click()
    expect(page.get_by_role("table").first).to_be_visible()
    expect_accessible(page)


def test_in_the_dark_and_in_german(running: Running) -> None:
    note_some(running)
    page = running.signed_in("/settings/advanced", KeyScope.ADMIN)

    page.get_by_role("button", name="Deutsch").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Qualität der Antworten")
    expect(page.get_by_role("img")).to_have_count(4)
    expect_accessible(page)
    page.emulate_media(color_scheme="dark")
    take_picture(page, "metrics-dark")
