"""Which kind of file it is, what reading it may cost, which version of it this is."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256

from bookreader.book import DEFAULT_LIMITS, Limits
from bookreader.errors import BadFile
from bookreader.html.files import is_epub, is_folder, unpack
from bookreader.messages import message
from bookreader.text.entries import is_entries

PARSER_VERSION = "25"  # raise it whenever the same bytes may give other sentences or addresses


def version_of(data: bytes) -> str:
    """The name of a version: 16 hex digits of SHA-256 over the parser's version and the bytes.

    For a zip of a folder that can be read: over the pages and their names, so the same folder zipped again is the same
    version."""
    content = data
    if is_folder(data):
        with suppress(BadFile):
            parts = (each for file in unpack(data, DEFAULT_LIMITS) for each in (file.path.encode(), file.data))
            content = sha256(b"".join(sha256(each).digest() for each in parts)).digest()
    return sha256(PARSER_VERSION.encode() + b"\0" + content).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Budget:
    """What reading a file of one kind may cost: seconds of the processor and MiB of memory, and more for each MiB of it.

    A sound book of 3,000 pages takes half of it (140 pages of 479 KiB: 6 seconds, 262 MiB)."""

    seconds: float
    megabytes: int
    seconds_per_mib: float
    megabytes_per_mib: int = 64

    def within(self, size: int, limits: Limits) -> Limits:
        """The limits for a file of so many bytes, at most those given."""
        mib = size / 2**20
        seconds = min(limits.cpu_seconds, self.seconds + self.seconds_per_mib * mib)
        megabytes = min(limits.megabytes, self.megabytes + round(self.megabytes_per_mib * mib))
        return replace(limits, cpu_seconds=seconds, megabytes=megabytes)


BUDGETS: Mapping[str, Budget] = {
    **dict.fromkeys(("pdf", "epub"), Budget(60.0, 1024, 20.0)),
    **dict.fromkeys(("folder", "entries"), Budget(20.0, 768, 10.0)),
}
"""By kind of a file."""


def damaged(where: str = "the_pdf_is_damaged", **values: object) -> BadFile:
    """The refusal of a file that cannot be read completely."""
    return BadFile("damaged", "pdf_damaged", where=message(where, **values))


def kind_of(data: bytes) -> str:
    """The kind of a file, a key of BUDGETS."""
    kinds = {"epub": is_epub, "folder": is_folder, "entries": is_entries}
    return next((kind for kind, fits in kinds.items() if fits(data)), "pdf")


SET_ASIDE = frozenset({"too_slow", "too_much_memory"})
"""Reasons for which a file is not read again: it costs as much at every attempt."""


def too_slow(data: bytes, seconds: float) -> BadFile:
    """The refusal of a file that is not read within its seconds of the processor; it names what the file is."""
    what, mib = message(f"kind_of_file_{kind_of(data)}"), len(data) / 2**20
    return BadFile("too_slow", "file_too_slow", what=what, mib=mib, seconds=round(seconds))


def too_much_memory() -> BadFile:
    """The refusal of a file that grows too large when it is unpacked."""
    return BadFile("too_much_memory", "file_too_much_memory")


def refuse_too_large(size: int, limits: Limits) -> None:
    """Raises BadFile: too_many_bytes. size: of the file, in bytes."""
    if size > limits.bytes:
        has, max_mib = size / 2**20, limits.bytes / 2**20
        raise BadFile("too_many_bytes", "pdf_too_many_bytes", mib=has, max_mib=max_mib)
