"""How deep and how large a page may be, counted before it is parsed: a parser's time grows with the square of the depth.

Counting takes one pass over the text. It is exact for well-formed pages, and never less than what a parser builds by much."""

import re
from collections import Counter

from bookreader.html.html import named
from bookreader.messages import Message, message

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
