"""Feedback as a page: the essay with numbered words, each comment once with its passage; nothing runs, nothing is loaded."""

import re
from base64 import b64decode
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from chapterverse.citations.model import Relation
from chapterverse.citations.passages import HighlightedPage
from chapterverse.core.errors import BadRequest
from chapterverse.core.requests import adapter
from chapterverse.essays import render
from chapterverse.essays.history import visible_feedback
from chapterverse.essays.model import ChosenLevel, Comment, Dimension, Feedback, Place, StoredFeedback, TeacherEdits
from chapterverse.essays.offline import correction
from chapterverse.essays.print_worker import print_html
from chapterverse.essays.render import (
    PAPER,
    TextSpan,
    feedback_html,
    feedback_markdown,
    feedback_pdf,
    print_in_sandbox,
    spans_of,
)
from chapterverse.essays.task import Criterion
from chapterverse.messages import in_words, message
from tests.support.essays import BOOK_SAYS, ESSAY, evidence_on, found_on, some_feedback
from tests.support.pdf_ua import broken, kinds_in_order
from tests.support.refusals import refused

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\x00\ud800{{ 7*7 }}</style>"
FOUND = found_on(ESSAY, evidence_on(0, relation=Relation.CONTRADICTS))


def page_of(feedback: Feedback | None = None) -> LexborHTMLParser:
    return LexborHTMLParser(feedback_html(feedback or some_feedback(FOUND)))


def texts(page: LexborHTMLParser | LexborNode, selector: str) -> list[str]:
    """The words of those elements, one blank between them."""
    return [" ".join(each.text().split()) for each in page.css(selector)]


def test_the_page_has_a_language_a_title_headings_and_the_essay_word_for_word_with_marked_words() -> None:
    page = page_of()

    assert page.css_matches("html[lang=en]")
    assert texts(page, "head > title, h1") == ["Feedback on “Speech”"] * 2
    assert texts(page, "h2") == ["Your essay", "Comments"]
    page.strip_tags(["sup"])
    assert texts(page, "p.text:first-of-type mark") == ["Sile", "ncing"]
    assert texts(page, "p.text") == [
        "1 Silencing opinion robs us of truth. My uncle sings every morning.",
        "2 My phone battery empties quickly after lunch, from 40 percent to none.",
    ]


def test_a_number_in_the_essay_leads_to_its_comment_with_its_passage_and_back() -> None:
    page = page_of()

    for place in ("1", "2", "3"):
        [mark] = page.css(f"a#mark-{place}")
        [comment] = texts(page, mark.attributes["href"])
        assert comment.startswith(place)
    assert {each.attributes["href"] for each in page.css("a")} <= {f"#{each.id}" for each in page.css("[id]")}
    [evidence] = page.css(".evidence")
    assert texts(evidence, "b.sentence") == [BOOK_SAYS]
    assert texts(evidence, ".source") == ["Evidence #1 (On Liberty, Chapter II, Page 35)"]  # the comment names it
    assert "So much is certain." in texts(evidence, ".further")[0]


def test_the_page_has_the_books_page_runs_nothing_and_asks_no_network() -> None:
    html = feedback_html(some_feedback(), {1: (HighlightedPage("35", b"png"),)})

    page = LexborHTMLParser(html)
    [picture] = page.css("img")
    assert picture.attributes["src"] == "data:image/png;base64,cG5n"
    assert picture.attributes["alt"] == "Page 35 of On Liberty, with the sentence highlighted in yellow"
    [policy] = page.css("meta[http-equiv=Content-Security-Policy]")
    assert policy.attributes["content"] == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    assert not page.css("script, link, iframe")
    assert "@import" not in html


def test_stored_comments_are_numbered_paragraph_by_paragraph_and_the_one_to_begin_with_is_named() -> None:
    answer = adapter(Feedback).dump_json(some_feedback()).decode()
    feedback = visible_feedback(StoredFeedback("1", "school", datetime.now(UTC), None, answer))

    html = feedback_html(feedback, style=PAPER)

    assert [one.number for one in feedback.comments] == [1, 2, 3]
    shown = texts(LexborHTMLParser(html), "p.comment-text")
    assert [each[:14] for each in shown] == ["1 Start here ·", "2 A small lett", "3 Question Par"]


