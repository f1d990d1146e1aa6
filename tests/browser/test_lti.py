"""A course at a learning platform, its frame and its gradebook in a real browser (make web-test). The platform is at another
site (localhost beside 127.0.0.1), as platforms are."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.request import urlopen

import pytest
import requests
from playwright.sync_api import BrowserContext, FrameLocator, Page, expect

from chapterverse.lti.launching import LtiTool
from chapterverse.operations.batch_app import run_essay_task
from tests.browser.conftest import PATIENT, Running, expect_accessible, take_picture, violations
from tests.support.lti import known
from tests.support.lti_platform.model import LtiPlatform
from tests.support.lti_platform.server import lti_platform

ESSAY = "Silencing an opinion robs mankind of truth.\n\nMy uncle sings.\n"
WORD = "<script>alert(1)</script>"


@dataclass(frozen=True)
class Course:
    running: Running
    platform: LtiPlatform

    def page(self, user: str, link: str, context: BrowserContext) -> tuple[Page, FrameLocator]:
        """A page of the course in which somebody has opened the tool."""
        page = context.new_page()
        page.set_default_timeout(PATIENT)
        page.goto(f"{self.platform.address}/course?user={user}&link={link}")
        page.get_by_role("button", name="Open the tool").click()
        return page, page.frame_locator("iframe")

    def context(self, **how: Any) -> BrowserContext:
        return self.running.browser.new_context(**how)

    def opened(self, user: str, link: str = "link-1", **how: Any) -> Page:
        """The tab that opens from the frame."""
        page, frame = self.page(user, link, self.context(**how))
        with page.context.expect_page() as tab:
            frame.locator("#open button").click()
        tab.value.set_default_timeout(PATIENT)
        tab.value.wait_for_load_state()
        return tab.value


@pytest.fixture
def course(running: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[Course]:
    for name in ("launch", "notices"):
        monkeypatch.setattr(LtiTool, f"{name}_url", property(lambda _, name=name: f"{running.address}/lti/{name}"))

    def keys() -> dict[str, Any]:
        with urlopen(f"{running.address}/lti/jwks", timeout=10) as answer:
            return dict(json.load(answer))

    with lti_platform(running.address, keys, host="localhost") as platform:
        known(running.site, platform)
        yield Course(running, platform)


def choose(course: Course) -> None:
    """Dr Stein asks for an essay, in the frame."""
    page, frame = course.page("u-9", "choice", course.context())
    frame.get_by_label("Title").fill(f"On liberty {WORD}")
    frame.get_by_label("Instructions").fill("Take a side, and say why.\nUse the book.")
    frame.get_by_label("Highest score").fill("20")
    expect_accessible_frame(page)
    take_picture(page, "lti-choose")
    frame.get_by_role("button", name="Add to the course").click()
    expect(frame.get_by_text("Added On liberty")).to_be_visible()


def test_from_the_choice_to_the_gradebook(course: Course) -> None:
    choose(course)

    student = course.opened("u-1")
    expect(student.get_by_role("heading", level=1)).to_have_text(f"On liberty {WORD}")
    expect_accessible(student, "lti-essay")
    student.get_by_label("Paste your essay").fill(ESSAY)
    student.get_by_role("button", name="Hand in", exact=True).click()
    expect(student.locator("#submission-state")).to_contain_text("Handed in at")
    expect_accessible(student, "lti-submitted")

    teacher = course.opened("u-9")
    expect(teacher.get_by_text("1 of 2 handed in.")).to_be_visible()
    expect_accessible(teacher, "lti-assignment")
    teacher.get_by_role("button", name="Send Anna Berg").click()
    teacher.locator("#score").fill("21")
    teacher.get_by_role("button", name="Send to the gradebook").click()
    expect(teacher.get_by_text("Enter a score from 0 to 20")).to_be_visible()
    teacher.locator("#score").fill("15,5")
    teacher.locator("#comment").fill("Well argued.")
    expect_accessible(teacher, "lti-send")
    teacher.get_by_role("button", name="Send to the gradebook").click()
    expect(teacher.get_by_text("15.5 of 20 sent")).to_be_visible()
    [score] = course.platform.scores
    assert (score["scoreGiven"], score["comment"].split("\n")[0]) == (15.5, "Well argued.")


def test_what_is_handed_in_at_the_platform_gets_a_report_that_both_sides_open(course: Course) -> None:
    page, frame = course.page("u-9", "processor", course.context())
    frame.get_by_label("Title").fill("On liberty")
    expect(frame.get_by_label("Highest score")).to_have_count(0)
    frame.get_by_role("button", name="Add to the course").click()
    expect(frame.get_by_text("Added On liberty")).to_be_visible()
    page.close()

    essay = "".join(f"<p>{part}</p>" for part in ESSAY.split("\n\n"))
    notice = course.platform.hand_in("u-1", [("Text entry", "text/html", essay.encode())])
    [handler] = set(course.platform.handlers.values())
    requests.post(handler, json={"notices": [{"jwt": notice}]}, timeout=PATIENT / 1000).raise_for_status()
    parts = course.running.site.parts
    queue: Any = parts.batches.queue
    queue.start(partial(run_essay_task, batches=parts.batches, hand_ins=parts.hand_ins))
    queue.wait_until_idle(PATIENT / 1000)
    queue.close()

    [file] = course.platform.handed_in
    mine = course.opened("u-1", f"report/{file}")
    expect(mine).to_have_url(re.compile("/essay/mine/"))
    expect(mine.get_by_text("Silencing an opinion").first).to_be_visible()
    desk = course.opened("u-9", f"report/{file}")
    expect(desk).to_have_url(re.compile("/essay/assignments/"))
    expect(desk.get_by_role("heading", name="Anna Berg")).to_be_visible()


def test_the_frame_is_accessible_and_by_the_keyboard(course: Course) -> None:
    choose(course)
    page, frame = course.page("u-1", "link-1", course.context(color_scheme="dark"))
    expect(frame.get_by_role("heading", name="On liberty")).to_be_visible()
    expect_accessible_frame(page)
    take_picture(page, "lti-frame-dark")

    frame.get_by_role("button", name="Open Chapterverse").focus()
    with page.context.expect_page() as tab:
        page.keyboard.press("Enter")

    expect(tab.value.get_by_role("heading", level=1)).to_contain_text("On liberty")
    expect(frame.get_by_text("is open in another tab.")).to_be_visible()


def test_a_platform_that_fails_is_said_and_nothing_written_is_lost(course: Course) -> None:
    choose(course)
    student = course.opened("u-1")
    student.get_by_label("Paste your essay").fill(ESSAY)
    student.get_by_role("button", name="Hand in", exact=True).click()
    expect(student.locator("#submission-state")).to_contain_text("Handed in at")
    teacher = course.opened("u-9")
    teacher.get_by_role("button", name="Send Anna Berg").click()
    teacher.locator("#comment").fill("Read it again.")
    course.platform.broken = 500

    teacher.get_by_role("button", name="Send to the gradebook").click()

    expect(teacher.locator("#score-state")).to_contain_text("Try again in a minute")
    assert teacher.locator("#comment").input_value() == "Read it again."
    course.platform.broken = 0
    teacher.get_by_role("button", name="Send to the gradebook").click()
    expect(teacher.get_by_text("comment sent")).to_be_visible()


def test_where_cookies_are_not_kept_in_frames_a_tab_helps(course: Course) -> None:
    choose(course)
    page, frame = course.page("u-1", "link-1", course.context())
    expect(frame.get_by_role("button", name="Open Chapterverse")).to_be_visible()

    page.context.route("**/lti/login", _without_cookies)
    page.get_by_role("button", name="Open the tool").click()
    expect(frame.get_by_role("heading", name="One more click")).to_be_visible()
    expect_accessible_frame(page)
    take_picture(page, "lti-tab")
    with page.context.expect_page() as tab:
        frame.get_by_role("link", name="Open Chapterverse in a new tab").click()

    expect(tab.value.get_by_label("Paste your essay")).to_be_visible(timeout=PATIENT)


def expect_accessible_frame(page: Page) -> None:
    """As expect_accessible, within the tool's frame."""
    frame = page.frame(name="tool")
    assert frame is not None
    assert violations(frame) == []


def _without_cookies(route: Any) -> None:
    """As a browser that takes no cookies of third parties answers itself."""
    answer = route.fetch(max_redirects=0)
    headers = {name: value for name, value in answer.headers.items() if name.lower() != "set-cookie"}
    route.fulfill(status=answer.status, headers=headers, body="")
