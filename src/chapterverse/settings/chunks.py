"""How sources that are not looked up sentence by sentence are cut."""

from pydantic import Field

from chapterverse.settings.group import Group


class ChunkSettings(Group):
    """How sources that are not looked up sentence by sentence are cut. Who changes a figure adds them again."""

    max_sources: int = Field(500, ge=1, description="Documents a school; as many textbooks, and sources of the helpdesk.")
    window_characters: int = Field(500, ge=50, le=20_000, description="Characters of a document's chunk (S2, Chunk Size).")
    window_overlap: int = Field(50, ge=0, description="Characters of it that are in the one before, too, at most (S2).")
    section_least: int = Field(
        500, ge=0, description="Tokens of a textbook's chunk; shorter sections are joined with the next one (S4, Chunking)."
    )
    section_most: int = Field(1500, ge=16, le=8192, description="Tokens of it, at most; longer sections are parted (S4).")
    section_overlap: int = Field(200, ge=0, description="Tokens that two parts of a section share, at most (S4).")
    passage_least: int = Field(256, ge=0, description="Tokens of a helpdesk document's chunk (S5, 3.1).")
    passage_most: int = Field(512, ge=16, le=8192, description="Tokens of it, at most (S5).")
    passage_overlap: int = Field(50, ge=0, description="Tokens of it that are in the one before, too, at most (S5).")
