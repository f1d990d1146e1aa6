"""An HTML page as it is read in a browser: its own mark-up, of which only what is harmless stays, and around each passage its
number, so that a sentence that is cited is found on it.

The walk is that of html.py: what is no text there is not shown here. What is written is washed by nh3 (ammonia): nothing of a
page is run, whatever stands in it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

import nh3
from selectolax.lexbor import LexborNode

from chapterverse.library.html.html import (
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
    said,
    text_of,
    walk,
    walk_pieces,
)

BOXES = ("admonition", "alert", "callout")  # what the tools' classes of boxes begin with, "theme-admonition" too

KEPT = named(
    "p div ul ol li blockquote figure figcaption details summary hr dl dt dd caption thead tbody tfoot tr td th"
    " em strong code kbd samp sub sup s del ins mark u q small abbr br"
)

INSTEAD = {"i": "em", "b": "strong", "aside": "div", "strike": "s", "tt": "code", "var": "em", "cite": "em", "dfn": "em"}

NUMBERS = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}

EMPTY = frozenset({"hr", "br"})

TAGS = {*KEPT, "a", "img", "h2", "h3", "h4", "h5", "h6", "pre", "table", "span"}

FACTS = {"*": {"id", "class"}, "a": {"href"}, "img": {"src", "alt", "loading"}} | {tag: {*of} for tag, of in NUMBERS.items()}

SCHEMES = {"http", "https", "mailto", "data"}

OWN_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,", re.IGNORECASE)

Leads = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Around:
    """What the page stands in. link, picture: what becomes of an address in it, None where it leads nowhere; passage: the id of
    the passage of that number, heading: of the heading with that anchor."""

    link: Leads
    picture: Leads
    passage: Callable[[int], str]
    heading: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Typeset:
    """headings: their levels as they are shown, from 2 on, without gaps, and the ids that they have as anchors. passages: how
    many there are."""

    html: str
    headings: tuple[HtmlHeading, ...]
    passages: int

    @property
    def nbytes(self) -> int:
        """In memory, about."""
        return 2 * len(self.html)


def typeset(html: str, around: Around) -> Typeset:
    """The page's main part, without the heading of the page as a whole."""
    root = content_of(html)
    writer = _Writer(around)
    if root:
        writer.write(root)
    return Typeset(washed("".join(writer.out)), tuple(writer.headings), writer.number)


def washed(html: str) -> str:
    """Only tags and facts that are named above, in good order, whatever is open or closed in it."""
    rel = "noopener noreferrer nofollow"
    return nh3.clean(html, tags=TAGS, attributes=FACTS, url_schemes=SCHEMES, link_rel=rel, attribute_filter=without_data)


def without_data(_tag: str, fact: str, value: str) -> str | None:
    """Only pictures may stand in their own address."""
    is_data = value.strip().lower().startswith("data:")
    return None if is_data and not (fact == "src" and OWN_PICTURE.match(value)) else value


@dataclass
class _Writer:
    """One page in the making. line: what has been said since the last piece, begun where `out` had `start` parts. number: of
    the next passage; above: levels of the headings that stand above, as their author gave them."""

    around: Around
    out: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    start: int | None = None
    number: int = 0
    headings: list[HtmlHeading] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    seen: bool = False

    def write(self, root: LexborNode) -> None:
        """All of the page; in the steps of html.pieces_in."""
        for step, node in walk_pieces(root):
            if is_piece(node):
                self.end()
                self.out.append(self.piece(node))
            elif node.tag in BLOCKS and node.tag != "br":
                self.end()
                self.out.append(self.tag(step, node))
            else:
                self.start = len(self.out) if self.start is None else self.start
                self.line.append(said(step, node))
                self.out.append(self.inline(step, node))
        self.end()

    def end(self) -> None:
        """What has been said since the last piece is a passage, if it says anything."""
        start, self.start = self.start, None
        for _ in passage(self.line):  # empties the line
            self.out.insert(start or 0, f'<span class="passage" id="{self.next_id()}">')
            self.out.append("</span>")

    def next_id(self) -> str:
        """Of one more passage."""
        self.number += 1
        return escape(self.around.passage(self.number - 1))

    def piece(self, node: LexborNode) -> str:
        """A heading, or a table, code or a list of terms, which are passages each."""
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
        """At the depth that it has below those above it. The first of the page is its title, if it is of the first level."""
        text, level = text_of(node).strip(LINK_MARKS), HEADINGS[node.tag or ""]
        if not text:
            return ""
        first, self.seen = not self.seen, True
        if first and level == 1:
            return ""
        self.above = [*(each for each in self.above if each < level), level]
        anchor = anchor_at(node)
        told = HtmlHeading(min(len(self.above) + 1, 6), text, self.around.heading(anchor) if anchor else None)
        self.headings.append(told)
        return heading_tag(told)

    def tag(self, step: Step, node: LexborNode) -> str:
        """The opening or closing tag, of one that is kept."""
        name = INSTEAD.get(node.tag or "", node.tag or "")
        if name not in KEPT or (step is Step.CLOSE and name in EMPTY):
            return ""
        return f"</{name}>" if step is Step.CLOSE else f"<{name}{facts_of(name, node)}>"

    def inline(self, step: Step, node: LexborNode) -> str:
        """What stands within a line, and within tables all else."""
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
        """Text where it leads nowhere."""
        href = self.around.link(node.attributes.get("href") or "")
        if href is None:
            return ""
        return "</a>" if step is Step.CLOSE else f'<a href="{escape(href)}">'

    def picture(self, node: LexborNode) -> str:
        """What it is described by, where it cannot be shown."""
        alt = escape(" ".join((node.attributes.get("alt") or "").split()))
        src = self.around.picture(node.attributes.get("src") or "")
        if src is None:
            return f'<span class="unshown">{alt}</span>' if alt else ""
        return f'<img src="{escape(src)}" alt="{alt}" loading="lazy">'


def heading_tag(heading: HtmlHeading) -> str:
    """As mark-up."""
    id = f' id="{escape(heading.anchor)}"' if heading.anchor else ""
    return f"<h{heading.level}{id}>{escape(heading.text)}</h{heading.level}>"


def facts_of(name: str, node: LexborNode) -> str:
    """Of a tag's own only numbers; of boxes and formulas that they are some."""
    numbers = ((fact, node.attributes.get(fact) or "") for fact in NUMBERS.get(name, ()))
    told = "".join(f' {fact}="{value}"' for fact, value in numbers if value.isascii() and value.isdecimal() and len(value) < 4)
    kind = "box" if node.tag == "aside" else kind_of(node) if name == "div" else ""
    return told + (f' class="{kind}"' if kind else "")


def kind_of(node: LexborNode) -> str:
    """What is set apart from the text, a hint or a warning, is a box."""
    classes = (node.attributes.get("class") or "").split()
    if any(name.removeprefix("theme-").startswith(BOXES) for name in classes):
        return "box"
    return "formula" if "math" in classes else ""
