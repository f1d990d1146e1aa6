from collections.abc import Sequence

import pytest

from chapterverse.citations.model import ClaimPair, Evidence, VerdictKind, claim_pair
from chapterverse.citations.verdicts import judge_all, judge_by_reading
from chapterverse.core.errors import EmbedderUnavailable, ModelUnavailable
from chapterverse.core.hits import Passage, Vectors
from chapterverse.core.ports import Chances, Pair
from tests.support.made import a_sentence
from tests.support.word_embedder import WordEmbedder

SENTENCE = "Thirty geese fly south over the house."
EVIDENCE = Evidence(1, Passage("Birds", a_sentence(SENTENCE), a_sentence("It is autumn."), None, ""), 0.8, ())
SAID = claim_pair("Geese stay at home.", EVIDENCE)


class Away(WordEmbedder):
    """An embedder that cannot be reached."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        raise EmbedderUnavailable("The embedding model does not answer: try again.")


def test_the_sentence_itself_is_borne_out_and_another_subject_is_not_found() -> None:
    same, other = judge_all([ClaimPair(SENTENCE, SENTENCE), ClaimPair("My phone is empty.", SENTENCE)], WordEmbedder())

    assert (same.kind, other.kind) == (VerdictKind.SUPPORTS, VerdictKind.NOT_FOUND)


def test_nothing_to_judge_is_no_work() -> None:
    assert judge_all([], Away()) == []


def test_the_reader_is_given_the_sentence_and_its_neighbours() -> None:
    seen: list[Pair] = []

    def read(pairs: Sequence[Pair], _deadline: float) -> list[Chances | None]:
        seen.extend(pairs)
        return [Chances(useful=1.0, supports=0.0, contradicts=1.0) for _ in pairs]

    [verdict] = judge_by_reading([SAID], read)

    assert seen == [Pair("Geese stay at home.", SENTENCE, "It is autumn.", "")]
    assert verdict.kind is VerdictKind.CONTRADICTS


def test_a_reader_without_weights_is_an_error() -> None:
    def read(_pairs: Sequence[Pair], _deadline: float) -> list[Chances | None]:
        raise ModelUnavailable("No weights.")

    with pytest.raises(ModelUnavailable):
        judge_by_reading([SAID], read)
