"""What one application looks up, and how: data, so that five applications are five plans and not five pipelines."""

from dataclasses import dataclass, replace

from chapterverse.model import Granularity
from chapterverse.retrieval.fuse import Fusion


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """How one application looks things up; scores are cosines."""

    granularity: Granularity
    key_sentences: int  # queries per paragraph beside the paragraph itself, at most
    candidates_per_query: int  # fetched, then re-scored
    hits_per_query: int  # kept after re-scoring
    fusion: Fusion  # orders; never decides what is relevant
    max_similarity: float  # above it, two hits say the same thing
    min_score: float  # of one query's hit; below it: "not in your books"
    limit: int  # sentences in the end (S1's top_k)

    def limited_to(self, limit: int) -> "RetrievalPlan":
        """The same plan for another number of sentences."""
        return replace(self, limit=limit)


ESSAY_FEEDBACK = RetrievalPlan(
    granularity=Granularity.SENTENCE,  # S1, "Chunking approach"
    key_sentences=2,
    candidates_per_query=10,
    hits_per_query=1,  # S1, "Retrieval method"
    fusion=Fusion.MAX,  # a cosine, as the threshold is; with one hit a query, the others showed the same sentences on 8 essays
    max_similarity=0.9,  # S1, "Diversity"
    min_score=0.45,  # MiniLM, 8 essays: on one book 0.94 of the paragraphs it bears on keep a sentence, 0.92 of strays get none
    limit=5,  # replaced by the number of paragraphs (S1, "top_k")
)
