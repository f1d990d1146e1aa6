from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.book import BookId, Kind
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.core.recent import Recent
from chapterverse.library.artefacts import BookText, vectors_name
from chapterverse.library.chunks import windows
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.search.chunks import FoundChunk, find_chunks, unit_of
from chapterverse.search.plan import QUESTIONS
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL
from tests.support.shelved import document_library, key_of, stored_text, words_in

RULES = b"Nobody runs in the hall.|Whoever does so is asked to walk.|Phones stay in the bag."
MENU = b"Soup is served on Monday.|Bread costs nothing.|Cake is for birthdays."
CUTOFFS = (["We grade as usual.", "The cutoffs are these:"], ["• A: 93 points"], ["• B: 85 points"], ["Ask us about grades."])
LONG = "This paragraph goes on and on about quite another matter and has far too many words to be an item of any list."


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[CollectionServices]:
    """Two documents, each a chunk or two."""
    with document_library(tmp_path, {"rules": RULES, "menu": MENU}, chunker=windows(120, 10)) as services:
        yield services


def ask(question: str, services: CollectionServices, *books: str, limit: int = 3) -> list[FoundChunk]:
    scope = Scope(SCHOOL, tuple(map(BookId, books)))
    return find_chunks(question, scope, services, replace(QUESTIONS, limit=limit, hits_per_query=limit))


def test_the_nearest_chunk_comes_first_with_the_sentence_that_answers(documents: CollectionServices) -> None:
    best, *_ = ask("Where do phones stay?", documents)
    assert best.book.title == "rules"
    assert best.best.text == "Phones stay in the bag."
    assert best.passage(best.best).previous is not None
    assert "Phones stay in the bag." in best.chunk.text
    for found in ask("anything at all", documents):
        assert set(found.nearest) == set(found.chunk.sentences)

    assert {found.book.title for found in ask("Where do phones stay?", documents, "menu")} == {"menu"}
    assert len(ask("Where do phones stay?", documents, limit=1)) == 1
    with pytest.raises(NotFound):
        ask("Where do phones stay?", documents, "timetable")

    documents.embedder.embedded.clear()
    ask("Where do phones stay?", documents)
    assert documents.embedder.embedded == [["Where do phones stay?"]]


def test_the_score_is_the_cosine_and_not_what_orders(documents: CollectionServices, tmp_path: Path) -> None:
    with_words = replace(documents, words=words_in(tmp_path))
    for name, text in (("rules", RULES), ("menu", MENU)):
        add_book(text + b".", f"{name}.pdf", SCHOOL, with_words, LIMITS, title=name)

    plain, worded = ask("phones bag", documents)[0], ask("phones bag", with_words)[0]

    assert worded.best.text.startswith(plain.best.text)
    assert worded.score == pytest.approx(plain.score, abs=1e-4)
    assert worded.score <= 1


def test_sources_whose_sentences_were_not_kept_are_answered_from_alike(documents: CollectionServices) -> None:
    kept = ask("Where do phones stay?", documents)
    for book in documents.catalog.books(SCHOOL):
        documents.bucket.delete(vectors_name(key_of(book), "sentences"))

    lacking = ask("Where do phones stay?", replace(documents, recent=Recent()))

    assert [set(one.nearest) for one in lacking] == [set(one.nearest) for one in kept]
    best = [[one.cosines[one.best.id] for one in chunks] for chunks in (lacking, kept)]
    assert best[0] == pytest.approx(best[1], abs=1e-3)


def together(text: BookText, wanted: str) -> list[str]:
    """The unit of the sentence with that text."""
    sentence = next(one for one in text.chapter(0) if one.text == wanted)
    return [one.text for one in unit_of(sentence, text)]


def test_a_lead_in_has_its_list_and_an_item_its_lead_in(tmp_path: Path) -> None:
    text = stored_text(tmp_path, *CUTOFFS)

    assert together(text, "The cutoffs are these:") == ["The cutoffs are these:", "• A: 93 points", "• B: 85 points"]
    assert together(text, "• B: 85 points") == ["The cutoffs are these:", "• B: 85 points"]
    assert together(text, "We grade as usual.") == ["We grade as usual."]


@pytest.mark.parametrize("after", [LONG, "Which of these is a prime?"])
def test_a_list_without_marks_is_made_of_short_paragraphs_up_to_a_question(tmp_path: Path, after: str) -> None:
    text = stored_text(tmp_path, ["You need:"], ["a pen"], ["a ruler"], [after])

    assert together(text, "You need:") == ["You need:", "a pen", "a ruler"]


@pytest.mark.parametrize(
    ("first", "unit"), [("Day Room", ["Day Room", "Friday 12"]), ("Office: 5", ["Friday 12"]), ("Monday 9", ["Friday 12"])]
)
def test_a_row_has_the_header_of_its_table(tmp_path: Path, first: str, unit: list[str]) -> None:
    text = stored_text(tmp_path, [first, "Tuesday 10", "Friday 12"], kind=Kind.TABLE)

    assert together(text, "Friday 12") == unit


def test_a_table_has_the_header_of_its_beginning_also_on_the_next_page_or_below_other_rows(tmp_path: Path) -> None:
    text = stored_text(tmp_path, ["Day Room", "Tuesday 10"], ["Friday 12", "Saturday 13"], kind=Kind.TABLE)
    assert together(text, "Saturday 13") == ["Day Room", "Saturday 13"]

    text = stored_text(tmp_path, ["Office: 5", "Fish Weight (per 10 cm)", "Cod 40", "Eel 12"], kind=Kind.TABLE)
    assert together(text, "Eel 12") == ["Fish Weight (per 10 cm)", "Eel 12"]
    assert together(text, "Fish Weight (per 10 cm)") == ["Fish Weight (per 10 cm)"]


def test_an_answer_has_the_question_before_it_and_a_sentence_the_one_that_it_leans_on(tmp_path: Path) -> None:
    text = stored_text(tmp_path, ["Are there lockers?", "In the basement.", "They are emptied each night."], ["It rains."])

    assert together(text, "In the basement.") == ["Are there lockers?", "In the basement."]
    assert together(text, "Are there lockers?") == ["Are there lockers?"]
    text = stored_text(tmp_path, ["There is one exam.", "It counts half."], ["It rains."])

    assert together(text, "It counts half.") == ["There is one exam.", "It counts half."]
    assert together(text, "It rains.") == ["It rains."]
