"""Vertex AI Vector Search 2.0 on a thread of this process: the gRPC interface that its client's messages describe.

Limits of https://docs.cloud.google.com/vertex-ai/docs/vector-search-2 (quotas, data objects, query) and of the client's
docstrings (google-cloud-vectorsearch 0.11.5), as of November 2026. What is documented nowhere is done in the stricter way: a
data object needs a vector, and a field that was not asked for is not returned."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import grpc
import numpy as np
from google.cloud import vectorsearch_v1 as vs
from google.longrunning import operations_pb2
from google.protobuf import empty_pb2
from google.protobuf.json_format import MessageToDict

ID = re.compile(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?")
AT_ONCE = 1_000  # data objects written or deleted in a call, or returned in a page
DEFAULT_PAGE = 100
COMPARED = 100_000  # data objects of a collection without an index
DEEPEST = 2  # levels of a filter
ALREADY, MISSING, WRONG = grpc.StatusCode.ALREADY_EXISTS, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: value == wanted,
    "$ne": lambda value, wanted: value != wanted,
    "$in": lambda value, wanted: value in wanted,
    "$nin": lambda value, wanted: value not in wanted,
}


class Refused(Exception):
    def __init__(self, code: grpc.StatusCode, why: str) -> None:
        super().__init__(why)
        self.code = code


@dataclass
class Stored:
    data: dict[str, Any]
    vector: np.ndarray


@dataclass
class Collection:
    fields: dict[str, str]
    vector: str
    dimensions: int
    objects: dict[str, Stored] = field(default_factory=dict)
    indexes: set[str] = field(default_factory=set)


@dataclass
class VectorSearch:
    """address: HOST:PORT. compared: data objects that are searched without an index. refuse: how many of the next calls of a
    method are refused, and how. called: calls of each method; slow: whether a collection is there only at the second look."""

    address: str = ""
    compared: int = COMPARED
    slow: bool = False
    collections: dict[str, Collection] = field(default_factory=dict)
    refuse: dict[str, tuple[int, grpc.StatusCode]] = field(default_factory=dict)
    called: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)

    # Collections

    def GetCollection(self, asked: vs.GetCollectionRequest) -> vs.Collection:  # noqa: N802
        self._collection(asked.name)
        return vs.Collection(name=asked.name)

    def CreateCollection(self, asked: vs.CreateCollectionRequest) -> operations_pb2.Operation:  # noqa: N802
        name = f"{asked.parent}/collections/{_valid(asked.collection_id)}"
        if name in self.collections:
            raise Refused(ALREADY, name)
        schema = MessageToDict(vs.Collection.pb(asked.collection).data_schema)
        [(vector, its)] = asked.collection.vector_schema.items()
        if not its.dense_vector.dimensions:
            raise Refused(WRONG, "a vector without dimensions")
        fields = {key: of["type"] for key, of in schema["properties"].items()}
        self.collections[name] = Collection(fields, vector, its.dense_vector.dimensions)
        return _operation(vs.Collection(name=name), name, done=not self.slow)

    def CreateIndex(self, asked: vs.CreateIndexRequest) -> operations_pb2.Operation:  # noqa: N802
        collection = self._collection(asked.parent)
        if asked.index_id in collection.indexes:
            raise Refused(ALREADY, asked.index_id)
        if asked.index.index_field != collection.vector or not collection.fields.keys() >= set(asked.index.filter_fields):
            raise Refused(WRONG, "an index of fields that are not in the schema")
        collection.indexes.add(_valid(asked.index_id))
        return _operation(asked.index, asked.parent, done=False)

    def GetOperation(self, asked: operations_pb2.GetOperationRequest) -> operations_pb2.Operation:  # noqa: N802
        return _operation(vs.Collection(name=asked.name), asked.name, done=True)

    # Data objects

    def BatchCreateDataObjects(self, asked: vs.BatchCreateDataObjectsRequest) -> vs.BatchCreateDataObjectsResponse:  # noqa: N802
        _at_most(len(asked.requests))
        if any(each.parent != asked.parent for each in asked.requests):
            raise Refused(WRONG, "another parent")
        new = {each.data_object_id: self._checked(asked.parent, each) for each in asked.requests}
        self._collection(asked.parent).objects.update(new)
        return vs.BatchCreateDataObjectsResponse()

    def CreateDataObject(self, asked: vs.CreateDataObjectRequest) -> vs.DataObject:  # noqa: N802
        self._collection(asked.parent).objects[asked.data_object_id] = self._checked(asked.parent, asked)
        return asked.data_object

    def UpdateDataObject(self, asked: vs.UpdateDataObjectRequest) -> vs.DataObject:  # noqa: N802
        collection, id = self._object(asked.data_object.name)
        collection.objects[id] = _stored(collection, asked.data_object)
        return asked.data_object

    def BatchDeleteDataObjects(self, asked: vs.BatchDeleteDataObjectsRequest) -> empty_pb2.Empty:  # noqa: N802
        _at_most(len(asked.requests))
        for each in asked.requests:
            if not each.name.startswith(f"{asked.parent}/"):
                raise Refused(WRONG, "another parent")
            collection, id = self._object(each.name)
            del collection.objects[id]
        return empty_pb2.Empty()

    # Searches

    def QueryDataObjects(self, asked: vs.QueryDataObjectsRequest) -> vs.QueryDataObjectsResponse:  # noqa: N802
        collection = self._collection(asked.parent)
        ids = _matching(collection, vs.QueryDataObjectsRequest.pb(asked).filter)
        page, token = _page(ids, asked.page_size or DEFAULT_PAGE, asked.page_token)
        answer = vs.QueryDataObjectsResponse(next_page_token=token)
        found = (_returned(asked.parent, collection, id, asked.output_fields) for id in page)
        vs.QueryDataObjectsResponse.pb(answer).data_objects.extend(found)
        return answer

    def AggregateDataObjects(self, asked: vs.AggregateDataObjectsRequest) -> vs.AggregateDataObjectsResponse:  # noqa: N802
        ids = _matching(self._collection(asked.parent), vs.AggregateDataObjectsRequest.pb(asked).filter)
        answer = vs.AggregateDataObjectsResponse()
        vs.AggregateDataObjectsResponse.pb(answer).aggregate_results.add().update({"count": len(ids)})
        return answer

    def SearchDataObjects(self, asked: vs.SearchDataObjectsRequest) -> vs.SearchDataObjectsResponse:  # noqa: N802
        results = self._nearest(asked.parent, asked.vector_search, {})
        page, token = _page(results, asked.page_size or len(results), asked.page_token)
        answer = vs.SearchDataObjectsResponse(next_page_token=token)
        vs.SearchDataObjectsResponse.pb(answer).results.extend(page)
        return answer

    def BatchSearchDataObjects(self, asked: vs.BatchSearchDataObjectsRequest) -> vs.BatchSearchDataObjectsResponse:  # noqa: N802
        known: dict[bytes, list[str]] = {}
        answer = vs.BatchSearchDataObjectsResponse()
        for each in asked.searches:
            found = self._nearest(asked.parent, each.vector_search, known)[:AT_ONCE]
            vs.BatchSearchDataObjectsResponse.pb(answer).results.add().results.extend(found)
        return answer

    def _nearest(self, parent: str, search: vs.VectorSearch, known: dict[bytes, list[str]]) -> list[Any]:
        """By dot product, greatest first. known: data objects that match a filter."""
        collection, query = self._collection(parent), np.asarray(vs.VectorSearch.pb(search).vector.values, np.float32)
        if len(collection.objects) > self.compared and not collection.indexes:
            raise Refused(grpc.StatusCode.FAILED_PRECONDITION, "too many data objects without an index")
        if search.search_field != collection.vector or len(query) != collection.dimensions:
            raise Refused(WRONG, "another vector")
        matching = vs.VectorSearch.pb(search).filter
        same = matching.SerializeToString(deterministic=True)
        ids = known[same] = known[same] if same in known else _matching(collection, matching)
        if not ids:
            return []
        products = np.stack([collection.objects[id].vector for id in ids]) @ query
        order = np.argsort(-products, kind="stable")[: search.top_k]
        fields, found = search.output_fields, []
        for row in order:
            found.append(vs.SearchResult.pb(vs.SearchResult(distance=float(products[row]))))
            found[-1].data_object.CopyFrom(_returned(parent, collection, ids[row], fields))
        return found

    def _collection(self, name: str) -> Collection:
        if name not in self.collections:
            raise Refused(MISSING, name)
        return self.collections[name]

    def _object(self, name: str) -> tuple[Collection, str]:
        parent, _, id = name.rpartition("/dataObjects/")
        collection = self._collection(parent)
        if id not in collection.objects:
            raise Refused(MISSING, name)
        return collection, id

    def _checked(self, parent: str, asked: vs.CreateDataObjectRequest) -> Stored:
        collection = self._collection(parent)
        if _valid(asked.data_object_id) in collection.objects:
            raise Refused(ALREADY, asked.data_object_id)
        return _stored(collection, asked.data_object)


def _stored(collection: Collection, given: vs.DataObject) -> Stored:
    message = vs.DataObject.pb(given)
    data = MessageToDict(message.data)
    kinds = {"string": str, "number": float}
    if any(not isinstance(value, kinds[collection.fields.get(key, "string")]) for key, value in data.items()):
        raise Refused(WRONG, "a value of another type")
    if not collection.fields.keys() >= data.keys():
        raise Refused(WRONG, "a field that is not in the schema")
    vector = np.asarray(message.vectors[collection.vector].dense.values, np.float32)
    if len(vector) != collection.dimensions or not np.isfinite(vector).all():
        raise Refused(WRONG, "a vector of another length")
    return Stored(data, vector)


def _returned(parent: str, collection: Collection, id: str, fields: vs.OutputFields) -> Any:
    """As a message of protobuf, which takes a tenth of proto-plus's time."""
    stored, answer = collection.objects[id], vs.DataObject.pb(vs.DataObject(name=f"{parent}/dataObjects/{id}"))
    asked = set(fields.data_fields)
    answer.data.update({key: value for key, value in stored.data.items() if {key, "*"} & asked})
    if collection.vector in fields.vector_fields:
        answer.vectors[collection.vector].dense.values.extend(stored.vector)
    return answer


