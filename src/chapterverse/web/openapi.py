"""The OpenAPI 3.1 document, written from the operations, their models and the error tree."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from http import HTTPStatus
from typing import Any, Literal

from pydantic import TypeAdapter

from chapterverse import __version__
from chapterverse.core import errors
from chapterverse.core.errors import ChapterverseError, RetryableError, code_of
from chapterverse.messages import Message
from chapterverse.web import problems
from chapterverse.web.auth import PERSON
from chapterverse.web.operations import JSON, Operation, adapter
from chapterverse.web.problems import HEADER, Problem, title_of
from chapterverse.web.schemas import PREFIX

REF = "#/components/schemas/{model}"

ANY_MAY_RAISE = (
    errors.Unauthenticated,
    errors.Forbidden,
    errors.RateLimited,
    errors.Overloaded,
    errors.CatalogUnavailable,
)

KEY = (
    f"An API key of a school: cv_…. A program that asks for many people names each in the header {PERSON} by any id: then the "
    "rate is limited for each of them, instead of for the key."
)
OF_BODIES = (errors.BadRequest, errors.TooLarge)
Mode = Literal["validation", "serialization"]


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The OpenAPI document of the operations."""
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
        "paths": _paths(operations),
        "components": {
            "schemas": _schemas(operations),
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": KEY},
                "keyHeader": {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
            },
        },
        "security": [{"key": []}, {"keyHeader": []}],
    }


def _paths(operations: Iterable[Operation]) -> dict[str, dict[str, Any]]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return paths


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
    yield str(int(operation.success)), _success(operation)
    if operation.later:
        yield "202", _response("Not yet", {JSON: {"schema": _ref(operation.later)}})
    for status, descriptions in sorted(_failures(operation).items()):
        headers = {HEADER: {"schema": {"type": "string"}}}
        if any(issubclass(error, RetryableError) and error.status == status for error in _raised(operation)):
            headers["Retry-After"] = {"schema": {"type": "string", "description": "Seconds"}}
        content = {problems.MEDIA_TYPE: {"schema": _ref(Problem)}}
        yield str(status), {"description": "; ".join(descriptions), "headers": headers, "content": content}


def _success(operation: Operation) -> dict[str, Any]:
    content = {media: {"schema": schema} for media, schema in operation.media.items()}
    if operation.answer:
        content[JSON] = {"schema": _ref(operation.answer)}
    return _response(operation.success.phrase, content)


def _response(description: str, content: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {"description": description, "headers": {HEADER: {"schema": {"type": "string"}}}}
    return described | ({"content": content} if content else {})


def _failures(operation: Operation) -> dict[int, list[str]]:
    """The problems by status, as descriptions."""
    found: dict[int, list[str]] = {}
    for error in _raised(operation):
        found.setdefault(error.status, []).append(f"`{code_of(error)}`: {title_of(error)}")
    for status in _of_http(operation):
        found.setdefault(status, []).append(f"`{problems.code_of_status(status)}`: {Message(problems.WHAT_TO_DO[status])}")
    found.setdefault(500, []).append(f"`{problems.INTERNAL}`: A defect of ours or of the machine.")
    return found


def _raised(operation: Operation) -> tuple[type[ChapterverseError], ...]:
    usable = OF_BODIES if operation.body or operation.takes else (errors.BadRequest,) if operation.query else ()
    return tuple(dict.fromkeys((*ANY_MAY_RAISE, *usable, *operation.raises)))


def _of_http(operation: Operation) -> Iterator[HTTPStatus]:
    if operation.body:
        yield HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    if operation.answer and operation.media:
        yield HTTPStatus.NOT_ACCEPTABLE
    if operation.path_types:
        yield HTTPStatus.NOT_FOUND


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
