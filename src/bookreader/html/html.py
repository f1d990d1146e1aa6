"""HTML pages: headings and passages in order, without menus and other surroundings, tables as sentences; and the same page for
reading in the browser, with each passage in an element that carries its number.

How deep and how large a page is, is counted before it is parsed: a parser's time grows with the square of the depth. nh3
(ammonia) sanitizes what is shown: nothing of a page is executed."""

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape, unescape
from itertools import zip_longest
from typing import NamedTuple
from xml.etree import ElementTree

import nh3
from selectolax.lexbor import LexborHTMLParser, LexborNode

from bookreader.messages import Message, message
from bookreader.text.passages import LONGEST_ROW, SpannedPassage, code, prose, table


def named(names: str) -> frozenset[str]:
    """The set of names in a text separated by blanks."""
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


def content_of(html: str) -> LexborNode | None:
    """The element with the page's own text; None if the page has none."""
    tree = LexborHTMLParser(html)
    for selector in MAIN:
        found = tree.css(selector)
        if len(found) == 1:
            return found[0]
    return tree.body


def title_in(html: str) -> str:
    """The title in the page's head; empty if there is none."""
    title = LexborHTMLParser(html).css_first("head > title")
    return " ".join(title.text().split()) if title else ""


def walk(root: LexborNode, whole: frozenset[str] = frozenset()) -> Iterator[tuple[bool, LexborNode]]:
    """All nodes with text in order, twice: before (True) and after their children; without the inside of tags in `whole`. Not
    recursive: nesting may be deep."""
    todo = [(False, root), *reversed(list(opened(root)))]
    yield True, root
    while todo:
        opens, node = todo.pop()
        if opens and is_left_out(node):
            continue
        yield opens, node
        if opens:
            todo.append((False, node))
            todo.extend(reversed([] if node.tag in whole else list(opened(node))))


def opened(node: LexborNode) -> Iterator[tuple[bool, LexborNode]]:
    """The node's children, texts included."""
    return ((True, child) for child in node.iter(include_text=True))


def is_left_out(node: LexborNode) -> bool:
    """Whether a node is not part of the text: menus, permalinks, hidden elements, comments."""
    tag = node.tag or ""
    if tag == "-text":
        return False
    if tag.startswith("-") or tag in LEFT_OUT_TAGS:
        return True
    facts = node.attributes
    classes = (facts.get("class") or "").split()
    hidden = "hidden" in facts or facts.get("aria-hidden") == "true" or facts.get("role") in LEFT_OUT_ROLES
    around = tag == "header" and node.parent is not None and node.parent.tag == "body"
    named = any(name.startswith(BOX_TITLES) for name in classes) and node.text().strip().lower() in KINDS_OF_BOXES
    return hidden or around or named or not LEFT_OUT_CLASSES.isdisjoint(classes)


def text_of(root: LexborNode) -> str:
    """The node's text on one line; pictures by their description, formulas as written."""
    return " ".join("".join(text_of_step(opens, node) for opens, node in walk(root, frozenset({"math"}))).split())


def text_of_step(opens: bool, node: LexborNode) -> str:
    """The text that a step of a walk adds; a blank at the edges of blocks."""
    match node.tag:
        case "-text":
            return node.text_content or "" if opens else ""
        case "img":
            return f" {node.attributes.get('alt') or ''} " if opens else ""
        case "math":
            return "" if opens else formula(node)
        case tag:
            return " " if tag in BLOCKS else ""


def formula(math: LexborNode) -> str:
    """The formula's source if the page has it, else its characters."""
    return (math.css_first('annotation[encoding="application/x-tex"]') or math).text()


DECLARATION = re.compile(r"^\ufeff?\s*<\?xml[^>]*\?>")
DECLARED = re.compile(rb"""<\?xml[^>]*encoding=["']([\w.-]+)""")


