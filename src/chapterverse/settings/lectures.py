"""Citations beside a lecture."""

from pydantic import Field

from chapterverse.settings.group import Group


class LectureSettings(Group):
    """Citations beside a lecture."""

    lecture_fetched: int = Field(
        50,
        ge=1,
        le=100,
        description="Paragraphs fetched on a window of a lecture, to be ordered by where in its books the lecture is. "
        "S3 fetches 5, which finds the right section less often.",
    )
    lecture_words: float = Field(
        2.0,
        ge=0,
        le=10,
        description="How much the share of a window's words that a paragraph has counts beside their cosine; "
        "0: vectors alone (S3).",
    )
    lecture_candidates: int = Field(
        5, ge=1, le=100, description="First paragraphs in that order, of which the re-ranker chooses (S3, Vector Search)."
    )
    lecture_citations: int = Field(3, ge=1, le=3, description="Citations of a window, at most (S3, Re-ranking).")
    lecture_most_distance: float = Field(
        1.5,
        ge=0,
        le=4,
        description="Squared L2 distance of the nearest paragraph, beyond which a window has no citation: "
        "1.5 is a cosine of 0.25 (S3, Early Exit).",
    )
    lecture_least: float = Field(
        0.42,
        ge=-1,
        le=12,
        description="Score of the first paragraph, cosine and words, below which a window has no citation; measured for MiniLM "
        "and the words' weight of 2 (docs/lectures.md).",
    )
    lecture_sure: float = Field(
        0.2,
        ge=0,
        le=1,
        description="How likely the lecture must be near that paragraph for a citation; 0: however unlikely.",
    )
    lecture_rerank: str = Field(
        "off",
        description="What reads a window and its paragraphs together: a cross-encoder by its name or folder, "
        "as cross-encoder/ms-marco-TinyBERT-L-2-v2 (S3; extra lecture), or off.",
    )
    lecture_query_tokens: int = Field(
        200, ge=16, le=512, description="Tokens that a window's query stays below (S3, Query Construction)."
    )
    lecture_keywords: int = Field(
        5, ge=0, le=5, description="Keywords of a window, at most; S3 takes 3 to 5 (S3, Keyword Extraction), 0 takes none."
    )
    lecture_waiting: int = Field(
        1024,
        ge=1,
        description="Windows that wait to be looked up, of all lectures; beyond it the oldest is dropped and counted.",
    )
    lecture_workers: int = Field(2, ge=1, le=32, description="Lectures whose windows are looked up at the same time.")
    lecture_hold_seconds: float = Field(
        0.0,
        ge=0,
        le=30,
        description="Seconds that a hand-in of segments may wait for what is found; 0 where threads run on between requests.",
    )
    lecture_keyword_diversity: float = Field(
        0.5, ge=0, le=0.9, description="How much it counts against a keyword that it is like another one; KeyBERT's own figure."
    )
    snippet_least: int = Field(100, ge=20, le=1000, description="Characters of a citation's snippet (S3).")
    snippet_most: int = Field(200, ge=40, le=2000, description="Characters of it, at most (S3).")
    paragraph_least: int = Field(
        24, ge=0, description="Tokens of a lecture book's chunk; shorter paragraphs are joined with the next one."
    )
    paragraph_most: int = Field(254, ge=16, le=8192, description="Tokens of it, at most; longer paragraphs are parted.")
