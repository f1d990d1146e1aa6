from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.book import Book, Chapter, Chunk
from chapterverse.library.chunks import ENTRIES, paragraphs, passages, sections
from tests.support.books import a_book
from tests.support.chunked import books, count_words, in_sections, lost_words

FIGURES = st.sampled_from([(20, 40, 8), (5, 12, 3), (100, 300, 40)])


def words(count: int, of: str = "w") -> str:
    return " ".join(f"{of}{number}" for number in range(count))


def length(chunk: Chunk) -> int:
    return len(chunk.text.split())


def shared(one: Chunk, other: Chunk) -> int:
    """How many of the last words of one the other begins with."""
    ends, begins = one.text.split(), other.text.split()
    return max(n for n in range(min(len(ends), len(begins)) + 1) if n == 0 or ends[-n:] == begins[:n])


def test_a_section_is_a_chunk_under_its_headings_down_to_the_third() -> None:
    book = in_sections(a_book([words(20)], [words(25, "x")]), [("Nodes", "Topics"), ("Nodes", "Services")])

    first, second = sections(count_words, 10, 60, 5)(book)

    assert (first.headings, second.headings) == (("Nodes", "Topics"), ("Nodes", "Services"))
    assert first.text == f"Nodes\n\nTopics\n{words(20)}"
    assert second.text == f"Services\n{words(25, 'x')}"
    deeper = in_sections(a_book([words(20)], [words(20, "x")]), [("H1", "H2", "H3"), ("H1", "H2", "H3", "H4")])
    [chunk] = sections(count_words, 10, 100, 5)(deeper)
    assert chunk.headings == ("H1", "H2", "H3")
    assert "H4" in chunk.text


def test_sections_too_short_are_joined_in_their_chapter_and_long_ones_parted_into_parts_of_one_length_that_overlap() -> None:
    short = in_sections(a_book(["One."], ["Two."], ["Three."]), [("I", "A"), ("I", "B"), ("II", "C")])
    assert [chunk.headings for chunk in sections(count_words, 10, 60, 5)(short)] == [("I",), ("II", "C")]
    book = in_sections(a_book([words(10, name) for name in "abcdefghijkl"]), [("H1", "H2")])

    chunks = sections(count_words, 20, 60, 10)(book)

    assert [length(chunk) for chunk in chunks] == [42, 50, 50]
    assert [shared(*pair) for pair in pairwise(chunks)] == [10, 10]


def test_text_without_a_heading_stands_below_the_books_title() -> None:
    book = a_book(["Before any heading."], title="ROS 2")
    nameless = [
        replace(s, address=replace(s.address, chapter=Chapter(-1, None, None), section_path=())) for s in book.sentences
    ]

    [chunk] = sections(count_words)(replace(book, sentences=tuple(nameless)))

    assert (chunk.headings, chunk.text) == (("ROS 2",), "ROS 2\nBefore any heading.")


def test_a_text_without_blanks_is_parted_all_the_same() -> None:
    book = a_book(["x" * 100])

    chunks = sections(lambda texts: [len(text) for text in texts], 10, 30, 5)(book)

    assert sum(chunk.text.count("x") for chunk in chunks) >= 100
    assert all(len(chunk.text) <= 31 for chunk in chunks)


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


def test_a_passage_ends_with_a_paragraph_and_begins_with_the_end_of_the_one_before() -> None:
    book = in_sections(a_book(*([words(5, name), words(5, name.upper())] for name in "abcdef")), [("I",)] * 6)

    chunks = passages(count_words, 15, 30, 5)(book)

    assert [shared(*pair) for pair in pairwise(chunks)] == [5, 5]
    assert [chunk.text.splitlines()[-1].split()[-1] for chunk in chunks] == ["B4", "D4", "F4"]


def entries(*pairs: tuple[str, str]) -> Book:
    book = in_sections(a_book(*([answer] for _, answer in pairs)), [(question,) for question, _ in pairs])
    return replace(book, report=replace(book.report, chapter_source=ENTRIES))


def test_an_entry_is_one_chunk_whose_sentences_are_the_answers() -> None:
    first, second = passages(count_words)(entries(("How do I pay?", "By card."), ("Who reads it?", "A tutor does.")))

    assert first.text == "Question: How do I pay?\nAnswer: By card."
    assert (first.question, first.headings, first.sentences) == ("How do I pay?", ("How do I pay?",), ("v1-0-0",))
    assert second.question == "Who reads it?"


def test_a_paragraph_too_short_is_joined_with_the_next_of_its_section_the_last_with_the_one_before() -> None:
    book = in_sections(
        a_book(["So:"], [words(9)], [words(9, "x")], ["QED."], ["Alone."]),
        [("I", "A"), ("I", "A"), ("I", "A"), ("I", "A"), ("I", "B")],
    )

    chunks = paragraphs(count_words, 3, 20)(book)

    assert [chunk.text for chunk in chunks] == [f"So:\n{words(9)}", f"{words(9, 'x')}\nQED.", "Alone."]
    assert [chunk.headings for chunk in chunks] == [("I", "A"), ("I", "A"), ("I", "B")]
    [first, second] = paragraphs(count_words, 3, 20)(a_book([words(9), words(9, "x"), words(9, "y")]))  # too long
    assert (first.sentences, second.sentences) == (("v1-0-0", "v1-0-1"), ("v1-0-2",))
