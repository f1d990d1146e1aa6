"""The contexts of book versions as artefacts: made when a book is added, read when somebody asks.

{school}/{book}/{version}/context-{model}.npz    ids (n,), surroundings (n, d) float16, hubness (n,) float32: d × 2 + 34 bytes
                                                 or so a sentence, 0.8 kB with MiniLM"""

import io
from collections.abc import Iterable, Sequence

import numpy as np

from chapterverse.errors import NotFound
from chapterverse.model import Sentence, SentenceId, Vectors, VersionKey
from chapterverse.names import path_part
from chapterverse.ports import Bucket
from chapterverse.retrieval.context import BookContext, context_of
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.rescore import Hubs, Part, Rescore, Surroundings, WeightedSum
from chapterverse.usecases.artefacts import indexed, load_book, load_vectors, version_folder


def context_name(key: VersionKey) -> str:
    """Where the context is kept that was made from key.model's vectors."""
    return f"{version_folder(key)}context-{path_part(key.model)}.npz"


def keep_context(bucket: Bucket, key: VersionKey, sentences: Sequence[Sentence], vectors: Vectors) -> None:
    """Make and keep the context of a version. sentences: the indexed ones in reading order; vectors: (n, d), one for each."""
    context = context_of(sentences, vectors)
    file = io.BytesIO()
    ids = np.array([id.encode() for id in context.rows], np.bytes_)
    np.savez(file, ids=ids, surroundings=context.surroundings, hubness=context.hubness)
    bucket.write(context_name(key), file.getvalue())


def load_context(bucket: Bucket, key: VersionKey) -> BookContext:
    """The context of a version; made anew for one that was added before contexts were kept. Raises NotFound."""
    try:
        data = bucket.read(context_name(key))
    except NotFound:
        return context_of(indexed(load_book(bucket, key)), load_vectors(bucket, key))
    with np.load(io.BytesIO(data), allow_pickle=False) as kept:
        rows = {SentenceId(id.decode()): row for row, id in enumerate(kept["ids"].tolist())}
        return BookContext(rows, kept["surroundings"], kept["hubness"])


def rescorer(plan: RetrievalPlan, keys: Iterable[VersionKey], bucket: Bucket) -> Rescore:
    """The re-scorers that have a weight in the plan, for candidates from these versions. Raises NotFound."""
    weights = (plan.surroundings, plan.hubs)
    contexts = {key.version: load_context(bucket, key) for key in keys} if any(weights) else {}
    parts: tuple[tuple[float, Part], ...] = ((plan.surroundings, Surroundings(contexts)), (-plan.hubs, Hubs(contexts)))
    return WeightedSum(tuple((weight, part) for weight, part in parts if weight))