def decoded(data: bytes) -> str:
    """The page's text without its XML declaration; in UTF-16 or UTF-8 (EPUB 3.3, 3.9), else as declared, else as Latin 1."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return DECLARATION.sub("", data.decode("utf-16", errors="replace"))
    declared = DECLARED.search(data[:200])
    for encoding in ("utf-8", declared[1].decode() if declared else "utf-8"):
        with suppress(UnicodeDecodeError, LookupError):
            return DECLARATION.sub("", data.decode(encoding))
    return DECLARATION.sub("", data.decode("latin-1"))


class WrittenMath(NamedTuple):
    """A formula in a line, as HTML with raised and lowered letters. exact: whether these say all that MathML says."""

    html: str
    exact: bool


INVISIBLE_SIGNS = re.compile("[\u2061-\u2064\u200b]")
SHIFTS = {"msup": ("sup",), "msub": ("sub",), "msubsup": ("sub", "sup")}
IN_A_ROW = frozenset(["math", "mrow", "mstyle", "mpadded", "semantics", "mi", "mn", "mo", "mtext", "ms", "mspace"])
SPACED_SIGN = re.compile(r"[=<>≤≥≠≈∈∉⊂⊆→⇒⇔+−×·:]")


def written_math(math: str) -> WrittenMath:
    """MathML, which MuPDF would set as its bare letters, as HTML that it can set."""
    try:
        return written(ElementTree.fromstring(re.sub(r"&(?!(?:amp|lt|gt|quot|apos|#\w+);)", "&amp;", math)))  # noqa: S314 - has no DTD
    except ElementTree.ParseError:
        return WrittenMath(escape(" ".join(unescape(re.sub(r"<[^>]*>", " ", math)).split())), exact=False)


def written(node: ElementTree.Element) -> WrittenMath:
    """One element of MathML with what it holds."""
    name = node.tag.rpartition("}")[2].rpartition(":")[2]
    parts = [written(child) for child in node if not str(child.tag).rpartition("}")[2].startswith("annotation")]
    text = INVISIBLE_SIGNS.sub("", unescape((node.text or "").strip())) if not parts else ""
    exact = all(part.exact for part in parts)
    if name in SHIFTS and len(parts) == 1 + len(SHIFTS[name]):
        shifted = [f"<{tag}>{part.html}</{tag}>" for tag, part in zip(SHIFTS[name], parts[1:], strict=True)]
        return WrittenMath(parts[0].html + "".join(shifted), exact)
    if name == "mfrac" and len(parts) == 2 and all(len(child) == 0 for child in node):
        return WrittenMath(f"{parts[0].html}/{parts[1].html}", exact)
    if name == "mo" and SPACED_SIGN.fullmatch(text):
        return WrittenMath(f" {escape(text)} ", exact=True)
    known = name in IN_A_ROW
    return WrittenMath(escape(text) + ("" if known else " ").join(part.html for part in parts), exact and known)


WIDEST = 100  # columns that a cell may span
Row = list[str]


def rows_of(table: LexborNode) -> list[str]:
    """The table's rows as sentences, "Sensor: LiDAR; Range: 100 m", after its caption; of a table of heads only, the heads."""
    caption = table.css_first("caption")
    rows = [row for row in table.css("tr") if not is_nested(row, table)]
    cells = [[cell for cell in row.iter() if cell.tag in {"td", "th"}] for row in rows]
    grid = list(filled([(is_head(row, own), own) for row, own in zip(rows, cells, strict=True)]))
    heads = [texts for head, texts in grid if head]
    data = [texts for head, texts in grid if not head]
    joined = [" ".join(dict.fromkeys(filter(None, column))) for column in zip_longest(*heads, fillvalue="")]
    sentences = [row for texts in data for row in with_heads(texts, joined)] if data else map("; ".join, heads)
    return [text for text in [text_of(caption) if caption else "", *sentences] if text]


