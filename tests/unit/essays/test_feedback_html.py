from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.citations.model import Verdict, VerdictKind
from chapterverse.citations.passages import HighlightedPage
from chapterverse.essays.model import NOTHING_FOUND, Citation, Comment, Dimension, Review, in_order
from chapterverse.essays.render import PAPER, SCREEN, feedback_html, feedback_markdown, feedback_pdf
from chapterverse.essays.service import Feedback
from chapterverse.essays.writing import review
from chapterverse.messages import plain
from tests.support.essays import BOOK_SAYS, a_subject, evidence_on, found_on
from tests.support.html import Element, read_html

HOSTILE = (
    "</style></title><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7*7 }}&lt;\x00\ud800 \u202eevil 😀 Ελλάδα 中文"
)


def cited(kind: VerdictKind = VerdictKind.SUPPORTS, book_says: str = BOOK_SAYS) -> Citation:
    return Citation(evidence_on(0, book_says), Verdict(kind, plain("A reason.")))


CONTENT = Review(
    Dimension.CONTENT,
    in_order((Comment(0, "Well said.", about=(0, 35), citations=(cited(),)), Comment(1, NOTHING_FOUND))),
    checked=("this",),
    not_checked=("that", "the rest"),
    notes=("Time was up.",),
)
EXPRESSIONS = Review(Dimension.EXPRESSIONS, (Comment(0, "Wrong word.", about=(18, 22), instead="takes from"),))


def page_of(*reviews: Review, subject: Any = None, pages: Any = None) -> Element:
    numbered = tuple(map(review.numbered, reviews))
    return read_html(feedback_html(Feedback(found_on(subject or a_subject()), numbered), pages or {}))


def test_the_page_has_a_language_a_title_and_a_heading_for_each_part() -> None:
    page = page_of(CONTENT, EXPRESSIONS)

    assert page.all("html")[0].attributes["lang"] == "en"
    assert [each.text for each in page.all("title") + page.all("h1")] == ["Feedback on “Speech”"] * 2
    assert [each.text for each in page.all("h2")] == ["Your essay", "First", "Content", "Expressions", "Evidence Used"]


def test_the_page_and_the_text_say_that_a_language_model_wrote() -> None:
    by_model = replace(CONTENT, by="some-model")

    [line] = page_of(by_model, EXPRESSIONS).all("p", class_="by-model")

    assert "some-model" in line.text
    assert "some-model" in feedback_markdown(Feedback(found_on(a_subject()), (review.numbered(by_model),)))
    assert page_of(CONTENT, replace(EXPRESSIONS, comments=(), by="some-model")).all("p", class_="by-model") == []


def test_the_essay_stands_there_word_for_word_with_the_words_marked_that_a_comment_is_about() -> None:
    page = page_of(CONTENT, EXPRESSIONS)

    for number in page.all("sup"):
        number.parts.clear()
    first, second = page.all("p", class_="text")
    [marked] = first.all("mark", class_="expressions")
    assert first.text == "1 Silencing opinion robs us of truth. My uncle sings every morning."
    assert marked.text == "robs"
    assert second.text == "2 My phone battery empties quickly after lunch, from 40 percent to none."


def test_a_number_in_the_essay_leads_to_its_comment_and_back() -> None:
    page = page_of(CONTENT, EXPRESSIONS)

    for number, said in [("1", "Well said."), ("2", NOTHING_FOUND), ("3", "Wrong word. Perhaps: takes from")]:
        [mark] = page.all("a", id=f"mark-{number}")
        [comment] = page.all(id=mark.attributes["href"].removeprefix("#"))
        assert (mark.text, said in comment.text) == (number, True)
        assert page.all("a", href=f"#mark-{number}")


def test_every_link_leads_to_a_place_on_the_page() -> None:
    page = page_of(CONTENT, EXPRESSIONS)

    targets = {each.attributes["href"] for each in page.all("a")}
    assert targets <= {f"#{each.attributes['id']}" for each in page.all() if "id" in each.attributes}


def test_a_quotation_is_the_books_own_sentence_and_says_where_it_stands() -> None:
    [quotation] = page_of(CONTENT).all("blockquote")

    assert [each.text for each in quotation.all(class_="quote")] == [BOOK_SAYS]
    assert "(On Liberty, Chapter II, Page 35) · Evidence #1 · The book seems to say the same" in quotation.text


