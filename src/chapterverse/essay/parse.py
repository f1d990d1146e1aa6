"""Text to Essay."""

import re
import unicodedata
from collections.abc import Sequence

from chapterverse.errors import BadRequest, TooLarge
from chapterverse.essay.blocks import Block, read_blocks
from chapterverse.essay.essay import Essay, Paragraph
from chapterverse.essay.layout import apart, clean, ends_sentence
from chapterverse.ingestion.sentences import split_sentences

MAX_WORDS = 20_000
MAX_PARAGRAPHS = 400  # each is looked up; an essay of 20,000 words has about 150
HEADING_WORDS = 12  # a line of its own, no longer than this and without a full stop, is a heading
LONGEST_MEAN_WORD = 10  # characters; a text without blanks is measured by this
RICH_TEXT = "{\\rtf"  # what such a file begins with
SIGNS_A_WORD = 2  # marks, and characters of scripts without blanks: a model reads each of them as it reads a word

_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE | re.IGNORECASE)


def parse_essay(text: str, max_words: int = MAX_WORDS) -> Essay:
    """The essay in a plain or Markdown text. Block quotes are paragraphs, a list is one, unless blank lines part its items;
    fenced code is left out. Raises BadRequest for a text without a paragraph, TooLarge beyond max_words
    or MAX_PARAGRAPHS."""
    check_length(text, max_words)
    if text.lstrip().startswith(RICH_TEXT):
        raise BadRequest("essay_is_rtf")
    front, body = split_front_matter(clean(text))
    headings, paragraphs = split_headings(read_blocks(apart(body)))
    if not paragraphs:
        raise BadRequest("essay_empty")
    if len(paragraphs) > MAX_PARAGRAPHS:
        raise TooLarge("essay_too_many_paragraphs", paragraphs=len(paragraphs), max_paragraphs=MAX_PARAGRAPHS)
    return Essay(front_title(front) or (headings[-1] if headings else None), tuple(map(to_paragraph, paragraphs)))


def check_length(text: str, max_words: int) -> None:
    """Raises TooLarge."""
    words = max(len(text.split()), len(text) // LONGEST_MEAN_WORD, sum(map(is_sign, text)) // SIGNS_A_WORD)
    if words > max_words:
        raise TooLarge("essay_too_long", words=words, max_words=max_words)


def is_sign(character: str) -> bool:
    """Whether it stands for itself: punctuation, a symbol, a wide character of an East Asian script."""
    return unicodedata.category(character)[0] in "PS" or unicodedata.east_asian_width(character) in "WF"


def split_front_matter(text: str) -> tuple[str, str]:
    """The YAML block between --- and --- at the very start, "" if there is none, and the rest."""
    text = text.lstrip("\n")
    front = _FRONT_MATTER.match(text)
    return (front[1], text[front.end() :]) if front else ("", text)


def front_title(front: str) -> str | None:
    """The value of `title:` in front matter, without its quotes."""
    title = _FRONT_TITLE.search(front)
    return title[1].strip().strip("\"'") or None if title else None


def split_headings(found: Sequence[Block]) -> tuple[list[str], list[Block]]:
    """The headings before the first paragraph (by-lines, then the title), and all paragraphs.

    Headings further down are left out: they say nothing a book could bear on."""
    is_heading = [block.is_heading or looks_like_heading(block) for block in found]
    if all(is_heading):  # somebody who never sets a full stop
        is_heading = [block.is_heading for block in found]
    first = is_heading.index(False) if False in is_heading else len(found)
    paragraphs = [block for block, heading in zip(found, is_heading, strict=True) if not heading]
    return [block.text for block in found[:first]], paragraphs


def looks_like_heading(block: Block) -> bool:
    """A short line that stands alone and does not end like a sentence; a question may be a title, and rarely is a paragraph."""
    short = len(block.pieces) == 1 and len(block.text.split()) <= HEADING_WORDS
    return short and (block.text.endswith("?") or not ends_sentence(block.text))


def to_paragraph(block: Block) -> Paragraph:
    """No sentence reaches over two items of a list."""
    sentences = (piece[start:end] for piece in block.pieces for start, end in split_sentences(piece))
    return Paragraph(block.text, tuple(sentences))
