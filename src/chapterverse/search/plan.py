"""Many lists of hits, one a query, into one list of sentences (S1, "score fusion").

What one application looks up, and how: data, so that five applications are five plans and not five pipelines.

The two readings of S2's similarity: what its text says, and what its program computes.

From which scores on a question is answered where nobody has measured a school's own texts: they are an embedding model's.

S4's and S5's thresholds are cosines of OpenAI's text-embedding-3-small, and hold for every model that is not here. Of MiniLM a
question and a section have 0.7 in common in five of a hundred cases that are answered (docs/questions.md).

What to look up for an essay: each paragraph, and its key sentences (S1, "Query formulation").

All of an essay's texts are embedded and the queries are a choice among them: one embed call for an essay of ordinary length,
one for each part of a long one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, log

from chapterverse.core.hits import Granularity, Query, QueryKind, Vectors

Weights = Mapping[QueryKind, float]

FULL_SHELF = 50_000  # sentences: the twenty books for which min_score was chosen

ONE_BOOK = 1_000  # sentences: fewer have not been measured

LOWER = 0.04  # of the score, for each time (e) that the books have fewer


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """How one application looks things up; scores are cosines, corrected by the re-scorers that have a weight."""

    granularity: Granularity
    sentences: int  # of an essay, that key sentences are chosen among, at most
    evidence_seconds: float  # after which no further part of a long essay is embedded
    key_sentences: int  # queries per paragraph beside the paragraph itself, at most
    key_sentence_seconds: float  # that a language model has to choose them; after that the vectors choose
    candidates_per_query: int  # fetched, then re-scored
    surroundings: float  # weight of what stands around a candidate, on the scale of the cosine; 0: it is not looked at
    hubs: float  # weight against what much of a book says nearly as well; 0: it is not looked at
    hits_per_query: int  # kept after re-scoring
    key_sentence_weight: float  # in the fusion, that of a paragraph being 1
    max_similarity: float  # above it, two hits say the same thing
    min_score: float  # of a hit, and of its paragraph's support; below it: "not in your books"
    limit: int  # sentences in the end (S1's top_k)
    reranking: float  # weight of what the re-ranker says, where there is one, on the scale of the cosine
    reranked: int  # first candidates of each query that it judges, at most
    rerank_seconds: float  # that it may take for an essay
    lexical: float = 0.0  # weight of a query's words, on the scale of the cosine; 0: they are not looked at
    judged: int = 0  # first hits that are read for whether they answer at all (retrieval/answerable.py); 0: nobody asks that
    evidences: int | None = None  # sentences of an essay in the end; None: as many as it has paragraphs (S1, "top_k")
    for_these_books: bool = False  # whether min_score was chosen for the very books that are looked in

    @property
    def query_weights(self) -> Weights:
        """By kind of query."""
        return {QueryKind.KEY_SENTENCE: self.key_sentence_weight}

    def limited_to(self, limit: int) -> "RetrievalPlan":
        """The same plan for another number of sentences."""
        return replace(self, limit=limit)

    def for_shelf(self, sentences: int) -> "RetrievalPlan":
        """The same plan for books of so many sentences in all: the best of fewer scores lower, whatever it says.

        With one book instead of twenty the scores of paragraphs with and without evidence both lie about 0.15 lower; in
        between, the best of n independent scores grows with the logarithm of n (docs/search.md)."""
        if self.for_these_books:
            return self
        fewer = log(FULL_SHELF / min(max(sentences, ONE_BOOK), FULL_SHELF))
        return replace(self, min_score=self.min_score - LOWER * fewer)


ESSAY_FEEDBACK = RetrievalPlan(  # figures: docs/quality.md
    granularity=Granularity.SENTENCE,  # S1, "Chunking approach"
    sentences=300,  # of about 5,000 words: 2 s of two cores, and an essay of more is rare
    evidence_seconds=2.5,  # half of S1's five
    key_sentences=3,  # with 2, strays are told from the rest with AUROC 0.96, with 3 and with 4 0.99
    key_sentence_seconds=1.0,
    candidates_per_query=100,  # with 50, variants in a student's own words lose 0.01 of MRR
    surroundings=0.6,  # chosen by cross-validation over books; from 0.5 to 0.9 little changes
    hubs=0.7,  # likewise
    hits_per_query=1,  # S1, "Retrieval method"
    key_sentence_weight=0.85,  # with 1, key sentences crowd out better finds of the whole paragraph
    max_similarity=0.9,  # S1, "Diversity"
    min_score=0.44,  # MiniLM, 20 books: 0.94 of the essay paragraphs they bear on keep a sentence, 0.93 of strays get none
    limit=5,  # replaced by the number of paragraphs (S1, "top_k")
    reranking=0.4,  # docs/search.md
    reranked=10,
    rerank_seconds=1.5,
)

ESSAY_BATCH = replace(ESSAY_FEEDBACK, evidence_seconds=inf)  # nobody waits: all of a long essay is looked up


def for_questions(granularity: Granularity, limit: int, lexical: float) -> RetrievalPlan:
    """A plan for one question at a time. It keeps whatever is nearest: what is near enough for an answer is told by the cosine
    alone, against the bands of the application."""
    return replace(
        ESSAY_FEEDBACK,
        granularity=granularity,
        key_sentences=0,
        surroundings=0.0,
        hubs=0.0,
        hits_per_query=limit,
        max_similarity=1.0,
        min_score=-1.0,
        limit=limit,
        lexical=lexical,
        judged=3,  # what retrieval/answerable.py is fitted for
    )


DOCUMENT_QA = for_questions(Granularity.WINDOW, limit=3, lexical=1.1)  # S2, 3: K=3; weight of the words: measured on syllabi

TEXTBOOK_CHAT = for_questions(Granularity.SECTION, limit=10, lexical=1.1)  # S4, "Re-Ranking": 10, of which 5 are kept

HELPDESK = for_questions(Granularity.PASSAGE, limit=7, lexical=0.04)  # S5, 5: 7

LECTURE = replace(  # figures: docs/lectures.md; S3 fetches the 5 nearest, of which these are the best after words and place
    for_questions(Granularity.PARAGRAPH, limit=3, lexical=2.0), candidates_per_query=50, reranked=5, rerank_seconds=0.5
)


def inverse_distance(cosine: float) -> float:
    """1 / (1 + d²), d the Euclidean distance of two unit vectors: S2's "Implementation", where FAISS gives d² for its "L2".

    In [0.2, 1]. With d² = 2 - 2 × cosine, its 0.70 is cosine 0.786 and its 0.50 cosine 0.5
    (docs/adr/0036-cosine-is-the-similarity.md)."""
    return 1 / (3 - 2 * cosine)


@dataclass(frozen=True, slots=True)
class Usual:
    """confidence: from which a question is answered (retrieval/answerable.py); cosine: of a chunk that may be a source."""

    confidence: float
    cosine: float


# A step at which 95 of 100 questions on something else have no answer (`make eval-usual`); of right answers 95 of 100 reach the
# cosine.
USUAL: Mapping[str, Usual] = {"all-MiniLM-L6-v2": Usual(confidence=0.40, cosine=0.25)}


@dataclass(frozen=True, slots=True)
class EmbeddedQueries:
    """n queries and their vectors, (n, d) float32, unit norm."""

    queries: tuple[Query, ...]
    vectors: Vectors

    @property
    def paragraphs(self) -> int:
        """The essay's first so many are looked up: each is a query, and there is one at least."""
        return self.queries[-1].paragraph + 1
