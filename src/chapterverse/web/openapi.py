"""The OpenAPI 3.1 document, written from the operations, their models and the error tree. Every operation may be refused (4XX)
or fail (5XX) with a problem, whose codes stand in two shared responses."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, Literal

from pydantic import TypeAdapter

from chapterverse import __version__
from chapterverse.core.errors import ChapterverseError, PermanentError, RetryableError, code_of
from chapterverse.core.requests import PREFIX, adapter
from chapterverse.messages import Message
from chapterverse.web.auth import PERSON
from chapterverse.web.bare import HEADER, INTERNAL, MEDIA_TYPE, WHAT_TO_DO, Problem, code_of_status, title_of
from chapterverse.web.operations import JSON, Operation

REF = "#/components/schemas/{model}"
PROBLEMS = ("4XX", "5XX")
BASES = (PermanentError, RetryableError)  # never raised themselves

KEY = (
    f"An API key of a school: cv_…. A program that asks for many people names each in the header {PERSON} by any id: then the "
    "rate is limited for each of them, instead of for the key."
)
Mode = Literal["validation", "serialization"]


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Chapterverse",
            "version": __version__,
            "description": "Feedback and answers backed by the exact sentence of a book. Errors are problems (RFC 9457); "
            "those with Retry-After may go away.",
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        "servers": [{"url": PREFIX}],
        "paths": paths,
        "components": {
            "schemas": _schemas(operations),
            "responses": {name: _problems(name[0]) for name in PROBLEMS},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": KEY}},
        },
        "security": [{"key": []}],
    }


def _operation(operation: Operation) -> dict[str, Any]:
    told = " ".join((operation.view.__doc__ or "").split())
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.topic],
        "summary": re.split(r"(?<=\.)\s", told)[0],
        "description": f"{told} Needs a key of scope {operation.scope} or wider.",
        "parameters": [*_path_parameters(operation), *_query_parameters(operation)],
        "responses": dict(_responses(operation)),
    }
    if operation.body or operation.takes:
        others = {media: {"schema": schema} for media, schema in operation.takes.items()}
        json = {JSON: {"schema": _ref(operation.body)}} if operation.body else {}
        required = operation.needs_body or not operation.body
        described["requestBody"] = {"required": required, "content": {**json, **others}}
    return described


def _path_parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for name, type_ in operation.path_types.items():
        schema: dict[str, Any] = {"type": "integer", "minimum": 0} if type_ is int else {"type": "string", "minLength": 1}
        if issubclass(type_, Enum):
            schema = {"type": "string", "enum": [each.value for each in type_]}
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _query_parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    if operation.query:
        schema = operation.query.model_json_schema(ref_template=REF)
        for name, of_one in schema["properties"].items():
            may_be = [each for each in of_one.pop("anyOf", [of_one]) if each.get("type") != "null"]  # null means left out
            yield {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": may_be[0]}


def _responses(operation: Operation) -> Iterator[tuple[str, dict[str, Any]]]:
    content = {media: {"schema": schema} for media, schema in operation.media.items()}
    if operation.answer:
        content[JSON] = {"schema": _ref(operation.answer)}
    yield str(int(operation.status)), _response(operation.status.phrase, content)
    if operation.later:
        yield "202", _response("Not yet", {JSON: {"schema": _ref(operation.later)}})
    yield from ((name, {"$ref": f"#/components/responses/{name}"}) for name in PROBLEMS)


def _problems(first: str) -> dict[str, Any]:
    """The response with a problem whose status begins with this digit."""
    told = {code_of(each): title_of(each) for each in raised_errors(ChapterverseError) if str(each.status).startswith(first)}
    of_http = {code_of_status(each): str(Message(id)) for each, id in WHAT_TO_DO.items() if str(each).startswith(first)}
    told = {**of_http, **told} if first == "4" else {INTERNAL: "A defect of ours or of the machine.", **told}
    retry = {"Retry-After": {"schema": {"type": "string", "description": "Seconds"}}}
    return {
        "description": "; ".join(f"`{code}`: {title}" for code, title in told.items()),
        "headers": {HEADER: {"schema": {"type": "string"}}, **retry},
        "content": {MEDIA_TYPE: {"schema": _ref(Problem)}},
    }


def raised_errors(base: type[ChapterverseError]) -> Iterator[type[ChapterverseError]]:
    """The classes of errors that are raised, in the order in which they are written."""
    for each in base.__subclasses__():
        yield from (each, *raised_errors(each)) if each not in BASES else raised_errors(each)


def _response(description: str, content: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {"description": description, "headers": {HEADER: {"schema": {"type": "string"}}}}
    return described | ({"content": content} if content else {})


def _schemas(operations: Iterable[Operation]) -> dict[str, Any]:
    wanted: list[tuple[Any, Mode]] = [(Problem, "serialization")]
    for operation in operations:
        wanted += [(operation.body, "validation")] if operation.body else []
        wanted += [(each, "serialization") for each in (operation.answer, operation.later) if each]
    inputs = [(each.__name__, mode, adapter(each)) for each, mode in dict.fromkeys(wanted)]
    _, schemas = TypeAdapter.json_schemas(inputs, ref_template=REF)
    return dict(schemas["$defs"])


def _ref(model: type[Any]) -> dict[str, str]:
    return {"$ref": REF.format(model=model.__name__)}
