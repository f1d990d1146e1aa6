"""Chunks typed in the test, as sources."""

from dataclasses import replace

import pytest

from chapterverse.core.book import BookId, Chunk, Sentence
from chapterverse.core.hits import Passage
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook
from chapterverse.questions.answers import findings_of
from chapterverse.questions.service import related_sections
from chapterverse.search.chunks import FoundChunk
from tests.support.books import a_book

BOOK = a_book(["Phones stay in the bag.", "Soup costs nothing."])
OPEN = OpenBook("House rules", VersionKey("school", BookId("rules"), BOOK.version, "model"))


def found(score: float, *sentences: Sentence, question: str = "") -> FoundChunk:
    passages = tuple(Passage(OPEN.title, sentence, None, None, sentence.text) for sentence in sentences)
    return FoundChunk(Chunk(sentences[0].id, "text", (), ("Hall",), question), score, passages, OPEN)


def test_only_what_reaches_the_threshold_bears_an_answer_and_every_score_is_told_best_first() -> None:
    first, second = BOOK.sentences

    findings = findings_of([found(0.4, first), found(0.9, second), found(0.5, first)], 0.5, ["Hall"])

    assert [(source.number, source.score) for source in findings.sources] == [(1, 0.9), (2, 0.5)]
    assert findings.scores == (0.9, 0.5, 0.4)
    assert findings.related == ("Hall",)


def test_sentences_of_a_source_are_in_reading_order() -> None:
    first, second = BOOK.sentences

    [source] = findings_of([found(0.9, second, first)], 0.5).sources

    assert [passage.sentence for passage in source.passages] == [first, second]
    assert (source.title, source.section, source.whole) == ("House rules", "House rules > Hall", False)


def test_a_page_of_a_module_stands_below_the_module() -> None:
    sentence = BOOK.sentences[0]
    chapter = replace(sentence.address.chapter, module="Module 1")

    [source] = findings_of([found(0.9, replace(sentence, address=replace(sentence.address, chapter=chapter)))], 0.5).sources

    assert (source.title, source.section) == ("House rules", "Module 1 > Hall")


def test_an_entry_goes_by_its_question_and_is_named_by_where_it_comes_from() -> None:
    sentence = BOOK.sentences[0]
    chapter = replace(sentence.address.chapter, file="faq/7")
    entry = replace(sentence, address=replace(sentence.address, chapter=chapter))

    [source] = findings_of([found(0.9, entry, question="Where do phones stay?")], 0.5).sources

    assert (source.title, source.headings, source.whole) == ("Where do phones stay?", (), True)
    assert (source.type, source.id) == ("faq", "7")


def test_nothing_found_is_nothing_to_answer_from() -> None:
    findings = findings_of([], 0.5)

    assert (findings.sources, findings.best) == ((), pytest.approx(0.0))


def test_related_is_the_section_that_the_nearest_sentence_stands_in_and_not_the_book() -> None:
    first, second = BOOK.sentences
    inside = replace(second, address=replace(second.address, section_path=("Lunch",)))
    bare = found(0.9, replace(first, address=replace(first.address, section_path=())))
    of_book = replace(bare, chunk=replace(bare.chunk, headings=(OPEN.title,)))

    assert list(related_sections([of_book, found(0.5, inside)])) == ["Lunch"]
    assert list(related_sections([of_book])) == [OPEN.title]