def _matching(collection: Collection, given: Any) -> list[str]:
    wanted = MessageToDict(given)
    return [id for id, stored in collection.objects.items() if _matches(stored.data, wanted, collection, 1)]


def _matches(data: Mapping[str, Any], wanted: Mapping[str, Any], collection: Collection, depth: int) -> bool:
    if not wanted:
        return True
    [(key, condition)] = wanted.items()
    if depth > DEEPEST:
        raise Refused(WRONG, "a filter that is too deep")
    if key in {"$and", "$or"}:
        return {"$and": all, "$or": any}[key](_matches(data, each, collection, depth + 1) for each in condition)
    [(operator, value)] = condition.items()
    if key not in collection.fields or operator not in COMPARISONS:
        raise Refused(WRONG, "a filter of another field or kind")
    return key in data and COMPARISONS[operator](data[key], value)


def _page(found: list[Any], size: int, token: str) -> tuple[list[Any], str]:
    start = int(token or 0)
    end = start + min(size, AT_ONCE)
    return found[start:end], str(end) if end < len(found) else ""


def _operation(answer: Any, target: str, *, done: bool) -> operations_pb2.Operation:
    operation = operations_pb2.Operation(name=target, done=done)
    if done:
        operation.response.Pack(type(answer).pb(answer))
    return operation


