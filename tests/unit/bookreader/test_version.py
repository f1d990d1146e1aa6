"""A version is known by its bytes."""

from bookreader.source import version_of


def test_the_same_bytes_are_the_same_version_and_others_another() -> None:
    assert version_of(b"%PDF-1.7") == version_of(b"%PDF-1.7") != version_of(b"%PDF-1.6")
    assert len(version_of(b"")) == 16
