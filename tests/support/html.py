"""An HTML page as a reader has it: its elements, their attributes and their words."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

WITHOUT_END = {"meta", "img", "br"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parts: list["Element | str"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All words in it, one blank between them."""
        return " ".join(self._written().split())

    def _written(self) -> str:
        return "".join(part if isinstance(part, str) else part._written() for part in self.parts)

    def all(self, tag: str = "", **attributes: str) -> list["Element"]:
        """Elements in it of that tag and with those attributes; class_ for class, of which one is enough."""
        return [each for each in self._within() if each.is_one(tag, attributes)]

    def is_one(self, tag: str, attributes: dict[str, str]) -> bool:
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return tag in {"", self.tag} and all(value in self.attributes.get(name, "").split() for name, value in wanted.items())

    def _within(self) -> Iterator["Element"]:
        for part in self.parts:
            if isinstance(part, Element):
                yield part
                yield from part._within()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(element)
        if tag not in WITHOUT_END:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, "an element ends that did not begin last"

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def read_html(page: str) -> Element:
    """The page; fails where its elements are not nested."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    [root] = reader.open
    return root
