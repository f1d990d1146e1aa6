"""Pages, and sentences that are seen on them, field by field."""

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.model import Collection
from chapterverse.web.schemas import Name, PassageFields


class PageLink(BaseModel):
    """A page that the sentence stands on, as a picture with the sentence lit."""

    page_index: int
    page_label: str
    image: str


class Seen(BaseModel):
    """Where a sentence is seen. pages: those that it stands on, as pictures, the sentence lit; url: the first of them, or on a
    site the page at its heading."""

    book: str
    sentence_id: str
    pages: list[PageLink]
    url: str | None


class Passage(PassageFields, Seen):
    """A sentence in its surroundings."""


class PageQuery(BaseModel):
    """How a page is drawn."""

    model_config = ConfigDict(frozen=True)

    sentence: Name | None = Field(None, description="Light this sentence on the page.")
    collection: Collection = Field(Collection.BOOKS, description="Where the book is: answers name it in their addresses.")
    scale: float = Field(2.0, ge=0.5, le=4.0, allow_inf_nan=False, description="Pixels a point; 1 is 72 dpi.")
