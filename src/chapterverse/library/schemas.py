"""What is sent and answered, field by field. Requests are strict; answers are what usecases/*_json.py and model.py say."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from chapterverse.core.book import Collection
from chapterverse.library.model import Corrections, VersionState
from chapterverse.library.uploads import ENDINGS
from chapterverse.web.schemas import Request, _merged
from chapterverse.web.words import Words

Name = Annotated[str, Field(max_length=255, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x1f\x7f\s][^\x00-\x1f\x7f]*$")]  # not all blank

MOST_NAME_BYTES = 255  # what file systems take; outside ASCII a character is up to four

MOST_DRAWN = 500

PageIndex = Annotated[int, Field(ge=0, lt=10**5)]

ChapterIndex = Annotated[int, Field(ge=-1, lt=10**5)]

ByPage = Field(json_schema_extra={"propertyNames": {"pattern": r"^(0|[1-9]\d{0,4})$"}})

ByChapter = Field(json_schema_extra={"propertyNames": {"pattern": r"^(-1|0|[1-9]\d{0,4})$"}})


class Box(BaseModel):
    """A rectangle on a page in PDF points, origin top left. page: index from 0."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Sentence(BaseModel):
    """A sentence of a book with its address. Page and chapter are as the teacher corrected them; of what has no pages those are
    null, and url is where it is read."""

    text: str
    kind: str
    book: str
    chapter_number: str | None
    chapter: str | None
    section_path: list[str]
    page_index: int | None
    page_label: str | None
    paragraph_id: str
    sentence_id: str
    prev_sentence_id: str | None
    next_sentence_id: str | None
    boxes: list[Box]
    url: str | None


class PassageFields(BaseModel):
    """A sentence where it stands; previous and next are null at the edges of its paragraph."""

    book_title: str
    citation: str
    sentence: Sentence
    previous: str | None
    next: str | None
    further_reading: str = Field(description="The whole paragraph.")


class Progress(BaseModel):
    """Batches of sentences that are indexed, of how many; both 0 where that is not known (yet)."""

    done: int
    total: int


class Version(BaseModel):
    """One file of a book. reason is a code, message what to do; both null unless it failed."""

    version: str
    state: VersionState
    progress: Progress
    reason: str | None
    message: Words | None
    sentences: int | None
    began: datetime
    changed: datetime
    active: bool = Field(description="Whether this is the version that is searched.")


class BookSummary(BaseModel):
    """A book of the school. state, progress, reason, message: of its newest version; version: the one that is searched.

    A book that is just being removed has none of them."""

    book: str
    title: str
    authors: list[str]
    file: str
    created: datetime
    state: VersionState | None
    progress: Progress | None
    reason: str | None
    message: Words | None
    version: str | None
    sentences: int | None


class Chapter(BaseModel):
    """A chapter. index: by which it is corrected; text before the first one has -1."""

    index: int
    number: str | None
    title: str | None


class BookReport(BaseModel):
    """What a teacher should know of a book's file. outside_share: share of the text's characters that stands in no paragraph.
    pages_without_text: page indices from 0. warnings: sentences in the reader's language."""

    model_config = ConfigDict(from_attributes=True)

    pages: int
    words: int
    sentences: int
    chapters: int
    chapter_source: str
    label_source: str
    outside_share: float
    pages_without_text: list[int]
    warnings: list[Words]


class Book(BookSummary):
    """A book with what was understood of it. chapters is empty until a version is searched."""

    report: BookReport | None
    chapters: list[Chapter]
    corrections: Corrections
    versions: list[Version]


class Books(BaseModel):
    """The school's books, by title."""

    books: list[BookSummary]


class CorrectionPatch(Request):
    """A change of the corrections (RFC 7396): what is not named stays, null takes a correction back."""

    title: Name | None = None
    authors: list[Name] | None = Field(None, max_length=100)
    chapters: Annotated[dict[ChapterIndex, Name | None], ByChapter] | None = Field(
        None, description="Titles by the chapter's index."
    )
    page_labels: Annotated[dict[PageIndex, Name | None], ByPage] | None = Field(
        None, description="Printed page numbers by the page's index from 0."
    )
    topics: list[Name] | None = Field(None, max_length=20, description="What it is about, instead of what was found.")

    def applied_to(self, old: Corrections) -> Corrections:
        """The corrections from now on."""
        named = self.model_fields_set
        return replace(
            old,
            title=self.title if "title" in named else old.title,
            authors=(None if self.authors is None else tuple(self.authors)) if "authors" in named else old.authors,
            chapters=_merged(old.chapters, self.chapters) if "chapters" in named else old.chapters,
            page_labels=_merged(old.page_labels, self.page_labels) if "page_labels" in named else old.page_labels,
            topics=(None if self.topics is None else tuple(dict.fromkeys(self.topics))) if "topics" in named else old.topics,
        )


class FileRequest(Request):
    """A file that is to be sent."""

    file_name: str = Field(
        max_length=150,
        pattern=r"^[^\x00-\x1f\x7f/\\.][^\x00-\x1f\x7f/\\]*\.([pP][dD][fF]|[zZ][iI][pP])$",
        description="The file's name, at most 255 bytes: another file of the same name is a new version of the same book.",
    )

    @field_validator("file_name")
    @classmethod
    def _fits(cls, name: str) -> str:
        if len(name.encode()) > MOST_NAME_BYTES:
            raise ValueError(f"A file's name has at most {MOST_NAME_BYTES} bytes in UTF-8: give it a shorter one")
        return name


class UploadRequest(FileRequest):
    """A file that is to become a book, or something else to ask: collection says what. Books are PDFs (.pdf); all else may
    also be a zip of a folder of pages (.zip). Lists of questions and answers go to POST /faq/lists."""

    collection: Collection = Collection.BOOKS

    @model_validator(mode="after")
    def _is_taken_in(self) -> Self:
        refuse_ending(self.file_name, self.collection)
        return self


def refuse_ending(file_name: str, collection: Collection) -> None:
    """Raises ValueError for a file that the collection does not take in."""
    if not file_name.lower().endswith(ENDINGS[collection]):
        raise ValueError(f"A file for the {collection} ends in {' or '.join(ENDINGS[collection])}")


class Upload(BaseModel):
    """Send the file with this method and these headers to this address before it expires, then ask for the book until it is
    ready or failed. Where files of two names that look alike are sent at once, the book's `file` tells which of them it is."""

    url: str
    method: Literal["PUT"] = "PUT"
    headers: dict[str, str]
    expires: datetime
    book: str


"""To JSON Schema 2.0 is an integer, to pydantic's strict mode it is not."""
