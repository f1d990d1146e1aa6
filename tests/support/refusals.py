"""What a call is refused with: tests ask for the error's id, not for its wording."""

import pytest

from chapterverse.core.errors import ChapterverseError


def refused(kind: type[ChapterverseError], id: str) -> pytest.RaisesExc[ChapterverseError]:
    """A context in which an error of that kind and with that id has to be raised."""
    return pytest.raises(kind, check=lambda error: error.id == id)