def is_layout(table: LexborNode) -> bool:
    """Whether the table only positions its content."""
    holds_more = table.css_first("td table, td h1, td h2, td h3, td pre, th pre") is not None
    return holds_more or table.attributes.get("role") == "presentation"


def is_nested(row: LexborNode, table: LexborNode) -> bool:
    """Whether the row belongs to a table inside this one."""
    node = row.parent
    while node is not None and node.mem_id != table.mem_id:  # "!=" would compare their contents
        if node.tag == "table":
            return True
        node = node.parent
    return False


def is_head(row: LexborNode, cells: Sequence[LexborNode]) -> bool:
    """Whether the row's cells are column heads."""
    in_head = row.parent is not None and row.parent.tag == "thead"
    return bool(cells) and (in_head or all(cell.tag == "th" for cell in cells))


def filled(rows: Sequence[tuple[bool, Sequence[LexborNode]]]) -> Iterator[tuple[bool, Row]]:
    """The texts of each row, one a column; a cell that spans several columns or rows is repeated."""
    hanging: dict[int, tuple[int, str]] = {}  # by column: rows still covered by a cell above, and its text
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
    """Number of columns or rows that a cell spans."""
    value = cell.attributes.get(of) or ""
    return min(max(int(value), 1), WIDEST) if value.isdecimal() and len(value) < 6 else 1


def with_heads(texts: Row, heads: Row) -> list[str]:
    """A row as a sentence, where a cell that spans columns occurs once; a long one by cell, each after the row's head.
    heads: of each column, all its heads joined."""
    named = [(head, text) for head, text in zip_longest(heads, texts, fillvalue="") if text]
    cells = list(dict.fromkeys(f"{head}: {text}" if head and head != text else text for head, text in named))
    whole = "; ".join(cells)
    first = cells[:1] if cells[1:] and any(heads) and not named[0][0] else []  # what the row is about
    return [whole] if len(whole) <= LONGEST_ROW else ["; ".join([*first, cell]) for cell in cells[len(first) :]]


@dataclass(frozen=True, slots=True)
class HtmlHeading:
    """A heading. level: 1 to 6. anchor: what a link to it ends in; None if it has none."""

    level: int
    text: str
    anchor: str | None


Piece = HtmlHeading | SpannedPassage
HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
WHOLE = frozenset({*HEADINGS, "pre", "math", "dl"})
LINK_MARKS = "#¶§🔗\u200b "


def pieces_of(html: str) -> Iterator[Piece]:
    """Headings and passages of the page's main part in order. Text outside any block is a passage too."""
    line: list[str] = []
    for opens, node in walk_pieces(content_of(html)):
        if is_piece(node):
            yield from passage(line)
            yield from piece_at(node)
        elif node.tag in BLOCKS and node.tag != "br":
            yield from passage(line)
        else:
            line.append(text_of_step(opens, node))
    yield from passage(line)


def walk_pieces(root: LexborNode | None) -> Iterator[tuple[bool, LexborNode]]:
    """A walk that visits each piece once; nothing of a page without text."""
    inside = 0
    for opens, node in walk(root, WHOLE) if root else ():
        if node.tag == "table" and not is_layout(node):
            inside += 1 if opens else -1
            if not opens and not inside:
                yield opens, node
        elif not inside and (not opens or node.tag not in WHOLE or node.tag == "math"):
            yield opens, node


def is_piece(node: LexborNode) -> bool:
    """Whether the node is read as a whole."""
    return (node.tag in WHOLE and node.tag != "math") or (node.tag == "table" and not is_layout(node))


def passage(line: list[str]) -> Iterator[SpannedPassage]:
    """The passage collected since the last piece; empties the line."""
    text = " ".join("".join(line).split())
    line.clear()
    if any(map(str.isalnum, text)):
        yield prose(text)


def piece_at(node: LexborNode) -> Iterator[Piece]:
    """The heading, table, code or list of terms at a node; nothing if it is empty."""
    if node.tag in HEADINGS:
        if text := text_of(node).strip(LINK_MARKS):
            yield HtmlHeading(HEADINGS[node.tag], text, anchor_at(node))
    else:
        found = passage_at(node)
        if found.spans:
            yield found


