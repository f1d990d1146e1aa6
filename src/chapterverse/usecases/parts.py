"""A version's vectors while they come in, batch by batch, each kept as a part until the whole is.

    {school}/{book}/{version}/vectors-{model}.npy-part-{first}-{end}-2    (n, d) float32, unit norm: see embedding.Batch

A part's name begins as that of the whole and says which rows it holds: the two are deleted together, and a part made for
batches of another size, or by another release, is never taken for one of these."""

from chapterverse.model import Vectors, VersionKey
from chapterverse.ports import Bucket
from chapterverse.usecases.artefacts import npy_of, vectors_in, vectors_name

FORMAT = 2  # of a part; 1 had no sentences


def batches_of(sentences: int, at_most: int) -> int:
    """Into how many batches so many sentences are parted, none longer than at_most; one where there are none."""
    return max(1, -(-sentences // at_most))


def rows_of(batch: int, batches: int, sentences: int) -> range:
    """The sentences of one batch, from 0; all batches are of one length, or of one more. Every process parts them alike,
    whatever its settings say."""
    return range(batch * sentences // batches, (batch + 1) * sentences // batches)


def save_part(bucket: Bucket, key: VersionKey, rows: range, vectors: Vectors) -> None:
    """Keep the vectors of these rows."""
    bucket.write(_part_name(key, rows), npy_of(vectors))


def load_part(bucket: Bucket, key: VersionKey, rows: range) -> Vectors:
    """The vectors of these rows as they were saved. Raises NotFound."""
    return vectors_in(bucket.read(_part_name(key, rows)))


def remove_parts(bucket: Bucket, key: VersionKey) -> None:
    """The whole is kept, or not wanted any more. None there: nothing happens."""
    bucket.delete(_parts_name(key))


def _parts_name(key: VersionKey) -> str:
    return f"{vectors_name(key)}-part-"


def _part_name(key: VersionKey, rows: range) -> str:
    return f"{_parts_name(key)}{rows.start}-{rows.stop}-{FORMAT}"
