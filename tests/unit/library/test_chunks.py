from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.book import Book, Chapter, Chunk, Kind
from chapterverse.library.chunks import ENTRIES, paragraphs, passages, sections, spans, windows
from tests.support.books import a_book
from tests.support.chunked import books, count_words, in_sections, lost_words

SIZES = st.tuples(st.integers(13, 80), st.integers(0, 12))
TEXTS = st.text(st.sampled_from("ab \n"), max_size=200)
FIGURES = st.sampled_from([(20, 40, 8), (5, 12, 3), (100, 300, 40)])


def cut(text: str, size: int, overlap: int) -> list[str]:
    return [text[start:end] for start, end in spans(text, size, overlap)]


@pytest.mark.parametrize(
    ("text", "size", "overlap", "parts"),
    [
        ("one two three four", 9, 0, ["one two", "three", "four"]),
        ("one two three four five", 13, 6, ["one two three", "three four", "four five"]),
        ("a bcdefghij k", 4, 0, ["a", "bcde", "fghi", "j k"]),
    ],
)
def test_windows_begin_and_end_with_whole_words_unless_too_long(text: str, size: int, overlap: int, parts: list[str]) -> None:
    assert cut(text, size, overlap) == parts


@given(TEXTS, SIZES)
def test_windows_hold_their_bounds_lose_nothing_and_stand_on_words(text: str, figures: tuple[int, int]) -> None:
    size, overlap = figures
    found = spans(text, size, overlap)
    covered = {place for start, end in found for place in range(start, end)}

    assert {place for place, character in enumerate(text) if not character.isspace()} <= covered
    assert all(0 < end - start <= size for start, end in found)
    for (_, end), (start, later) in pairwise(found):
        assert end - start <= overlap
        assert later > end


@given(books(), SIZES)
def test_no_word_is_lost_or_cut_and_a_window_knows_the_sentences_in_it(book: Book, figures: tuple[int, int]) -> None:
    texts = {sentence.id: sentence.text for sentence in book.sentences}

    chunks = windows(*figures)(book)

    assert not lost_words(book, chunks)
    assert {id for chunk in chunks for id in chunk.sentences} == set(texts)
    for chunk in chunks:
        assert chunk.sentences
        assert all(set(texts[id].split()) & set(chunk.text.split()) for id in chunk.sentences[1:-1])


def test_headings_are_part_of_the_text_and_ids_name_the_figures() -> None:
    book = a_book(["One sentence of some words.", "And another one."])
    assert windows(20, 5)(book) == windows(20, 5)(book)
    assert windows(20, 5)(book)[0].id == "v1-window-20-5-00000"

    [chunk] = windows()(a_book(["Nobody is alone."]))

    assert chunk.text == "The Beginning\n\nA Section\nNobody is alone."
    assert chunk.headings == ("The Beginning", "A Section")
    assert windows(34, 0)(a_book(["Nobody is alone, as we say."]))[-1].text == "The Beginning\nA Section\nalone, as we say."


@pytest.mark.parametrize("kind", [Kind.TABLE, Kind.CODE])
def test_windows_have_rows_and_lines_of_code_one_below_the_other(kind: Kind) -> None:
    book = a_book(["We meet here."], ["Day Room", "Friday 12"])
    rows = [replace(one, kind=kind) for one in book.sentences[1:]]

    [chunk] = windows(500, 0)(replace(book, sentences=(book.sentences[0], *rows)))

    assert chunk.text.endswith("We meet here.\nDay Room\nFriday 12")
    assert chunk.sentences == tuple(one.id for one in book.sentences)


def words(count: int, of: str = "w") -> str:
    return " ".join(f"{of}{number}" for number in range(count))


def length(chunk: Chunk) -> int:
    return len(chunk.text.split())


def shared(one: Chunk, other: Chunk) -> int:
    """How many of the last words of one the other begins with."""
    ends, begins = one.text.split(), other.text.split()
    return max(n for n in range(min(len(ends), len(begins)) + 1) if n == 0 or ends[-n:] == begins[:n])


