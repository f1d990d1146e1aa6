"""Operations of the HTTP interface: functions whose types check the request, make the response and describe both in OpenAPI.

An operation's function takes a Call, the parts of the path by name, and optionally `body` and `query`, pydantic models; what
it takes by keyword alone are fields of the JSON body, or of a GET's query. It returns a model or dataclass (JSON), None (204),
a Response, or the value of the one field of a JSON object that the operation names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, is_dataclass
from enum import Enum
from functools import cached_property
from http import HTTPStatus
from inspect import signature
from types import NoneType
from typing import IO, TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from flask import Flask, Response, request
from pydantic import BaseModel, create_model

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core.requests import PREFIX, Record, Request, adapter
from chapterverse.core.turns import let_pass
from chapterverse.web.auth import Authenticator, Caller, caller_of
from chapterverse.web.bare import read_body, read_query
from chapterverse.web.language import readers_language
from chapterverse.web.limits import Gate

if TYPE_CHECKING:
    from chapterverse.web.context import AppContext

JSON = "application/json"
LINES = "application/x-ndjson"
View = Callable[..., Any]
Typed = TypeVar("Typed", bound=View)


@dataclass(frozen=True, slots=True)
class Call:
    """The caller of a request, and what the response is made with."""

    caller: Caller
    context: "AppContext"

    @property
    def school(self) -> str:
        return self.caller.school


@dataclass(frozen=True)
class Operation:
    """One method of one path, e.g. "/books/{book}". media: media types of a response that is not (only) JSON, with their
    schemas; takes: the same for a request; later: type of a 202 response, if the result is not ready; field: of the
    JSON response, which is an object with what the view returns in it; stays: the response is a
    stream that stays open; often: called continuously, not by a click."""

    topic: str
    method: str
    path: str
    view: View
    scope: KeyScope
    success: HTTPStatus = HTTPStatus.OK
    media: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    takes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    later: type[Any] | None = None
    field: str = ""
    stays: bool = False
    often: bool = False

    @cached_property
    def hints(self) -> dict[str, Any]:
        """The types of the view's arguments, and of its `return`."""
        return get_type_hints(self.view, include_extras=True)

    @cached_property
    def fields(self) -> type[BaseModel] | None:
        """The model of what the view takes by keyword alone; None: nothing."""
        alone = [each for each in signature(self.view).parameters.values() if each.kind is each.KEYWORD_ONLY]
        of_each: dict[str, Any] = {
            each.name: (self.hints[each.name], ... if each.default is each.empty else each.default) for each in alone
        }
        base = Record if self.method == "GET" else Request
        return create_model(f"{self.id}_fields".title().replace("_", ""), __base__=base, **of_each) if alone else None

    @property
    def id(self) -> str:
        """Unique among all operations."""
        return self.view.__name__

    @property
    def body(self) -> type[BaseModel] | None:
        """The model of the JSON body; None: there is none."""
        hint = self.hints.get("body", None if self.method == "GET" else self.fields)
        return next((each for each in get_args(hint) if each is not type(None)), hint)

    @property
    def needs_body(self) -> bool:
        """Whether the body is required."""
        return NoneType not in get_args(self.hints.get("body")) or bool(self.takes)

    def sent(self) -> BaseModel | None:
        """The body of the request; None: left out, or of another media type, which the view reads itself."""
        if not (self.needs_body or request.content_length):
            return None
        return read_body(self.body) if self.body and request.mimetype not in self.takes else None

    @property
    def status(self) -> HTTPStatus:
        """Of a response with the result."""
        return HTTPStatus.NO_CONTENT if self.hints["return"] is NoneType else self.success

    @property
    def query(self) -> type[BaseModel] | None:
        """The model of the query; None: there is none."""
        return self.hints.get("query", self.fields if self.method == "GET" else None)

    @cached_property
    def answer(self) -> type[Any] | None:
        """The type of the JSON response, a pydantic model or a dataclass; None: the response is not JSON."""
        returned = self.hints["return"]
        if self.field:
            of_one: dict[str, Any] = {self.field: (returned, ...)}
            return create_model(self.id.title().replace("_", ""), __base__=Record, **of_one)
        types = (each for each in get_args(returned) or (returned,) if isinstance(each, type))
        return next((each for each in types if issubclass(each, BaseModel) or is_dataclass(each)), None)

    @cached_property
    def path_types(self) -> dict[str, type]:
        """Name and type of each part of the path."""
        return {name: self.hints[name] for name in signature(self.view).parameters if f"{{{name}}}" in self.path}

    def rule(self) -> str:
        """The path as Flask writes it."""
        rule = self.path
        for name, type_ in self.path_types.items():
            converter = "int:" if type_ is int else ""
            if issubclass(type_, Enum):
                converter = f"any({', '.join(each.value for each in type_)}):"
            rule = rule.replace(f"{{{name}}}", f"<{converter}{name}>")
        return rule


