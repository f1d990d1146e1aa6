"""Books to be cut, and what of their words is in the chunks."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hypothesis import strategies as st

from chapterverse.core.book import Book, Chapter, Chunk
from chapterverse.library.chunks import body
from tests.support.books import a_book


def count_words(texts: Sequence[str]) -> list[int]:
    """A tokenizer that takes a word for a token."""
    return [len(text.split()) for text in texts]


def in_sections(book: Book, headings: Iterable[tuple[str, ...]]) -> Book:
    """The paragraphs of the book in order below these headings: the chapter's, then the sections'."""
    by_paragraph = dict(zip(dict.fromkeys(s.address.paragraph_id for s in book.sentences), headings, strict=False))
    chapters = {name: Chapter(i, None, name) for i, name in enumerate(dict.fromkeys(h[0] for h in by_paragraph.values()))}
    moved = [
        replace(s, address=replace(s.address, chapter=chapters[below[0]], section_path=below[1:]))
        for s in book.sentences
        for below in [by_paragraph[s.address.paragraph_id]]
    ]
    return replace(book, chapters=tuple(chapters.values()), sentences=tuple(moved))


def words_of(book: Book) -> Counter[str]:
    """Every word of its sentences."""
    return Counter(word for sentence in body(book) for word in sentence.text.split())


def lost_words(book: Book, chunks: Sequence[Chunk]) -> Counter[str]:
    """Words that are in fewer places of the chunks than of the book."""
    return words_of(book) - Counter(word for chunk in chunks for word in re.split(r"\s+", chunk.text))


WORDS = st.text("abcdefg", min_size=1, max_size=12)
SENTENCES = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
PARAGRAPHS = st.lists(st.lists(SENTENCES, min_size=1, max_size=4), min_size=1, max_size=8)
HEADINGS = st.lists(
    st.sampled_from([("I",), ("I", "A"), ("I", "A", "x"), ("I", "B"), ("II",), ("II", "A")]), min_size=8, max_size=8
)


@st.composite
def books(draw: st.DrawFn) -> Book:
    """Some paragraphs below some headings, chapters in order."""
    return in_sections(a_book(*draw(PARAGRAPHS)), sorted(draw(HEADINGS)))
