"""The contexts of book versions as artefacts: made when a book is added, read when somebody asks.

    {school}/{book}/{version}/context-{model}.npy    a record a sentence: id, hubness float32, surroundings (d,) float16

That is 0.8 kB a sentence with MiniLM. One array and no archive of three, whose checksums would take longer than reading it."""

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
from chapterverse.usecases.artefacts import damage_as_loss, indexed, load_book, load_vectors, version_folder
from chapterverse.usecases.services import Services


def context_name(key: VersionKey) -> str:
    """Where the context is kept that was made from key.model's vectors."""
    return f"{version_folder(key)}context-{path_part(key.model)}.npy"


def keep_context(bucket: Bucket, key: VersionKey, sentences: Sequence[Sentence], vectors: Vectors) -> None:
    """Make and keep the context of a version. sentences: the indexed ones in reading order; vectors: (n, d), one for each."""
    context = context_of(sentences, vectors)
    longest = max((len(id.encode()) for id in context.rows), default=1)
    kind = [("id", f"S{longest}"), ("hubness", np.float32), ("surroundings", np.float16, vectors.shape[1:])]
    records = np.empty(len(sentences), kind)
    records["id"] = [id.encode() for id in context.rows]
    records["hubness"], records["surroundings"] = context.hubness, context.surroundings
    file = io.BytesIO()
    np.save(file, records, allow_pickle=False)
    bucket.write(context_name(key), file.getvalue())


def load_context(bucket: Bucket, key: VersionKey) -> BookContext:
    """The context of a version; made anew, which takes seconds, where it is damaged, or was added before contexts
    were kept and not reindexed since. Raises NotFound."""
    try:
        data = bucket.read(context_name(key))
        with damage_as_loss():
            records = np.load(io.BytesIO(data), allow_pickle=False)
    except NotFound:
        return context_of(indexed(load_book(bucket, key)), load_vectors(bucket, key))
    rows = {SentenceId(id.decode()): row for row, id in enumerate(records["id"].tolist())}
    return BookContext(rows, records["surroundings"], records["hubness"])


def rescorer(plan: RetrievalPlan, keys: Iterable[VersionKey], services: Services) -> Rescore:
    """The re-scorers that have a weight in the plan, for candidates from these versions. Raises NotFound."""
    weights = (plan.surroundings, plan.hubs)
    contexts = {key.version: _recent_context(key, services) for key in keys} if any(weights) else {}
    parts: tuple[tuple[float, Part], ...] = ((plan.surroundings, Surroundings(contexts)), (-plan.hubs, Hubs(contexts)))
    return WeightedSum(tuple((weight, part) for weight, part in parts if weight))


def _recent_context(key: VersionKey, services: Services) -> BookContext:
    return services.recent.get(("context", key), lambda: load_context(services.bucket, key))
