"""A lecture that the browser makes out itself (make web-test): its speech recognition is played."""

import json

import pytest
from playwright.sync_api import Page, expect

from chapterverse.core.book import Collection
from tests.browser.conftest import TEXT, Running
from tests.browser.test_lecture import SAID
from tests.support.pdfs import a_pdf
from tests.support.web import shelve_pdf

RECOGNITION = """
globalThis.begun = 0;
globalThis.SpeechRecognition = class {
  start() {
    begun += 1;
    const error = errors.shift();
    if (error) setTimeout(() => { this.onerror({ error }); this.onend(); });
    else if (said) this.tell(said);
  }
  stop() {
    setTimeout(() => { this.tell(lastWords); this.onend(); }, 100);
  }
  tell(transcript) {
    this.onresult({ resultIndex: 0, results: [Object.assign([{ transcript }], { isFinal: true })] });
  }
};
"""


def listening(running: Running, *errors: str, said: str = "", last_words: str = "") -> Page:
    """The page of a lecture with a microphone where that goes wrong first, then hears something."""
    shelve_pdf(running.site.parts.collections[Collection.LECTURES], a_pdf(TEXT))
    page = running.signed_in("/lecture")
    plays = f"var errors = {json.dumps(errors)}, said = {json.dumps(said)}, lastWords = {json.dumps(last_words)};"
    page.add_init_script(plays + RECOGNITION)
    page.reload()
    page.get_by_role("button", name="Use the microphone").click()
    return page


def test_silence_is_no_trouble_and_what_is_said_after_it_is_heard(running: Running) -> None:
    page = listening(running, "no-speech", "no-speech", said="So much is certain.")

    expect(page.locator("#words")).to_contain_text("So much is certain.")
    expect(page.locator("#state")).to_be_empty()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("not-allowed", "not allowed to use the microphone"),
        ("audio-capture", "No microphone found"),
        ("service-not-allowed", "does not support speech recognition"),
        ("language-not-supported", "does not support speech recognition"),
    ],
)
def test_where_nothing_can_be_heard_that_is_said_and_the_lecture_is_over(running: Running, error: str, told: str) -> None:
    page = listening(running, error)

    expect(page.locator("#state")).to_contain_text(told)
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()


def test_a_recognition_that_is_away_is_said_and_tried_again_after_a_while(running: Running) -> None:
    page = listening(running, "network", said="So much is certain.")

    expect(page.locator("#state")).to_contain_text("keep trying")
    assert page.evaluate("begun") == 1
    expect(page.locator("#words")).to_contain_text("So much is certain.")
    expect(page.locator("#state")).to_be_empty()


def test_a_lecture_whose_page_was_reloaded_goes_on(running: Running) -> None:
    page = listening(running, said=SAID * 6)
    cards = page.locator("#citations .group")
    expect(cards.first).to_be_visible()
    address = page.url
    page.reload()
    expect(page.get_by_text("still running")).to_be_visible()
    expect(cards.first).to_be_visible()
    windows = cards.count()

    page.get_by_role("button", name="Use the microphone").click()

    expect(cards.nth(windows)).to_be_visible()
    expect(page.get_by_text("still running")).to_be_hidden()
    assert page.url == address


def test_the_last_words_are_looked_up_too(running: Running) -> None:
    page = listening(running, said="So much is certain.", last_words=SAID * 2)
    expect(page.locator("#words .speech")).to_have_count(1)

    page.get_by_role("button", name="Stop").click()

    expect(page.locator("#words sup a").first).to_be_visible()
