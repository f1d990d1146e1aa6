"""What the names of uploaded files say: {school}/{file}.pdf is a book, {school}/{collection}/{file}.pdf what the collection
holds."""

from chapterverse.errors import BadRequest
from chapterverse.model import Collection


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
    school = name.partition("/")[0]
    file_name = name.removeprefix(folder_of(school, collection_of(name)))
    plain = not any(character < " " or character == "\x7f" for character in name)
    hidden = any(not part or part.startswith(".") for part in file_name.split("/"))
    if plain and school and school != name and not hidden and file_name.lower().endswith(".pdf"):
        return school, file_name
    raise BadRequest(f"{name!r} is not called SCHOOL/NAME.pdf as a book's file is. Upload it again under such a name.")
