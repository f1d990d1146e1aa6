import pymupdf
import pytest

from chapterverse.essays.model import Comment, Dimension, Review
from chapterverse.essays.service import Feedback
from chapterverse.essays.writing.print_worker import print_html
from chapterverse.essays.writing.render import PAPER, feedback_html, print_in_sandbox
from tests.support.essays import a_subject, found_on

A_COMMENT = "Say it in two sentences, or in one that is shorter. " * 4


def a_page(*comments: str, essay: str = "# Σπίτι 房子 😀\n\nMy uncle sings.") -> str:
    review = Review(Dimension.FEATURES, tuple(Comment(None, text, number=at) for at, text in enumerate(comments, 1)))
    return feedback_html(Feedback(found_on(a_subject(essay)), (review,)), style=PAPER)


def opened(pdf: bytes) -> pymupdf.Document:
    return pymupdf.open(stream=pdf)


def test_a_page_is_printed_with_its_title_language_and_outline() -> None:
    with opened(print_in_sandbox(a_page("Good."))) as pdf:
        assert pdf.metadata["title"] == "Feedback on “Σπίτι 房子 😀”"
        assert pdf.language == "en"
        assert [title for _, title, _ in pdf.get_toc()][1:] == ["Your essay", "First", "Structure", "Features", "Evidence Used"]


@pytest.mark.parametrize(("paper", "points"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_it_is_printed_on_the_paper_asked_for(paper: str, points: tuple[int, int]) -> None:
    with opened(print_html(a_page(), paper)) as pdf:
        assert (pdf[0].rect.width, pdf[0].rect.height) == points


def test_other_scripts_have_their_letters() -> None:
    with opened(print_html(a_page(), "a4")) as pdf:
        fonts = " ".join(font[3] for font in pdf[0].get_fonts())
        assert "Σπίτι 房子" in pdf[0].get_text()
        assert ("Droid Sans Fallback" in fonts, "Noto Emoji" in fonts) == (True, True)


def test_only_the_letters_used_are_in_the_file() -> None:
    assert len(print_html(a_page(), "a4")) < 200_000


def test_links_lead_to_their_places() -> None:
    with opened(print_html(a_page(), "a4")) as pdf:
        link = next(each for each in pdf[0].get_links() if pdf[0].get_textbox(each["from"]).strip() == "Evidence")
        [heading] = pdf[link["page"]].search_for("Evidence Used")
        assert (link["kind"], link["to"].y > heading.y0) == (pymupdf.LINK_GOTO, True)


def test_no_comment_is_parted_by_the_end_of_a_sheet() -> None:
    comments = [f"Comment {number} begins. {A_COMMENT} Comment {number} ends." for number in range(1, 60)]

    with opened(print_html(a_page(*comments), "a4")) as pdf:
        sheets = [" ".join(page.get_text().split()) for page in pdf]

    assert len(sheets) > 3
    for number in range(1, 60):
        [begins] = [at for at, text in enumerate(sheets) if f"Comment {number} begins." in text]
        [ends] = [at for at, text in enumerate(sheets) if f"Comment {number} ends." in text]
        assert begins == ends


@pytest.mark.parametrize("comments", range(24, 34))
def test_no_heading_stands_alone_at_the_end_of_a_sheet(comments: int) -> None:
    with opened(print_html(a_page(*["Say it in one sentence that is shorter."] * comments), "a4")) as pdf:
        sheets = [page.get_text() for page in pdf]

    [with_heading] = [text for text in sheets if "Evidence Used" in text]
    assert "Silencing an opinion robs mankind of truth." in with_heading


def test_a_comment_longer_than_a_sheet_is_parted() -> None:
    with opened(print_html(a_page("Begins. " + A_COMMENT * 40 + " Ends."), "a4")) as pdf:
        text = " ".join(" ".join(page.get_text().split()) for page in pdf)

    assert ("Begins." in text, "Ends." in text) == (True, True)


def test_a_very_long_word_stays_on_the_sheet() -> None:
    with opened(print_html(a_page(essay="x" * 100_000), "a4")) as pdf:
        words = [word for page in pdf for word in page.get_text("words")]

    assert sum(word[4].count("x") for word in words if set(word[4]) == {"x"}) >= 100_000
    assert max(word[2] for word in words) <= 595 - 54 + 1


def test_letters_that_turn_direction_do_not_turn_the_rest() -> None:
    with opened(print_html(a_page("\u202eSay it shorter."), "a4")) as pdf:
        assert "Say it shorter." in pdf[0].get_text()


def test_a_page_of_any_text_is_printed_behind_the_wall() -> None:
    hostile = "</body><script>alert(1)</script>\x00\ud800" + "́" * 3000

    with opened(print_in_sandbox(a_page(hostile))) as pdf:
        assert "<script>alert(1)</script>" in pdf[0].get_text()
