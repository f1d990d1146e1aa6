"""Vertex AI Vector Search 2.0 as the vector index: a collection per school, unit and model, a data object per sentence.

Limits and filters: https://docs.cloud.google.com/vertex-ai/docs/vector-search-2/overview."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple, dataclass
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

import grpc
import numpy as np
from google.api_core import exceptions
from google.api_core.retry import Retry, if_exception_type
from google.auth.exceptions import GoogleAuthError
from google.cloud import vectorsearch_v1 as theirs

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import DimensionMismatch, IndexUnavailable
from chapterverse.core.hits import SAME, Hit, Partition, Record, Vectors
from chapterverse.core.names import fingerprint

WRITTEN_AT_ONCE = 500  # data objects of a call, which takes 1,000: with long vectors those would be 4 MB
DELETED_AT_ONCE = 1_000
PAGE = 1_000  # data objects that a call returns
IDS_AT_ONCE = 100  # in one filter, for whose length no limit is published
INDEXED_FROM = 50_000  # data objects of a collection: without an index it is searched up to 100,000
TRIES = 5  # of a search, while a version is being replaced

VECTOR = "vector"  # compared by the dot product, which the service does by default; with unit norm it is the cosine
STATED = tuple(Record.__dataclass_fields__)  # of the sentence; all text, left out where there is none
FIELDS = {name: {"type": "string"} for name in (*STATED, "belongs_to", "written_by", "complete", "holds", "dimensions")}
"""A sentence belongs to a version and was written by one write. A head is a data object that says which write of its version is
`complete`: it `holds` the name of the write. Sentences of another write are found by no search."""

WHOLE = theirs.OutputFields(data_fields=list(STATED), vector_fields=[VECTOR])
Filter = Mapping[str, Any]
Found = Sequence[theirs.SearchResult]
T = TypeVar("T")

BUSY = if_exception_type(exceptions.ResourceExhausted)
AWAY = if_exception_type(exceptions.ResourceExhausted, exceptions.ServiceUnavailable)


class Clients(NamedTuple):
    """The service's three clients."""

    collections: theirs.VectorSearchServiceClient
    objects: theirs.DataObjectServiceClient
    searches: theirs.DataObjectSearchServiceClient


class Head(NamedTuple):
    """What is complete of a version."""

    write: str
    dimensions: int


def open_clients(emulator: str = "") -> Clients:
    """Clients with the workload's own identity, or without one for an emulator at HOST:PORT."""
    kinds: Any = theirs.VectorSearchServiceClient, theirs.DataObjectServiceClient, theirs.DataObjectSearchServiceClient
    if not emulator:
        return Clients(*(kind() for kind in kinds))
    channel = grpc.insecure_channel(emulator)
    return Clients(*(kind(transport=kind.get_transport_class("grpc")(channel=channel)) for kind in kinds))


