"""An HTML page as a tree, read from its outside: what of it is text, and what is only around it."""

from collections.abc import Iterator
from enum import Enum

from selectolax.lexbor import LexborHTMLParser, LexborNode


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
