"""A student's essay in a real browser (make web-test)."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from chapterverse.accounts.model import KeyScope
from tests.browser.conftest import PATIENT, Running, expect_accessible

ESSAY = "Silencing an opinion robs mankind of truth, even <script>alert(1)</script> one.\n\nMy uncle sings.\n"


@pytest.fixture
def page(running: Running) -> Page:
    return running.signed_in("/essay")


def get_feedback(page: Page, essay: str = ESSAY) -> None:
    page.get_by_label("Paste your essay").fill(essay)
    page.get_by_role("button", name="Get feedback").click()
    expect(page.locator("#state")).to_contain_text("Done and saved.", timeout=4 * PATIENT)


def test_from_the_essay_to_the_lit_page(page: Page) -> None:
    get_feedback(page)
    card = page.locator("#evidence-1")
    expect_accessible(page)
    expect(card.locator("strong")).to_have_text("Silencing an opinion robs mankind of truth.")
    expect(page.locator("#paragraph-1")).to_contain_text("<script>alert(1)</script>")
    expect_accessible(page, "essay-feedback")

    card.get_by_role("link", name="(On Principle").click()
    expect(page.locator("dialog .print img")).not_to_have_js_property("naturalWidth", 0)
    expect_accessible(page)


def test_by_the_keyboard_alone(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.get_by_label("Paste your essay").focus()
    page.keyboard.insert_text(ESSAY)
    page.keyboard.press("Tab")  # to the task, which is folded
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_text("Done and saved.")).to_be_visible()
    page.get_by_role("button", name="Quote this").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_contain_text("Copied.")


def test_a_stream_that_breaks_goes_on_by_itself_and_is_written_once(running: Running, page: Page) -> None:
    """A proxy between that cuts the answer off after its first event."""
    cuts = []

    def cut(route: Route) -> None:
        if cuts:
            return route.continue_()
        answer = route.fetch()
        cuts.append(answer.text())
        begin = answer.text().partition("\n\n")[0] + "\n\n"
        return route.fulfill(status=200, headers={"Content-Type": "text/event-stream"}, body=begin)

    page.route("**/api/v1/essays/feedback", cut)
    get_feedback(page)
    expect(page.get_by_text("Done and saved.")).to_be_visible()
    assert page.locator(".card.comment").count() > 0
    history = running.site.parts.essays.history
    assert len(history.store.of_school("school", history.since, None, 10)) == 1


def test_the_text_of_a_file_is_seen_before_it_is_sent(page: Page) -> None:
    page.locator("#file").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": ESSAY.encode()})
    expect(page.locator("#state")).to_contain_text("Please check it.")
    expect(page.get_by_label("Paste your essay")).to_have_value(ESSAY)

    page.locator("#file").set_input_files({"name": "a.docx", "mimeType": "text/plain", "buffer": b"PK\x03\x04"})
    expect(page.locator("#state")).to_contain_text("damaged")
    expect(page.get_by_label("Paste your essay")).to_have_value(ESSAY)
    expect_accessible(page)


def test_own_essays_are_found_again_judged_written_anew_and_deleted(page: Page) -> None:
    get_feedback(page)
    thumb = page.get_by_role("button", name="This helped").first
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")

    page.get_by_role("link", name="Home", exact=True).click()
    page.get_by_role("link", name="Silencing an opinion").click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    expect_accessible(page, "essay-own")
    page.locator("#result-actions summary").click()
    expect(page.get_by_role("link", name="Print version (PDF)")).to_be_visible()

    page.get_by_role("link", name="Revise").click()
    expect(page.get_by_label("Paste your essay")).to_have_value(ESSAY)
    page.get_by_role("button", name="Get feedback").click()
    expect(page.locator("#state")).to_contain_text("Done and saved.")
    page.get_by_role("link", name="My essays").first.click()
    expect(page.get_by_text("Version 2")).to_be_visible()
    expect_accessible(page, "essay-mine")

    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").first.click()
    expect(page.locator("section[aria-labelledby=own-title] li")).to_have_count(1)
    expect(page.locator("#state")).to_have_text("Deleted.")


def test_an_essay_that_is_not_there_any_more_is_said_so_in_ones_language(page: Page) -> None:
    page.set_extra_http_headers({"Accept-Language": "de"})

    page.goto(f"{page.url}/mine/0123456789abcdef")

    expect(page.get_by_role("alert")).to_contain_text("Vielleicht wurde sie gelöscht.")


def test_comments_are_numbered_as_one_reads_and_where_to_start_is_no_mere_passage(page: Page) -> None:
    slips = "I dont see. This is an dog. I could of gone. I beleive it."
    get_feedback(page, f"{slips}\n\nSilencing an opinion robs mankind of truth. They dont see.")

    shown = page.locator(".comment:visible")
    expect(shown.filter(has_text="Start here")).to_contain_text("don't")
    assert shown.locator(".number").all_text_contents() == [str(at) for at in range(1, shown.count() + 1)]
    assert page.locator(".comment:not(:visible)").count()


def test_a_correction_is_said_once_and_what_is_folded_has_a_name(page: Page) -> None:
    get_feedback(page, "I dont sing and I dont dance. This is an dog. I could of gone.\n\nPeople are beleiving it.")

    expect(page.locator(".pair", has_text="don't")).to_have_count(1)
    page.locator("summary").get_by_text("Corrections", exact=True).click()
    expect(page.locator(".pair", has_text="believing")).to_be_visible()


def test_comments_and_their_words_are_lit_together(page: Page) -> None:
    get_feedback(page)

    page.locator("#paragraph-1").hover()
    expect(page.locator("#comment-1")).to_have_class(re.compile("is-highlighted"))
    page.locator("#comment-1").focus()
    expect(page.locator("#paragraph-1")).to_have_class(re.compile("is-highlighted"))


def test_a_new_version_is_written_beside_the_comments_which_are_ticked_off(page: Page) -> None:
    get_feedback(page)
    page.get_by_role("link", name="Home", exact=True).click()
    page.get_by_role("link", name="Revise").click()

    expect(page.locator(".to-do blockquote")).to_have_text(re.compile("Silencing an opinion robs .*On Principle"))
    page.get_by_label("Could you use this?").check()
    page.get_by_label("Paste your essay").fill(f"{ESSAY} So it is.")
    expect_accessible(page, "essay-revised")
    page.reload()

    expect(page.get_by_label("Could you use this?")).to_be_checked()
    expect(page.get_by_label("Paste your essay")).to_have_value(f"{ESSAY} So it is.")
    page.get_by_role("button", name="Get feedback").click()
    expect(page.get_by_role("heading", name="Since the last draft")).to_be_visible()


def test_feedback_on_an_essay_of_330_words_is_short(running: Running, page: Page) -> None:
    """Without a language model: at most 450 words of page with the essay's own, and two screens high; the desk, too."""
    sings = "My uncle sings in the morning and in the evening. " * 6
    paragraphs = ["Silencing an opinion robs mankind of truth.", *[sings] * 5]
    get_feedback(page, "\n\n".join(paragraphs))

    history = running.site.parts.essays.history
    [stored] = history.store.of_school("school", history.since, None, 10)
    desk = running.signed_in(f"/essay/others/{stored.id}", KeyScope.TEACHER, email="tom@school.example")
    expect(desk.locator("#evidence-1")).to_be_visible()
    for shown in (page, desk):
        shown.set_viewport_size({"width": 1366, "height": 768})
        words, height = shown.evaluate("[document.body.innerText.split(/\\s+/).length, document.documentElement.scrollHeight]")
        assert (words <= 450, height <= 1600) == (True, True), (words, height)


