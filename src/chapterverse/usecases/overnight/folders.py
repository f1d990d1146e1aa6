"""Essays that were put into the bucket as files."""

from chapterverse.errors import NotFound, TooLarge
from chapterverse.ports import Uploads
from chapterverse.usecases.overnight.entries import ENDINGS, Entry, entries_in_files
from chapterverse.usecases.services import TextFinder


def entries_in_folder(
    uploads: Uploads, school: str, folder: str, most: int, most_bytes: int, *, find: TextFinder
) -> list[Entry]:
    """Of the files {school}/{folder}/{name}, by name, that end as essays do. most_bytes: of one file; most: files.

    Raises NotFound where there is none, TooLarge, BucketUnavailable."""
    files = [file for file in uploads.files(f"{school}/{folder}/") if file.name.lower().endswith(ENDINGS)]
    if not files:
        raise NotFound("folder_without_essay", school=school, folder=folder, endings=" or ".join(ENDINGS))
    if len(files) > most:
        raise TooLarge("batch_too_large", essays=len(files), max_essays=most)
    return entries_in_files(((file.name, uploads.read(file, most_bytes)) for file in files), find)
