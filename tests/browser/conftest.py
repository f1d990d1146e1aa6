"""Chromium, and the app with a book behind it. Both are there where CHAPTERVERSE_CHROMIUM names a browser (make web-test)."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, Page, expect, sync_playwright

from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import address_of, enrol, link_for
from chapterverse.essays.batch.service import run_batch_task
from chapterverse.infrastructure.local_queue import LocalQueue
from chapterverse.library.intake import run_task
from chapterverse.library.services import parsed
from tests.support.books import LIMITS
from tests.support.pdfs import a_pdf
from tests.support.serving import serving
from tests.support.web import Site, shelve_pdf, site

AXE = Path(os.environ.get("CHAPTERVERSE_AXE", ""))
SHOTS = os.environ.get("CHAPTERVERSE_SHOTS")  # a folder for pictures of the pages
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIZES = {"phone": (390, 844), "laptop": (1366, 768), "projector": (1920, 1080)}
TEXT = "Some wish it were otherwise. Silencing an opinion robs mankind of truth. So much is certain."
PATIENT = 120_000  # milliseconds; a busy machine is slow
expect.set_options(timeout=PATIENT)


@dataclass(frozen=True)
class Running:
    """The app at an address, and a browser."""

    address: str
    site: Site
    browser: Browser

    def signed_in(
        self,
        path: str,
        role: KeyScope = KeyScope.STUDENT,
        *,
        email: str = "anna@school.example",
        name: str = "Anna",
        school: str = "school",
        **context: object,
    ) -> Page:
        """That page, of somebody who has followed a link to it."""
        now, sign_in = self.site.parts.now(), self.site.parts.sign_in
        person = enrol(school, email, name, role, sign_in=sign_in, now=now)
        page = self.browser.new_context(**context).new_page()  # type: ignore[arg-type]
        page.set_default_timeout(PATIENT)
        page.goto(f"{address_of(link_for(person, sign_in, now), self.address)}&next={path}")
        page.get_by_role("button", name="Sign in now").click()
        page.wait_for_url(f"{self.address}{path}")
        return page

    def writing(self) -> LocalQueue:
        """The queue of essays, whose feedback is written from now on."""
        queue = self.site.parts.batches.queue
        assert isinstance(queue, LocalQueue)
        queue.start(partial(run_batch_task, context=self.site.parts.batches))
        return queue

    def reading(self) -> None:
        """Let what is uploaded be read from now on, with the real parser."""
        intake, limits = self.site.parts.intake, replace(LIMITS, pages=1000, seconds=600, megabytes=2048)
        collections = {name: replace(each, parser=parsed) for name, each in intake.collections.items()}
        real = replace(intake, services=replace(intake.services, parser=parsed), collections=collections, limits=limits)
        assert isinstance(intake.queue, LocalQueue)
        intake.queue.start(partial(run_task, intake=real))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHAPTERVERSE_CHROMIUM")
    if not path:
        pytest.skip("CHAPTERVERSE_CHROMIUM names no browser: make web-test")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def running(tmp_path: Path, chromium: Browser) -> Iterator[Running]:
    with site(tmp_path) as app, serving(app.app) as address:
        shelve_pdf(app.services, a_pdf(TEXT))
        yield Running(address, app, chromium)


def expect_accessible(page: Page, picture: str = "") -> None:
    """axe-core finds no violation of WCAG 2.2 AA, by day and by night; nothing is beside the screen, no blank below the page.
    Takes a picture."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight <= Math.max(innerHeight, document.body.offsetHeight + 40)")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert (scheme, violations(page)) == (scheme, [])
    if picture:
        take_picture(page, picture)


def violations(page: Page | Frame) -> list[tuple[str, list[str]]]:
    """The rules of axe-core that are broken, and where."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE.read_text("utf-8"))  # not as an element: the page's policy runs nothing that is put into it
    found = page.evaluate("tags => axe.run({runOnly: tags})", TAGS)
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]]


def take_picture(page: Page, name: str) -> None:
    """The page as it is now, at three sizes, where somebody wants to look at it."""
    for size, (width, height) in SIZES.items() if SHOTS else ():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        page.screenshot(path=f"{SHOTS}/{name}-{size}.jpg", type="jpeg", quality=75)
