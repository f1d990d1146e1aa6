"""Pictures, and zips of folders as programs make them: with all that lies in the folder."""

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping


def png(width: int, height: int) -> bytes:
    """Grey, growing lighter from left to right."""
    row = b"\0" + bytes(255 * x // width for x in range(width))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _part(b"IHDR", head) + _part(b"IDAT", zlib.compress(row * height)) + _part(b"IEND", b"")


def a_zip(files: Mapping[str, bytes]) -> bytes:
    """All of them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return packed.getvalue()


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
