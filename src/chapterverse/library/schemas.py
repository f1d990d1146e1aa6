"""Requests and responses about sources, as pydantic models. Requests are strict: unknown fields are refused."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import PurePath
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, field_validator

from bookreader.numerals import value_of
from bookreader.text.entries import LONGEST_DEPARTMENT
from chapterverse.citations.records import PassageRecord, SentencePlace
from chapterverse.core.book import Chapter, QualityReport
from chapterverse.core.requests import Record, Request, Words
from chapterverse.library.corrections import corrected_label
from chapterverse.library.model import BookVersion, CatalogBook, Corrections, IndexingProgress, VersionState


def countable(label: str) -> str:
    """The label, if pages can be counted from it. Raises ValueError."""
    if not value_of(label):
        raise ValueError("Give a number in arabic or roman figures, such as 1 or xiv")
    return label


Name = Annotated[str, Field(max_length=255, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x1f\x7f\s][^\x00-\x1f\x7f]*$")]  # not all blank
Department = Annotated[Name, Field(max_length=LONGEST_DEPARTMENT)]
MAX_NAME_BYTES = 255  # limit of file systems; a character outside ASCII takes up to four
PageIndex = Annotated[int, Field(ge=0, lt=10**5)]
ChapterIndex = Annotated[int, Field(ge=-1, lt=10**5)]
FirstNumber = Annotated[str, Field(max_length=12), AfterValidator(countable)]
ByPage = Field(json_schema_extra={"propertyNames": {"pattern": r"^(0|[1-9]\d{0,4})$"}})
ByChapter = Field(json_schema_extra={"propertyNames": {"pattern": r"^(-1|0|[1-9]\d{0,4})$"}})


PROGRESS_FIELDS = ("state", "progress", "reason", "message")  # how far a version is


class Version(Record):
    """One file of a book. reason is a code, message what to do; both null unless it failed."""

    version: str
    state: VersionState
    progress: IndexingProgress
    reason: str | None
    message: Words | None
    sentences: int | None
    began: datetime
    changed: datetime
    active: bool = Field(description="Whether this is the version that is searched.")

    @classmethod
    def of(cls, version: BookVersion, book: CatalogBook) -> Self:
        """A version of the source."""
        same = {name: getattr(version, name) for name in (*PROGRESS_FIELDS, "sentences", "began", "changed")}
        return cls(version=version.key.version, active=version == book.active, **same)


class SourceResponse(Record):
    """A source of a collection. state, progress, reason, message: of its newest version, null while it is being removed;
    version: the one that is searched, chunks: of that version, a book's are its sentences; both null before there is one.
    department: of the help desk, null: all departments. created: null until the file is read. topics: its subjects."""

    source: str
    title: str
    authors: list[str]
    file: str
    department: str | None
    created: datetime | None
    state: VersionState | None
    progress: IndexingProgress | None
    reason: str | None
    message: Words | None
    version: str | None
    chunks: int | None
    topics: list[str]

    @classmethod
    def of(cls, book: CatalogBook, **more: Any) -> Self:
        """The source as it is listed. more: fields of a subclass."""
        active = book.active
        return cls(
            source=book.id,
            title=book.title,
            authors=list(book.authors),
            file=PurePath(book.file_name).name,
            department=book.department,
            created=book.created,
            **{name: getattr(book.newest, name, None) for name in PROGRESS_FIELDS},
            version=active.key.version if active else None,
            chunks=active.sentences if active else None,
            topics=list(book.topics),
            **more,
        )


@dataclass(frozen=True, slots=True)
class BookReport(QualityReport):
    """What a teacher should know of a book's file. outside_share: share of the text's characters outside paragraphs.
    pages_without_text, recognized_pages: page indices from 0, the latter of pages read by text recognition. warnings: sentences
    in the reader's language. odd_pages: worst first, each with its oddest sentence, which a picture of the page can highlight.
    kind_shares: shares of the words by kind of text. printed_numbers: pages with a printed number though the file has page
    labels; label_conflicts: those where the two differ. outline_entries: of the file's outline; outline_conflicts: those not
    printed where it says."""

    warnings: tuple[Words, ...]

    @classmethod
    def of(cls, book: CatalogBook) -> Self | None:
        """Of the searched version, else of the newest, with the page numbers that the teacher corrected; None without one."""
        if (report := book.report) is None:
            return None
        own = {each.name: getattr(report, each.name) for each in fields(report)}
        labels = (corrected_label(each.page_index, each.page_label, book.corrections) for each in report.odd_pages)
        odd = (replace(each, page_label=label) for each, label in zip(report.odd_pages, labels, strict=True))
        return cls(**own | {"odd_pages": tuple(odd)})


class ReportedSource(SourceResponse):
    """A source with what the parser recognized in its file."""

    report: BookReport | None


class SourceDetails(ReportedSource):
    """A source with all that is known of it. chapters is empty until a version is searched."""

    chapters: list[Chapter]
    corrections: Corrections
    versions: list[Version]


class CorrectionPatch(Request):
    """A change of the corrections (RFC 7396): fields that are not named stay, null removes a correction."""

    title: Name | None = None
    authors: list[Name] | None = Field(None, max_length=100)
    chapters: Annotated[dict[ChapterIndex, Name | None], ByChapter] | None = Field(
        None, description="Titles by the chapter's index."
    )
    page_labels: Annotated[dict[PageIndex, Name | None], ByPage] | None = Field(
        None, description="Printed page numbers by the page's index from 0."
    )
    page_counts: Annotated[dict[PageIndex, FirstNumber | None], ByPage] | None = Field(
        None, description="Printed page numbers from which the pages from an index on are counted, in arabic or roman figures."
    )
    topics: list[Name] | None = Field(None, max_length=20, description="What it is about, instead of what was found.")

    def applied_to(self, old: Corrections) -> Corrections:
        """The corrections after this change."""
        named = {name: _merged(getattr(old, name), getattr(self, name)) for name in self.model_fields_set}
        return replace(old, **named)


def _merged(old: Any, patch: Any) -> Any:
    """A correction after its change; of several by index, null removes one of them, or all."""
    if isinstance(old, Mapping):
        return {index: text for index, text in {**old, **patch}.items() if text is not None} if patch else {}
    return tuple(dict.fromkeys(patch)) if isinstance(patch, list) else patch


class SourceRequest(Request):
    """A file that will be sent to an upload address: a PDF (.pdf) or, except for books, a zip of a folder of pages (.zip).
    department: of the help desk; null: all departments. Lists of questions and answers go to POST /faq/lists."""

    file_name: str = Field(
        max_length=150,
        pattern=r"^[^\x00-\x1f\x7f/\\.][^\x00-\x1f\x7f/\\]*\.([pP][dD][fF]|[zZ][iI][pP])$",
        description="The file's name, at most 255 bytes: another file of the same name is a new version of the same book.",
    )
    department: Department | None = None

    @field_validator("file_name")
    @classmethod
    def _fits(cls, name: str) -> str:
        if len(name.encode()) > MAX_NAME_BYTES:
            raise ValueError(f"A file's name has at most {MAX_NAME_BYTES} bytes in UTF-8: give it a shorter one")
        return name


class UploadAddress(Record):
    """Send the file with this method and these headers to this URL before it expires."""

    url: str
    method: Literal["PUT"] = "PUT"
    headers: dict[str, str]
    expires: datetime


class SourceAccepted(Record):
    """A source that will be read.

    progress: the address that shows its state; upload: where to send the file, null if it came with the request. If two files
    whose names give the same id are sent at once, the source's `file` says which of them it is."""

    source: str
    progress: str
    upload: UploadAddress | None = None


class PassageResponse(PassageRecord, SentencePlace):
    """A sentence in its context."""
