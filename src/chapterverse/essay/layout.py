"""The lines of a text, however it was typed or pasted, as Markdown: paragraphs apart by a blank line, and nothing else changed.

Three habits are told apart: blank lines, a first-line indent, and one line per paragraph as word processors paste it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

WRAP_WIDTH = 120  # characters; nobody wraps by hand beyond it, so a longer line is a whole paragraph
INDENT = 2  # characters more than the line before: a first-line indent
TAB = 4
LONGEST_RUN = 9  # of one mark; what is longer is a rule or a drawing, and enough for all that Markdown means by runs

_LINE_END = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_SPACE = re.compile(r"[^\S\n\t]")
_INVISIBLE = re.compile("[\ufeff\u00ad\u200b\u2060]")
_RUN = re.compile(rf"([^\w\s])\1{{{LONGEST_RUN},}}|_{{{LONGEST_RUN + 1},}}")
_SENTENCE_END = re.compile(r"""[.!?…]["'”’»)\]*_]*$""")
_MARKER = re.compile(r"\s*([-*+>|]|#{1,6}|\d{1,9}[.)])(\s|$)|\s*(```|~~~|={3,}\s*$|-{3,}\s*$)")


def clean(text: str) -> str:
    """One kind of line end, one kind of blank, none at a line's end, nothing invisible, letters composed; tabs to TAB columns;
    a run of one mark no longer than LONGEST_RUN."""
    text = _SPACE.sub(" ", _INVISIBLE.sub("", _LINE_END.sub("\n", composed(text))))
    text = _RUN.sub(lambda run: run[0][:LONGEST_RUN], text)
    return "\n".join(line.rstrip() for line in text.expandtabs(TAB).split("\n"))


def composed(text: str) -> str:
    """Each letter with its accent in one character: Macs part them, and then "für" would hold a word "u"."""
    return unicodedata.normalize("NFC", text)


def ends_sentence(line: str) -> bool:
    """Whether the last thing on the line is a full stop or its like, quotes and brackets after it aside."""
    return bool(_SENTENCE_END.search(line))


def apart(text: str) -> str:
    """The text with a blank line between all paragraphs. Expects clean text."""
    lines = text.split("\n")
    width = max((len(line) for line in lines if len(line) <= WRAP_WIDTH), default=0)
    return "\n".join(_with_breaks(lines, width if is_hard_wrapped(lines, width) else None))


def is_hard_wrapped(lines: Sequence[str], width: int) -> bool:
    """Whether most line ends that could be a paragraph's stand inside a sentence, in lines as full as a wrapped text's."""
    joints = [first for first, second in pairwise(lines) if _is_joint(first, second)]
    inside = [line for line in joints if width < 2 * len(line) <= 2 * width and not ends_sentence(line)]
    return 2 * len(inside) > len(joints)


def _with_breaks(lines: Sequence[str], width: int | None) -> Iterator[str]:
    """width: characters the text is wrapped at, None if it is not."""
    for first, second in pairwise([*lines, ""]):
        yield first
        if _is_joint(first, second) and (width is None or _is_indented(first, second) or _stops_short(first, second, width)):
            yield ""


def _is_joint(first: str, second: str) -> bool:
    """Two lines of running text, one below the other; Markdown's own lines already mean what they say."""
    continues_item = bool(_MARKER.match(first)) and second.startswith(" ")
    return bool(first and second) and not _MARKER.match(second) and not continues_item


def _is_indented(first: str, second: str) -> bool:
    return _indent(second) >= _indent(first) + INDENT


def _stops_short(first: str, second: str, width: int) -> bool:
    """Whether the next word would still have fitted on a wrapped line that ends its sentence or is half empty (a title)."""
    length, next_word = len(first), second.split(maxsplit=1)[0]
    return length + 1 + len(next_word) <= width and (ends_sentence(first) or 2 * length <= width)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
