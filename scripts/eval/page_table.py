"""Each page as it is first seen: what it weighs over the line, and what axe-core reports, in light and dark mode."""

import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from scripts.browsed import Browsed, paths

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]  # as in tests/browser
COUNTED = "tags => axe.run({runOnly: tags}).then(told => [told.violations.length, told.passes.length])"
LOOKS = ("light", "dark")


def show_pages(site: Browsed, book: str) -> None:
    """The first page of all, those of the bar, and a book's own."""
    print("| page | KB | answers | violations, light | passed | violations, dark | passed |")
    print("| --- " * 7 + "|")
    for path in ("/sign-in", *paths(), f"/books/{book}"):
        page = site.context().new_page()
        weight = weigh(page, site.address + path)
        print(f"| `{path}` | {sum(weight) / 1024:.1f} | {len(weight)} | {' | '.join(map(str, by_axe(page)))} |", flush=True)
        page.context.close()


def weigh(page: Page, address: str) -> list[float]:
    """Bytes over the line of each answer of a first view, nothing kept of an earlier one."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    answers: list[float] = []
    session.on("Network.loadingFinished", lambda event: answers.append(event["encodedDataLength"]))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return answers


def by_axe(page: Page) -> list[Any]:
    """Rules violated and rules passed, in each look; a dash each where CHAPTERVERSE_AXE names no axe.min.js."""
    axe = os.environ.get("CHAPTERVERSE_AXE")
    if not axe:
        return ["–"] * 2 * len(LOOKS)
    page.evaluate(Path(axe).read_text("utf-8"))  # not as an element: the page's policy runs nothing that is put into it
    return [count for look in LOOKS for count in _counted(page, look)]


def _counted(page: Page, look: Any) -> Any:
    page.emulate_media(color_scheme=look)
    return page.evaluate(COUNTED, TAGS)
