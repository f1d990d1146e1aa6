"""Evidence that the trained reader chooses: what it finds useful is shown, best first, and nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.citations.model import Relation
from chapterverse.core.hits import Scope
from chapterverse.core.ports import Chances, Pair
from chapterverse.essays.evidence import EssayEvidence, EvidenceReader, find_evidence
from chapterverse.essays.text.parse import parse_essay
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from tests.support.shelved import empty_library, shelve

SCHOOL = Scope("school")
ON_SPEECH = ("Some wish it were otherwise.", "Silencing an opinion robs mankind of truth.", "Opinion is a wide word.")
ON_HABIT = ("Habit rules every person.", "Custom grows where nobody chooses.")
ESSAY = parse_essay("""\
Silencing opinion robs us of truth, says my uncle.

Yesterday we had pizza.

Every person can choose what he does, custom or no custom.
""")


class Reader:
    """Gives sentences the chances that a test writes down, and all others none; stops after so many pairs."""

    def __init__(self, chances: Mapping[str, Chances], pairs: int = 1_000) -> None:
        self._chances, self._left = chances, pairs
        self.seen: list[Pair] = []

    def __call__(self, pairs: Sequence[Pair], _deadline: float) -> list[Chances | None]:
        self.seen += pairs
        nothing = Chances(useful=0.0, supports=0.0, contradicts=0.0)
        return [self._chances.get(pair.sentence, nothing) if n < self._left else None for n, pair in enumerate(pairs)]


def useful(chance: float, supports: float = 0.0, contradicts: float = 0.0) -> Chances:
    return Chances(chance, supports, contradicts)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    with empty_library(tmp_path) as services:
        shelve(services, "On Liberty", ON_SPEECH)
        shelve(services, "Habits", ON_HABIT)
        yield services


def found_by(reader: Reader, services: CollectionServices, text: str = "") -> EssayEvidence:
    essay = parse_essay(text) if text else ESSAY
    return find_evidence(essay, SCHOOL, services, reader=EvidenceReader(reader, "reader"))


def shown(found: EssayEvidence) -> list[str]:
    return [one.passage.sentence.text for one in found.evidence]


def test_the_useful_sentence_is_shown_and_nothing_where_there_is_none(services: CollectionServices) -> None:
    found = found_by(Reader({ON_SPEECH[1]: useful(0.9)}), services)

    assert shown(found) == [ON_SPEECH[1]]
    assert [one.numbers for one in found.paragraphs][1:] == [(), ()]


def test_silence_is_an_answer(services: CollectionServices) -> None:
    found = found_by(Reader({}), services)

    assert found.evidence == ()
    assert not found.notes


def test_the_better_sentence_of_a_paragraph_comes_first(services: CollectionServices) -> None:
    text = "Every person has a habit and a custom. Custom rules the person."
    reader = Reader({ON_HABIT[0]: useful(0.8), ON_HABIT[1]: useful(0.95)})

    assert shown(found_by(reader, services, text)) == [ON_HABIT[1]]


@pytest.mark.parametrize(
    ("chances", "relation"),
    [
        (useful(0.9, supports=0.95), Relation.SUPPORTS),
        (useful(0.9, contradicts=0.95), Relation.CONTRADICTS),
        (useful(0.9, supports=0.6), Relation.BACKGROUND),
    ],
)
def test_only_a_sure_relation_is_named(chances: Chances, relation: Relation, services: CollectionServices) -> None:
    [evidence] = found_by(Reader({ON_SPEECH[1]: chances}), services).evidence

    assert evidence.reading is not None
    assert evidence.reading.relation is relation


def test_the_first_candidates_of_all_paragraphs_are_read_first(services: CollectionServices) -> None:
    reader = Reader({}, pairs=3)

    found = found_by(reader, services)

    assert [pair.text for pair in reader.seen[:3]] == [paragraph.text for paragraph in ESSAY.paragraphs]
    assert found.reranked is not None
    assert (found.reranked.judged, found.reranked.worth) == (3, len(reader.seen))


def test_a_sentence_is_read_between_its_neighbours(services: CollectionServices) -> None:
    reader = Reader({})

    found_by(reader, services)

    assert Pair(ESSAY.paragraphs[0].text, ON_SPEECH[1], ON_SPEECH[0], ON_SPEECH[2]) in reader.seen


def test_an_essay_in_another_language_is_not_read(services: CollectionServices) -> None:
    reader = Reader({})

    found_by(reader, services, "Meinungen zu unterdrücken schadet der Wahrheit, denn niemand irrt sich nie.")

    assert reader.seen == []


def test_what_a_school_has_calibrated_is_not_read_below_it(services: CollectionServices) -> None:
    plan, reader = replace(ESSAY_FEEDBACK, min_score=0.99, for_these_books=True), Reader({ON_SPEECH[1]: useful(0.9)})

    assert find_evidence(ESSAY, SCHOOL, services, plan, reader=EvidenceReader(reader, "reader")).evidence == ()
