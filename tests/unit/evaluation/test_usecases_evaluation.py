from collections.abc import Iterator
from pathlib import Path

import pytest

from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.core.hits import Scope
from chapterverse.evaluation.cases import GoldBooks, GoldEssay, GoldEvidence, GoldParagraph, GoldSentence, Variant
from chapterverse.evaluation.retrieval import Evaluation, EvaluationRecord, evaluate, open_library
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from tests.support.refusals import refused
from tests.support.shelved import empty_library, shelve

SILENCING = "Silencing an opinion robs mankind of truth."
HABIT = "Habit rules every person."
ON_BATTERIES = GoldParagraph(text="My phone battery empties quickly. It annoys me.")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    """A library with two books."""
    with empty_library(tmp_path) as services:
        shelve(services, "On Liberty", ("Some wish it were otherwise.", SILENCING, "So much is certain."))
        shelve(services, "Habits", (HABIT, "Custom grows where nobody chooses."))
        yield services


def a_variant(book: str = "On Liberty", sentence: str = SILENCING, level3: str = "Truth suffers.") -> Variant:
    return Variant(book=book, sentence=sentence, level1=sentence, level2="Opinion silenced, truth robbed.", level3=level3)


def on_speech(*evidence: GoldEvidence) -> GoldParagraph:
    return GoldParagraph(text="Silencing opinion robs us of truth. My uncle sings.", evidence=evidence)


def evaluated(
    services: CollectionServices, *cases: Variant | GoldParagraph, gold: GoldBooks | None = None, school: str = "school"
) -> Evaluation:
    variants = [case for case in cases if isinstance(case, Variant)]
    paragraphs = tuple(case for case in cases if isinstance(case, GoldParagraph))
    essays = [GoldEssay(paragraphs=paragraphs)] if paragraphs else []
    return evaluate(variants, essays, gold or {}, open_library(Scope(school), services, ESSAY_FEEDBACK))


def near_gold(services: CollectionServices, *evidence: GoldEvidence, gold: GoldBooks | None = None) -> float:
    essays = evaluated(services, on_speech(*evidence), gold=gold).essays
    assert essays is not None
    assert essays.near_gold_at_1 is not None
    return essays.near_gold_at_1.value


def test_variants_are_looked_for_in_all_books_level_by_level(services: CollectionServices) -> None:
    found = evaluated(services, a_variant(level3="Custom grows where habit rules every person."), a_variant("Habits", HABIT))

    assert found.variants is not None
    assert found.variants["level1"].mrr.value == 1
    assert found.variants["level2"].recall_at_5.n == 2
    assert found.variants["level3"].recall_at_1.value < 1
    assert found.essays is None


def test_of_books_that_no_case_is_on_nothing_is_read_but_they_are_looked_in(services: CollectionServices) -> None:
    shelve(services, "A Copy", ("Opinion silenced, truth robbed, and more.",))
    [book] = [book.id for book in services.catalog.books("school") if book.title == "On Liberty"]

    library = open_library(Scope("school"), services, ESSAY_FEEDBACK, about=book)

    found = evaluate([a_variant()], [], {}, library).variants
    assert found is not None
    assert list(library.books.sentences) == ["on-liberty"]
    assert found["level2"].mrr.value < 1


def test_books_go_by_the_stem_of_the_file_and_sentences_by_their_words(services: CollectionServices) -> None:
    found = evaluated(services, a_variant("on-liberty", "silencing an opinion robs “mankind” of truth"))

    assert found.variants is not None
    assert found.variants["level2"].recall_at_1.value == 1


def test_a_sentence_that_was_read_otherwise_counts_as_not_found_and_a_note_says_so(services: CollectionServices) -> None:
    found = evaluated(services, a_variant(), a_variant(sentence="Nobody wrote this."))

    assert found.variants is not None
    assert found.variants["level2"].mrr.value == 0.5
    assert [str(note) for note in found.notes] == ["Counted as not found, because the books do not contain these sentences: 1."]


def test_cases_on_books_that_are_not_here_are_left_out_and_a_note_says_so(services: CollectionServices) -> None:
    found = evaluated(services, a_variant(), a_variant("walden"), on_speech(GoldEvidence(book="walden", n=1)), ON_BATTERIES)

    assert found.variants is not None
    assert found.variants["level1"].mrr.n == 1
    assert found.essays is not None
    assert found.essays.n == 1
    assert [note.split(",")[0] for note in found.notes] == ["Skipped variants", "Skipped paragraphs"]


def test_cases_that_are_all_on_other_books_are_an_error(services: CollectionServices) -> None:
    with refused(NotFound, "no_books_of_cases"):
        evaluated(services, a_variant("walden"))


def test_a_school_without_books_is_told_to_add_one(services: CollectionServices) -> None:
    with pytest.raises(NotFound, match="nothing to search"):
        evaluated(services, a_variant(), school="empty")


def test_the_sentence_listed_and_those_next_to_it_are_near(services: CollectionServices) -> None:
    assert near_gold(services, GoldEvidence(book="on-liberty", sentence=SILENCING)) == 1
    assert near_gold(services, GoldEvidence(book="on-liberty", sentence="So much is certain.")) == 1
    assert near_gold(services, GoldEvidence(book="habits", sentence=HABIT)) == 0


def test_neighbours_of_numbered_evidence_are_those_of_the_gold(services: CollectionServices) -> None:
    texts = ("Some wish it were otherwise.", SILENCING, "A sentence the parser did not see.", "So much is certain.")
    gold = {"on-liberty": [GoldSentence(n=n, text=text) for n, text in enumerate(texts)]}

    assert near_gold(services, GoldEvidence(book="on-liberty", n=2), gold=gold) == 1
    assert near_gold(services, GoldEvidence(book="on-liberty", n=3), gold=gold) == 0


def test_a_number_that_the_gold_does_not_have_is_refused(services: CollectionServices) -> None:
    with refused(BadRequest, "gold_lacks_sentence"):
        near_gold(services, GoldEvidence(book="on-liberty", n=2))


def test_paragraphs_with_gold_are_told_from_those_without(services: CollectionServices) -> None:
    found = evaluated(services, on_speech(GoldEvidence(book="on-liberty", sentence=SILENCING)), ON_BATTERIES)

    assert found.essays is not None
    assert found.essays.nothing_auroc is not None
    assert found.essays.nothing_auroc.value == 1
    assert found.essays.n == 2


def test_as_json_each_figure_is_a_number_or_null(services: CollectionServices) -> None:
    found = EvaluationRecord.of(evaluated(services, a_variant("Habits", HABIT), ON_BATTERIES)).model_dump(mode="json")

    assert found["variants"]["level1"] == {
        "recall_at_1": 1.0,
        "recall_at_3": 1.0,
        "recall_at_5": 1.0,
        "recall_at_10": 1.0,
        "mrr": 1.0,
    }
    assert list(found["variants"]) == ["level1", "level2", "level3"]
    assert found["essays"] == {"near_gold_at_1": None, "nothing_auroc": None, "n": 1}


def test_as_json_what_was_not_evaluated_is_left_out(services: CollectionServices) -> None:
    assert list(EvaluationRecord.of(evaluated(services, a_variant())).model_dump()) == ["variants"]
