"""Milliseconds from a click to the highlighted page, by the browser's clock, to the frame after the picture is decoded.

    CHAPTERVERSE_HOME=build/pages python -m scripts.bench.pages [--pages 20]

Pages that nobody has asked for, a second after the one before, as people read, and right after it; pages pointed at for 300 ms
before; pages seen before. The sample book is added where the home lacks it."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import which
from typing import Annotated

import numpy as np
import typer
from playwright.sync_api import Page, sync_playwright

from chapterverse import composition
from chapterverse.core.book import BookId
from chapterverse.library.artefacts import indexed, load_book
from chapterverse.settings import read_settings
from scripts.cloud_local.parts import Part, answers_http, free_ports

PROGRAM = (sys.executable, "-m", "chapterverse.cli.app")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BOOK = "on-liberty"
BUTTON = """async ({sentence, module}) => {
    document.getElementById("opens-it")?.remove();
    const told = await (await fetch(`/api/v1/evidence/${sentence}`)).json();
    const button = (await import(module)).pageLink({sentence: told.sentence});
    button.id = "opens-it";
    document.querySelector("main").prepend(button);
}"""
OPENED = """() => new Promise(done => document.getElementById("opens-it").addEventListener("click", async ({timeStamp}) => {
    const frame = () => new Promise(requestAnimationFrame);
    while (!document.querySelector(".panel .print img")) await frame();
    const pictures = [...document.querySelectorAll(".panel .print img")];
    await Promise.all(pictures.map(one => one.complete ? one.decode() : new Promise(shown => {
        one.addEventListener("load", () => one.decode().then(shown));
    })));
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - timeStamp)));
}))"""


def sentences(count: int) -> list[str]:
    """Ids of sentences drawn at random, each on another page."""
    settings = read_settings()
    services = composition.compose(settings)
    active = services.catalog.book(settings.school, BookId(BOOK)).active
    assert active
    found = indexed(load_book(services.bucket, active.key))
    by_page = {one.address.places[0].page_index: one.id for one in random.Random(1).sample(found, len(found))}
    return list(by_page.values())[:count]


def opened(page: Page, sentence: str, rest: int = 0, ahead: int = 0) -> float:
    """How long the click took; rest, ahead: milliseconds before, and with the pointer on the button."""
    page.keyboard.press("Escape")
    source = page.locator("script[type=module]").first.get_attribute("src") or ""
    page.evaluate(BUTTON, {"sentence": sentence, "module": f"{source.rpartition('/')[0]}/page_viewer.js"})
    button = page.locator("#opens-it")
    page.wait_for_timeout(rest)
    if ahead:
        button.hover()
        page.wait_for_timeout(ahead)
    page.evaluate(f"() => {{ window.opened = ({OPENED})() }}")
    button.dispatch_event("click")
    return float(page.evaluate("opened"))


@contextmanager
def browsed() -> Iterator[tuple[str, Page]]:
    """The pages' address, and a page of a browser that is signed in as an admin. Ends the program if there is no browser."""
    path = os.environ.get("CHAPTERVERSE_CHROMIUM") or next(filter(None, map(which, BROWSERS)), None)
    if not path:
        sys.exit("No chromium here: apt-get install chromium, or set CHAPTERVERSE_CHROMIUM")
    with _served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(_link(address))
        page.get_by_role("button", name="Sign in now").click()
        page.wait_for_load_state()
        yield address, page
        browser.close()


@contextmanager
def _served() -> Iterator[str]:
    [port] = free_ports(1)
    address, log = f"http://127.0.0.1:{port}", read_settings().home / "serve.log"
    command, rates = [*PROGRAM, "serve", "--port", str(port)], {"CHAPTERVERSE_REQUESTS_PER_MINUTE": "100000"}
    program = Part("chapterverse serve", command, answers_http(f"{address}/sign-in"), log, rates)
    try:
        program.start()
        yield address
    finally:
        program.kill()


def _link(address: str) -> str:
    invited = ("people", "invite", "anna@school.example", "--role", "admin", "--address", address, "--json")
    said = subprocess.run([*PROGRAM, *invited], capture_output=True, check=True, text=True).stdout
    return str(json.loads(said)["link"])


def main(count: Annotated[int, typer.Option("--pages")] = 20) -> None:
    subprocess.run([*PROGRAM, "sources", "add", "samples/on-liberty.pdf"], check=True)
    before, *drawn = sentences(3 * count + 1)
    with browsed() as (address, page):
        page.goto(f"{address}/essay")
        opened(page, before)  # the program has drawn a page before
        times = {
            "first seen": [opened(page, one, rest=1000) for one in drawn[:count]],
            "one by one": [opened(page, one) for one in drawn[count : 2 * count]],
            "pointed at": [opened(page, one, ahead=300) for one in drawn[2 * count :]],
            "seen before": [opened(page, one) for one in drawn[:count]],
        }
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name, found in times.items():
        print(f"{name:<12} {len(found):3} pages  p50 {np.percentile(found, 50):5.0f}  p95 {np.percentile(found, 95):5.0f}")


if __name__ == "__main__":
    typer.run(main)
