"""Folders as zip files, and zip files that are no folders."""

import io
import struct
import zipfile

import pytest

from bookreader.book import DEFAULT_LIMITS, Limits
from bookreader.errors import BadFile
from bookreader.html.files import File, is_folder, pack, unpack
from bookreader.source import kind_of, version_of
from tests.support.refusals import refused

TINY = Limits(bytes=1000, pages=2, words=100, seconds=10, megabytes=512)


def zipped(*entries: tuple[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return file.getvalue()


def test_what_was_packed_is_unpacked_by_name() -> None:
    files = [File("b/two.md", b"2"), File("a.html", b"1")]

    assert unpack(pack(files), DEFAULT_LIMITS) == [File("a.html", b"1"), File("b/two.md", b"2")]


def test_only_pages_and_what_tells_of_their_site_are_packed() -> None:
    names = [
        "a.md", "b.png", ".git/c.md", "node_modules/d.md", "textbook.yml", "e/_category_.json", "docusaurus.config.ts",
        "f.HTML",
    ]  # fmt: skip

    packed = unpack(pack(File(name, b"x") for name in names), DEFAULT_LIMITS)

    assert [file.path for file in packed] == ["a.md", "docusaurus.config.ts", "e/_category_.json", "f.HTML", "textbook.yml"]


def test_the_same_folder_is_the_same_version_however_it_was_zipped() -> None:
    files = [File("a.md", b"one"), File("b.md", b"two")]

    again = zipped(("picture.png", b"\x89"), ("b.md", b"two"), ("a.md", b"one"))

    assert pack(files) == pack(reversed(files))
    assert version_of(again) == version_of(pack(files))


@pytest.mark.parametrize("other", [[("a.md", b"other")], [("c.md", b"one")], [("a.md", b"one"), ("b.md", b"")]])
def test_another_page_or_another_name_is_another_version(other: list[tuple[str, bytes]]) -> None:
    assert version_of(zipped(*other)) != version_of(zipped(("a.md", b"one")))


@pytest.mark.parametrize(
    ("name", "data", "id", "reason"),
    [
        *((name, b"x", "zip_unsafe", "unsafe_archive") for name in ("../a.md", "/a.md", "a/../../b.md", "a\\b.md", "C:/a.md")),
        ("a.md", b"x" * 10_000, "folder_too_many_bytes", "too_many_bytes"),
    ],
)
def test_a_name_that_leads_out_of_the_folder_and_too_many_bytes_refuse_the_zip(
    name: str, data: bytes, id: str, reason: str
) -> None:
    with refused(BadFile, id) as raised:
        unpack(zipped((name, data)), TINY)

    assert raised.value.reason == reason


def test_a_zip_that_lies_about_its_sizes_is_refused() -> None:
    honest = zipped(("a.md", b"x" * 900_000))
    real, told = struct.pack("<I", 900_000), struct.pack("<I", 10)

    with pytest.raises(BadFile):
        unpack(honest.replace(real, told), TINY)


def test_too_many_pages_are_refused_but_pictures_do_not_count() -> None:
    pages = [(f"{number}.md", b"x") for number in range(3)]

    assert len(unpack(zipped(*pages[:2], *((f"{n}.png", b"") for n in range(9))), TINY)) == 2
    with pytest.raises(BadFile, match="3 pages; the limit is 2"):
        unpack(zipped(*pages), TINY)


@pytest.mark.parametrize("cut", [10, 60, -1])
def test_a_zip_cut_short_is_damaged(cut: int) -> None:
    with pytest.raises(BadFile, match="damaged"):
        unpack(zipped(("a.md", b"x" * 100))[:cut], DEFAULT_LIMITS)


def test_a_zip_with_a_nameless_file_is_damaged() -> None:
    nameless = zipped(("a.md", b"x")).replace(b"a.md", b"\0.md")

    assert kind_of(nameless) == "folder"
    with pytest.raises(BadFile, match="damaged"):
        unpack(nameless, DEFAULT_LIMITS)


def test_a_locked_zip_asks_to_be_zipped_without_a_password() -> None:
    locked = bytearray(zipped(("a.md", b"x")))
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(magic) + offset] |= 1

    with pytest.raises(BadFile, match="password"):
        unpack(bytes(locked), DEFAULT_LIMITS)


@pytest.mark.parametrize("name", ["[Content_Types].xml", "mimetype"])
def test_a_document_that_only_is_packed_as_a_zip_is_no_folder(name: str) -> None:
    assert not is_folder(zipped((name, b""), ("a.html", b"x")))


def test_a_zip_without_a_file_is_an_empty_folder() -> None:
    assert is_folder(zipped())


def test_a_pdf_is_no_folder() -> None:
    assert not is_folder(b"%PDF-1.7")
