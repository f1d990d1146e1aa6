"""Which files may be uploaded: their names, their limits, and the refusals of files that cannot be read; and reading them.

    {school}/{file}.pdf                       a book
    {school}/{collection}/{file}              a source of another collection
    {school}/helpdesk/{department}/{file}     a source of a department of the help desk

This module imports no PDF library before it reads a file, so a program that only starts the parser stays small."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chapterverse.core.book import Book, BookId, Collection, Limits, with_short_names
from chapterverse.core.errors import BadBook, BadRequest
from chapterverse.messages import message

if TYPE_CHECKING:
    from chapterverse.library.pdf.parse import ScanReader

DEFAULT_LIMITS = Limits(
    books=20, bytes=200 * 2**20, pages=3000, words=600_000, seconds=300.0, megabytes=2048
)  # S1 plans for 20 books


@dataclass(frozen=True, slots=True)
class Budget:
    """What reading a file of one kind may cost: seconds of the processor and MiB of memory, and more for each MiB of it.

    A sound book of 3,000 pages takes half of it (140 pages of 479 KiB: 6 seconds, 262 MiB)."""

    seconds: float
    megabytes: int
    seconds_per_mib: float
    megabytes_per_mib: int = 64

    def within(self, size: int, limits: Limits) -> Limits:
        """The limits for a file of so many bytes, at most those given."""
        mib = size / 2**20
        seconds = min(limits.cpu_seconds, limits.seconds, self.seconds + self.seconds_per_mib * mib)
        return replace(
            limits, cpu_seconds=seconds, megabytes=min(limits.megabytes, self.megabytes + round(self.megabytes_per_mib * mib))
        )


BUDGETS: Mapping[str, Budget] = {
    "pdf": Budget(60.0, 1024, 20.0),
    "epub": Budget(60.0, 1024, 20.0),
    "folder": Budget(20.0, 768, 10.0),
    "entries": Budget(20.0, 768, 10.0),
}
"""By kind of a file; each kind is named by the message "kind_of_file_{kind}"."""

KINDS_OF_FILES = {
    "pdf": message("kind_of_file_pdf"),
    "epub": message("kind_of_file_epub"),
    "folder": message("kind_of_file_folder"),
    "entries": message("kind_of_file_entries"),
}

MAX_SOURCES = 500  # of a school in each collection except books

ENDINGS: Mapping[Collection, tuple[str, ...]] = {
    Collection.BOOKS: (".pdf", ".epub"),
    Collection.DOCUMENTS: (".pdf", ".epub", ".zip"),
    Collection.TEXTBOOK: (".pdf", ".epub", ".zip"),
    Collection.HELPDESK: (".pdf", ".epub", ".zip"),
    Collection.LECTURES: (".pdf", ".epub", ".zip"),
}
"""Endings of the files that each collection takes: PDFs, e-books, zips of folders of pages. Lists of questions and answers
become entries (questions/faq.py)."""


def folder_of(school: str, collection: Collection) -> str:
    """Prefix of the names of the collection's files, with a slash at its end."""
    return f"{school}/" if collection is Collection.BOOKS else f"{school}/{collection}/"


def collection_of(name: str) -> Collection:
    """The collection that a file's name belongs to."""
    folders = name.split("/")[1:-1]
    others = set(Collection) - {Collection.BOOKS}
    return Collection(folders[0]) if folders and folders[0] in others else Collection.BOOKS


def parts_of(name: str) -> tuple[str, str]:
    """School and file name; the latter with folders below the collection's. Raises BadRequest if no source can have the
    name."""
    school, collection = name.partition("/")[0], collection_of(name)
    file_name = name.removeprefix(folder_of(school, collection))
    plain = not any(character < " " or character == "\x7f" for character in name)
    hidden = any(not part or part.startswith(".") for part in file_name.split("/"))
    if plain and school and school != name and not hidden and file_name.lower().endswith(ENDINGS[collection]):
        return school, file_name
    wanted = " or ".join(f"{folder_of('SCHOOL', collection)}NAME{ending}" for ending in ENDINGS[collection])
    raise BadRequest("wrong_ending", name=repr(name), endings=wanted)


def is_misplaced(name: str) -> bool:
    """Whether the file is in a subfolder of its collection's folder that is not a department of the help desk."""
    folders = parts_of(name)[1].count("/")
    return folders > (1 if collection_of(name) is Collection.HELPDESK else 0)


def damaged(where: str = "the_pdf_is_damaged", **values: object) -> BadBook:
    """The refusal of a file that cannot be read completely."""
    return BadBook("damaged", "pdf_damaged", where=message(where, **values))


def kind_of(data: bytes) -> str:
    """The kind of a file, a key of BUDGETS."""
    from chapterverse.library.html.files import is_epub, is_folder
    from chapterverse.library.text.entries import is_entries

    kinds = {"epub": is_epub, "folder": is_folder, "entries": is_entries}
    return next((kind for kind, fits in kinds.items() if fits(data)), "pdf")


SET_ASIDE = frozenset({"too_slow", "too_much_memory"})
"""Reasons for which a file is not read again: it costs as much at every attempt."""


def too_slow(data: bytes, seconds: float) -> BadBook:
    """The refusal of a file that is not read within its time; it names what the file is."""
    what, mib = KINDS_OF_FILES[kind_of(data)], len(data) / 2**20
    return BadBook("too_slow", "file_too_slow", what=what, mib=mib, seconds=round(seconds))


def too_much_memory() -> BadBook:
    """The refusal of a file that grows too large when it is unpacked."""
    return BadBook("too_much_memory", "file_too_much_memory")


def refuse_too_large(size: int, limits: Limits) -> None:
    """Raises BadBook: too_many_bytes. size: of the file, in bytes."""
    if size > limits.bytes:
        has, max_mib = size / 2**20, limits.bytes / 2**20
        raise BadBook("too_many_bytes", "pdf_too_many_bytes", mib=has, max_mib=max_mib)


def read_source(
    data: bytes,
    book: BookId,
    limits: Limits = DEFAULT_LIMITS,
    progress: Callable[[int, int], None] | None = None,
    scans: "ScanReader | None" = None,
) -> Book:
    """Parse a PDF, a zip of a folder of Markdown and HTML pages, or a list of questions and answers (JSON, CSV).

    progress(done, total) counts pages. scans: reads the pages of a PDF that are pictures of text. Raises BadBook: see
    parse_book, parse_folder, read_entries."""
    return with_short_names(_read(data, book, limits, progress, scans))


def _read(
    data: bytes,
    book: BookId,
    limits: Limits,
    progress: Callable[[int, int], None] | None,
    scans: "ScanReader | None",
) -> Book:
    from chapterverse.library.html.files import is_folder
    from chapterverse.library.model import version_of
    from chapterverse.library.text.entries import book_of_entries, is_entries, read_entries

    refuse_too_large(len(data), limits)
    if is_folder(data):
        from chapterverse.library.html.parse import parse_folder

        return parse_folder(data, book, limits, progress)
    if is_entries(data):
        return book_of_entries(read_entries(data), book, version_of(data))
    from chapterverse.library.pdf.parse import parse_book

    return parse_book(data, book, limits, progress, scans)
