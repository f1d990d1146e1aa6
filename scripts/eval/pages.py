#!/usr/bin/env python3
"""The pages as a browser has them: the time from a click to the highlighted page, the accuracy of the highlight, what each page
weighs, and what axe-core says of it.

    python -m scripts.eval.pages [SHARED] [--each 1] [--only highlight|time|table]

The home of the settings holds the typeset books in SHARED (highlight_home.py). Times are by the browser's clock, from the click
to the frame after the picture is decoded: of pages that nobody has asked for, a second after the one before, as people read,
and right after it; of pages pointed at for 300 ms before; of pages seen before. Light is compared with the books' own boxes, at
one and two pixels a CSS pixel."""

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
from scripts.browsed import Browsed, browsed
from scripts.eval.highlight_pixels import Overlap, overlap
from scripts.eval.highlight_sample import Known, sample
from scripts.eval.page_table import by_axe, show_pages
from scripts.eval.shared import shared_folder

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
PLAIN = """async ([at, address]) => {
    const picture = document.querySelectorAll(".panel .print img")[at];
    const scale = picture.dataset.scale ?? picture.closest(".viewer").dataset.scale;
    picture.src = `${address}?scale=${scale}`;
    await picture.decode();
    return picture.naturalWidth / scale;
}"""  # as fine as the one with the highlight: on a dense screen a finer one replaces the first
SETTLED = """async one => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let source = ""; source !== one.src; await frame(), await frame()) {
        source = one.src;
        await one.decode();
    }
}"""
ON_PIXELS = """one => Object.assign(one.style, {
    border: 0, position: "fixed", left: 0, top: 0, zIndex: 9, width: `${Math.round(one.clientWidth)}px`, maxWidth: "none",
})"""  # as large as it was, but on whole pixels: a border or half a pixel beside would shift all of it
TALL = {"width": 1366, "height": 3400}  # both pages of a sentence are visible


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, help="the shared folder")
    parser.add_argument("--each", type=int, default=1, help="sentences of each kind of each book")
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
    """Of each book a sentence in each way, never the same twice but in the last."""
    at_rest, in_turn, pointed = (list({one.book: one for one in known[start::3]}.values()) for start in range(3))
    page = site.context(viewport={"width": 1366, "height": 768}).new_page()
    page.goto(f"{site.address}/essay")
    opened(page, known[-1])  # the program has drawn a page before
    told = {
        "first seen": [opened(page, one, rest=1000) for one in at_rest],
        "one by one": [opened(page, one) for one in in_turn],
        "pointed at": [opened(page, one, ahead=300) for one in pointed],
        "seen before": [opened(page, one) for one in at_rest],
    }
    load = f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"Milliseconds from the click to the highlighted page; {load}")
    for name, times in told.items():
        print(f"  {name:<12} {len(times):3} pages  p50 {np.percentile(times, 50):5.0f}  p95 {np.percentile(times, 95):5.0f}")


def opened(page: Page, one: Known, rest: int = 0, ahead: int = 0) -> float:
    """How long the click took; rest, ahead: milliseconds before, and with the pointer on the button."""
    page.keyboard.press("Escape")
    page.evaluate(BUTTON, {"sentence": one.id, "module": _module(page)})
    button = page.locator("#opens-it")
    page.wait_for_timeout(rest)
    if ahead:
        button.hover()
        page.wait_for_timeout(ahead)
    page.evaluate(f"() => {{ window.opened = ({OPENED})() }}")
    button.dispatch_event("click")
    return float(page.evaluate("opened"))


def show_highlight(site: Browsed, known: Sequence[Known]) -> None:
    """The highlight as the browser renders it, compared with the known boxes."""
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
        picture = page.locator(".panel .print img").nth(at)
        picture.evaluate(ON_PIXELS)
        picture.evaluate(SETTLED)
        highlighted = picture.screenshot()
        width = page.evaluate(PLAIN, [at, f"/api/v1/pages/{one.book}/{index}.png"])
        yield overlap(highlighted, picture.screenshot(), [box for box in one.gold if box["page"] == index], width)


def show_table(site: Browsed, known: Sequence[Known]) -> None:
    """The pages of the menu, a book's page, and a highlighted page."""
    show_pages(site, known[0].book)
    page = site.context().new_page()
    page.goto(f"{site.address}/essay")
    opened(page, known[0])
    print(f"| a highlighted page, open | | | {' | '.join(map(str, by_axe(page)))} |")


def _module(page: Page) -> str:
    """Where this page's own module is."""
    source = page.locator("script[type=module]").first.get_attribute("src") or ""
    return f"{source.rpartition('/')[0]}/page_viewer.js"


PARTS: dict[str, Callable[[Browsed, Sequence[Known]], Any]] = {
    "time": show_times,
    "highlight": show_highlight,
    "table": show_table,
}


if __name__ == "__main__":
    main()
