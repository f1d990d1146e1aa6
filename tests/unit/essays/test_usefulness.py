"""Evidence that the usefulness model chooses: what is likely useful is shown, best first, and nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chapterverse.core.hits import Scope
from chapterverse.core.ports import Chances, Pair, Read
from chapterverse.essays.evidence import (
    FEATURES,
    CandidateSignals,
    EssayEvidence,
    UsefulnessModel,
    features,
    find_evidence,
    usefulness_model,
)
from chapterverse.essays.history import FeedbackHistory
from chapterverse.essays.store import SqlFeedback
from chapterverse.essays.text import parse_essay
from chapterverse.infrastructure.embedding.model_files import plain_name
from chapterverse.library.services import CollectionServices
from chapterverse.settings import Settings
from tests.support.shelved import empty_library, shelve

SCHOOL = Scope("school")
ON_SPEECH = ("Some wish it were otherwise.", "Silencing an opinion robs mankind of truth.", "Opinion is a wide word.")
ON_SPEECH_BETWEEN = (ON_SPEECH[1], ON_SPEECH[0], ON_SPEECH[2])
ON_HABIT = ("Habit rules every person.", "Custom grows where nobody chooses.")
ESSAY = """\
Silencing opinion robs us of truth, says my uncle.

Yesterday we had pizza.

Every person can choose what he does, custom or no custom.
"""
GERMAN = "Meinungen zu unterdrücken schadet der Wahrheit, denn niemand irrt sich nie, und opinion ist auch ein Wort."


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    with empty_library(tmp_path) as services:
        shelve(services, "On Liberty", ON_SPEECH)
        shelve(services, "Habits", ON_HABIT)
        yield services


@pytest.fixture
def history(tmp_path: Path) -> Iterator[FeedbackHistory]:
    with closing(SqlFeedback(f"sqlite:///{tmp_path}/feedback.db")) as store:
        yield FeedbackHistory(store, 0)


def by_cosine(services: CollectionServices, cosine: float) -> UsefulnessModel:
    """Shows what has at least this cosine with the paragraph."""
    weights = np.array([100.0] + [0.0] * (len(FEATURES) - 1))
    return UsefulnessModel(weights, np.zeros(services.embedder.dimensions), -100 * cosine, services.embedder.model, 0.5, 0.2)


def reads(useful: Mapping[str, float]) -> Read:
    """A reader that finds these sentences useful with these chances, and has no time for any other."""

    def read(pairs: Sequence[Pair], _deadline: float) -> list[Chances | None]:
        return [Chances(useful[one.sentence], 0.0, 0.0) if one.sentence in useful else None for one in pairs]

    return read


def found(services: CollectionServices, cosine: float, text: str = ESSAY, **others: object) -> EssayEvidence:
    return find_evidence(parse_essay(text), SCHOOL, services, usefulness=replace(by_cosine(services, cosine), **others))


def shown(evidence: EssayEvidence) -> list[str]:
    return [one.passage.sentence.text for one in evidence.evidence]


def test_the_useful_sentence_is_shown_and_nothing_where_there_is_none(services: CollectionServices) -> None:
    evidence = found(services, 0.5)

    assert shown(evidence) == [ON_SPEECH[1]]
    assert [one.numbers for one in evidence.paragraphs] == [(1,), (), ()]
    assert [(one.relation, one.label) for one in evidence.evidence] == [(None, None)]


def test_what_the_reader_finds_useless_or_has_no_time_for_is_not_shown(services: CollectionServices) -> None:
    assert shown(found(services, 0.5, read=reads({ON_SPEECH[1]: 0.05}))) == []
    assert shown(found(services, 0.5, read=reads({ON_SPEECH[1]: 0.95}))) == [ON_SPEECH[1]]
    assert shown(found(services, 0.5, read=reads({}))) == []


def test_the_reader_sees_the_paragraph_and_the_sentence_between_its_neighbours(services: CollectionServices) -> None:
    seen = list[Pair]()

    def read(pairs: Sequence[Pair], _deadline: float) -> list[Chances | None]:
        seen.extend(pairs)
        return [None] * len(pairs)

    found(services, 0.2, read=read)

    assert seen[0] == Pair("Silencing opinion robs us of truth, says my uncle.", *ON_SPEECH_BETWEEN)
    assert [one.text[0] for one in seen[:2]] == ["S", "E"]


def test_an_essay_that_quotes_a_book_gets_nothing_of_another(services: CollectionServices) -> None:
    shelve(services, "On Truth", quoted := ["Truth is what survives every question that an honest person can ask."])

    evidence = found(services, 0.2, f"My uncle says: “{quoted[0]}”\n\n{ESSAY}")

    assert {one.passage.book_title for one in evidence.evidence} == {"On Truth"}


def test_the_better_sentence_of_a_paragraph_comes_first_and_a_second_if_there_is_room(services: CollectionServices) -> None:
    text = "Custom grows where nobody chooses, and habit rules.\n\nYesterday we had pizza."

    assert shown(found(services, 0.2, text)) == [ON_HABIT[1], ON_HABIT[0]]
    assert shown(found(services, 0.2, text.splitlines()[0])) == [ON_HABIT[1]]


def test_a_sentence_that_says_the_same_as_another_is_shown_once(services: CollectionServices) -> None:
    shelve(services, "On Liberty, second printing", ON_SPEECH)

    assert shown(found(services, 0.5)) == [ON_SPEECH[1]]


def test_with_another_embedding_model_similarity_chooses(services: CollectionServices) -> None:
    assert shown(found(services, 1.1, model="another")) == shown(find_evidence(parse_essay(ESSAY), SCHOOL, services)) != []


def test_an_essay_in_a_language_of_no_book_gets_none(services: CollectionServices) -> None:
    assert shown(found(services, -1.0, GERMAN)) == []


def test_the_fitted_model_is_of_the_default_embedding_model() -> None:
    fitted = usefulness_model()

    assert fitted.model == plain_name(Settings().embedding_model)
    assert fitted.weights.shape == (len(FEATURES),)
    assert 0 < fitted.threshold < 1
    assert 0 < fitted.agreed < 1


def test_features_are_of_the_paragraph_first_and_of_its_key_sentences() -> None:
    queries = np.array([[1, 0], [0, 1]], np.float32)
    vectors, around = np.array([[0.6, 0.8]], np.float32), np.array([[0.8, 0.6]], np.float32)
    candidate = CandidateSignals(vectors, around, np.array([0.4], np.float32), np.array([3]))

    [row] = features(queries, candidate)

    assert row == pytest.approx([0.6, 0.8, 0.7, 0.8, 0.8, 0.4, 3, np.log(4)])
