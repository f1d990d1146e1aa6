"""Chunks typed in the test, as sources."""

from dataclasses import replace

from chapterverse.core.book import BookId, Chunk, Sentence
from chapterverse.library.artefacts import load_text, save_book
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook
from chapterverse.questions.answers import CitableSource
from chapterverse.questions.service import related_sections, sources_of
from chapterverse.search.chunks import FoundChunk
from tests.support.books import a_book
from tests.support.intake import MemoryBucket

BOOK = a_book(["Phones stay in the bag.", "Soup costs nothing."])
OPEN = OpenBook("House rules", VersionKey("school", BookId("rules"), BOOK.version, "model"))


def found(score: float, *sentences: Sentence, question: str = "") -> FoundChunk:
    bucket, ids = MemoryBucket(), tuple(sentence.id for sentence in sentences)
    stored = {one.id: one for one in (*BOOK.sentences, *sentences)}
    save_book(bucket, OPEN.key, replace(BOOK, sentences=tuple(stored.values())))
    chunk = Chunk(sentences[0].id, "text", ids, ("Hall",), question)
    return FoundChunk(chunk, score, ids, OPEN, load_text(bucket, OPEN.key))


def only(*chunks: FoundChunk) -> CitableSource:
    [source] = sources_of(chunks)
    return source


def test_a_sentence_is_in_one_source_and_numbers_go_on() -> None:
    first, second = BOOK.sentences

    found_sources = list(sources_of([found(0.9, first), found(0.8, first), found(0.5, first, second)]))

    assert [(one.number, one.sentences) for one in found_sources] == [(1, (first,)), (2, (second,))]


def test_sentences_of_a_source_are_in_reading_order() -> None:
    first, second = BOOK.sentences

    source = only(replace(found(0.9, first, second), nearest=(second.id, first.id)))

    assert source.sentences == (first, second)
    assert source.first.sentence == first
    assert (source.title, source.section, source.whole) == ("House rules", "House rules > Hall", False)


def test_related_is_the_section_that_the_nearest_sentence_stands_in_and_not_the_book() -> None:
    first, second = BOOK.sentences
    inside = replace(second, address=replace(second.address, section_path=("Lunch",)))
    bare = found(0.9, replace(first, address=replace(first.address, section_path=())))
    of_book = replace(bare, chunk=replace(bare.chunk, headings=(OPEN.title,)))

    numbered = replace(second, address=replace(second.address, section_path=("Lunch", "IV")))
    assert list(related_sections([of_book, found(0.5, inside), found(0.4, numbered)])) == ["Lunch"]
    assert list(related_sections([of_book])) == [OPEN.title]


def test_a_source_of_two_sections_names_each_that_not_all_of_it_is_of() -> None:
    first, second = BOOK.sentences
    moved = replace(second, address=replace(second.address, section_path=("Lunch",)))
    of_chapter = Chunk(first.id, "text", (first.id, second.id), ("The Beginning",))

    source = only(replace(found(0.9, first, moved), chunk=of_chapter))

    assert source.text == "Section: A Section\nPhones stay in the bag.\nSection: Lunch\nSoup costs nothing."
