"""Chunks typed in the test, as sources."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.book import BookId, Chunk, Kind, Sentence, SentenceId
from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Scope
from chapterverse.library.artefacts import BookText, load_text, save_book
from chapterverse.library.chunks import windows
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook
from chapterverse.library.services import CollectionServices
from chapterverse.questions import answers
from chapterverse.questions.answers import MAX_CHARACTERS, CitableSource, Question, may_answer, passage_around, read_passages
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.service import read_found, related_sections, sources_of
from chapterverse.questions.styles import DOCUMENT_QA
from chapterverse.questions.styles import HELPDESK as DESK
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import QUESTIONS
from tests.support.books import a_book
from tests.support.intake import SCHOOL, MemoryBucket
from tests.support.shelved import document_library, stored, stored_text, words_in

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


def test_a_sentence_is_in_one_source_in_reading_order_and_numbers_go_on() -> None:
    first, second = BOOK.sentences
    backwards = replace(found(0.5, first, second), nearest=(second.id, first.id))

    found_sources = list(sources_of([found(0.9, first), found(0.8, first), backwards]))
    assert [(one.number, one.sentences) for one in found_sources] == [(1, (first,)), (2, (second,))]
    source = only(backwards)
    assert source.sentences == (first, second)
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


LONG = "This sentence is long. " * 30


def around(text: BookText, wanted: str) -> list[str]:
    return [one.text for one in passage_around(next(one for one in text.chapter(0) if one.text == wanted), text)]


def test_a_passage_is_whole_sentences_of_its_paragraph_first_and_as_long_as_allowed_or_its_sentence(tmp_path: Path) -> None:
    text = stored_text(tmp_path, [LONG.strip()], ["One is here.", "Two is here.", "Three is here."], ["Four is here."])
    assert around(text, "Two is here.") == ["One is here.", "Two is here.", "Three is here.", "Four is here."]
    text = stored_text(tmp_path, [f"Sentence {number} has some words in it." for number in range(40)], [LONG * 2])

    found = around(text, "Sentence 20 has some words in it.")

    assert MAX_CHARACTERS - 40 < sum(map(len, found)) <= MAX_CHARACTERS
    numbers = [int(one.split()[1]) for one in found]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert 20 in numbers
    assert around(text, LONG * 2) == [LONG * 2]


def test_rows_stand_under_the_header_of_their_table_which_another_passage_may_have_too(tmp_path: Path) -> None:
    rows = [f"Tuesday {number} a lesson in room {number}" for number in range(50)]
    book = a_book(["Day Lesson Room", *rows, "All may change."])
    *table, note = book.sentences
    header, *rows = [replace(one, kind=Kind.TABLE) for one in table]
    text = stored(tmp_path, replace(book, sentences=(header, *rows, note)))

    first, *found = passage_around(rows[40], text)
    assert [first, *(one in found for one in (rows[40], rows[1]))] == [header, True, False]
    assert passage_around(note, text, {header.id, rows[0].id}, limit=100) == (header, *rows[-2:], note)


def test_lines_of_code_stand_where_they_stand_in_the_book(tmp_path: Path) -> None:
    book = a_book(["Unpack the file.", "Then read it."])
    first, last = book.sentences
    line = replace(first, id=SentenceId("code"), text="$ tar x", kind=Kind.CODE, address=replace(first.address, paragraph=9))
    text = stored(tmp_path, replace(book, sentences=(first, line, last)))

    assert around(text, "Then read it.") == ["Unpack the file.", "$ tar x", "Then read it."]


@pytest.mark.parametrize(
    ("before", "item", "may"),
    [
        ("Which city is the capital?", "b) Lyon", False),
        ("You need:", "b) a pen", True),
        ("You need:", "Who needs it?", False),
        ("Number of copies:", "Date:", False),
    ],
)
def test_questions_choices_under_them_and_fields_to_fill_in_are_no_answers(
    tmp_path: Path, before: str, item: str, *, may: bool
) -> None:
    text = stored_text(tmp_path, [before], ["a) Paris"], [item])

    assert may_answer(next(one for one in text.chapter(0) if one.text == item), text) is may


RULES = b"The course has an instructor, Dr. Ada Okafor.|The course has a room in Herter Hall.|Nobody runs here."
WHO = "Who teaches the course?"


def by_name(_: str, texts: Sequence[Sequence[Sequence[str]]]) -> list[list[float]]:
    """A reader that finds the instructor's name."""
    return [[6.0 if "Okafor" in sentence else -6.0 for its in one for sentence in its] for one in texts]


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[CollectionServices]:
    ports = {"chunker": windows(60, 10), "words": words_in(tmp_path), "read_answers": by_name}
    with document_library(tmp_path, {"rules": RULES}, **ports) as services:
        yield services