@dataclass(frozen=True, slots=True)
class VectorSearchIndex:
    """VectorIndex on Vertex AI Vector Search 2.0. clients: returns them, always the same. location: "projects/P/locations/L"
    of one installation alone. The seconds bound a call with its retries.

    A write adds data objects, which are not searched until the version's head names this write; then those of the write before
    are deleted. A search reads the heads before and after, and is repeated if one changed."""

    clients: Callable[[], Clients]
    location: str
    reading_seconds: float = 20.0
    writing_seconds: float = 90.0  # quotas are counted by the minute

    def write(self, partition: Partition, version: str, records: Sequence[Record], vectors: Vectors) -> None:
        parent, head = self._name(partition), Head(f"w{uuid4().hex}", vectors.shape[1])
        with errors_as_ours(partition):
            self._create_collection(parent, head.dimensions)
            if self._count(parent, {}) + len(records) >= INDEXED_FROM:
                self._create_index(parent)
            self._add(parent, version, head.write, records, vectors)
            if self._count(parent, written_by({version: head})) != len(records):
                raise IndexUnavailable("index_incomplete")
            self._complete(parent, version, head)
            self._delete(parent, {"$and": [{"belongs_to": {"$eq": version}}, {"written_by": {"$ne": head.write}}]})

    def remove(self, partition: Partition, version: str) -> None:
        parent = self._name(partition)
        with errors_as_ours(partition), suppress(exceptions.NotFound):
            self._delete(parent, {"complete": {"$eq": version}})
            self._delete(parent, {"belongs_to": {"$eq": version}})

    def leave_no_trace(self) -> None:
        """Do nothing: the files are the service's."""

    def count(self, partition: Partition, version: str) -> int:
        parent = self._name(partition)
        with errors_as_ours(partition), suppress(exceptions.NotFound):
            return self._while_complete(parent, [version], lambda heads: self._count(parent, written_by(heads)) if heads else 0)
        return 0

    def ids(self, partition: Partition, version: str) -> list[SentenceId]:
        parent, fields = self._name(partition), theirs.OutputFields(data_fields=["id"])

        def read(heads: Mapping[str, Head]) -> list[theirs.DataObject]:
            return self._query(parent, written_by(heads), fields) if heads else []

        with errors_as_ours(partition), suppress(exceptions.NotFound):
            return [SentenceId(each.data["id"]) for each in self._while_complete(parent, [version], read)]
        return []

    def held(self, partition: Partition, version: str, vectors: Vectors) -> int:
        nearest = self.search(partition, vectors, 1, [version])
        return sum(bool(hits) and hits[0].score > 1 - SAME for hits in nearest)

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        parent = self._name(partition)
        some = [list(ids[start : start + IDS_AT_ONCE]) for start in range(0, len(ids), IDS_AT_ONCE)]

        def read(heads: Mapping[str, Head]) -> list[theirs.DataObject]:
            if not heads:
                raise IndexUnavailable("book_not_indexed", model=partition.model)
            filters = [{"$and": [written_by(heads), {"id": {"$in": each}}]} for each in some]
            return [found for matching in filters for found in self._query(parent, matching, WHOLE)]

        with errors_as_ours(partition):
            return [Hit(_record_of(each), 1.0, _vector_of(each)) for each in self._while_complete(parent, [version], read)]

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:
        parent = self._name(partition)

        def read(heads: Mapping[str, Head]) -> list[Found]:
            if not heads.keys() >= set(books):
                raise IndexUnavailable("book_not_indexed", model=partition.model)
            if any(head.dimensions != queries.shape[1] for head in heads.values()):
                raise DimensionMismatch("index_other_dimension_of_model", model=partition.model)
            return list(self._nearest(parent, queries, k, heads))

        if not len(queries) or not books:
            return [[] for _ in queries]
        with errors_as_ours(partition):
            found = self._while_complete(parent, books, read)
        return [_best_first(*each) for each in zip(queries, found, strict=True)]

    def _while_complete(self, parent: str, versions: Sequence[str], read: Callable[[Mapping[str, Head]], T]) -> T:
        """What `read` returns for the heads of the versions that are there, if none of them changed meanwhile."""
        for _ in range(TRIES):
            heads = self._heads(parent, versions)
            found = read(heads)
            if self._heads(parent, versions) == heads:
                return found
        raise IndexUnavailable("index_incomplete")

    def _heads(self, parent: str, versions: Sequence[str]) -> dict[str, Head]:
        fields = theirs.OutputFields(data_fields=["complete", "holds", "dimensions"])
        heads = self._query(parent, {"complete": {"$in": list(versions)}}, fields)
        return {head.data["complete"]: Head(head.data["holds"], int(head.data["dimensions"])) for head in heads}

    def _nearest(self, parent: str, queries: Vectors, k: int, heads: Mapping[str, Head]) -> Iterator[Found]:
        """The k nearest for each query, in the service's order. Calls return PAGE data objects at most; beyond, they come by
        page."""
        wanted = {"search_field": VECTOR, "filter": written_by(heads), "top_k": k, "output_fields": WHOLE}
        searches = [theirs.VectorSearch(vector={"values": query.tolist()}, **wanted) for query in queries]
        if k > PAGE:
            for search in searches:
                request = theirs.SearchDataObjectsRequest(parent=parent, vector_search=search, page_size=PAGE)
                yield list(self.clients().searches.search_data_objects(request, **self._reading))
            return
        at_once = PAGE // k
        for start in range(0, len(searches), at_once):
            some = [theirs.Search(vector_search=search) for search in searches[start : start + at_once]]
            batch = theirs.BatchSearchDataObjectsRequest(parent=parent, searches=some)
            for response in self.clients().searches.batch_search_data_objects(batch, **self._reading).results:
                yield response.results

    def _query(self, parent: str, matching: Filter, fields: theirs.OutputFields) -> list[theirs.DataObject]:
        request = theirs.QueryDataObjectsRequest(parent=parent, filter=matching, output_fields=fields, page_size=PAGE)
        return list(self.clients().searches.query_data_objects(request, **self._reading))

    def _count(self, parent: str, matching: Filter) -> int:
        request = theirs.AggregateDataObjectsRequest(parent=parent, filter=matching, aggregate=theirs.AggregationMethod.COUNT)
        [counted] = self.clients().searches.aggregate_data_objects(request, **self._reading).aggregate_results
        return int(counted["count"])

    def _add(self, parent: str, version: str, write: str, records: Sequence[Record], vectors: Vectors) -> None:
        its = {"belongs_to": version, "written_by": write}
        for start in range(0, len(records), WRITTEN_AT_ONCE):
            some = zip(records[start : start + WRITTEN_AT_ONCE], vectors[start : start + WRITTEN_AT_ONCE], strict=True)
            requests = [
                _creation(parent, f"{write}-{number}", asdict(record) | its, vector.tolist())
                for number, (record, vector) in enumerate(some, start)
            ]
            batch = theirs.BatchCreateDataObjectsRequest(parent=parent, requests=requests)
            self.clients().objects.batch_create_data_objects(batch, **self._writing)

    def _complete(self, parent: str, version: str, head: Head) -> None:
        """Make searches find this write: one data object is replaced."""
        data = {"complete": version, "holds": head.write, "dimensions": str(head.dimensions)}
        any_vector = [1.0] + [0.0] * (head.dimensions - 1)  # the service asks for one
        first = _creation(parent, f"v{fingerprint(version, digits=32)}", data, any_vector)
        update, objects = theirs.UpdateDataObjectRequest(data_object=first.data_object), self.clients().objects
        try:
            objects.update_data_object(update, **self._writing)
        except exceptions.NotFound:
            objects.create_data_object(first, **self._writing)

    def _delete(self, parent: str, matching: Filter) -> None:
        names = [each.name for each in self._query(parent, matching, theirs.OutputFields())]
        for start in range(0, len(names), DELETED_AT_ONCE):
            requests = [theirs.DeleteDataObjectRequest(name=name) for name in names[start : start + DELETED_AT_ONCE]]
            batch = theirs.BatchDeleteDataObjectsRequest(parent=parent, requests=requests)
            self.clients().objects.batch_delete_data_objects(batch, **self._writing)

    def _create_collection(self, parent: str, dimensions: int) -> None:
        try:
            self.clients().collections.get_collection(theirs.GetCollectionRequest(name=parent), **self._reading)
        except exceptions.NotFound:
            vector_schema = {VECTOR: {"dense_vector": {"dimensions": dimensions}}}
            collection = theirs.Collection(data_schema={"type": "object", "properties": FIELDS}, vector_schema=vector_schema)
            id = parent.rpartition("/")[2]
            request = theirs.CreateCollectionRequest(parent=self.location, collection_id=id, collection=collection)
            with suppress(exceptions.AlreadyExists):
                creating: Any = self.clients().collections.create_collection(request, **self._writing)
                creating.result(timeout=self.writing_seconds)

    def _create_index(self, parent: str) -> None:
        """Have an index built, if there is none; searches compare all data objects until it is there."""
        index = theirs.Index(index_field=VECTOR, filter_fields=["written_by"])
        with suppress(exceptions.AlreadyExists):
            request = theirs.CreateIndexRequest(parent=parent, index_id="sentences", index=index)
            self.clients().collections.create_index(request, **self._writing)

    def _name(self, partition: Partition) -> str:
        return f"{self.location}/collections/c{fingerprint(*astuple(partition), digits=32)}"

    @property
    def _reading(self) -> dict[str, Any]:
        return {"retry": Retry(AWAY, timeout=self.reading_seconds), "timeout": self.reading_seconds}

    @property
    def _writing(self) -> dict[str, Any]:
        """Only what the service refused is sent again: another error may come after the work was done."""
        return {"retry": Retry(BUSY, timeout=self.writing_seconds), "timeout": self.writing_seconds}


