"""What requests and answers have in common; some of them are stored as they came. And the addresses of sentences in them, for
commands without the web's packages, too."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar
from urllib.parse import quote, urlencode

from pydantic import BaseModel, PlainSerializer, SerializationInfo, TypeAdapter

from chapterverse.core.book import Collection
from chapterverse.messages import ENGLISH, Message, in_words

Typed = TypeVar("Typed")
_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def adapter(kind: type[Typed]) -> TypeAdapter[Typed]:
    """Reads and writes a pydantic model or a dataclass as JSON; made at its first use, for most programs need few."""
    return _adapter(kind)


class Record(BaseModel, defer_build=True):
    """A model as JSON, which pydantic prepares at its first use: a start needs few of them."""


class Request(Record, extra="forbid", strict=True, frozen=True):
    """A request model: unknown fields and values of another type are refused."""


def whole(number: Any) -> Any:
    """2.0 as 2: an integer in JSON Schema, but not in pydantic's strict mode."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _written(of: Message, info: SerializationInfo) -> str:
    return in_words(of, (info.context or {}).get("language", ENGLISH))


Words = Annotated[Message, PlainSerializer(_written, return_type=str, when_used="json")]
"""A message; in JSON a sentence: in English, or in the language of `model_dump(mode="json", context={"language": "de"})`."""


PREFIX = "/api/v1"


READERS: Mapping[Collection, str] = {
    Collection.TEXTBOOK: "/textbook",
    Collection.DOCUMENTS: "/ask/documents",
    Collection.LECTURES: "/lecture/documents",
}
"""Pages on which sources are read."""


def reader_address(collection: Collection, source: str, number: int, stretch: int = 1) -> str:
    """Address of a chapter in the reader, of a long one that of one of its stretches."""
    return f"{READERS[collection]}/{quote(source, safe='')}/{number}" + ("" if stretch == 1 else f"?stretch={stretch}")


def picture_address(collection: Collection, book: str, sentence: str, page: int) -> str:
    """Address of the picture of a page, counted from 0, with the sentence highlighted."""
    query = urlencode({"sentence": sentence} | ({} if collection is Collection.BOOKS else {"collection": collection.value}))
    return f"{PREFIX}/pages/{quote(book, safe='')}/{page}.png?{query}"


def viewer_address(collection: Collection, book: str, page: int, sentence: str | None = None) -> str:
    """Address of the viewer at a page, counted from 0, with the sentence highlighted. The address itself counts from 1."""
    query = {} if collection is Collection.BOOKS else {"collection": collection.value}
    query |= {"sentence": sentence} if sentence else {}
    return f"/books/{quote(book, safe='')}/{page + 1}{'?' if query else ''}{urlencode(query)}"