def passage_at(node: LexborNode) -> SpannedPassage:
    """The passage of a table, code or a list of terms."""
    match node.tag:
        case "table":
            return table(rows_of(node))
        case "dl":
            return table(terms_in(node))
        case _:
            return code("".join(lines_of(node)))


def lines_of(pre: LexborNode) -> Iterator[str]:
    """Yield the code in pieces, with its line breaks, also those made by tags."""
    for opens, node in walk(pre):
        if (node.tag, opens) == ("-text", True):
            yield node.text_content or ""
        elif (node.tag, opens) in {("br", True), ("div", False)}:
            yield "\n"


def terms_in(terms: LexborNode) -> Iterator[str]:
    """Definitions as "term: explanation"."""
    term = ""
    for node in terms.css("dt, dd"):
        if node.tag == "dt":
            term = text_of(node).strip(LINK_MARKS)
        else:
            yield f"{term}: {text_of(node)}" if term else text_of(node)


def anchor_at(heading: LexborNode) -> str | None:
    """The heading's own id, that of an anchor inside it, or that of the section it opens."""
    inside = heading.css_first("a[id], a[name], span[id]")
    marks = (inside.attributes.get("id") or inside.attributes.get("name")) if inside else None
    return heading.attributes.get("id") or marks or opened_section(heading)


def opened_section(heading: LexborNode) -> str | None:
    """The id of the section whose first element is the heading (as Sphinx writes it)."""
    parent, before = heading.parent, heading.prev
    while before is not None and before.tag == "-text" and not (before.text_content or "").strip():
        before = before.prev
    opens = before is None and parent is not None and parent.tag in {"section", "div", "article"}
    return parent.attributes.get("id") if opens and parent else None


MAX_DEPTH = 500  # of elements within elements; pages of real sites have less than 60
MAX_ELEMENTS = 200_000  # a novel on one page has about 10,000
MAX_MARKS = 20_000  # of a block of Markdown; a table of 1,000 rows with links has 6,000

TAG = re.compile(
    r"<!--(?:.*?-->|.*\Z)|<(?P<raw>script|style|textarea)\b.*?(?:</(?P=raw)\s*>|\Z)|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*)(?P<rest>[^>]*)",
    re.DOTALL | re.IGNORECASE,
)
ALONE = named(
    "area base br col embed hr img input link meta source track wbr a button nobr p li dt dd tr td th thead tbody tfoot caption"
    " colgroup option optgroup rp rt h1 h2 h3 h4 h5 h6 itemref item"
)
"""Elements without an end tag, or ended by the next one of their name."""

FOREIGN = frozenset({"svg", "math"})  # in which "/>" ends an element
BLANK_LINE = re.compile(r"\n[ \t>]*\n")
MARKS = re.compile(r"[\[\]*_`<{$~]")


def problem_of(page: str, *, xml: bool = False) -> Message | None:
    """What of a page of HTML is beyond the limits; None if nothing is. xml: whether "/>" ends any element."""
    open_, depth, deepest, elements = Counter[str](), 0, 0, 0
    for tag in TAG.finditer(page):
        name = (tag["name"] or "").lower()
        if not name or name in ALONE:
            elements += 1
        elif tag["end"]:
            if open_[name]:
                open_[name] -= 1
                depth -= 1
        else:
            elements += 1
            if not (tag["rest"].endswith("/") and (xml or any(open_[each] for each in FOREIGN))):
                open_[name] += 1
                depth += 1
                deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        return message("page_too_deep", depth=deepest, max_depth=MAX_DEPTH)
    return message("page_too_many_elements", max_elements=MAX_ELEMENTS) if elements > MAX_ELEMENTS else None


