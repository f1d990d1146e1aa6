"""What is left of a word."""

import gzip
from pathlib import Path


def files_with(word: str, folder: Path) -> list[str]:
    """Every file below the folder that has it, unpacked where it is packed, whatever the file is for."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(str(path.relative_to(folder)) for path in files if word.encode() in _unpacked(path))


def _unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
