#!/usr/bin/env python3
"""The pages as a browser has them: how long a lit page takes from the click, how right its light is, what each page weighs.

    python -m scripts.eval.pages [SHARED] [--each 2] [--only light|time|weight]

The home of the settings holds the typeset books in SHARED. Times are by the browser's clock, from the click to the frame after
the picture is decoded; the first is of a page that nobody has asked for, the second of one pointed at for 300 ms before, the
third of one seen before. Light is compared with the books' own boxes, at one and two pixels a CSS pixel."""

import argparse
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page

from chapterverse import composition
from chapterverse.settings import read_settings
from chapterverse.web.site.links import LINKS, Link
from scripts.browsed import Browsed, browsed
from scripts.eval.lit_pixels import Overlap, overlap
from scripts.eval.lit_sample import Known, sample
from scripts.eval.shared import shared_folder

BUTTON = """async ({sentence, module}) => {
    document.getElementById("opens-it")?.remove();
    const told = await (await fetch(`/api/v1/evidence/${sentence}`)).json();
    const button = (await import(module)).pageButton(told.sentence, "a page");
    button.id = "opens-it";
    document.querySelector("main").prepend(button);
}"""
OPENED = """() => new Promise(done => document.getElementById("opens-it").addEventListener("click", async ({timeStamp}) => {
    const pictures = [...document.querySelectorAll("#lit-page img")];
    await Promise.all(pictures.map(one => one.complete ? one.decode() : new Promise(shown => {
        one.addEventListener("load", () => one.decode().then(shown));
    })));
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - timeStamp)));
}))"""
PLAIN = """async ([at, address]) => {
    const picture = document.querySelectorAll("#lit-page img")[at];
    picture.src = address;
    await picture.decode();
    return picture.naturalWidth / 2;
}"""
TALL = {"width": 1366, "height": 3400}  # both pages of a sentence are seen at once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, help="the shared folder")
    parser.add_argument("--each", type=int, default=2, help="sentences of each kind of each book")
    parser.add_argument("--only", choices=PARTS)
    given = parser.parse_args()
    settings = read_settings()
    gold = shared_folder(given.shared, "goldbooks/pdf")
    known = list(sample(settings.school, composition.compose(settings), gold, given.each))
    with browsed() as site:
        for name, part in PARTS.items():
            if given.only in (None, name):
                part(site, known)


def show_times(site: Browsed, known: Sequence[Known]) -> None:
    """A sentence of each book, each book's for the first time."""
    firsts = list({one.book: one for one in known}.values())
    page = site.context(viewport={"width": 1366, "height": 768}).new_page()
    page.goto(f"{site.address}/essay")
    opened(page, known[-1])  # the program has drawn a page before
    others = list({one.book: one for one in reversed(known)}.values())
    told = {
        "first seen": [opened(page, one) for one in firsts],
        "pointed at": [opened(page, one, ahead=300) for one in others[:-1]],
        "seen before": [opened(page, one) for one in firsts],
    }
    print(
        f"Milliseconds from the click to the lit page; load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    for name, times in told.items():
        print(f"  {name:<12} {len(times):3} pages  p50 {np.percentile(times, 50):5.0f}  p95 {np.percentile(times, 95):5.0f}")


def opened(page: Page, one: Known, ahead: int = 0) -> float:
    """How long the click took."""
    page.keyboard.press("Escape")
    page.evaluate(BUTTON, {"sentence": one.id, "module": _module(page)})
    button = page.locator("#opens-it")
    if ahead:
        button.hover()
        page.wait_for_timeout(ahead)
    page.evaluate(f"() => {{ window.opened = ({OPENED})() }}")
    button.dispatch_event("click")
    return float(page.evaluate("opened"))


def show_light(site: Browsed, known: Sequence[Known]) -> None:
    """What is lit, as it is drawn."""
    for scale in (1, 2):
        page = site.context(viewport=TALL, device_scale_factor=scale).new_page()
        page.goto(f"{site.address}/essay")
        kinds: dict[str, list[Overlap]] = defaultdict(list)
        for one in known:
            for seen in _overlaps(page, one):
                kinds[one.across or "one line"].append(seen)
        print(f"Light beside the books' own boxes, {scale} pixels a CSS pixel")
        for name, all_ in [*sorted(kinds.items()), ("all", [seen for some in kinds.values() for seen in some])]:
            print(f"  {name:<9} {len(all_):4} pages ", *(_mean(all_, figure) for figure in Overlap.__slots__))


def _mean(all_: Sequence[Overlap], figure: str) -> str:
    values = [getattr(one, figure) for one in all_]
    return f" {figure} {np.mean(values):.3f} (worst {min(values):.3f})"


def _overlaps(page: Page, one: Known) -> Iterator[Overlap]:
    """On each page that the sentence stands on."""
    opened(page, one)
    for at, index in enumerate(dict.fromkeys(box["page"] for box in one.gold)):
        picture = page.locator("#lit-page img").nth(at)
        lit = picture.screenshot()
        width = page.evaluate(PLAIN, [at, f"/api/v1/pages/{one.book}/{index}.png?scale=2"])
        yield overlap(lit, picture.screenshot(), [box for box in one.gold if box["page"] == index], width)


def show_weights(site: Browsed, known: Sequence[Known]) -> None:
    """Bytes over the line of a first view, nothing kept of an earlier one."""
    print(f"{'Page':<28} kilobytes  answers")
    for path in ("/sign-in", *_paths(LINKS), f"/books/{known[0].book}"):
        page = site.context().new_page()
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        answers: list[float] = []
        session.on("Network.loadingFinished", lambda event, answers=answers: answers.append(event["encodedDataLength"]))
        page.goto(site.address + path)
        page.wait_for_load_state("networkidle")
        print(f"{path:<28} {sum(answers) / 1024:9.1f} {len(answers):8}")
        page.context.close()


def _paths(links: Sequence[Link]) -> Iterator[str]:
    for link in links:
        yield link.path
        yield from _paths(link.beside)


def _module(page: Page) -> str:
    """Where this page's own module is."""
    source = page.locator("script[type=module]").first.get_attribute("src") or ""
    return f"{source.rpartition('/')[0]}/lit_page.js"


PARTS: dict[str, Callable[[Browsed, Sequence[Known]], Any]] = {"time": show_times, "light": show_light, "weight": show_weights}


if __name__ == "__main__":
    main()
