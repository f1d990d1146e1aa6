"""An HTML page as a tree, read from its outside: what of it is text, and what is only around it.

Tables to sentences: each row with the head of every column, so that a fact in a cell can be found and understood alone.

What a page is made of.

An HTML page → its headings and passages in order, without what stands around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from selectolax.lexbor import LexborHTMLParser, LexborNode

from chapterverse.library.text.passages import SpannedPassage, code, prose, table


def named(names: str) -> frozenset[str]:
    """Names parted by blanks."""
    return frozenset(names.split())


LEFT_OUT_TAGS = named(
    "script style noscript template svg nav footer form button select textarea iframe object canvas dialog head audio video"
    " annotation-xml"
)

LEFT_OUT_ROLES = frozenset({"navigation", "contentinfo", "banner", "search", "complementary", "menu", "doc-backlink"})

LEFT_OUT_CLASSES = named(
    "headerlink hash-link anchor anchor-link footnote-ref footnote-backref katex-html sidebar toc tableOfContents md-sidebar"
    " theme-doc-sidebar-container theme-doc-breadcrumbs theme-doc-toc-mobile theme-doc-footer pagination-nav skip-link sr-only"
    " linenos gutter"
)

KINDS_OF_BOXES = named("note tip info warning danger caution important abstract success question failure bug example quote")

BOX_TITLES = ("admonition-title", "admonition-heading", "admonitionHeading")

BLOCKS = named(
    "html body main article section div p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table thead tbody tfoot tr td th"
    " caption figure figcaption details summary aside header address hr br fieldset legend center"
)

MAIN = ("main article", "article", "main", '[role="main"]')


class Step(Enum):
    """Where a walk is: before a node's children, or behind them."""

    OPEN = "open"
    CLOSE = "close"


def content_of(html: str) -> LexborNode | None:
    """The element that holds the page's own text; None for a page without any."""
    tree = LexborHTMLParser(html)
    for selector in MAIN:
        found = tree.css(selector)
        if len(found) == 1:
            return found[0]
    return tree.body


def title_in(html: str) -> str:
    """What the page's head calls it; empty where it says nothing."""
    title = LexborHTMLParser(html).css_first("head > title")
    return " ".join(title.text().split()) if title else ""


def walk(root: LexborNode, whole: frozenset[str] = frozenset()) -> Iterator[tuple[Step, LexborNode]]:
    """Every node that is text or around text, in order; into those of a tag in `whole` it does not go. However deep a page is
    nested, nothing is called by itself."""
    todo = [(Step.CLOSE, root), *reversed(list(opened(root)))]
    yield Step.OPEN, root
    while todo:
        step, node = todo.pop()
        if step is Step.OPEN and is_left_out(node):
            continue
        yield step, node
        if step is Step.OPEN:
            todo.append((Step.CLOSE, node))
            todo.extend(reversed([] if node.tag in whole else list(opened(node))))


def opened(node: LexborNode) -> Iterator[tuple[Step, LexborNode]]:
    """Its children, texts too."""
    return ((Step.OPEN, child) for child in node.iter(include_text=True))


def is_left_out(node: LexborNode) -> bool:
    """Whether a node is around the text: menus, links to itself, what is hidden, comments."""
    tag = node.tag or ""
    if tag == "-text":
        return False
    if tag.startswith("-") or tag in LEFT_OUT_TAGS:
        return True
    facts = node.attributes
    classes = (facts.get("class") or "").split()
    hidden = "hidden" in facts or facts.get("aria-hidden") == "true" or facts.get("role") in LEFT_OUT_ROLES
    around = tag == "header" and node.parent is not None and node.parent.tag == "body"
    return hidden or around or not LEFT_OUT_CLASSES.isdisjoint(classes) or is_kind_of_box(node, classes)


def is_kind_of_box(node: LexborNode, classes: list[str]) -> bool:
    """Whether it only says what kind of box follows ("Note"), not what is in it."""
    return any(name.startswith(BOX_TITLES) for name in classes) and node.text().strip().lower() in KINDS_OF_BOXES


def text_of(root: LexborNode) -> str:
    """The text of a node on one line; of pictures what they are described by, of formulas how they are written."""
    return " ".join("".join(said(step, node) for step, node in walk(root, frozenset({"math"}))).split())


def said(step: Step, node: LexborNode) -> str:
    """What a step of a walk adds to a text; a blank at the bounds of what stands on lines of its own."""
    match node.tag:
        case "-text":
            return node.text_content or "" if step is Step.OPEN else ""
        case "img":
            return f" {node.attributes.get('alt') or ''} " if step is Step.OPEN else ""
        case "math":
            return formula(node) if step is Step.CLOSE else ""
        case tag:
            return " " if tag in BLOCKS else ""