def test_evidence_is_in_bold_between_its_neighbours_with_its_place_and_the_whole_paragraph() -> None:
    page = page_of(CONTENT)

    [evidence] = page.all(id="evidence-1")
    assert evidence.all(class_="context")[0].text == f"Some wish it were otherwise. {BOOK_SAYS} So much is certain."
    assert [(each.tag, each.text) for each in evidence.all(class_="sentence")] == [("b", BOOK_SAYS)]
    assert [each.text for each in evidence.all(class_="source")] == ["(On Liberty, Chapter II, Page 35)"]
    assert page.all(class_="further")[0].text.endswith(f"Some wish it were otherwise. {BOOK_SAYS} So much is certain.")


def test_the_pages_picture_is_part_of_the_page_and_has_words_for_those_who_do_not_see_it() -> None:
    [picture] = page_of(CONTENT, pages={1: (HighlightedPage("35", b"png"),)}).all("img")

    assert picture.attributes["src"] == "data:image/png;base64,cG5n"
    assert picture.attributes["alt"] == "Page 35 of On Liberty: the sentence is marked in yellow"


def test_a_paragraph_on_which_the_books_are_silent_is_told_so() -> None:
    assert [each.text for each in page_of().all("p", class_="books")] == ["In your books: Evidence #1", NOTHING_FOUND]


def test_where_a_book_says_otherwise_comes_first_and_stands_out() -> None:
    against = Comment(0, "Look at this again.", citations=(cited(VerdictKind.CONTRADICTS),))

    page = page_of(Review(Dimension.CONTENT, in_order((Comment(0, "First."), against))))

    first, second = page.all("div", class_="comment")
    assert ("Look at this again." in first.text, "problem" in first.attributes["class"].split()) == (True, True)
    assert "The book says otherwise" in first.text
    assert "otherwise" not in second.attributes["class"].split()


def test_what_was_checked_what_not_and_what_was_left_out_is_said() -> None:
    assert [each.text for each in page_of(CONTENT).all("p", class_="checks")] == [
        "Please note: Time was up.",
        "Checked: this.",
        "Not checked: that; the rest.",
    ]


def test_who_wrote_it_is_said_where_that_was_a_model() -> None:
    page = page_of(Review(Dimension.FEATURES, (), by="a-model", checked=("this",)))

    assert "Nothing stood out. Checked by a-model: this." in page.text


def test_without_evidence_there_is_no_evidence_section() -> None:
    silent = replace(found_on(a_subject()), evidence=())

    assert not read_html(feedback_html(Feedback(silent, ()))).all("section", class_="evidence-section")


@pytest.mark.parametrize("style", [SCREEN, PAPER])
def test_the_page_runs_nothing_and_asks_no_network(style: str) -> None:
    html = feedback_html(Feedback(found_on(a_subject()), (CONTENT,)), {1: (HighlightedPage("35", b"png"),)}, style)

    page = read_html(html)
    [policy] = [each for each in page.all("meta") if each.attributes.get("http-equiv") == "Content-Security-Policy"]
    assert policy.attributes["content"] == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    assert not page.all("script") + page.all("link") + page.all("iframe")
    assert "@import" not in html


def test_what_looks_like_mark_up_in_essay_book_and_model_is_text() -> None:
    subject = a_subject(f"# {HOSTILE}\n\nUncle {HOSTILE}", evidence_on(0, HOSTILE))
    review = Review(
        Dimension.CONTENT,
        (Comment(0, HOSTILE, about=(0, 40), citations=(cited(book_says=HOSTILE),), instead=HOSTILE),),
        by=HOSTILE,
        notes=(HOSTILE,),
    )

    html = feedback_html(Feedback(found_on(subject), (review,)), {1: (HighlightedPage(HOSTILE, b"png"),)})

    page = read_html(html)
    assert not page.all("script")
    assert [each.attributes["src"][:5] for each in page.all("img")] == ["data:"]
    assert not [name for each in page.all() for name in each.attributes if name.startswith("on")]
    assert not {"\x00", "\ud800"} & set(html)
    assert "{{ 7*7 }}" in page.text


@given(st.text(st.characters(), min_size=1))
def test_whatever_is_said_the_page_is_well_formed_and_can_be_stored(text: str) -> None:
    html = feedback_html(Feedback(found_on(a_subject()), (Review(Dimension.FEATURES, (Comment(None, text, instead=text),)),)))

    assert html.encode()
    assert len(read_html(html).all("div", class_="comment")) == 1


def test_on_paper_it_is_the_same_page_in_another_style() -> None:
    feedback = Feedback(found_on(a_subject()), (CONTENT,))

    assert feedback_pdf(feedback, {}, str.encode) == feedback_html(feedback, style=PAPER).encode()
