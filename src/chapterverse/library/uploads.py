"""Which files may be uploaded, by their names and limits; and reading them with the package bookreader.

    {school}/{file}.pdf                       a book
    {school}/{collection}/{file}              a source of another collection
    {school}/helpdesk/{department}/{file}     a source of a department of the help desk

Nothing that reads is imported before it is used."""

from collections.abc import Callable, Mapping

from chapterverse.core.book import Book, BookId, Collection, Limits
from chapterverse.core.errors import BadRequest, reader_errors_as_ours

DEFAULT_LIMITS = Limits(seconds=300.0)  # a function that an event calls ends after 540

MAX_SOURCES = 500  # of a school in each collection except books

ENDINGS: Mapping[Collection, tuple[str, ...]] = {
    **dict.fromkeys(Collection, (".pdf", ".epub", ".zip")),
    Collection.BOOKS: (".pdf", ".epub"),
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


def parsed(data: bytes, book: BookId, limits: Limits, progress: Callable[[int, int], None] | None = None) -> Book:
    """The file as a book, read in a sandbox. Raises BadBook, RecognitionElsewhere: see bookreader's parse_in_sandbox."""
    from bookreader.reading import parse_in_sandbox

    with reader_errors_as_ours():
        return parse_in_sandbox(data, book, limits, progress)


def as_pdf(data: bytes, limits: Limits) -> bytes:
    """An e-book as a PDF, made in a sandbox; anything else as it is. Raises BadBook."""
    from bookreader.reading import as_pdf_in_sandbox

    with reader_errors_as_ours():
        return as_pdf_in_sandbox(data, limits)


def refuse_too_large(size: int, limits: Limits) -> None:
    """Raises BadBook: too_many_bytes. size: of the file, in bytes."""
    from bookreader import source

    with reader_errors_as_ours():
        source.refuse_too_large(size, limits)
