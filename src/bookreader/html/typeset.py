"""An HTML page for reading in the browser: its own mark-up, sanitized, with each passage in an element that carries its number.

The walk is that of html.py, so both see the same passages. nh3 (ammonia) sanitizes the result: nothing of a page is
executed."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

import nh3
from selectolax.lexbor import LexborNode

from bookreader.html.html import (
    BLOCKS,
    HEADINGS,
    LINK_MARKS,
    HtmlHeading,
    Step,
    anchor_at,
    content_of,
    formula,
    is_piece,
    lines_of,
    named,
    passage,
    passage_at,
    text_of,
    text_of_step,
    walk,
    walk_pieces,
)

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
    root = content_of(html)
    writer = _Writer(around)
    if root:
        writer.write(root)
    return Typeset(sanitized("".join(writer.out)), tuple(writer.headings), writer.number)


def sanitized(html: str) -> str:
    """The HTML with allowed tags and attributes only, well-formed."""
    rel = "noopener noreferrer nofollow"
    return nh3.clean(html, tags=TAGS, attributes=FACTS, url_schemes=SCHEMES, link_rel=rel, attribute_filter=without_data)


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

    def write(self, root: LexborNode) -> None:
        """Write the whole page in the steps of html.pieces_in."""
        for step, node in walk_pieces(root):
            if is_piece(node):
                self.end()
                self.out.append(self.piece(node))
            elif node.tag in BLOCKS and node.tag != "br":
                self.end()
                self.out.append(self.tag(step, node))
            else:
                self.start = len(self.out) if self.start is None else self.start
                self.line.append(text_of_step(step, node))
                self.out.append(self.inline(step, node))
        self.end()

    def end(self) -> None:
        """End a passage if text was collected since the last piece."""
        start, self.start = self.start, None
        for _ in passage(self.line):  # empties the line
            self.out.insert(start or 0, f'<span class="passage" id="{self.next_id()}">')
            self.out.append("</span>")

    def next_id(self) -> str:
        """The id of the next passage."""
        self.number += 1
        return escape(self.around.passage(self.number - 1))

    def piece(self, node: LexborNode) -> str:
        """Write a heading, or a passage that is a table, code or a list of terms."""
        if node.tag in HEADINGS:
            return self.heading(node)
        id = f' id="{self.next_id()}"' if passage_at(node).spans else ""
        if node.tag == "pre":
            return f'<pre class="passage"{id}><code>{escape(lines_of(node))}</code></pre>'
        inner = "".join(self.inline(step, each) for step, each in walk(node, frozenset({"math"})) if each.mem_id != node.mem_id)
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

    def tag(self, step: Step, node: LexborNode) -> str:
        """Write the opening or closing tag if it is allowed."""
        name = INSTEAD.get(node.tag or "", node.tag or "")
        if name not in ALLOWED_TAGS or (step is Step.CLOSE and name in EMPTY):
            return ""
        return f"</{name}>" if step is Step.CLOSE else f"<{name}{facts_of(name, node)}>"

    def inline(self, step: Step, node: LexborNode) -> str:
        """Write inline content, and everything inside tables."""
        match node.tag:
            case "-text":
                return escape(node.text_content or "", quote=False) if step is Step.OPEN else ""
            case "math":
                return f'<span class="formula">{escape(formula(node))}</span>' if step is Step.CLOSE else ""
            case "img":
                return self.picture(node) if step is Step.OPEN else ""
            case "a":
                return self.link(step, node)
            case "span" if kind_of(node) == "formula":
                return "</span>" if step is Step.CLOSE else '<span class="formula">'
            case _:
                return self.tag(step, node)

    def link(self, step: Step, node: LexborNode) -> str:
        """Write a link; only its text if it leads nowhere."""
        href = self.around.link(node.attributes.get("href") or "")
        if href is None:
            return ""
        return "</a>" if step is Step.CLOSE else f'<a href="{escape(href)}">'

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
    numbers = ((fact, node.attributes.get(fact) or "") for fact in NUMBERS.get(name, ()))
    result = "".join(
        f' {fact}="{value}"' for fact, value in numbers if value.isascii() and value.isdecimal() and len(value) < 4
    )
    kind = "box" if node.tag == "aside" else kind_of(node) if name == "div" else ""
    return result + (f' class="{kind}"' if kind else "")


def kind_of(node: LexborNode) -> str:
    """The class of a box, such as a hint or a warning."""
    classes = (node.attributes.get("class") or "").split()
    if any(name.removeprefix("theme-").startswith(BOXES) for name in classes):
        return "box"
    return "formula" if "math" in classes else ""