def problem_of_markdown(text: str) -> Message | None:
    """What of a page of Markdown is beyond the limits; None if nothing is."""
    if any(len(MARKS.findall(block)) > MAX_MARKS for block in BLANK_LINE.split(text)):
        return message("page_too_many_marks", max_marks=MAX_MARKS)
    return problem_of(text)


BOXES = ("admonition", "alert", "callout")  # beginnings of the tools' class names for boxes, also "theme-admonition"

ALLOWED_TAGS = named(
    "p div ul ol li blockquote figure figcaption details summary hr dl dt dd caption thead tbody tfoot tr td th"
    " em strong code kbd samp sub sup s del ins mark u q small abbr br"
)

INSTEAD = {"i": "em", "b": "strong", "aside": "div", "strike": "s", "tt": "code", "var": "em", "cite": "em", "dfn": "em"}
NUMBERS = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}
EMPTY = frozenset({"hr", "br"})
TAGS = {*ALLOWED_TAGS, "a", "img", "h2", "h3", "h4", "h5", "h6", "pre", "table", "span"}
FACTS = {"*": {"id", "class"}, "a": {"href"}, "img": {"src", "alt", "loading"}} | {tag: {*of} for tag, of in NUMBERS.items()}
SCHEMES = {"http", "https", "mailto", "data"}
OWN_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,", re.IGNORECASE)
Leads = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Callbacks for a page's surroundings. link, picture: the URL to write for one in the page, None to drop it; passage: id of
    the passage with this number; heading: id of the heading with this anchor."""

    link: Leads
    picture: Leads
    passage: Callable[[int], str]
    heading: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Typeset:
    """A typeset page. headings: levels from 2 without gaps, anchors as in the HTML. passages: number of passages."""

    html: str
    headings: tuple[HtmlHeading, ...]
    passages: int

    @property
    def nbytes(self) -> int:
        """Approximate bytes in memory."""
        return 2 * len(self.html)


def typeset(html: str, around: PageLinks) -> Typeset:
    """The page's main part without the heading of the whole page."""
    writer = _Writer(around)
    writer.write(content_of(html))
    joined, rel = "".join(writer.out), "noopener noreferrer nofollow"
    clean = nh3.clean(joined, tags=TAGS, attributes=FACTS, url_schemes=SCHEMES, link_rel=rel, attribute_filter=without_data)
    return Typeset(clean, tuple(writer.headings), writer.number)


def without_data(_tag: str, fact: str, value: str) -> str | None:
    """None for data: URLs, which only pictures may have."""
    is_data = value.strip().lower().startswith("data:")
    return None if is_data and not (fact == "src" and OWN_PICTURE.match(value)) else value


