"""A tour of the pages with the sample book and the sample essay: one picture a flow, for docs/pages.md or for looking at.

    CHAPTERVERSE_HOME=build/tour python -m scripts.web_tour FOLDER [--sizes laptop phone projector] [--dark] [--language de]

Sources that the home lacks are added. A page without a flow is shown as it opens."""

import argparse
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from scripts.browsed import PROGRAM, Browsed, browsed, paths
from scripts.web_course import course_at, course_pictures
from scripts.web_flows import FLOWS, MORE, SAMPLES, Flow, as_it_opens

SIZES = {
    "phone": {"width": 390, "height": 844},
    "laptop": {"width": 1366, "height": 768},
    "projector": {"width": 1920, "height": 1080},
}
SOURCES = {
    "books": SAMPLES / "on-liberty.pdf",
    "documents": SAMPLES / "on-liberty.pdf",
    "textbook": Path("docs"),
    "helpdesk": Path("docs/pages.md"),
}
LATER = ("/", "/books", "/essay/assignments")  # shown by a flow of MORE, and in a course
TIMEOUT_MS = 120_000  # models are loaded at the first question
QUALITY = 40  # of JPEG: a laptop's picture takes 60 to 90 KB


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=["laptop"])
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--language", default="en")
    parser.add_argument("--only", nargs="+", default=[], help="names of pictures")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for collection, source in SOURCES.items():
        subprocess.run(
            [*PROGRAM, "sources", "add", str(source), "--collection", collection], check=True, stdout=subprocess.DEVNULL
        )
    with browsed() as site:
        for size in given.sizes:
            look = {
                "viewport": SIZES[size],
                "color_scheme": "dark" if given.dark else "light",
                "locale": given.language,
            }
            for name, page in pictures(site, look, given.only):
                take(page, given.folder / (name if size == "laptop" else f"{name}-{size}"))


def pictures(site: Browsed, look: dict[str, Any], only: Sequence[str]) -> Iterator[tuple[str, Page]]:
    """What they are called, and what is in them; only: those, or all."""
    for name, path, flow in tour():
        if not only or name in only:
            with opened(site, path, **look) as page:
                flow(page)
                yield name, page
    if not only or any(name.startswith("lti-") for name in only):
        with course_at(site.address, site.browser, look, TIMEOUT_MS) as course:
            yield from course_pictures(course)


def tour() -> Iterator[tuple[str, str, Flow]]:
    """name of the picture, where it begins, what is done there."""
    for path in (each for each in paths() if each not in LATER):
        name = path.strip("/").replace("/", "-") or "start"
        yield name, path, FLOWS.get(path, as_it_opens)
    yield from MORE


@contextmanager
def opened(site: Browsed, path: str, **look: Any) -> Iterator[Page]:
    """The page with what it fetches at first."""
    context = site.context(**look)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(site.address + path)
    page.wait_for_load_state("networkidle")
    yield page
    context.close()


def take(page: Page, file: Path) -> None:
    page.wait_for_timeout(500)
    page.screenshot(path=file.with_suffix(".jpg"), type="jpeg", quality=QUALITY)


if __name__ == "__main__":
    main()
