"""Questions to the textbooks, field by field."""

from typing import Annotated

from pydantic import Field

from chapterverse.web.answer_schemas import AnswerBody, Following
from chapterverse.web.page_schemas import Seen
from chapterverse.web.schemas import Name


class ChatRequest(Following):
    """selected_text: what the student has marked on the page; sections that hold it come first. textbooks: only these, by their
    ids; none: all of the school's."""

    question: str = Field(min_length=1, max_length=20_000, pattern=r"\w")
    selected_text: str = Field(default="", max_length=20_000)
    textbooks: list[Annotated[str, Field(min_length=1, max_length=255)]] = Field(default=[], max_length=500)
    topics: list[Name] = Field(default=[], max_length=20, description="Only textbooks about one of these.")


class Section(Seen):
    """Where source #number stands: "Module > Chapter > Heading". url: its address with the heading's anchor, or a
    picture of the page with the sentence lit; file: of the folder of pages; relevance: its cosine to the question."""

    number: int
    section: str
    module: str | None
    chapter: str | None
    heading: str | None
    file: str | None
    page_label: str | None
    relevance: float


class RelatedSection(Seen):
    """A section that is near the question, at the sentence that says most to it."""

    title: str
    paragraph_id: str


class ChatAnswer(AnswerBody):
    """id: by which the answer can be given a thumb. sections: those that it cites; related_topics: titles of some that
    are near the question; related: the same with where they stand."""

    id: str
    sections: list[Section]
    related_topics: list[str]
    related: list[RelatedSection]
