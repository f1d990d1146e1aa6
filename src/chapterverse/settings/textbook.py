"""How questions to textbooks are answered."""

from pydantic import Field

from chapterverse.settings.group import Group


class TextbookSettings(Group):
    """How questions to textbooks are answered."""

    textbook_candidates: int = Field(10, ge=1, le=100, description="Sections that are fetched on a question (S4, Re-Ranking).")
    textbook_sections: int = Field(5, ge=1, le=20, description="Sections of them that are kept (S4, Retrieval Parameters).")
    textbook_least: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Cosine of a section that is answered from; empty: as measured for the embedding model, for others 0.7 "
        "(S4).",
    )
    textbook_sure: float = Field(
        0.7, ge=-1, le=1, description="Mean cosine of the sections kept, below which an answer has a disclaimer (S4)."
    )
    textbook_boost: float = Field(
        2.0, ge=1, le=10, description="Times that the score of a section with the selected text counts in their order (S4)."
    )
