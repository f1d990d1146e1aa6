"""A zip file that is sent while it is written."""


class ZipParts:
    """A file that gives away what is written to it."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: nothing waits anywhere else."""

    def close(self) -> None:
        """Do nothing."""

    def take(self) -> bytes:
        """All since the last call."""
        taken = b"".join(self._written)
        self._written.clear()
        return taken
