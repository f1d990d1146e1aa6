"""Messages for people: an id and values. The sentence is made where it is shown, in the reader's language.

The sentences stand in gettext catalogues, one a language (en.po, de.po); msgid is the id, {name} a value. A program that has
messages of its own adds its catalogues."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

ENGLISH = "en"
PLAIN = "plain"  # the id of a text that has none of its own, which is its one value
_CATALOGUES = [__name__]
_SEPARATORS = {"de": str.maketrans(",.", ".,")}  # of thousands and decimals, where they are not the English ones
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_ENTRY = re.compile(rf"^msgid ((?:{_STRING.pattern}\s+)+)msgstr ((?:{_STRING.pattern}\s+)+)", re.MULTILINE)
Value: TypeAlias = "str | int | float | Message | tuple[Value, ...]"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence, or a part of one. id: of the catalogues, stable; values: by the names in the sentence.

    A value that is a number is written as the reader's language writes numbers; one that is a message is put into words, too;
    several are joined: sentences by a blank, words by a comma."""

    id: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        return in_words(self)

    def __hash__(self) -> int:
        return hash((self.id, *sorted(self.values)))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Read by from_json; written to JSON by to_json."""
        from pydantic_core import core_schema

        written = core_schema.plain_serializer_function_ser_schema(to_json, when_used="json")
        return core_schema.no_info_plain_validator_function(from_json, serialization=written)


def message(id: str, /, **values: object) -> Message:
    """The message of that id. A value that is no Value is written by `str`."""
    return Message(id, {name: _value(value) for name, value in values.items()})


def plain(text: str) -> Message:
    """A text that has no id, of a library."""
    return Message(PLAIN, {"text": text})


def in_words(of: Message, language: str = ENGLISH) -> str:
    """The sentence in that language, in English where it is not translated. An unknown id stands for itself."""
    text = catalogue(language).get(of.id) or catalogue(ENGLISH).get(of.id)
    if text is None:
        return of.id
    return filled(text, of.values, language) if "{" in text else text


def filled(text: str, values: Mapping[str, object], language: str) -> str:
    """The text with the values in place of its {names}, as the language writes them. {n:page|pages}: a number and its noun."""
    return _Words(language).vformat(text, (), values)


def to_json(of: "Message | Value") -> Any:
    """The message as values for JSON: {"id": …, "values": {…}}."""
    if isinstance(of, Message):
        return {"id": of.id, "values": {name: to_json(value) for name, value in of.values.items()}}
    return [to_json(each) for each in of] if isinstance(of, tuple) else of


def from_json(of: Any) -> Message:
    """Parse a message from JSON. Raises ValueError for anything else."""
    if isinstance(of, Message):
        return of
    if not isinstance(of, Mapping) or not isinstance(of.get("id"), str):
        raise ValueError("a message is an object of id and values")
    return Message(of["id"], {name: _from_json(value) for name, value in of.get("values", {}).items()})


def stored(of: Message) -> str:
    """The message as text for a database; from_stored reads it."""
    return json.dumps(to_json(of), ensure_ascii=False)


def from_stored(text: str) -> Message:
    """Parse a stored message."""
    return from_json(json.loads(text))


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Sentence by id."""
    return {id: text for package in _CATALOGUES for id, text in entries(files(package).joinpath(f"{language}.po")) if text}


def entries(file: Traversable) -> Iterator[tuple[str, str]]:
    """Msgid and msgstr of the entries of a catalogue of ours, whose strings are escaped as JSON's are; without plurals."""
    for pair in _ENTRY.findall(file.read_text("utf-8")):
        id, text = ("".join(map(json.loads, _STRING.findall(part))) for part in pair)
        if id:
            yield id, text


def add_catalogues(package: str) -> None:
    """Take the sentences of a package, too. It has a catalogue of every language that this one has."""
    _CATALOGUES.append(package)
    catalogue.cache_clear()


def _value(value: object) -> Value:
    if isinstance(value, Message | int | float):
        return value
    return tuple(map(_value, value)) if isinstance(value, list | tuple) else str(value)


def _from_json(value: Any) -> Value:
    if isinstance(value, Mapping):
        return from_json(value)
    return tuple(map(_from_json, value)) if isinstance(value, list) else _value(value)


class _Words(Formatter):
    """Fills in values as a language writes them; {n:d}: without separators of thousands; {n:.1f}: with so many decimals."""

    def __init__(self, language: str) -> None:
        self._language = language

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002
        return kwargs.get(str(key), f"{{{key}}}")

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Message):
            return in_words(value, self._language)
        one, counted, others = format_spec.partition("|")
        if counted:
            return f"{self.format_field(value, '')} {one if str(value) == '1' else others}"
        if isinstance(value, tuple):
            parts = [self.format_field(each, format_spec) for each in value]
            return (" " if parts and parts[0].endswith((".", "!", "?", ")")) else ", ").join(parts)
        if not isinstance(value, int | float) or format_spec == "d":
            return str(value)
        text = f"{value:,{format_spec or '.2f'}}"
        return (text if format_spec else text.rstrip("0").rstrip(".")).translate(_SEPARATORS.get(self._language, {}))
