"""Tables to sentences: each row with the head of every column, so that a fact in a cell can be found and understood alone."""

from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborNode

from chapterverse.ingestion.site.nodes import text_of

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
