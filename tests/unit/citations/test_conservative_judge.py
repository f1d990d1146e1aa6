from collections.abc import Sequence

from chapterverse.citations.verdicts import ConservativeJudge, judge
from chapterverse.core.errors import EmbedderUnavailable
from chapterverse.core.hits import Vectors
from tests.support.essays import evidence_on
from tests.support.word_embedder import WordEmbedder

CLAIMS = ("Silencing an opinion never robs mankind of truth.", "My phone is empty.")
CITED = [(claim, evidence_on(0)) for claim in CLAIMS]


class AwayEmbedder(WordEmbedder):
    """Does not answer."""

    def embed_passages(self, texts: object) -> Vectors:
        raise EmbedderUnavailable("Try again.")


class CountingEmbedder(WordEmbedder):
    """Counts its calls."""

    passages = 0

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.passages += 1
        return super().embed_passages(texts)


def test_citations_are_judged_with_the_embedders_vectors_in_one_call() -> None:
    embedder = CountingEmbedder()

    verdicts = ConservativeJudge(embedder)(CITED)

    assert [bool(verdict.reason) for verdict in verdicts] == [True, True]
    assert embedder.passages == 1


def test_nothing_to_judge_is_no_work() -> None:
    assert ConservativeJudge(AwayEmbedder())([]) == []


def test_where_the_embedder_is_away_words_decide() -> None:
    assert ConservativeJudge(AwayEmbedder())(CITED) == [judge(claim, evidence) for claim, evidence in CITED]
