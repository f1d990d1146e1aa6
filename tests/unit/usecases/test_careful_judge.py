from chapterverse.errors import EmbedderUnavailable
from chapterverse.evidence.verdict import judge
from chapterverse.model import Vectors
from chapterverse.usecases.careful_judge import CarefulJudge
from tests.support.essays import evidence_on
from tests.support.word_embedder import WordEmbedder

CLAIM = "Silencing an opinion never robs mankind of truth."


class AwayEmbedder(WordEmbedder):
    """Does not answer."""

    def embed_passages(self, texts: object) -> Vectors:
        raise EmbedderUnavailable("Try again.")


def test_a_citation_is_judged_with_the_embedders_vectors() -> None:
    assert CarefulJudge(WordEmbedder())(CLAIM, evidence_on(0)).reason


def test_where_the_embedder_is_away_words_decide() -> None:
    assert CarefulJudge(AwayEmbedder())(CLAIM, evidence_on(0)) == judge(CLAIM, evidence_on(0))
