from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from chapterverse.core.errors import ChapterverseError, ModelUnavailable
from chapterverse.core.hits import Scope
from chapterverse.essays.evidence import EssayEvidence, find_evidence
from chapterverse.essays.text.parse import parse_essay
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from tests.support.shelved import empty_library, shelve

PLAN = replace(ESSAY_FEEDBACK, min_score=0.2, reranking=10.0)
ESSAY = parse_essay("Silencing opinion robs truth.\n\nMy phone battery empties quickly.")
NEAREST, OTHER = "Silencing an opinion robs mankind of truth.", "Silencing robs."


@dataclass
class Likes:
    """A re-ranker that likes sentences with one word in them; or it fails."""

    word: str = "Silencing robs"
    fails: ChapterverseError | None = None
    model: str = "likes"

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        if self.fails:
            raise self.fails
        return [float(self.word in sentence) for _, sentence in pairs]


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    with empty_library(tmp_path) as services:
        shelve(services, "On Liberty", (NEAREST, "So much is certain."), (OTHER, "Somebody said it."))
        yield services


def found_with(reranker: Likes | None, services: CollectionServices) -> EssayEvidence:
    return find_evidence(ESSAY, Scope("school"), replace(services, reranker=reranker), PLAN)


def first(found: EssayEvidence) -> str:
    return found.evidence[0].passage.sentence.text


def test_without_a_reranker_the_vectors_decide(services: CollectionServices) -> None:
    found = found_with(None, services)

    assert first(found) == NEAREST
    assert found.reranked is None


def test_a_reranker_reads_the_books_own_words_and_may_change_what_is_shown(services: CollectionServices) -> None:
    found = found_with(Likes(), services)

    assert first(found) == OTHER
    assert found.reranked is not None
    assert found.reranked.judged == found.reranked.worth > 0


def test_it_changes_neither_scores_nor_which_paragraphs_have_nothing(services: CollectionServices) -> None:
    plain, read = found_with(None, services), found_with(Likes(), services)

    assert [one.score for one in read.evidence] == [one.score for one in plain.evidence]
    assert [bool(one.numbers) for one in read.paragraphs] == [bool(one.numbers) for one in plain.paragraphs] == [True, False]


def test_one_that_is_set_up_wrongly_is_told_of(services: CollectionServices) -> None:
    with pytest.raises(ModelUnavailable):
        found_with(Likes(fails=ModelUnavailable("No weights.")), services)