def test_what_looks_like_mark_up_in_essay_book_and_model_is_text() -> None:
    found = found_on(f"# {HOSTILE}\n\nUncle {HOSTILE}", evidence_on(0, HOSTILE))
    comment = Comment(0, HOSTILE, (0, 40), evidence=(1,), number=1)
    mending = Comment(0, HOSTILE, (0, 40), instead=HOSTILE, number=2)

    feedback = Feedback(found, (comment, mending), summary=HOSTILE, by=HOSTILE)
    html = feedback_html(feedback, {1: (HighlightedPage(HOSTILE, b"png"),)})

    page = LexborHTMLParser(html)
    assert not page.css("script")
    assert [each.attributes["src"][:5] for each in page.css("img")] == ["data:"]
    assert not [name for each in page.css("*") for name in each.attributes if name.startswith("on")]
    assert not {"\x00", "\ud800"} & set(html)
    assert "{{ 7*7 }}" in page.text()


def test_on_paper_it_is_the_same_page_in_another_style_without_further_reading() -> None:
    feedback = some_feedback()

    assert feedback_pdf(feedback, str.encode) == feedback_html(feedback, style=PAPER).encode()
    page = LexborHTMLParser(feedback_html(feedback, style=PAPER))
    assert not page.css(".further")
    assert texts(page, ".context") == [BOOK_SAYS]


MARKED = "Silence robs us."


def on(start: int, end: int, part: Dimension = Dimension.CONTENT) -> Comment:
    return Comment(0, "See.", (start, end), part)


def test_of_two_on_the_same_words_the_shorter_one_shows_and_one_on_the_paragraph_ends_with_it() -> None:
    spans = list(spans_of(MARKED, [(1, on(0, 12)), (2, on(8, 12, Dimension.EXPRESSIONS)), (3, Comment(0, "See."))]))

    assert spans == [TextSpan("Silence ", "content"), TextSpan("robs", "expressions", (1, 2)), TextSpan(" us.", "", (3,))]


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(1, 16)).filter(lambda one: one[0] < one[1])))
def test_the_text_stays_whole_and_each_comment_ends_once(spans: list[tuple[int, int]]) -> None:
    found = list(spans_of(MARKED, [(at, on(*span)) for at, span in enumerate(spans, start=1)]))

    assert "".join(one.text for one in found) == MARKED
    assert sorted(at for one in found for at in one.ends) == list(range(1, len(spans) + 1))


def test_each_comment_stands_once_with_its_place_and_its_evidence_and_that_between_its_neighbours() -> None:
    text = feedback_markdown(replace(some_feedback(FOUND), summary="A clear start."))

    first, place = text.partition("Evidence Used:\n")[2].splitlines()
    assert text.startswith("# Feedback on “Speech”\n\nA clear start.\n")
    assert text.count("What follows for school?") == 1
    assert "  - **Evidence #1** (On Liberty, Chapter II, Page 35)\n" in text
    assert first.startswith("1. *Some wish it were otherwise. **Silencing an opinion robs mankind of truth.** So much")
    assert place == "    (On Liberty, Chapter II, Page 35)"


def of_rule(why: str, *places: Place) -> Comment:
    return replace(correction(why, places), number=9)


def test_each_correction_comes_with_its_number_and_two_places() -> None:
    often = of_rule("A small letter.", *(Place(0, about, "x") for about in ((0, 9), (10, 17), (18, 22), (23, 25))))
    rules = [
        often,
        *(
            of_rule(why, Place(1, about, "my"))
            for why, about in (("", (0, 2)), ("Two.", (3, 8)), ("Three.", (9, 16)), ("Four.", (17, 24)))
        ),
    ]

    text = feedback_markdown(
        replace(some_feedback(), comments=(Comment(1, "Why?", number=2), *rules, of_rule("Five.", Place(0, (45, 50), "sang"))))
    )

    assert [line for line in text.splitlines() if re.match(r"\d+\. [^*]", line)][:6] == [
        "1. A small letter: “Silencing” → **x** (1); “opinion” → **x** (1); find 2 more: paragraph 1",
        "3. Other corrections: “My” → **my** (2)",
        "4. Two: “phone” → **my** (2)",
        "5. Five: “uncle sings every” → **uncle sang every** (1)",  # after the first three, which stand beside their paragraphs
        "6. Three: “battery” → **my** (2)",
        "7. Four: “empties quickly” → **my quickly** (2)",
    ]


def test_what_looks_like_mark_up_is_text() -> None:
    found = found_on("# *Speech*\n\n[Silence](x) <b>robs</b> us.")

    text = feedback_markdown(replace(some_feedback(found), summary="*now*"))

    assert "\\*now\\*" in text
    assert "<b>" not in text.replace("\\<", "")


