"""What a call is refused with: tests ask for the error's id, not for its wording."""

import pytest

from bookreader.errors import ReaderError
from chapterverse.core.errors import ChapterverseError


def refused(kind: type[ChapterverseError | ReaderError], id: str) -> pytest.RaisesExc[ChapterverseError | ReaderError]:
    """A context in which an error of that kind and with that id has to be raised."""
    return pytest.raises(kind, check=lambda error: error.id == id)