def formula(math: LexborNode) -> str:
    """As its author wrote it, where the page says so, else its signs."""
    written = math.css_first('annotation[encoding="application/x-tex"]')
    return (written or math).text()


WIDEST = 100  # columns that a cell may span: what is beyond is no table for readers

Row = list[str]


def rows_of(table: LexborNode) -> list[str]:
    """As "Sensor: LiDAR; Range: 100 m", a row each; a caption first. A table that has only heads gives them as they are."""
    caption = table.css_first("caption")
    rows = [row for row in table.css("tr") if not is_nested(row, table)]
    grid = list(filled([(is_head(row), [cell for cell in row.iter() if cell.tag in {"td", "th"}]) for row in rows]))
    heads = [texts for head, texts in grid if head]
    data = [texts for head, texts in grid if not head]
    said = [with_heads(texts, joined_heads(heads)) for texts in data] if data else ["; ".join(texts) for texts in heads]
    return [text for text in [text_of(caption) if caption else "", *said] if text]


def is_layout(table: LexborNode) -> bool:
    """Whether a table only places what is in it."""
    return (
        table.attributes.get("role") == "presentation"
        or table.css_first("td table, td h1, td h2, td h3, td pre, th pre") is not None
    )


def is_nested(row: LexborNode, table: LexborNode) -> bool:
    """Whether a row is another table's."""
    node = row.parent
    while node is not None and node.mem_id != table.mem_id:  # "!=" would compare all that is in them
        if node.tag == "table":
            return True
        node = node.parent
    return False


def is_head(row: LexborNode) -> bool:
    """Whether its cells say what stands below them."""
    cells = [cell for cell in row.iter() if cell.tag in {"td", "th"}]
    in_head = row.parent is not None and row.parent.tag == "thead"
    return bool(cells) and (in_head or all(cell.tag == "th" for cell in cells))


def filled(rows: Sequence[tuple[bool, Sequence[LexborNode]]]) -> Iterator[tuple[bool, Row]]:
    """The texts of each row, one a column: a cell that spans several stands in each of them."""
    hanging: dict[int, tuple[int, str]] = {}  # by column: rows still covered from above, and the text
    for head, cells in rows:
        texts: dict[int, str] = {column: text for column, (_, text) in hanging.items()}
        left = {column: (rows_left - 1, text) for column, (rows_left, text) in hanging.items() if rows_left > 1}
        column = 0
        for cell in cells:
            while column in texts:
                column += 1
            text = text_of(cell)
            for at in range(column, column + span(cell, "colspan")):
                texts[at] = text
                if (below := span(cell, "rowspan") - 1) > 0:
                    left[at] = (below, text)
        hanging = left
        yield head, [texts[at] for at in sorted(texts)]


def span(cell: LexborNode, of: str) -> int:
    """How many columns or rows a cell takes."""
    value = cell.attributes.get(of) or ""
    return min(max(int(value), 1), WIDEST) if value.isdecimal() and len(value) < 6 else 1


def joined_heads(heads: Sequence[Row]) -> Row:
    """Of several rows of heads, all that stands above a column, once."""
    width = max((len(row) for row in heads), default=0)
    columns = ([row[at] for row in heads if at < len(row) and row[at]] for at in range(width))
    return [" ".join(dict.fromkeys(column)) for column in columns]


def with_heads(texts: Row, heads: Row) -> str:
    """A row as a sentence; a cell that spans columns is said once."""
    cells = [(heads[at] if at < len(heads) else "", text) for at, text in enumerate(texts) if text]
    return "; ".join(dict.fromkeys(f"{head}: {text}" if head and head != text else text for head, text in cells))


@dataclass(frozen=True, slots=True)
class HtmlHeading:
    """level: 1 to 6. anchor: what a link to it ends in, None where it has none."""

    level: int
    text: str
    anchor: str | None


Piece = HtmlHeading | SpannedPassage

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


def passage(line: list[str]) -> Iterator[SpannedPassage]:
    """What has been said since the last piece; the line is empty afterwards."""
    text = " ".join("".join(line).split())
    line.clear()
    if any(map(str.isalnum, text)):
        yield prose(text)


def piece_at(node: LexborNode) -> Iterator[Piece]:
    """The heading, table, code or list of terms that it is; nothing where it is empty."""
    if node.tag in HEADINGS:
        if text := text_of(node).strip(LINK_MARKS):
            yield HtmlHeading(HEADINGS[node.tag], text, anchor_at(node))
    else:
        found = passage_at(node)
        if found.spans:
            yield found


def passage_at(node: LexborNode) -> SpannedPassage:
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