@dataclass
class _Writer:
    """A page being written.

    line: text since the last piece, which began when `out` had `start` parts. number: of the next passage; above: levels of the
    headings above, as the author gave them."""

    around: PageLinks
    out: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    start: int | None = None
    number: int = 0
    headings: list[HtmlHeading] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    seen: bool = False

    def write(self, root: LexborNode | None) -> None:
        """Write the whole page in the steps of pieces_of."""
        for opens, node in walk_pieces(root):
            if is_piece(node):
                self.end()
                self.out.append(self.piece(node))
            elif node.tag in BLOCKS and node.tag != "br":
                self.end()
                self.out.append(self.tag(opens, node))
            else:
                self.start = len(self.out) if self.start is None else self.start
                self.line.append(text_of_step(opens, node))
                self.out.append(self.inline(opens, node))
        self.end()

    def end(self) -> None:
        """End a passage if text was collected since the last piece."""
        start, self.start = self.start, None
        for _ in passage(self.line):  # empties the line
            self.out.insert(start or 0, f'<span class="passage" id="{self.next_id()}">')
            self.out.append("</span>")

    def next_id(self) -> str:
        self.number += 1
        return escape(self.around.passage(self.number - 1))

    def piece(self, node: LexborNode) -> str:
        """Write a heading, or a passage that is a table, code or a list of terms."""
        if node.tag in HEADINGS:
            return self.heading(node)
        id = f' id="{self.next_id()}"' if passage_at(node).spans else ""
        if node.tag == "pre":
            return f'<pre class="passage"{id}><code>{escape("".join(lines_of(node)))}</code></pre>'
        steps = walk(node, frozenset({"math"}))
        inner = "".join(self.inline(opens, each) for opens, each in steps if each.mem_id != node.mem_id)
        if node.tag == "table":
            return f'<div class="wide"><table class="passage"{id}>{inner}</table></div>'
        return f'<dl class="passage"{id}>{inner}</dl>'

    def heading(self, node: LexborNode) -> str:
        """Write a heading at the depth below those above it. A first heading of level 1 is the title and is left out."""
        text, level = text_of(node).strip(LINK_MARKS), HEADINGS[node.tag or ""]
        if not text:
            return ""
        first, self.seen = not self.seen, True
        if first and level == 1:
            return ""
        self.above = [*(each for each in self.above if each < level), level]
        anchor = anchor_at(node)
        result = HtmlHeading(min(len(self.above) + 1, 6), text, self.around.heading(anchor) if anchor else None)
        self.headings.append(result)
        return heading_tag(result)

    def tag(self, opens: bool, node: LexborNode) -> str:
        """Write the opening or closing tag if it is allowed."""
        name = INSTEAD.get(node.tag or "", node.tag or "")
        if name not in ALLOWED_TAGS or (not opens and name in EMPTY):
            return ""
        return f"<{name}{facts_of(name, node)}>" if opens else f"</{name}>"

    def inline(self, opens: bool, node: LexborNode) -> str:
        """Write inline content, and everything inside tables."""
        match node.tag:
            case "-text":
                return escape(node.text_content or "", quote=False) if opens else ""
            case "math":
                return "" if opens else f'<span class="formula">{escape(formula(node))}</span>'
            case "img":
                return self.picture(node) if opens else ""
            case "a":
                return self.link(opens, node)
            case "span" if kind_of(node) == "formula":
                return '<span class="formula">' if opens else "</span>"
            case _:
                return self.tag(opens, node)

    def link(self, opens: bool, node: LexborNode) -> str:
        """Write a link; only its text if it leads nowhere."""
        href = self.around.link(node.attributes.get("href") or "")
        if href is None:
            return ""
        return f'<a href="{escape(href)}">' if opens else "</a>"

    def picture(self, node: LexborNode) -> str:
        """Write a picture; its description if it cannot be shown."""
        alt = escape(" ".join((node.attributes.get("alt") or "").split()))
        src = self.around.picture(node.attributes.get("src") or "")
        if src is None:
            return f'<span class="unshown">{alt}</span>' if alt else ""
        return f'<img src="{escape(src)}" alt="{alt}" loading="lazy">'


def heading_tag(heading: HtmlHeading) -> str:
    """The heading as HTML."""
    id = f' id="{escape(heading.anchor)}"' if heading.anchor else ""
    return f"<h{heading.level}{id}>{escape(heading.text)}</h{heading.level}>"


def facts_of(name: str, node: LexborNode) -> str:
    """The allowed attributes of a tag: numbers, and the classes of boxes and formulas."""
    given = ((fact, node.attributes.get(fact) or "") for fact in NUMBERS.get(name, ()))
    numbers = (f' {fact}="{value}"' for fact, value in given if value.isascii() and value.isdecimal() and len(value) < 4)
    kind = "box" if node.tag == "aside" else kind_of(node) if name == "div" else ""
    return "".join(numbers) + (f' class="{kind}"' if kind else "")


def kind_of(node: LexborNode) -> str:
    """The class of a box, such as a hint or a warning."""
    classes = (node.attributes.get("class") or "").split()
    if any(name.removeprefix("theme-").startswith(BOXES) for name in classes):
        return "box"
    return "formula" if "math" in classes else ""
