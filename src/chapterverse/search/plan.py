"""How each application searches, as data: five applications are five plans, not five pipelines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log

from chapterverse.core.hits import Hit, Query, Vectors

Candidates = Sequence[Sequence[Hit]]  # of each query, best first
FULL_COLLECTION = 50_000  # sentences: the twenty books for which min_score was chosen
ONE_BOOK = 1_000  # sentences: fewer have not been measured
LOWER = 0.04  # decrease of min_score each time the books have fewer sentences by a factor e


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """How one application searches; scores are cosines plus the signals that have a weight."""

    sentences: int  # of an essay from which key sentences are chosen, at most
    evidence_seconds: float  # of the trained reader
    queries: int  # for an essay, at most; of one with many paragraphs, each has fewer key sentences
    key_sentences: int  # queries per paragraph in addition to the paragraph itself, at most
    candidates_per_query: int  # fetched, then re-scored
    context_weight: float  # of the text around a candidate, on the scale of the cosine; 0: not used
    hubness_penalty: float  # weight against a candidate that much of its book resembles; 0: not used
    hits_per_query: int  # after re-scoring, at most
    key_sentence_weight: float  # in the fusion, that of a paragraph being 1
    max_similarity: float  # cosine of two hits; above it, one is dropped
    min_score: float  # of a hit, and of its paragraph's support; below it: "not in your books"; -1 where a trained model judges
    limit: int  # hits in the result (S1-17)
    lexical: float = 0.0  # weight of shared words, on the scale of the cosine; 0: not used

    def for_size(self, sentences: int) -> "RetrievalPlan":
        """The plan with min_score for books with so many sentences in all: the best of fewer sentences scores lower.

        With one book instead of twenty the scores of paragraphs with and without evidence both lie about 0.15 lower; in
        between, the best of n independent scores grows with the logarithm of n (docs/search.md)."""
        fewer = log(FULL_COLLECTION / min(max(sentences, ONE_BOOK), FULL_COLLECTION))
        return replace(self, min_score=self.min_score - LOWER * fewer)


ESSAY_FEEDBACK = RetrievalPlan(  # figures: docs/quality.md
    sentences=300,  # of about 5,000 words: 2 s of two cores, and an essay of more is rare
    evidence_seconds=2.5,  # half of the 5 s of S1-5
    queries=240,  # 60 paragraphs with three key sentences each; a query takes 3 ms of the processor
    key_sentences=3,  # with 2, paragraphs without evidence are told apart with AUROC 0.96, with 3 and 4 0.99
    candidates_per_query=100,  # with 50, variants in a student's own words lose 0.01 of MRR
    context_weight=0.6,  # chosen by cross-validation over books; from 0.5 to 0.9 little changes
    hubness_penalty=0.7,  # likewise
    hits_per_query=1,  # S1-15
    key_sentence_weight=0.85,  # with 1, key sentences crowd out better finds of the whole paragraph
    max_similarity=0.9,  # S1-18
    min_score=0.44,  # MiniLM, 20 books: 0.94 of paragraphs with evidence keep a sentence, 0.93 of those without get none
    limit=5,  # replaced by the number of paragraphs (S1-17), at most three (essays/evidence.py)
)

ESSAY_BATCH = replace(ESSAY_FEEDBACK, evidence_seconds=inf, queries=10_000)  # no deadline: all of a long essay is searched


def for_reading(plan: RetrievalPlan) -> RetrievalPlan:
    """The plan for a search whose candidates are read: scores only choose what is read."""
    # with 0.3 of both, 10 candidates of each query hold a useful one most often
    return replace(plan, hits_per_query=10, context_weight=0.3, hubness_penalty=0.3, min_score=-1.0)


def for_questions(limit: int, lexical: float) -> RetrievalPlan:
    """A plan for one question at a time, without a threshold: the application compares the cosine with its own bands."""
    return replace(
        ESSAY_FEEDBACK,
        key_sentences=0,
        context_weight=0.0,
        hubness_penalty=0.0,
        hits_per_query=limit,
        max_similarity=inf,  # two entries may say the same
        min_score=-1.0,
        limit=limit,
        lexical=lexical,
    )


QUESTIONS = for_questions(limit=10, lexical=1.1)  # S2-5, S4-6: styles tell how many are shown; weight of words: on syllabi
HELPDESK = for_questions(limit=7, lexical=0.04)  # S5-10: 7

LECTURE = replace(  # figures: docs/lectures.md; S3-8 fetches 5, of which the best 3 after words and place are shown
    for_questions(limit=3, lexical=2.0), candidates_per_query=50
)


def inverse_distance(cosine: float) -> float:
    """1 / (1 + d²), d the Euclidean distance of two unit vectors (S2-6; FAISS gives d² for its "L2").

    In [0.2, 1]. With d² = 2 - 2 × cosine, 0.70 (S2-7) is cosine 0.786 and 0.50 (S2-8) cosine 0.5."""
    return 1 / (3 - 2 * cosine)


def logistic(logit: float) -> float:
    """The logistic function: the chance in [0, 1] with these logarithmic odds."""
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))


@dataclass(frozen=True, slots=True)
class EmbeddedQueries:
    """n queries and their vectors, (n, d) float32, unit norm."""

    queries: tuple[Query, ...]
    vectors: Vectors
