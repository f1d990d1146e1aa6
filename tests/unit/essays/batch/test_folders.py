"""A folder in the bucket as a batch."""

from pathlib import Path

import pytest

from chapterverse.core.errors import NotFound, TooLarge
from chapterverse.essays.batch.entries import entries_in_folder
from chapterverse.essays.text.worker import text_in
from chapterverse.infrastructure.storage.folder import FolderUploads


@pytest.fixture
def uploads(tmp_path: Path) -> FolderUploads:
    made = FolderUploads(tmp_path, "", b"")
    for name, text in (
        ("b/ben.txt", "So do I."),
        ("b/ada.MD", "I say so."),
        ("b/photo.jpg", "JPEG"),
        ("bb/eve.txt", "Not me."),
    ):
        made.write(f"school/{name}", text.encode())
    return made


def test_its_texts_are_essays_by_name_and_nothing_else_is(uploads: FolderUploads) -> None:
    found = entries_in_folder(uploads, "school", "b", 10, 1000, find=text_in)

    assert [(each.number, each.id, each.text) for each in found] == [(1, "ada", "I say so."), (2, "ben", "So do I.")]


def test_a_folder_without_essays_says_where_to_put_them(uploads: FolderUploads) -> None:
    with pytest.raises(NotFound, match="put files into school/c/"):
        entries_in_folder(uploads, "school", "c", 10, 1000, find=text_in)


def test_too_many_files_are_not_even_read(uploads: FolderUploads) -> None:
    with pytest.raises(TooLarge, match="2 essays and the limit is 1"):
        entries_in_folder(uploads, "school", "b", 1, 1000, find=text_in)
