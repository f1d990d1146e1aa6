from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.book import Book, Kind
from chapterverse.library.chunks import spans, windows
from tests.support.books import a_book
from tests.support.chunked import books, lost_words

SIZES = st.tuples(st.integers(13, 80), st.integers(0, 12))
TEXTS = st.text(st.sampled_from("ab \n"), max_size=200)


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
def test_windows_begin_and_end_with_whole_words_unless_one_is_too_long(
    text: str, size: int, overlap: int, parts: list[str]
) -> None:
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
def test_no_word_of_a_book_is_lost_or_cut_and_a_window_knows_the_sentences_that_it_has_a_part_of(
    book: Book, figures: tuple[int, int]
) -> None:
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
