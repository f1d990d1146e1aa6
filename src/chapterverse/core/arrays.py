"""Numpy arrays one after another in one object, in numpy's own format, read where they are: in memory or in a mapped file."""

import io
from mmap import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

Mapped = bytes | mmap
"""The bytes of an object. A mapped file is read when it is used, and the operating system may forget what it read."""

MAX_HEADER = 4096  # bytes before an array's values; ours take at most 300
OPEN = 2**20  # bytes that a cache counts for an open mapping, so that 512 MiB of them stay below 1,024 open files


def bytes_of_arrays(*arrays: NDArray[Any]) -> bytes:
    """The bytes of an object with these arrays."""
    file = io.BytesIO()
    for array in arrays:
        np.save(file, np.ascontiguousarray(array), allow_pickle=False)
    return file.getvalue()


def arrays_in(data: Mapped) -> list[NDArray[Any]]:
    """The arrays of an object, without a copy; they cannot be written. Raises ValueError if it is damaged."""
    found: list[NDArray[Any]] = []
    at = 0
    while at < len(data):
        head = io.BytesIO(data[at : at + MAX_HEADER])
        if np.lib.format.read_magic(head) != (1, 0):
            raise ValueError("another version of numpy's format")
        shape, _, kind = np.lib.format.read_array_header_1_0(head)
        if kind.hasobject:
            raise ValueError("not plain values")
        values, at = int(np.prod(shape)), at + head.tell()
        array = np.frombuffer(data, kind, values, at) if values else np.zeros(0, kind)
        found.append(array.reshape(shape))
        at += array.nbytes
    return found


def resident(data: Mapped) -> int:
    """Bytes that a cache counts for an open object: the memory that it takes for good."""
    return OPEN if isinstance(data, mmap) else len(data)
