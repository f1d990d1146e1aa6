"""An HTML page → its headings and passages in order, without what stands around them."""

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from chapterverse.ingestion.passages import Passage, code, prose, table
from chapterverse.ingestion.site.nodes import BLOCKS, Step, content_of, said, text_of, walk
from chapterverse.ingestion.site.pieces import Heading, Piece
from chapterverse.ingestion.site.tables import is_layout, rows_of

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
WHOLE = frozenset({*HEADINGS, "pre", "math", "dl"})
LINK_MARKS = "#¶§🔗\u200b "


def pieces_of(html: str) -> list[Piece]:
    """Of the page's main part; empty for a page without text."""
    root = content_of(html)
    return list(pieces_in(root)) if root else []


def pieces_in(root: LexborNode) -> Iterator[Piece]:
    """In the order of the page. What is in no block of its own is a passage, too."""
    line: list[str] = []
    for step, node in walk_pieces(root):
        if is_piece(node):
            yield from passage(line)
            yield from piece_at(node)
        elif node.tag in BLOCKS and node.tag != "br":
            yield from passage(line)
        else:
            line.append(said(step, node))
    yield from passage(line)


def walk_pieces(root: LexborNode) -> Iterator[tuple[Step, LexborNode]]:
    """A walk that comes by each piece once."""
    inside = 0
    for step, node in walk(root, WHOLE):
        if node.tag == "table" and not is_layout(node):
            inside += 1 if step is Step.OPEN else -1
            if step is Step.CLOSE and not inside:
                yield step, node
        elif not inside and (step is Step.CLOSE or node.tag not in WHOLE or node.tag == "math"):
            yield step, node


def is_piece(node: LexborNode) -> bool:
    """Whether it is read as a whole."""
    return (node.tag in WHOLE and node.tag != "math") or (node.tag == "table" and not is_layout(node))


def passage(line: list[str]) -> Iterator[Passage]:
    """What has been said since the last piece; the line is empty afterwards."""
    text = " ".join("".join(line).split())
    line.clear()
    if any(map(str.isalnum, text)):
        yield prose(text)


def piece_at(node: LexborNode) -> Iterator[Piece]:
    """The heading, table, code or list of terms that it is; nothing where it is empty."""
    if node.tag in HEADINGS:
        if text := text_of(node).strip(LINK_MARKS):
            yield Heading(HEADINGS[node.tag], text, anchor_at(node))
    else:
        found = passage_at(node)
        if found.spans:
            yield found


def passage_at(node: LexborNode) -> Passage:
    """Of a table, code, or a list of terms."""
    match node.tag:
        case "table":
            return table(rows_of(node))
        case "dl":
            return table(terms_in(node))
        case _:
            return code(lines_of(node))


def lines_of(pre: LexborNode) -> str:
    """Code with its line ends, also those that are drawn by tags."""
    return "".join(drawn(step, node) for step, node in walk(pre))


def drawn(step: Step, node: LexborNode) -> str:
    """What a step of a walk through code adds to it."""
    if node.tag == "-text":
        return node.text_content or "" if step is Step.OPEN else ""
    return "\n" if (node.tag, step) in {("br", Step.OPEN), ("div", Step.CLOSE)} else ""


def terms_in(terms: LexborNode) -> Iterator[str]:
    """As "term: what it means", one for each explanation."""
    term = ""
    for node in terms.css("dt, dd"):
        if node.tag == "dt":
            term = text_of(node).strip(LINK_MARKS)
        else:
            yield f"{term}: {text_of(node)}" if term else text_of(node)


def anchor_at(heading: LexborNode) -> str | None:
    """Its own id, that of a mark in it, or of the section that it opens."""
    inside = heading.css_first("a[id], a[name], span[id]")
    marks = (inside.attributes.get("id") or inside.attributes.get("name")) if inside else None
    return heading.attributes.get("id") or marks or opened_section(heading)


def opened_section(heading: LexborNode) -> str | None:
    """The id of the section or division whose first element is the heading (Sphinx writes it so)."""
    parent, before = heading.parent, heading.prev
    while before is not None and before.tag == "-text" and not (before.text_content or "").strip():
        before = before.prev
    opens = before is None and parent is not None and parent.tag in {"section", "div", "article"}
    return parent.attributes.get("id") if opens and parent else None
