"""What the names of uploaded files say: {school}/{file}.pdf is a book, {school}/{collection}/{file} something for that
collection, {school}/helpdesk/{department}/{file} a department's."""

from collections.abc import Mapping

from chapterverse.core.book import Collection
from chapterverse.core.errors import BadRequest

ENDINGS: Mapping[Collection, tuple[str, ...]] = {
    Collection.BOOKS: (".pdf",),
    Collection.DOCUMENTS: (".pdf", ".zip"),
    Collection.TEXTBOOK: (".pdf", ".zip"),
    Collection.HELPDESK: (".pdf", ".zip"),
    Collection.LECTURES: (".pdf", ".zip"),
}

"""Of files that each takes in: PDFs, zips of folders of pages. Lists of questions and answers become entries, which somebody
approves (usecases/helpdesk/imports.py)."""

"""By ending; what a file is sent with."""


def folder_of(school: str, collection: Collection) -> str:
    """Where files of that collection arrive, with a slash at its end."""
    return f"{school}/" if collection is Collection.BOOKS else f"{school}/{collection}/"


def collection_of(name: str) -> Collection:
    """What a file of that name is put in."""
    folders = name.split("/")[1:-1]
    others = set(Collection) - {Collection.BOOKS}
    return Collection(folders[0]) if folders and folders[0] in others else Collection.BOOKS


def parts_of(name: str) -> tuple[str, str]:
    """School and file name, with any folders within the collection's. Raises BadRequest for one that no source has."""
    school, collection = name.partition("/")[0], collection_of(name)
    file_name = name.removeprefix(folder_of(school, collection))
    plain = not any(character < " " or character == "\x7f" for character in name)
    hidden = any(not part or part.startswith(".") for part in file_name.split("/"))
    if plain and school and school != name and not hidden and file_name.lower().endswith(ENDINGS[collection]):
        return school, file_name
    wanted = " or ".join(f"{folder_of('SCHOOL', collection)}NAME{ending}" for ending in ENDINGS[collection])
    raise BadRequest("wrong_ending", name=repr(name), endings=wanted)


def is_misplaced(name: str) -> bool:
    """Whether the file is in folders below its collection's; at the help desk one is its department's."""
    folders = parts_of(name)[1].count("/")
    return folders > (1 if collection_of(name) is Collection.HELPDESK else 0)