def chunks(services: CollectionServices) -> list[FoundChunk]:
    return find_chunks(WHO, Scope(SCHOOL), services, QUESTIONS)


def test_the_sentence_that_the_reader_chooses_is_lit_and_a_second_one_that_is_hardly_less_likely(
    documents: CollectionServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, by_reader = read_passages(WHO, chunks(documents), documents)

    [highlighted] = [one.sentence.text for one in read[0].passages if one.sentence.id in read[0].highlighted]
    assert ("Okafor" in highlighted, by_reader) == (True, True)
    ids = [one.sentence.id for each in read for one in each.passages]
    assert len(ids) == len(set(ids))
    monkeypatch.setattr(answers, "CLOSE", 100.0)
    [first, *_], _ = read_passages(WHO, chunks(documents), documents)

    assert (len(first.passages), len(first.highlighted)) == (3, 2)


@pytest.mark.parametrize(
    ("others", "standing"),
    [
        ({}, ConfidenceLevel.CONFIDENT),
        ({"plan": RULES.replace(b"Ada", b"Ida")}, ConfidenceLevel.POSSIBLE),
        ({"edition": RULES + b"|It ends in May."}, ConfidenceLevel.CONFIDENT),
    ],
)
def test_a_passage_beside_another_that_is_as_likely_is_only_a_possible_answer_in_documents_and_at_the_desk(
    tmp_path: Path, others: dict[str, bytes], standing: ConfidenceLevel
) -> None:
    ports = {"chunker": windows(60, 10), "words": words_in(tmp_path), "read_answers": by_name}
    with document_library(tmp_path, {"rules": RULES} | others, **ports) as services:
        for style in (DOCUMENT_QA, DESK):
            assert read_found(Question(WHO, WHO), chunks(services), style, services).standing is standing
            assert (style.bands[standing].name == "medium") is (standing is ConfidenceLevel.POSSIBLE)


@pytest.mark.parametrize(("odds", "first"), [(2.1, "Ida"), (9.0, "Ada")])
def test_a_passage_of_likely_sentences_comes_before_one_hardly_likelier_alone(tmp_path: Path, odds: float, first: str) -> None:
    three = b"|".join(b"The course is taught by %cda." % one for one in b"IUO")
    texts = {"one": b"The course is taught by Ada.", "three": three}

    def read(_: str, texts: Sequence[Sequence[Sequence[str]]]) -> list[list[float]]:
        return [[odds if "Ada" in sentence else 2.0 for its in one for sentence in its] for one in texts]

    with document_library(tmp_path, texts, chunker=windows(60, 10), read_answers=read) as services:
        [best, *_], _ = read_passages(WHO, chunks(services), services)

    assert first in best.text


@pytest.mark.parametrize(
    ("question", "row"),
    [("Which grade is 80?", 1), ("Die dritte?", 2), ("Which grade is third?", 2), ("Which is the fifth?", 0)],
)
def test_of_rows_the_one_with_the_number_asked_is_lit_or_none(documents: CollectionServices, question: str, row: int) -> None:
    table = a_book(["Place Points Grade", "2 74–84 C", "3 10–73 D", "4 6–9 F"]).sentences
    header, *rows = [replace(one, kind=Kind.TABLE) for one in table]
    chunk = replace(found(0.9, header, *rows), cosines={header.id: 0.95})

    reading = read_found(Question(question, question), [chunk], DOCUMENT_QA, replace(documents, read_answers=None))

    assert reading.passages[0].highlighted == ({header.id, rows[row - 1].id} if row else set())
    assert reading.standing is (ConfidenceLevel.CONFIDENT if row else ConfidenceLevel.POSSIBLE)


def test_what_the_asker_has_marked_is_no_answer_and_without_the_reader_cosines_decide(documents: CollectionServices) -> None:
    marked = "The course has an instructor, Dr. Ada Okafor."

    [first], _ = read_passages(WHO, chunks(documents), documents, selected=marked)

    assert marked in [one.sentence.text for one in first.passages]
    assert marked not in [one.sentence.text for one in first.passages if one.sentence.id in first.highlighted]

    def fails(*_: object) -> list[list[float]]:
        raise ModelUnavailable("model_missing", model="reader")

    read, by_reader = read_passages(WHO, chunks(documents), replace(documents, read_answers=fails))

    assert read
    assert not by_reader