@dataclass(frozen=True, slots=True)
class ApiTopic:
    """Operations on one kind of thing, a tag in OpenAPI."""

    name: str
    operations: list[Operation] = field(default_factory=list)

    def operation(self, method: str, path: str, scope: KeyScope, **options: Any) -> Callable[[Typed], Typed]:
        """Make an operation of the function; its docstring is its description. options: further fields of Operation."""

        def note(view: Typed) -> Typed:
            self.operations.append(Operation(self.name, method, path, view, scope, **options))
            return view

        return note


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """Runs operations: authenticates, limits concurrency, calls. gate: for requests; streams: for responses that stay open."""

    context: "AppContext"
    authenticator: Authenticator
    gate: Gate
    streams: Gate

    def offer(self, operation: Operation, app: Flask) -> None:
        types = operation.path_types

        def view(**path: Any) -> Response:
            path = {name: types[name](each) for name, each in path.items()}
            caller = self.authenticator.admit(operation.scope, operation.often)
            gate = self.streams if operation.stays else self.gate
            return gate.through(lambda: self._do(operation, path, caller), caller.school, caller.counted_as)  # type: ignore[return-value]  # it returns what it is given

        app.add_url_rule(PREFIX + operation.rule(), operation.id, view, methods=[operation.method])

    def _do(self, operation: Operation, path: dict[str, Any], caller: Caller) -> Response:
        if (request.content_length or 0) < LARGE:
            return self._done(operation, path, caller)
        request.environ["wsgi.input"] = PausingInput(request.environ["wsgi.input"])
        with self.context.intake.turns.of(caller.school).taken(at_once=True):
            return self._done(operation, path, caller)

    def _done(self, operation: Operation, path: dict[str, Any], caller: Caller) -> Response:
        given = dict(path)
        for name, read in (("body", operation.sent()), ("query", operation.query and read_query(operation.query))):
            if read and name in operation.hints:
                given[name] = read
            elif isinstance(read, BaseModel):
                given |= dict(read)
        done = operation.view(Call(caller, self.context), **given)
        if operation.field and operation.answer:
            done = operation.answer(**{operation.field: done})
        is_later = operation.later is not None and isinstance(done, operation.later)
        status = HTTPStatus.ACCEPTED if is_later else operation.status
        if isinstance(done, Response):
            return done
        if done is None:
            return Response(status=status)
        kind: Any = type(done)
        body = adapter(kind).dump_json(done, context={"language": readers_language()})
        return Response(body, status, content_type=JSON)


LARGE = 2**19  # bytes of a body; to take such a form apart is a piece of work of the school


@dataclass(frozen=True, slots=True)
class PausingInput:
    """The body of a request, in which schools with less work go first at each read."""

    stream: IO[bytes]

    def read(self, size: int = -1) -> bytes:
        let_pass()
        return self.stream.read(size)


def answer_to(person: Person, context: "AppContext", view: View, *given: Any) -> Any:
    """What an operation answers to a signed-in person, as values of JSON: for the page that shows it."""
    done = view(Call(caller_of(person), context), *given)
    kind: Any = type(done)
    return adapter(kind).dump_python(done, mode="json", context={"language": readers_language()})
