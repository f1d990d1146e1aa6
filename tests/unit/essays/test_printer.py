import re
from base64 import b64decode
from contextlib import nullcontext
from io import BytesIO

import pymupdf
import pytest

from chapterverse.citations.passages import HighlightedPage
from chapterverse.core.errors import BadRequest
from chapterverse.essays import render
from chapterverse.essays.model import Comment
from chapterverse.essays.print_worker import print_html
from chapterverse.essays.render import PAPER, feedback_html, print_in_sandbox
from chapterverse.essays.service import Feedback
from chapterverse.essays.task import Criterion
from tests.support.essays import found_on, some_feedback
from tests.support.pdf_ua import broken, kinds_in_order
from tests.support.refusals import refused

A_COMMENT = "Say it in two sentences, or in one that is shorter. " * 4


def a_page(*comments: str, essay: str = "# Σπίτι 房子 😀\n\nMy uncle sings.") -> str:
    listed = tuple(Comment(None, text, number=at) for at, text in enumerate(comments, 1))
    return feedback_html(Feedback(found_on(essay), listed, rubric=(Criterion("Gives reasons"),)), style=PAPER)


def opened(pdf: bytes) -> pymupdf.Document:
    return pymupdf.open(stream=pdf)


def test_a_page_is_printed_with_its_title_language_and_outline() -> None:
    with opened(print_html(a_page("Good."), "a4")) as pdf:
        assert pdf.metadata["title"] == "Feedback on “Σπίτι 房子 😀”"
        assert pdf.language == "en"
        assert [title for _, title, _ in pdf.get_toc()][1:] == [
            "Your essay",
            "Comments",
            "What your teacher looks for",
        ]


@pytest.mark.parametrize(("paper", "points"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_it_is_printed_on_the_paper_asked_for(paper: str, points: tuple[int, int]) -> None:
    with opened(print_html(a_page(), paper)) as pdf:
        assert (round(pdf[0].rect.width), round(pdf[0].rect.height)) == points


def test_without_pango_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "answer_of", lambda *_: nullcontext(BytesIO(b'{"missing": "OSError"}\n')))

    with refused(BadRequest, "pdf_export_without_pango"):
        print_in_sandbox(a_page())


def test_a_font_of_many_scripts_is_in_the_file_with_the_letters_used_only() -> None:
    with opened(pdf := print_html(a_page(), "a4")) as pages:
        assert "+far" in str(pages.get_page_fonts(0))

    assert len(pdf) < 200_000


def test_links_lead_to_their_places() -> None:
    with opened(print_html(a_full_page(), "a4")) as pdf:
        link = next(each for each in pdf[0].get_links() if each["kind"] in {pymupdf.LINK_GOTO, pymupdf.LINK_NAMED})
        [heading] = pdf[0].search_for("Comments", quads=False)[:1]
        assert (link["page"], link["to"].y > heading.y0) == (0, True)


def test_no_comment_is_parted_by_the_end_of_a_sheet() -> None:
    comments = [f"Comment {number} begins. {A_COMMENT} Comment {number} ends." for number in range(1, 60)]

    with opened(print_html(a_page(*comments), "a4")) as pdf:
        sheets = [" ".join(page.get_text().split()) for page in pdf]

    assert len(sheets) > 3
    for number in range(1, 60):
        [begins] = [at for at, text in enumerate(sheets) if f"Comment {number} begins." in text]
        [ends] = [at for at, text in enumerate(sheets) if f"Comment {number} ends." in text]
        assert begins == ends


@pytest.mark.parametrize("comments", [29, 30, 31])  # with 30 it would
def test_no_heading_stands_alone_at_the_end_of_a_sheet(comments: int) -> None:
    with opened(print_html(a_page(*["Say it in one sentence that is shorter."] * comments), "a4")) as pdf:
        sheets = [page.get_text() for page in pdf]

    [with_heading] = [text for text in sheets if "What your teacher looks for" in text]
    assert "Gives reasons" in with_heading


def test_a_very_long_word_stays_on_the_sheet() -> None:
    with opened(print_html(a_page(essay="x" * 20_000), "a4")) as pdf:
        words = [word for page in pdf for word in page.get_text("words")]

    assert sum(word[4].count("x") for word in words if set(word[4]) == {"x"}) >= 20_000
    assert max(word[2] for word in words) <= 595 - 54 + 1


def test_a_page_of_any_text_is_printed_behind_the_wall() -> None:
    hostile = "</body><script>alert(1)</script>\x00\ud800" + "́" * 3000

    with opened(print_in_sandbox(a_page(hostile))) as pdf:
        assert "<script>alert(1)</script>" in pdf[0].get_text()


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def a_full_page(words: str = "") -> str:
    """A page with comments, citations, links and a picture of a book's page."""
    pages = {1: (HighlightedPage("35", b64decode(PIXEL)),)}
    essay = f"# On Speech\n\nSilencing opinion robs us of truth. {words}.\n\nMy phone battery empties quickly after lunch."
    return feedback_html(some_feedback(found_on(essay)), pages, PAPER)


@pytest.mark.parametrize("comments", [0, 1, 60])
def test_what_is_printed_is_tagged_for_people_who_have_it_read_to_them(comments: int) -> None:
    assert broken(print_html(a_page(*[A_COMMENT] * comments), "a4")) == []


HEBREW_AND_ARABIC = "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627"


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)></style>"


@pytest.mark.parametrize("words", ["", HOSTILE, HEBREW_AND_ARABIC])
def test_a_page_with_everything_is_tagged_and_read_in_its_order(words: str) -> None:
    page = a_full_page(words)

    pdf = print_html(page, "a4")

    kinds = [kind for kind in kinds_in_order(pdf) if kind != "Link"]
    assert broken(pdf) == []
    assert kinds == [tag.upper().replace("IMG", "Figure") for tag in re.findall(r"<(h[1-6]|p|img)\b", page)]


@pytest.mark.parametrize(
    ("before", "after", "clause"),
    [
        (r'<html lang="en">', "<html>", "7.2"),
        (r"<title>.*</title>", "", "7.1"),
        (r"<h1 ", "<h2 ", "7.4"),
        (r"<h2>", "<h5>", "7.4"),
        (r' alt="[^"]*"', "", "7.3"),
    ],
)
def test_the_check_finds_what_is_not_accessible(before: str, after: str, clause: str) -> None:
    page = re.sub(before, after, a_full_page())

    assert clause in " ".join(broken(print_html(page, "a4")))


def test_a_part_in_another_language_says_which() -> None:
    page = a_page().replace("<h2>", '<h2 lang="de">', 1)

    with opened(print_html(page, "a4")) as pdf:
        objects = [pdf.xref_object(number) for number in range(1, pdf.xref_length())]

    assert {"/S /H2" in each for each in objects if "/Lang (de)" in each} == {True}