MISPLACED = """async () => {
  const get = async (path) => (await fetch(`/api/v1/${path}`)).json();
  const feedback = await get(`feedback/${(await get('essays/mine')).essays[0].id}`);
  const all = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
  const comments = feedback.comments.filter((one) => one.about).map((one) =>
    [all(`.paper .mark[data-comments~="${one.number}"]`).join(''), one.about.text]);
  const shown = all('.paper > p');
  return [...comments, ...feedback.paragraphs.map((one, at) => [shown[at], one.text])].filter(([is, said]) => is !== said);
}"""
HARD = {
    "right to left": "قال ميل إن إسكات رأي واحد يسلب البشرية الحقيقة. Silencing an opinion robs mankind of truth.\n\nשלום לכם.",
    "emoji": "🙂 Silencing an opinion robs mankind of truth 👩‍👩‍👧. A b c 🙂🙂 teh teh end.\n\nMy uncle sings 🎶.",
    "few words": "Truth is good. It helps all people.",
    "long": "\n\n".join(f"Silencing an opinion robs mankind of truth, number {n}. It is is so." for n in range(100)),
}


@pytest.mark.parametrize("essay", HARD.values(), ids=HARD.keys())
def test_marks_stay_exactly_on_their_words(page: Page, essay: str) -> None:
    get_feedback(page, essay)

    assert page.evaluate(MISPLACED) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_sentence_that_text_cannot_give_is_shown_as_printed(page: Page) -> None:
    def not_quotable(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('"quotable": true', '"quotable": false'))

    page.route("**/api/v1/essays/feedback", not_quotable)
    get_feedback(page)
    lines = page.locator("#evidence-1 .printed-lines")
    expect(lines.get_by_alt_text("Silencing an opinion robs mankind of truth.")).to_be_visible()
    expect(lines.locator("img")).to_have_js_property("complete", True)
    expect(page.locator("#evidence-1 strong")).to_have_count(0)
    assert lines.evaluate("frame => frame.clientHeight < frame.querySelector('img').clientHeight / 4")
    expect_accessible(page, "essay-printed-lines")