def vector_search_index(location: str, emulator: str = "") -> VectorSearchIndex:
    """The index in "projects/P/locations/L", connected at its first use. emulator: HOST:PORT."""
    return VectorSearchIndex(cache(partial(open_clients, emulator)), location)  # an exception is not cached


def written_by(heads: Mapping[str, Head]) -> Filter:
    """The sentences that the heads name."""
    return {"written_by": {"$in": [head.write for head in heads.values()]}}


@contextmanager
def errors_as_ours(partition: Partition) -> Iterator[None]:
    """Turn errors of the service and its client into ours. Other errors are bugs of ours and pass."""
    try:
        yield
    except exceptions.NotFound as error:
        raise IndexUnavailable("book_not_indexed", model=partition.model) from error
    except exceptions.ClientError as error:
        raise IndexUnavailable("vector_search_refused", problem=error.message) from error
    except (exceptions.GoogleAPIError, GoogleAuthError, TimeoutError) as error:
        raise IndexUnavailable("vector_search_away") from error


def _best_first(query: Vectors, found: Found) -> list[Hit]:
    """Hits by their cosine, which is computed here: the service documents no sign of its distances."""
    vectors = [_vector_of(each.data_object) for each in found]
    hits = [
        Hit(_record_of(each.data_object), float(np.clip(query @ vector, -1.0, 1.0)), vector)
        for each, vector in zip(found, vectors, strict=True)
    ]
    return sorted(hits, key=lambda hit: -hit.score)


def _creation(parent: str, id: str, data: Mapping[str, Any], vector: list[float]) -> theirs.CreateDataObjectRequest:
    stated, vectors = {key: value for key, value in data.items() if value is not None}, {VECTOR: {"dense": {"values": vector}}}
    new = theirs.DataObject(name=f"{parent}/dataObjects/{id}", data=stated, vectors=vectors)
    return theirs.CreateDataObjectRequest(parent=parent, data_object_id=id, data_object=new)


def _record_of(found: theirs.DataObject) -> Record:
    stated: dict[str, Any] = {**dict.fromkeys(STATED), **theirs.DataObject.pb(found).data}
    return Record(**stated)


def _vector_of(found: theirs.DataObject) -> Vectors:
    values = theirs.DataObject.pb(found).vectors[VECTOR].dense.values
    return np.fromiter(values, np.float32, len(values))
