"""What is done on each page of the tour (scripts.web_tour), before its picture is taken."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pymupdf
from playwright.sync_api import Page

SAMPLES = Path("samples")
Flow = Callable[[Page], None]


def sign_in(page: Page) -> None:
    """The page before signing in."""
    page.context.clear_cookies()
    page.reload()


def books(page: Page) -> None:
    """A book that is ready, and a scan, which is refused where there is no text recognition."""
    page.locator("#files").set_input_files({"name": "a-scan.pdf", "mimeType": "application/pdf", "buffer": _a_scan()})
    scan = page.locator(".card.source", has_text="a-scan").first
    scan.wait_for()
    scan.locator("progress").wait_for(state="detached")


def write_essay(page: Page) -> None:
    page.locator("#essay").fill((SAMPLES / "essay.md").read_text("utf-8"))
    page.locator("#submission-form .primary").click()
    page.locator(".dimension.features h2").wait_for()
    page.wait_for_load_state("networkidle")


def printed(page: Page) -> None:
    write_essay(page)
    page.emulate_media(media="print")


def highlighted_page(page: Page) -> None:
    write_essay(page)
    page.evaluate("document.querySelectorAll('.dimension.evidence details').forEach(one => one.open = true)")
    page.locator(".dimension.evidence").get_by_role("link", name="Open the page").first.click()
    page.locator("dialog .print img").first.evaluate("image => image.decode()")


def ask(page: Page) -> None:
    page.locator("#question").fill("Why is it an evil to silence an opinion?")
    page.locator("#ask .primary").click()
    page.locator("#answers article").wait_for()


def lecture(page: Page) -> None:
    page.locator("#books input").first.check()
    page.locator("#transcript").set_input_files(SAMPLES / "lecture-on-liberty.vtt")
    page.locator("#citations .card").first.wait_for()
    page.wait_for_timeout(4000)
    page.locator("#words").scroll_into_view_if_needed()


RUBRIC = "Gives reasons\nUses evidence from the books\nStays on the subject"


def an_assignment(page: Page) -> None:
    """Three essays of a class, of which one is released."""
    text = (SAMPLES / "essay.md").read_text("utf-8")
    paragraphs = [each for each in text.split("\n\n") if each.strip()]
    page.locator("[name=title]").fill("Free speech")
    page.locator("[name=class_id]").select_option("")
    page.locator("[name=class_name]").fill("9b")
    page.locator("details", has=page.locator("[name=rubric]")).locator("summary").click()
    page.locator("[name=rubric]").fill(RUBRIC)
    page.locator("#save").click()
    page.locator("#upload-form").wait_for()
    page.wait_for_load_state("networkidle")
    essays = {"Ada Lovelace": text, "Ben Okri": "\n\n".join(paragraphs[:3]), "Chloe Martin": "\n\n".join(paragraphs[1:])}
    files = [{"name": f"{name}.md", "mimeType": "text/markdown", "buffer": essay.encode()} for name, essay in essays.items()]
    page.locator("#files").set_input_files(files)  # type: ignore[arg-type]
    page.locator("#send").click()
    page.locator(".progress-of.ready").nth(2).wait_for()
    page.locator("td button").last.click()
    page.locator(".progress-of.released").wait_for()
    page.wait_for_load_state("networkidle")
    page.locator("#sheet-title").scroll_into_view_if_needed()


def review_desk(page: Page) -> None:
    """An essay with a level, a note and a grade of its teacher."""
    an_assignment(page)
    page.locator("tbody a").first.click()
    page.locator("#criterion-1 select").select_option(index=3)
    page.locator("#on-whole summary").click()
    page.locator("#note").fill("A strong beginning, Ada. Say in the third paragraph what your phone has to do with it.")
    page.locator("#grade").fill("B+")
    page.locator("#whole .primary").click()
    page.locator(".first .note").wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")


def help_desk(page: Page) -> None:
    page.locator("#message").fill("How do students sign in?")
    page.keyboard.press("Enter")
    page.locator("#turns li").nth(2).wait_for()
    page.get_by_text("Looking for an answer").wait_for(state="detached")


def handed_to_agent(page: Page) -> None:
    """A student asks for a person; the picture is of the inbox."""
    inbox = page.url
    page.goto(inbox.replace("/inbox", ""))
    help_desk(page)
    page.locator("#human").click()
    page.locator("#remark").fill("My link has run out twice.")
    page.locator("#ask-human .primary").click()
    page.locator("#person").wait_for()
    page.goto(inbox)
    page.locator("#conversation-list button").first.click()
    page.locator("#turns li").first.wait_for()


def as_it_opens(page: Page) -> None:
    """With what it fetches at first."""
    page.wait_for_load_state("networkidle")


def _a_scan() -> bytes:
    """A page that holds a picture of the sample's first page of text, and no text."""
    with pymupdf.open(SAMPLES / "on-liberty.pdf") as book, pymupdf.open() as scan:
        picture = book[4].get_pixmap(dpi=72)
        scan.new_page().insert_image(pymupdf.Rect(0, 0, picture.width, picture.height), pixmap=picture)
        return bytes(scan.tobytes())


FLOWS: Mapping[str, Flow] = {
    "/essay": write_essay,
    "/ask": ask,
    "/lecture": lecture,
    "/help": help_desk,
    "/help/inbox": handed_to_agent,
}
MORE = (
    ("sign-in", "/sign-in", sign_in),
    ("essay-printed", "/essay", printed),
    ("highlighted-page", "/essay", highlighted_page),
    ("assignment", "/essay/assignments/new", an_assignment),
    ("review-desk", "/essay/assignments/new", review_desk),
    ("start", "/", as_it_opens),
    ("book", "/books/on-liberty", as_it_opens),
    ("viewer", "/books/on-liberty/40", as_it_opens),
    ("books", "/books", books),
)