def test_a_section_is_a_chunk_under_its_headings_joined_where_too_short_and_parted_where_too_long() -> None:
    book = in_sections(a_book([words(20)], [words(25, "x")]), [("Nodes", "Topics"), ("Nodes", "Services")])
    first, second = sections(count_words, 10, 60, 5)(book)
    assert (first.headings, second.headings) == (("Nodes", "Topics"), ("Nodes", "Services"))
    assert first.text == f"Nodes\n\nTopics\n{words(20)}"
    assert second.text == f"Services\n{words(25, 'x')}"
    deeper = in_sections(a_book([words(20)], [words(20, "x")]), [("H1", "H2", "H3"), ("H1", "H2", "H3", "H4")])
    [chunk] = sections(count_words, 10, 100, 5)(deeper)
    assert chunk.headings == ("H1", "H2", "H3")
    assert "H4" in chunk.text

    short = in_sections(a_book(["One."], ["Two."], ["Three."]), [("I", "A"), ("I", "B"), ("II", "C")])
    assert [chunk.headings for chunk in sections(count_words, 10, 60, 5)(short)] == [("I",), ("II", "C")]
    book = in_sections(a_book([words(10, name) for name in "abcdefghijkl"]), [("H1", "H2")])
    chunks = sections(count_words, 20, 60, 10)(book)
    assert [length(chunk) for chunk in chunks] == [42, 50, 50]
    assert [shared(*pair) for pair in pairwise(chunks)] == [10, 10]


@given(books(), FIGURES)
def test_sections_passages_and_paragraphs_hold_their_bounds_and_lose_no_word(book: Book, figures: tuple[int, int, int]) -> None:
    least, most, overlap = figures

    chunks = sections(count_words, least, most, overlap)(book)

    for some, longest in (
        (chunks, most),
        (passages(count_words, least, most, overlap)(book), most),
        (paragraphs(count_words, 4, 12)(book), 12),
    ):
        assert not lost_words(book, some)
        assert all(length(chunk) <= longest for chunk in some)
    assert {id for chunk in chunks for id in chunk.sentences} == {sentence.id for sentence in book.sentences}
    assert chunks == sections(count_words, least, most, overlap)(book)


def test_passages_end_with_a_paragraph_and_too_short_ones_are_joined_within_their_section() -> None:
    book = in_sections(a_book(*([words(5, name), words(5, name.upper())] for name in "abcdef")), [("I",)] * 6)
    chunks = passages(count_words, 15, 30, 5)(book)
    assert [shared(*pair) for pair in pairwise(chunks)] == [5, 5]
    assert [chunk.text.splitlines()[-1].split()[-1] for chunk in chunks] == ["B4", "D4", "F4"]

    book = in_sections(
        a_book(["So:"], [words(9)], [words(9, "x")], ["QED."], ["Alone."]),
        [("I", "A"), ("I", "A"), ("I", "A"), ("I", "A"), ("I", "B")],
    )
    chunks = paragraphs(count_words, 3, 20)(book)
    assert [chunk.text for chunk in chunks] == [f"So:\n{words(9)}", f"{words(9, 'x')}\nQED.", "Alone."]
    assert [chunk.headings for chunk in chunks] == [("I", "A"), ("I", "A"), ("I", "B")]
    [first, second] = paragraphs(count_words, 3, 20)(a_book([words(9), words(9, "x"), words(9, "y")]))  # too long
    assert (first.sentences, second.sentences) == (("v1-0-0", "v1-0-1"), ("v1-0-2",))


def entries(*pairs: tuple[str, str]) -> Book:
    book = in_sections(a_book(*([answer] for _, answer in pairs)), [(question,) for question, _ in pairs])
    return replace(book, report=replace(book.report, chapter_source=ENTRIES))


def test_an_entry_is_one_chunk_and_a_text_without_a_heading_or_blanks_has_chunks_too() -> None:
    first, second = passages(count_words)(entries(("How do I pay?", "By card."), ("Who reads it?", "A tutor does.")))
    assert first.text == "Question: How do I pay?\nAnswer: By card."
    assert (first.question, first.headings, first.sentences) == ("How do I pay?", ("How do I pay?",), ("v1-0-0",))
    assert second.question == "Who reads it?"

    book = a_book(["Before any heading."], title="ROS 2")
    nameless = [
        replace(s, address=replace(s.address, chapter=Chapter(-1, None, None), section_path=())) for s in book.sentences
    ]
    [chunk] = sections(count_words)(replace(book, sentences=tuple(nameless)))
    assert (chunk.headings, chunk.text) == (("ROS 2",), "ROS 2\nBefore any heading.")

    book = a_book(["x" * 100])
    chunks = sections(lambda texts: [len(text) for text in texts], 10, 30, 5)(book)
    assert sum(chunk.text.count("x") for chunk in chunks) >= 100
    assert all(len(chunk.text) <= 31 for chunk in chunks)
