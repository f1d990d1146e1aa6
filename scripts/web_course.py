"""A course at a learning platform on the tour of the pages (scripts.web_tour): a teacher asks for an essay, a student hands one
in, the teacher sends it a score; and the same with essays that are handed in at the platform itself. The platform is the one of
the tests, at another site, as platforms are."""

import json
import logging
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Browser, FrameLocator, Page

from scripts.browsed import PROGRAM
from scripts.web_flows import SAMPLES
from tests.support.lti_platform import CLIENT, DEPLOYMENT, LtiPlatform, lti_platform

STUDENT, ANOTHER, TEACHER = "u-1", "u-2", "u-9"
GIVEN = {"Title": "On liberty", "Instructions": "When may a society silence somebody?\nTake a side, and say why."}


@dataclass(frozen=True)
class Course:
    """look: how a browser shows pages, patience: how long it waits, in milliseconds."""

    platform: LtiPlatform
    browser: Browser
    look: dict[str, Any]
    patience: int

    def choice(self) -> tuple[Page, FrameLocator]:
        """A teacher adds the tool to the course, and says what is asked for."""
        page, frame = self._in_course(TEACHER, "choice")
        for label, text in GIVEN.items():
            frame.get_by_label(label).fill(text)
        return page, frame

    def submitted(self) -> Page:
        """A student's tab."""
        page = self._tab(STUDENT)
        page.locator("#essay").fill((SAMPLES / "essay.md").read_text("utf-8"))
        page.get_by_role("button", name="Hand in", exact=True).click()
        page.get_by_text("Handed in at").wait_for()
        return page

    def graded(self) -> Page:
        """The teacher's, with a score about to be sent."""
        page = self._tab(TEACHER)
        page.get_by_role("button", name="Send Anna Berg").click()
        page.locator("#score").fill("85")
        page.locator("#comment").fill("Well argued. Look at the third evidence again.")
        return page

    def attached(self) -> None:
        """A teacher lets essays that are handed in at the platform be processed."""
        page, frame = self._in_course(TEACHER, "processor")
        for label, text in GIVEN.items():
            frame.get_by_label(label).fill(text)
        frame.get_by_role("button", name="Add to the course").click()
        frame.get_by_text("Added").wait_for()
        page.context.close()

    def handed_in(self) -> Page:
        """A student's view of the platform, with a report on what they handed in. Another has handed in an empty text."""
        self._submit(ANOTHER, "")
        return self._with_report(self._submit(STUDENT, (SAMPLES / "essay.md").read_text("utf-8")))

    def grader(self) -> Page:
        """The teacher's view of the platform."""
        return self._with_report(self._at(f"grader?user={TEACHER}"))

    def report(self) -> Page:
        """What opens from there."""
        page = self.grader()
        with page.context.expect_page() as tab:
            page.get_by_role("button", name="View report").click()
        return self._loaded(tab.value)

    def terms(self) -> Page:
        """What a student is asked first."""
        page, frame = self._in_course(STUDENT, "eula")
        frame.get_by_role("button", name="I agree").wait_for()
        return page

    def _submit(self, user: str, essay: str) -> Page:
        page = self._at(f"assignment?user={user}")
        page.get_by_label("Your essay").fill(essay)
        page.get_by_role("button", name="Submit assignment").click()
        page.get_by_role("cell", name="Text entry").wait_for()
        return page

    def _with_report(self, page: Page) -> Page:
        for _ in range(self.patience // 1000):
            if page.get_by_role("button", name="View report").count():
                return page
            page.wait_for_timeout(1000)
            page.reload()
        raise TimeoutError("There is no report.")

    def _tab(self, user: str) -> Page:
        page, frame = self._in_course(user, "link-1")
        with page.context.expect_page() as tab:
            frame.locator("#open button").click()
        return self._loaded(tab.value)

    def _loaded(self, tab: Page) -> Page:
        tab.set_default_timeout(self.patience)
        tab.wait_for_load_state("networkidle")
        return tab

    def _in_course(self, user: str, link: str) -> tuple[Page, FrameLocator]:
        page = self._at(f"course?user={user}&link={link}")
        page.get_by_role("button", name="Open the tool").click()
        return page, page.frame_locator("iframe")

    def _at(self, path: str) -> Page:
        page = self.browser.new_context(**self.look).new_page()
        page.set_default_timeout(self.patience)
        page.goto(f"{self.platform.address}/{path}")
        return page


@contextmanager
def course_at(address: str, browser: Browser, look: dict[str, Any], patience: int) -> Iterator[Course]:
    """address: of the pages, to which a new platform is introduced."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)

    def keys() -> dict[str, Any]:
        with urlopen(f"{address}/lti/jwks") as answer:
            return dict(json.load(answer))

    with lti_platform(address, keys, host="localhost") as platform:
        _introduce(platform)
        yield Course(platform, browser, look, patience)


def course_pictures(course: Course) -> Iterator[tuple[str, Page]]:
    """What they are called, each at its moment."""
    page, frame = course.choice()
    yield "lti-choose", page
    frame.get_by_role("button", name="Add to the course").click()
    frame.get_by_text("Added").wait_for()
    yield "lti-submitted", course.submitted()
    yield "lti-assignment", course.graded()
    course.attached()
    yield "lti-terms", course.terms()
    yield "lti-hand-in", course.handed_in()
    yield "lti-grader", course.grader()
    yield "lti-report", course.report()


def _introduce(platform: LtiPlatform) -> None:
    at = platform.address
    addresses = ["--issuer", at, "--login-url", f"{at}/auth", "--token-url", f"{at}/token", "--keys-url", f"{at}/jwks"]
    known = [*PROGRAM, "lti", "add", "other", "--client-id", CLIENT, "--deployment", DEPLOYMENT, *addresses]
    subprocess.run(known, check=True, stdout=subprocess.DEVNULL)
