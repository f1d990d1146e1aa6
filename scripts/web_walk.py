"""A teacher's and a student's way through the pages, as a browser takes it: clicks and seconds of each step.

    CHAPTERVERSE_HOME=build/tour python -m scripts.web_walk [--language de]

The sample book is added where the home lacks it. Typing counts no time worth telling: fields are filled at once."""

import argparse
import os
import subprocess
import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page

from scripts.browsed import PROGRAM, Browsed, browsed
from scripts.web_flows import RUBRIC, SAMPLES

PATIENCE_MS = 600_000
PHONE = {"width": 390, "height": 844}


class Walk:
    """Counts the clicks on pages, and prints a row for each step."""

    def __init__(self) -> None:
        self.clicks = 0

    def click(self, *places: Locator) -> None:
        """Click on each, and count."""
        for place in places:
            place.click()
            self.clicks += 1

    def step(self, name: str, act: Callable[[], object]) -> None:
        """Do it; print what it took."""
        self.clicks, began = 0, time.monotonic()
        act()
        print(f"| {name} | {self.clicks} | {time.monotonic() - began:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", default="en")
    given = parser.parse_args()
    book = (*PROGRAM, "sources", "add", str(SAMPLES / "on-liberty.pdf"), "--collection", "books")
    subprocess.run(book, check=True, stdout=subprocess.DEVNULL)
    with browsed("teacher", "Vera Okri") as site:
        page = site.context(locale=given.language, viewport={"width": 1366, "height": 768}).new_page()
        page.set_default_timeout(PATIENCE_MS)
        print("| Step | Clicks | Seconds |\n|---|---|---|")
        teach(page, site, Walk())
    print(f"\nLoad of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def teach(page: Page, site: Browsed, walk: Walk) -> None:
    """From the start page to released feedback, which the student reads."""
    walk.step("Open the start page", lambda: _settled(page, site.address))
    walk.step("Create an assignment with a rubric", lambda: _assign(page, walk))
    code = page.locator(".invite .code").inner_text()
    pupil = _pupil(page, site)
    walk.step("A student on a phone joins by the code and hands in", lambda: _hand_in(pupil, site, code, walk))
    page.reload()
    walk.step("Upload five essays, until their feedback is ready", lambda: _upload(page, walk))
    walk.step("Open an essay on the desk", lambda: _open(page, walk))
    walk.step("Edit a comment", lambda: _edit(page, walk))
    walk.step("Hide a comment, and undo it", lambda: _hide(page, walk))
    walk.step("Choose a level for each criterion", lambda: _grade(page, walk))
    walk.step("Release it, and go to the next essay", lambda: _release(page, walk))
    walk.step("Release all others", lambda: _release_all(page, walk))
    walk.step("The student opens the feedback", lambda: _read(pupil, site, walk))


def _pupil(page: Page, site: Browsed) -> Page:
    pupil = site.browser.new_context(locale=page.evaluate("document.documentElement.lang"), viewport=PHONE).new_page()  # type: ignore[arg-type]
    pupil.set_default_timeout(PATIENCE_MS)
    return pupil


def _settled(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_load_state("networkidle")


def _assign(page: Page, walk: Walk) -> None:
    walk.click(page.locator('.greeting a.primary, a[href="/essay/assignments/new"]').first)
    page.locator("[name=title]").fill("Free speech")
    page.locator("[name=class_id]").select_option("")
    page.locator("[name=class_name]").fill("9b")
    page.locator("[name=instructions]").fill("When may a society silence somebody? Take a side, and say why.")
    walk.click(page.locator("details", has=page.locator("[name=rubric]")).locator("summary"))
    page.locator("[name=rubric]").fill(RUBRIC)
    walk.click(page.locator("#save"))
    page.locator("#upload-form").wait_for()


def _hand_in(pupil: Page, site: Browsed, code: str, walk: Walk) -> None:
    _settled(pupil, f"{site.address}/join")
    for text in (code, "Ada Lovelace"):
        pupil.locator("main input:visible").fill(text)
        walk.click(pupil.locator("main button:visible"))
        pupil.wait_for_load_state("networkidle")
    walk.click(pupil.locator("main a.primary"))
    pupil.locator("#essay").fill((SAMPLES / "essay.md").read_text("utf-8"))
    walk.click(pupil.locator("#submission-form .primary"))
    pupil.get_by_text("Handed in at").wait_for()


def _upload(page: Page, walk: Walk) -> None:
    text = (SAMPLES / "essay.md").read_text("utf-8")
    essays = [f"{text}\n\nThat is what I, {name}, think." for name in ("Ben", "Chloe", "Dev", "Emil", "Fay")]
    files = [{"name": f"{each}.md", "mimeType": "text/markdown", "buffer": essay.encode()} for each, essay in enumerate(essays)]
    if page.locator("#collect:not([open])").count():
        walk.click(page.locator("#collect > summary"))
    page.locator("#files").set_input_files(files)  # type: ignore[arg-type]
    walk.click(page.locator("#send"))
    page.locator(".progress-of.ready").nth(len(essays)).wait_for()


def _open(page: Page, walk: Walk) -> None:
    walk.click(page.locator("tbody a").first)
    page.locator(".tools").first.wait_for()


def _edit(page: Page, walk: Walk) -> None:
    walk.click(page.locator("[data-does=edit]").first)
    page.locator(".tools textarea:visible").fill("Is this so for everybody? Name an exception.")
    walk.click(page.locator(".tools .primary:visible"))
    page.locator("#state button").wait_for()


def _hide(page: Page, walk: Walk) -> None:
    walk.click(page.locator("[data-does=hide]").first)
    walk.click(page.locator("#state button"))
    page.locator("#state:empty").wait_for(state="attached")


def _grade(page: Page, walk: Walk) -> None:
    for number in range(1, 1 + len(RUBRIC.splitlines())):
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            page.locator(f"#criterion-{number} select").select_option(index=3)
        walk.clicks += 1


def _release(page: Page, walk: Walk) -> None:
    walk.click(page.locator("#approve"))
    page.locator("#state button").wait_for()
    walk.click(page.locator("#next"))
    page.locator("#approve.primary").wait_for()


def _release_all(page: Page, walk: Walk) -> None:
    walk.click(page.locator("#back"), page.locator("#release"))
    page.locator("#state button").wait_for()


def _read(pupil: Page, site: Browsed, walk: Walk) -> None:
    _settled(pupil, site.address)
    walk.click(pupil.locator('a.title[href^="/essay/mine/"]').first)
    pupil.locator(".first").wait_for()


if __name__ == "__main__":
    main()
