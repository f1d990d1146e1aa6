"""Pictures, and zips of folders as programs make them: with all that lies in the folder."""

import io
import zipfile
from collections.abc import Mapping

import pymupdf


def png(width: int, height: int) -> bytes:
    """Grey."""
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, width, height))
    picture.clear_with(200)
    return bytes(picture.tobytes("png"))


def a_zip(files: Mapping[str, str | bytes]) -> bytes:
    """All of them, the same bytes each time."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data)
    return packed.getvalue()
