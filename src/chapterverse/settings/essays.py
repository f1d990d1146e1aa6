"""What is looked up for an essay, and how closely."""

from pydantic import Field

from chapterverse.settings.group import Group


class EssaySettings(Group):
    """What is looked up for an essay, and how closely."""

    max_essay_words: int = Field(20_000, ge=1, description="Words of one essay.")
    max_essay_sentences: int = Field(
        300,
        ge=1,
        description="Sentences of one essay that key sentences are chosen among; its paragraphs are looked up in any case.",
    )
    evidence_seconds: float = Field(
        2.5,
        gt=0,
        description="Seconds of an essay's time in which as much of a long one is looked up as there is time for, and the rest "
        "is said to be left out; an essay of ordinary length is looked up in any case.",
    )
    key_sentences: int = Field(3, ge=0, description="Key sentences looked up per paragraph, at most.")
    key_sentence_by: str = Field(
        "embedding",
        pattern="^(embedding|llm)$",
        description="What chooses them: the vectors (embedding), or the language model that LLM names (llm).",
    )
    key_sentence_seconds: float = Field(
        1.0, gt=0, description="Seconds that it may take of an essay's time; vectors choose the rest."
    )
    candidates_per_query: int = Field(100, ge=1, description="Sentences re-scored per query before one is kept (S1 keeps 1).")
    max_similarity: float = Field(0.9, ge=0, le=1, description="Cosine above which two sentences say the same (S1, Diversity).")
    min_score: float = Field(0.44, ge=-1, le=2, description="Re-scored cosine below which the books have nothing on it.")
    rerank: str = Field(
        "off",
        description="Re-ranks the candidates: the name or folder of a cross-encoder, or nothing (off).",
    )
    rerank_seconds: float = Field(1.5, gt=0, description="Seconds that it may take of an essay's time.")
    rerank_candidates: int = Field(10, ge=2, description="First candidates of each query that it looks at, at most.")
