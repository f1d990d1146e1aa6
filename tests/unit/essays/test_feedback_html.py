"""Feedback as a page: the essay with numbered words, each comment once with its passage; nothing runs, nothing is loaded."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.citations.model import Relation
from chapterverse.citations.passages import HighlightedPage
from chapterverse.essays.model import Comment, Dimension, Feedback
from chapterverse.essays.render import PAPER, SCREEN, TextSpan, feedback_html, feedback_pdf, spans_of
from tests.support.essays import BOOK_SAYS, ESSAY, evidence_on, found_on, some_feedback
from tests.support.html import Element, read_html

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\x00\ud800{{ 7*7 }}</style>"
FOUND = found_on(ESSAY, evidence_on(0, relation=Relation.CONTRADICTS))


def page_of(feedback: Feedback | None = None) -> Element:
    return read_html(feedback_html(feedback or some_feedback(FOUND)))


def test_the_page_has_a_language_a_title_and_a_heading_for_each_part() -> None:
    page = page_of()

    assert page.all("html")[0].attributes["lang"] == "en"
    assert [each.text for each in page.all("title") + page.all("h1")] == ["Feedback on “Speech”"] * 2
    assert [each.text for each in page.all("h2")] == ["Your essay", "Comments"]


def test_the_essay_stands_there_word_for_word_with_marked_words() -> None:
    page = page_of()

    for number in page.all("sup"):
        number.parts.clear()
    first, second = page.all("p", class_="text")
    assert [each.text for each in first.all("mark")] == ["Sile", "ncing"]
    assert first.text == "1 Silencing opinion robs us of truth. My uncle sings every morning."
    assert second.text == "2 My phone battery empties quickly after lunch, from 40 percent to none."


def test_a_number_in_the_essay_leads_to_its_comment_and_back() -> None:
    page = page_of()

    for place in ("1", "2", "3"):
        [mark] = page.all("a", id=f"mark-{place}")
        [comment] = page.all(id=mark.attributes["href"].removeprefix("#"))
        assert comment.text.startswith(place)
    targets = {each.attributes["href"] for each in page.all("a")}
    assert targets <= {f"#{each.attributes['id']}" for each in page.all() if "id" in each.attributes}


def test_a_passage_is_part_of_its_comment_with_what_it_does_for_the_point() -> None:
    [evidence] = page_of().all(class_="evidence")

    assert [(each.tag, each.text) for each in evidence.all(class_="sentence")] == [("b", BOOK_SAYS)]
    assert evidence.all(class_="source")[0].text == "Evidence #1 (On Liberty, Chapter II, Page 35) · Contradicts your point"
    assert "So much is certain." in evidence.all(class_="further")[0].text


def test_the_books_page_is_part_of_the_page() -> None:
    html = feedback_html(some_feedback(), {1: (HighlightedPage("35", b"png"),)})

    [picture] = read_html(html).all("img")
    assert picture.attributes["src"] == "data:image/png;base64,cG5n"
    assert picture.attributes["alt"] == "Page 35 of On Liberty, with the sentence highlighted in yellow"


@pytest.mark.parametrize("style", [SCREEN, PAPER])
def test_the_page_runs_nothing_and_asks_no_network(style: str) -> None:
    html = feedback_html(some_feedback(), {1: (HighlightedPage("35", b"png"),)}, style)

    page = read_html(html)
    [policy] = [each for each in page.all("meta") if each.attributes.get("http-equiv") == "Content-Security-Policy"]
    assert policy.attributes["content"] == "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    assert not page.all("script") + page.all("link") + page.all("iframe")
    assert "@import" not in html


def test_what_looks_like_mark_up_in_essay_book_and_model_is_text() -> None:
    found = found_on(f"# {HOSTILE}\n\nUncle {HOSTILE}", evidence_on(0, HOSTILE))
    comment = Comment(0, HOSTILE, (0, 40), evidence=(1,), number=1)
    mending = Comment(0, HOSTILE, (0, 40), instead=HOSTILE, number=2)

    html = feedback_html(
        Feedback(found, (comment, mending), summary=HOSTILE, by=HOSTILE), {1: (HighlightedPage(HOSTILE, b"png"),)}
    )

    page = read_html(html)
    assert not page.all("script")
    assert [each.attributes["src"][:5] for each in page.all("img")] == ["data:"]
    assert not [name for each in page.all() for name in each.attributes if name.startswith("on")]
    assert not {"\x00", "\ud800"} & set(html)
    assert "{{ 7*7 }}" in page.text


@given(st.text(st.characters(), min_size=1))
def test_whatever_is_said_the_page_is_well_formed_and_can_be_stored(text: str) -> None:
    html = feedback_html(Feedback(found_on(), (Comment(None, text, part=Dimension.FEATURES, instead=text),)))

    assert html.encode()
    assert len(read_html(html).all("p", class_="comment-text")) == 1


def test_on_paper_it_is_the_same_page_in_another_style_without_further_reading() -> None:
    feedback = some_feedback()

    assert feedback_pdf(feedback, {}, str.encode) == feedback_html(feedback, style=PAPER).encode()
    assert not read_html(feedback_html(feedback, style=PAPER)).all(class_="further")


def test_without_comments_it_says_so() -> None:
    assert "No comments." in page_of(replace(some_feedback(), comments=())).text


MARKED = "Silence robs us."


def on(start: int, end: int, part: Dimension = Dimension.CONTENT) -> Comment:
    return Comment(0, "See.", (start, end), part)


def test_of_two_on_the_same_words_the_shorter_one_shows() -> None:
    spans = list(spans_of(MARKED, [(1, on(0, 12)), (2, on(8, 12, Dimension.EXPRESSIONS))]))

    assert spans == [TextSpan("Silence ", "content"), TextSpan("robs", "expressions", (1, 2)), TextSpan(" us.")]


def test_a_comment_on_the_whole_paragraph_ends_with_it() -> None:
    [span] = spans_of(MARKED, [(1, Comment(0, "See."))])

    assert (span.text, span.ends) == (MARKED, (1,))


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(1, 16)).filter(lambda one: one[0] < one[1])))
def test_the_text_stays_whole_and_each_comment_ends_once(spans: list[tuple[int, int]]) -> None:
    found = list(spans_of(MARKED, [(at, on(*span)) for at, span in enumerate(spans, start=1)]))

    assert "".join(one.text for one in found) == MARKED
    assert sorted(at for one in found for at in one.ends) == list(range(1, len(spans) + 1))
