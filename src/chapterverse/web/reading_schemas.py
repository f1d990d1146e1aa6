"""Textbooks as they are read, field by field."""

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.model import Collection
from chapterverse.web.schemas import Name


class Part(BaseModel):
    """A chapter. number: by which it is read; 0 for what stands before the first; title: empty where it has none; module: what
    the folder is about that it is in, empty for none."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    title: str
    module: str


class Contents(BaseModel):
    """All chapters in order."""

    textbook: str
    title: str
    parts: list[Part]


class HeadingLink(BaseModel):
    """level: from 2 on, as it is in the mark-up; anchor: its id there, null where it has none."""

    model_config = ConfigDict(from_attributes=True)

    level: int
    text: str
    anchor: str | None


class PartText(Part):
    """A chapter, or a stretch of a long one. html: harmless mark-up; each passage in it has as id the paragraph_id by which
    citations name it."""

    html: str
    headings: list[HeadingLink]
    stretch: int
    stretches: int


class PartQuery(BaseModel):
    """Which stretch of a long chapter."""

    model_config = ConfigDict(frozen=True)

    stretch: int = Field(1, ge=1, le=10_000)


class PictureQuery(BaseModel):
    """Which picture: its name in the folder, from the top."""

    model_config = ConfigDict(frozen=True)

    name: Name
    collection: Collection = Field(Collection.TEXTBOOK, description="Where the folder is.")
