"""JSON schemas as servers take them, and the parts of an answer that fit its schema."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from chapterverse.core.errors import BadAnswer
from chapterverse.core.ports import Schema

NOT_SENT = {"title", "default", "$defs", "discriminator", "examples"}
TEXT_LIMITS = {"maxLength", "minLength", "pattern", "format"}
COUNTS = {"maxLength": "At most {} characters.", "minLength": "At least {} characters."}


def inlined(schema: Schema, *, strict: bool = True) -> dict[str, Any]:
    """The schema without references, titles and defaults, with every field required and no others allowed: what OpenAI's strict
    mode and Gemini's JSON schemas have in common. Limits of lengths and counts stay. strict: False leaves the fields' rules."""
    defined: Mapping[str, Any] = schema.get("$defs", {})

    def whole(value: Any) -> Any:
        if isinstance(value, list):
            return [whole(each) for each in value]
        if not isinstance(value, Mapping):
            return value
        if "$ref" in value:
            value = {**defined[value["$ref"].rpartition("/")[2]], **{name: it for name, it in value.items() if name != "$ref"}}
        sent = {name: it for name, it in value.items() if name not in NOT_SENT}
        made = {"anyOf" if name == "oneOf" else name: inside(name, it) for name, it in sent.items() if name != "const"}
        made |= {"enum": [value["const"]]} if "const" in value else {}
        return made | _closed(made) if strict and "properties" in made else made

    def inside(name: str, value: Any) -> Any:
        return {each: whole(one) for each, one in value.items()} if name == "properties" else whole(value)

    made: dict[str, Any] = whole(schema)
    return made


def _closed(made: Mapping[str, Any]) -> dict[str, Any]:
    return {"required": list(made["properties"]), "additionalProperties": False}


def without_text_limits(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with limits on texts in words, in the description: some servers take no such keyword."""

    def plain(value: Any) -> Any:
        if isinstance(value, list):
            return [plain(each) for each in value]
        if not isinstance(value, Mapping):
            return value
        words = [text.format(value[name]) for name, text in COUNTS.items() if isinstance(value.get(name), int)]
        made = {name: plain(each) for name, each in value.items() if name not in TEXT_LIMITS or isinstance(each, Mapping)}
        return made | ({"description": " ".join(filter(None, [made.get("description"), *words]))} if words else {})

    made: dict[str, Any] = plain(schema)
    return made


class _Misfit(Exception):
    """A value is not of its schema. args: the path to it."""


def fitting(value: Any, schema: Schema, *, cut: bool = False) -> tuple[dict[str, Any], int]:
    """What of the answer is of its schema, and how many items of its lists are left out: those that are not, and repeated ones.
    cut: the answer ends early; lists that are missing are empty then. Raises BadAnswer where the rest is no answer, with the
    fields' names and without their content."""
    left_out = 0

    def fit(value: Any, schema: Mapping[str, Any], path: str) -> Any:
        if options := schema.get("anyOf"):
            return _first(options, lambda one: fit(value, one, path), path)
        if "enum" in schema and value not in schema["enum"]:
            raise _Misfit(path)
        kind = schema.get("type")
        if isinstance(kind, str) and not IS[kind](value):
            raise _Misfit(path)
        if "properties" in schema:
            return dict(fit_fields(value, schema, path))
        if isinstance(value, list):
            return fit_list(value, schema, path)
        if isinstance(value, str) and not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            raise _Misfit(path)
        if IS["number"](value) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            raise _Misfit(path)
        return value

    def fit_list(value: list[Any], schema: Mapping[str, Any], path: str) -> list[Any]:
        nonlocal left_out
        accepted: list[Any] = []
        for each in value:
            try:
                item = fit(each, schema.get("items", {}), f"{path}[]")
            except _Misfit:
                continue
            if item not in accepted:
                accepted.append(item)
        accepted = accepted[: schema.get("maxItems")]
        left_out += len(value) - len(accepted)
        if len(accepted) < schema.get("minItems", 0) or (value and not accepted):
            raise _Misfit(path)
        return accepted

    def fit_fields(value: Mapping[str, Any], schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
        for name, one in schema["properties"].items():
            if name in value:
                yield name, fit(value[name], one, f"{path}.{name}")
            elif cut and one.get("type") == "array":
                yield name, []
            elif name in schema.get("required", ()):
                raise _Misfit(f"{path}.{name}")

    try:
        fitted: dict[str, Any] = fit(value, inlined(schema, strict=False), "")
    except _Misfit as misfit:
        raise BadAnswer("llm_answer_not_schema", problem=str(misfit).lstrip(".")) from None
    return fitted, left_out


IS: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
}


def _first(options: list[Any], fit: Callable[[Any], Any], path: str) -> Any:
    for one in options:
        try:
            return fit(one)
        except _Misfit:
            continue
    raise _Misfit(path)
