"""Markdown to the blocks an essay is made of; plain text is Markdown too, once its paragraphs are apart."""

from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from chapterverse.errors import BadRequest

# Indented code is off: in an essay an indent begins a paragraph. HTML is off: what looks like a tag is the writer's text.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["code"])


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph (one piece) or a list written without blank lines (a piece an item)."""

    pieces: tuple[str, ...]
    is_heading: bool = False

    @property
    def text(self) -> str:
        """All of it in one line."""
        return " ".join(self.pieces)


def read_blocks(markdown: str) -> list[Block]:
    """What stands in a text, in reading order. Fenced code, pictures and empty things are left out. Raises BadRequest."""
    try:
        return list(_blocks(SyntaxTreeNode(_MARKDOWN.parse(markdown))))
    except RecursionError as error:
        raise BadRequest("essay_nested_too_deeply") from error


def _blocks(node: SyntaxTreeNode) -> Iterator[Block]:
    if node.type in {"heading", "paragraph"}:
        if text := _plain(node):
            yield Block((text,), node.type == "heading" and node.markup.startswith("#"))  # underlining may be a rule below text
    elif node.type in {"bullet_list", "ordered_list"} and _is_tight(node):
        if items := tuple(block.text for item in node.children for child in item.children for block in _blocks(child)):
            yield Block(items)
    elif node.type != "fence":
        for child in node.children:
            yield from _blocks(child)


def _is_tight(items: SyntaxTreeNode) -> bool:
    """Whether a list was written without blank lines between its items."""
    paragraphs = [child for item in items.children for child in item.children if child.type == "paragraph"]
    return all(paragraph.hidden for paragraph in paragraphs)


def _plain(node: SyntaxTreeNode) -> str:
    """The words of a block without mark-up: link texts stay, addresses and pictures go."""
    return " ".join("".join(_words(node)).split())


def _words(node: SyntaxTreeNode) -> Iterator[str]:
    if node.type in {"text", "code_inline"}:
        yield node.content
    elif node.type in {"softbreak", "hardbreak"}:
        yield " "
    elif node.type != "image":
        for child in node.children:
            yield from _words(child)