def _valid(id: str) -> str:
    if not ID.fullmatch(id):
        raise Refused(WRONG, f"no id: {id}")
    return id


def _at_most(given: int) -> None:
    if given > AT_ONCE:
        raise Refused(WRONG, f"{given} at once")


METHODS: Mapping[str, Mapping[str, Any]] = {
    "google.cloud.vectorsearch.v1.VectorSearchService": {
        "GetCollection": vs.GetCollectionRequest,
        "CreateCollection": vs.CreateCollectionRequest,
        "CreateIndex": vs.CreateIndexRequest,
    },
    "google.cloud.vectorsearch.v1.DataObjectService": {
        "BatchCreateDataObjects": vs.BatchCreateDataObjectsRequest,
        "CreateDataObject": vs.CreateDataObjectRequest,
        "UpdateDataObject": vs.UpdateDataObjectRequest,
        "BatchDeleteDataObjects": vs.BatchDeleteDataObjectsRequest,
    },
    "google.cloud.vectorsearch.v1.DataObjectSearchService": {
        "QueryDataObjects": vs.QueryDataObjectsRequest,
        "AggregateDataObjects": vs.AggregateDataObjectsRequest,
        "SearchDataObjects": vs.SearchDataObjectsRequest,
        "BatchSearchDataObjects": vs.BatchSearchDataObjectsRequest,
    },
    "google.longrunning.Operations": {"GetOperation": operations_pb2.GetOperationRequest},
}


def _handler(service: VectorSearch, method: str, request: Any) -> grpc.RpcMethodHandler:
    def answer(asked: Any, context: grpc.ServicerContext) -> Any:
        with service.lock:
            service.called[method] += 1
            left, code = service.refuse.get(method, (0, MISSING))
            service.refuse[method] = (left - 1, code)
            if left <= 0:
                try:
                    return getattr(service, method)(asked)
                except Refused as error:
                    code, why = error.code, str(error)
            else:
                why = "refused by the test"
        return context.abort(code, why)

    read = getattr(request, "deserialize", None) or request.FromString
    return grpc.unary_unary_rpc_method_handler(answer, read, _bytes_of)


def _bytes_of(message: Any) -> bytes:
    pb = type(message).pb(message) if hasattr(type(message), "pb") else message
    return pb.SerializeToString()


@contextmanager
def vector_search(port: int = 0) -> Iterator[VectorSearch]:
    """Running until the block ends, without collections."""
    service = VectorSearch()
    server = grpc.server(ThreadPoolExecutor(8))
    server.add_generic_rpc_handlers(
        [
            grpc.method_handlers_generic_handler(
                name, {method: _handler(service, method, of) for method, of in methods.items()}
            )
            for name, methods in METHODS.items()
        ]
    )
    service.address = f"127.0.0.1:{server.add_insecure_port(f'127.0.0.1:{port}')}"
    server.start()
    try:
        yield service
    finally:
        server.stop(None).wait()
