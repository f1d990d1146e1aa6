from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.hits import Scope
from chapterverse.essays.evidence import EssayEvidence, find_evidence
from chapterverse.essays.model import Essay
from chapterverse.essays.text import parse_essay
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from tests.support.shelved import empty_library, shelve
from tests.support.word_embedder import WordEmbedder

SCHOOL = Scope("school")
PLAN = replace(ESSAY_FEEDBACK, min_score=0.6)  # for words that are equal or not; the shelf is smaller than any real one
ON_SPEECH = (
    "Some wish it were otherwise.",
    "Silencing an opinion robs mankind of truth.",
    "So much is certain.",
)
ON_HABIT = ("Habit rules every person.", "Custom grows where nobody chooses.")
ESSAY = parse_essay("""\
# Speech

Silencing opinion robs us of truth. My uncle sings.

My phone battery empties quickly after lunch. The cable broke yesterday.

Habit rules every person here. Custom is old.
""")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    """A library with two books."""
    with empty_library(tmp_path) as services:
        shelve(services, "On Liberty", ON_SPEECH)
        shelve(services, "Habits", ON_HABIT)
        yield services


def shown(found: EssayEvidence) -> list[str]:
    return [one.passage.sentence.text for one in found.evidence]


def test_each_paragraph_gets_the_sentence_that_bears_on_it(services: CollectionServices) -> None:
    found = find_evidence(ESSAY, SCHOOL, services, PLAN)

    assert set(shown(found)) == {"Silencing an opinion robs mankind of truth.", "Habit rules every person."}
    by_number = {one.number: one.passage.sentence.text for one in found.evidence}
    assert [[by_number[number] for number in one.numbers] for one in found.paragraphs] == [
        ["Silencing an opinion robs mankind of truth."],
        [],
        ["Habit rules every person."],
    ]


def test_evidence_names_the_queries_that_found_it_best_first(services: CollectionServices) -> None:
    [first, _] = find_evidence(ESSAY, SCHOOL, services, PLAN).evidence

    assert [by.query.text for by in first.found_by] == ["Habit rules every person here.", ESSAY.paragraphs[2].text]
    assert first.score == first.found_by[0].score


def test_an_essay_is_embedded_in_one_call(services: CollectionServices) -> None:
    find_evidence(ESSAY, SCHOOL, services, PLAN)

    assert isinstance(services.embedder, WordEmbedder)
    [texts] = services.embedder.calls
    assert texts[:3] == [paragraph.text for paragraph in ESSAY.paragraphs]
    assert texts[3:5] == ["Silencing opinion robs us of truth.", "My uncle sings."]


def test_the_books_of_another_school_are_out_of_reach(services: CollectionServices) -> None:
    shelve(services, "Batteries", ["My phone battery empties quickly after lunch."], school="elsewhere")

    assert "Batteries" not in {one.passage.book_title for one in find_evidence(ESSAY, SCHOOL, services, PLAN).evidence}


def test_an_essay_of_thousands_of_sentences_is_answered_from_some_of_them_and_says_so(services: CollectionServices) -> None:
    essay = parse_essay(f"Silencing opinion robs us of truth. {'Yes. ' * 5_000}\n\nHabit rules every person here.")

    found = find_evidence(essay, SCHOOL, services, replace(PLAN, sentences=50))

    assert "Silencing an opinion robs mankind of truth." in shown(found)
    assert isinstance(services.embedder, WordEmbedder)
    assert len(services.embedder.calls[-1]) <= 2 + 50
    assert [note.id for note in found.notes] == ["note_fewer_sentences"]


def test_all_of_an_essay_of_many_paragraphs_is_searched(services: CollectionServices) -> None:
    long = Essay(None, ESSAY.paragraphs * 50)

    found = find_evidence(long, SCHOOL, services, replace(PLAN, queries=60))

    assert [len(each.numbers) > 0 for each in found.paragraphs] == [len(each.numbers) > 0 for each in found.paragraphs[:3]] * 50
