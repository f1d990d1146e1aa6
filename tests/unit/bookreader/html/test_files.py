"""Folders as zip files, and zip files that are no folders."""

import io
import struct
import zipfile

import pytest

from bookreader.book import DEFAULT_LIMITS, Limits
from bookreader.errors import BadFile
from bookreader.html.files import File, file_named, is_folder, names_in, pack, unpack
from bookreader.source import kind_of, version_of
from tests.support.refusals import refused

TINY = Limits(bytes=1000, pages=2, words=100, seconds=10, megabytes=512)


def zipped(*entries: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return file.getvalue()


def test_only_pages_and_what_tells_of_their_site_are_packed_and_unpacked_by_name() -> None:
    kept, others = "a.md docusaurus.config.ts e/_category_.json f.HTML textbook.yml", "b.png .git/c.md node_modules/d.md"
    files = [File(name, name.encode()) for name in kept.split()]

    packed = pack([*reversed(files), *(File(name, b"other") for name in others.split())])

    assert unpack(packed, DEFAULT_LIMITS) == files


def test_the_same_folder_is_the_same_version_however_it_was_zipped_and_another_page_or_name_another() -> None:
    files = [File("a.md", b"one"), File("b.md", b"two")]

    again = zipped(("picture.png", b"\x89"), ("b.md", b"two"), ("a.md", b"one"))

    assert pack(files) == pack(reversed(files))
    assert version_of(again) == version_of(pack(files))
    by_powershell = zipped(("a\\b.md", b"two"), ("a\\c.png", b"\x89"))
    assert version_of(by_powershell) == version_of(pack([File("a/b.md", b"two")]))
    assert (names_in(by_powershell)[1], file_named(by_powershell, "a/c.png", 9)) == ("a/c.png", b"\x89")
    for other in ([("a.md", b"other")], [("c.md", b"one")], [("a.md", b"one"), ("b.md", b"")]):
        assert version_of(zipped(*other)) != version_of(zipped(("a.md", b"one")))


@pytest.mark.parametrize(
    ("name", "data", "id", "reason"),
    [
        *((name, b"x", "zip_unsafe", "unsafe_archive") for name in ("../a.md", "/a.md", "a/../../b.md", "..\\b.md", "C:/a.md")),
        ("a.md", b"x" * 10_000, "folder_too_many_bytes", "too_many_bytes"),
    ],
)
def test_a_name_that_leads_out_and_too_many_bytes_refuse_the_zip(name: str, data: bytes, id: str, reason: str) -> None:
    with refused(BadFile, id) as raised:
        unpack(zipped((name, data)), TINY)

    assert raised.value.reason == reason


def test_a_zip_that_lies_about_its_sizes_or_has_too_many_pages_is_refused_but_pictures_do_not_count() -> None:
    honest = zipped(("a.md", b"x" * 900_000))
    real, told = struct.pack("<I", 900_000), struct.pack("<I", 10)
    with pytest.raises(BadFile):
        unpack(honest.replace(real, told), TINY)

    pages = [(f"{number}.md", b"x") for number in range(3)]
    assert len(unpack(zipped(*pages[:2], *((f"{n}.png", b"") for n in range(9))), TINY)) == 2
    with pytest.raises(BadFile, match="3 pages; the limit is 2"):
        unpack(zipped(*pages), TINY)


@pytest.mark.parametrize("cut", [10, 60, -1])
def test_a_zip_cut_short_is_damaged(cut: int) -> None:
    with pytest.raises(BadFile, match="damaged"):
        unpack(zipped(("a.md", b"x" * 100))[:cut], DEFAULT_LIMITS)


def test_a_zip_with_a_nameless_file_is_damaged_and_a_locked_one_asks_to_be_zipped_without_a_password() -> None:
    nameless = zipped(("a.md", b"x")).replace(b"a.md", b"\0.md")
    assert kind_of(nameless) == "folder"
    with pytest.raises(BadFile, match=r"damaged|outside"):
        unpack(nameless, DEFAULT_LIMITS)

    locked = bytearray(zipped(("a.md", b"x")))
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(magic) + offset] |= 1
    with pytest.raises(BadFile, match="password"):
        unpack(bytes(locked), DEFAULT_LIMITS)


def test_a_zip_is_a_folder_though_an_empty_one_and_a_document_packed_as_a_zip_is_none() -> None:
    assert is_folder(zipped())
    for other in (b"%PDF-1.7", *(zipped((name, b""), ("a.html", b"x")) for name in ("[Content_Types].xml", "mimetype"))):
        assert not is_folder(other)