def test_the_words_around_are_in_the_essays_language() -> None:
    german = "# Rede\n\nWer eine Meinung zum Schweigen bringt, der nimmt uns allen die Wahrheit weg, und das ist nicht gut."

    feedback = replace(some_feedback(found_on(german, evidence_on(0))), notes=(message("not_judged"),))
    text = feedback_markdown(replace(feedback, rubric=(Criterion("Begründet", levels=("gut", "etwas")),)))

    assert "Rückmeldung zu „Rede“" in text
    assert "Verwendete Belege:\n" in text
    assert "(On Liberty, Kapitel II, Seite 35)" in text
    assert "**Begründet**\n  - gut\n  - etwas" in text
    assert in_words(message("not_judged"), "de") in text


A_COMMENT = "Say it in two sentences, or in one that is shorter. " * 4


def a_page(*comments: str, essay: str = "# Σπίτι 房子 😀\n\nMy uncle sings.") -> str:
    listed = tuple(Comment(None, text, number=at) for at, text in enumerate(comments, 1))
    rubric, chosen = (Criterion("Gives reasons"), Criterion("Is kind")), ChosenLevel(criterion="Gives reasons", level="fully")
    edits = TeacherEdits(levels=(chosen,))
    return feedback_html(Feedback(found_on(essay), listed, rubric=rubric, edits=edits), style=PAPER)


def opened(pdf: bytes) -> pymupdf.Document:
    return pymupdf.open(stream=pdf)


@pytest.mark.parametrize(("paper", "points"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_it_is_printed_on_the_paper_asked_for_with_title_language_outline_and_the_letters_used_only(
    paper: str, points: tuple[int, int]
) -> None:
    with opened(printed := print_html(a_page("Good."), paper)) as pdf:
        assert (round(pdf[0].rect.width), round(pdf[0].rect.height)) == points
        assert pdf.metadata["title"] == "Feedback on “Σπίτι 房子 😀”"
        assert pdf.language == "en"
        assert [title for _, title, _ in pdf.get_toc()][1:] == ["From your teacher", "Your essay", "Comments"]
        assert "+far" in str(pdf.get_page_fonts(0))  # a font of many scripts

    assert len(printed) < 200_000


def test_without_pango_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render.SpareWorkers, "answer_of", lambda *_: nullcontext(BytesIO(b'{"missing": "OSError"}\n')))

    with refused(BadRequest, "pdf_export_without_pango"):
        print_in_sandbox(a_page())


def test_no_comment_is_parted_by_the_end_of_a_sheet() -> None:
    comments = [f"Comment {number} begins. {A_COMMENT} Comment {number} ends." for number in range(1, 60)]

    with opened(print_html(a_page(*comments), "a4")) as pdf:
        sheets = [" ".join(page.get_text().split()) for page in pdf]

    assert len(sheets) > 3
    for number in range(1, 60):
        [begins] = [at for at, text in enumerate(sheets) if f"Comment {number} begins." in text]
        [ends] = [at for at, text in enumerate(sheets) if f"Comment {number} ends." in text]
        assert begins == ends


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


@pytest.mark.parametrize("words", ["", HOSTILE.partition("\x00")[0], "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627"])
def test_a_page_with_everything_is_tagged_and_read_in_its_order(words: str) -> None:
    page = a_full_page(words)

    pdf = print_html(page, "a4")

    kinds = [kind for kind in kinds_in_order(pdf) if kind != "Link"]
    with opened(pdf) as sheets:
        link = next(each for each in sheets[0].get_links() if each["kind"] in {pymupdf.LINK_GOTO, pymupdf.LINK_NAMED})
        [heading] = sheets[0].search_for("Comments", quads=False)[:1]
        assert (link["page"], link["to"].y > heading.y0) == (0, True)
    assert broken(pdf) == []
    assert kinds == [tag.upper().replace("IMG", "Figure") for tag in re.findall(r"<(h[1-6]|p|img)\b", page)]


def test_a_part_in_another_language_says_which() -> None:
    page = a_page().replace("<h2>", '<h2 lang="de">', 1)

    with opened(print_html(page, "a4")) as pdf:
        objects = [pdf.xref_object(number) for number in range(1, pdf.xref_length())]

    assert {"/S /H2" in each for each in objects if "/Lang (de)" in each} == {True}
