"""What is sent and answered about somebody's own essays, field by field; answers are what usecases/own_feedback.py says."""

from typing import Literal

from pydantic import BaseModel

from chapterverse.web.kept_schemas import Summary
from chapterverse.web.schemas import Request


class OwnEssay(Summary):
    """One line of a history. approved: null where a teacher has to see it first; version_of: the id of feedback on an earlier
    version, there or not; changed: whether a teacher has chosen its evidence."""

    words: int
    version_of: str | None
    changed: bool


class OwnEssays(BaseModel):
    """Newest first."""

    essays: list[OwnEssay]


class EssayText(BaseModel):
    """The text in a file, with an empty line between paragraphs."""

    text: str


class OwnThumbRequest(Request):
    """Whether it helped; null takes it back."""

    thumb: Literal["up", "down"] | None = None
