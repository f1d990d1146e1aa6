"""Plain text, Markdown or an uploaded file to an Essay, within limits on its length. Word processor files and PDFs are read in
a sandbox; nothing is stored.

Plain text becomes Markdown by a blank line between paragraphs, whether they were separated by blank lines, by indents, or by
single line ends as word processors paste them. An essay is in English, German or another language."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, takewhile
from operator import ne

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from selectolax.lexbor import LexborHTMLParser

from bookreader.sandbox import ForkingWorkers, SandboxLimits
from bookreader.text.sentences import split_sentences
from chapterverse.core.errors import BadRequest, TooLarge
from chapterverse.core.names import decoded
from chapterverse.core.turns import pausing
from chapterverse.core.words import language_in
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.library.services import TextFinder
from chapterverse.messages import Message, from_json, message

# Indented code is off: in an essay an indent begins a paragraph. HTML is off: what looks like a tag is the writer's text.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["code"])
MAX_PARAGRAPH_LENGTH = 30_000  # characters of a paragraph, about 5,000 words: a model reads one text without a pause

WRAP_WIDTH = 120  # characters; a longer line is a whole paragraph
INDENT = 2  # characters more than the line before: a first-line indent
TAB = 4  # columns
MAX_RUN_LENGTH = 9  # of one punctuation mark; Markdown needs no longer runs
_LINE_END = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_SPACE = re.compile(r"[^\S\n\t]")
_INVISIBLE = re.compile("[\ufeff\u00ad\u200b\u2060]")
_RUN = re.compile(rf"([^\w\s])\1{{{MAX_RUN_LENGTH},}}|_{{{MAX_RUN_LENGTH + 1},}}")
_SENTENCE_END = re.compile(r"""[.!?…]["'”’»)\]*_]*$""")
_MARKER = re.compile(r"\s*([-*+>|]|#{1,6}|\d{1,9}[.)])(\s|$)|\s*(```|~~~|={3,}\s*$|-{3,}\s*$)")

MAX_WORDS = 20_000  # of an essay
MAX_PARAGRAPHS = 400  # each is searched for; an essay of 20,000 words has about 150
HEADING_WORDS = 12  # a line of its own, no longer than this and without a full stop, is a heading
MAX_MEAN_WORD_LENGTH = 10  # characters; texts without blanks are measured by it
RICH_TEXT = "{\\rtf"  # first bytes of an RTF file
SIGNS_A_WORD = 2  # punctuation and characters of scripts without blanks that count as one word
_FRONT_MATTER = re.compile(r"\A\n*---\n\w[\w-]*:.*\n(?:(?:\w[\w-]*:|[ #-]).*\n)*?(?:---|\.\.\.)(?:\n|\Z)")  # YAML

MAX_FILE_BYTES = 10 * 2**20  # an essay with some pictures in it
OTHERS = (  # first bytes, what else is in it, and what to do
    (b"\xd0\xcf\x11\xe0", b"", "file_is_old_word"),
    (b"{\\rtf", b"", "file_is_rtf"),
    (b"{", b'"doc_id"', "file_is_google"),
    (b"\xff\xd8\xff", b"", "file_is_picture"),
    (b"\x89PNG", b"", "file_is_picture"),
)
BLOCKS = "p, li, blockquote, h1, h2, h3, h4, h5, h6, div, tr, pre"
WORKERS = ForkingWorkers("chapterverse.essays.text_worker")
SANDBOX_LIMITS = SandboxLimits(seconds=30.0, megabytes=1536)


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph (one piece), or a list without blank lines (one piece per item). is_quoted: in a block quote."""

    pieces: tuple[str, ...]
    is_heading: bool = False
    is_quoted: bool = False

    @property
    def text(self) -> str:
        """The whole text in one line."""
        return " ".join(self.pieces)


def _blocks(node: SyntaxTreeNode) -> Iterator[Block]:
    """The blocks of a Markdown text in reading order, without fenced code, pictures and empty blocks."""
    if node.type in {"heading", "paragraph"}:
        if text := " ".join("".join(_words(node)).split()):
            yield Block((text,), node.type == "heading" and node.markup.startswith("#"))  # underlining may be a rule below text
    elif node.type in {"bullet_list", "ordered_list"} and all(
        child.hidden for item in node.children for child in item.children if child.type == "paragraph"
    ):  # no blank lines between its items
        if items := tuple(block.text for item in node.children for child in item.children for block in _blocks(child)):
            yield Block(items)
    elif node.type != "fence":
        for child in node.children:
            yield from (replace(block, is_quoted=block.is_quoted or node.type == "blockquote") for block in _blocks(child))


def _words(node: SyntaxTreeNode) -> Iterator[str]:
    """The text of a block without mark-up: link texts stay, link addresses and pictures go."""
    if node.type in {"text", "code_inline"}:
        yield node.content
    elif node.type in {"softbreak", "hardbreak"}:
        yield " "
    elif node.type != "image":
        for child in node.children:
            yield from _words(child)


def bounded_essay(essay: Essay, max_sentences: int) -> tuple[Essay, tuple[Message, ...]]:
    """The essay as it is searched, and notes for the reader on what was left out; an ordinary essay is unchanged.

    Of an essay with more sentences, each paragraph keeps its longest ones: as many as its share, at least one. Texts are cut at
    MAX_PARAGRAPH_LENGTH."""
    there = sum(len(each.sentences) for each in essay.paragraphs)
    share = there if there <= max_sentences else max(1, max_sentences // len(essay.paragraphs))
    paragraphs = tuple(_bounded(each, share) for each in essay.paragraphs)
    left = sum(len(each.sentences) for each in paragraphs)
    notes = [] if left == there else [message("note_fewer_sentences", sentences=there, looked_up=left)]
    for number, each in enumerate(essay.paragraphs, start=1):
        if len(each.text) > MAX_PARAGRAPH_LENGTH:
            notes.append(message("note_paragraph_cut", paragraph=number, characters=MAX_PARAGRAPH_LENGTH))
    return replace(essay, paragraphs=paragraphs), tuple(notes)


def _bounded(paragraph: Paragraph, most: int) -> Paragraph:
    longest = sorted(range(len(paragraph.sentences)), key=lambda at: -len(paragraph.sentences[at]))[:most]
    sentences = tuple(paragraph.sentences[at][:MAX_PARAGRAPH_LENGTH] for at in sorted(longest))
    return replace(paragraph, text=paragraph.text[:MAX_PARAGRAPH_LENGTH], sentences=sentences)


def clean(text: str) -> str:
    """The text with uniform line ends and blanks, composed letters, tabs expanded to TAB columns, runs of a punctuation mark
    shortened to MAX_RUN_LENGTH, and without trailing blanks and invisible characters."""
    text = _SPACE.sub(" ", _INVISIBLE.sub("", _LINE_END.sub("\n", composed(text))))
    text = _RUN.sub(lambda run: run[0][:MAX_RUN_LENGTH], text)
    return "\n".join(line.rstrip() for line in text.expandtabs(TAB).split("\n"))


def composed(text: str) -> str:
    """The text in Unicode's composed form (NFC); macOS writes "ü" as two characters, and "für" would contain a word "u"."""
    return unicodedata.normalize("NFC", text)


def ends_sentence(line: str) -> bool:
    """Whether the line ends with a sentence's punctuation, ignoring quotes and brackets after it."""
    return bool(_SENTENCE_END.search(line))


def apart(text: str) -> str:
    """The text with a blank line between paragraphs. Expects clean text."""
    lines = text.split("\n")
    width = max((len(line) for line in lines if len(line) <= WRAP_WIDTH), default=0)
    joints = [first for first, second in pairwise(lines) if _is_joint(first, second)]
    inside = [line for line in joints if width < 2 * len(line) <= 2 * width and not ends_sentence(line)]
    is_wrapped = 2 * len(inside) > len(joints)  # most line ends stand inside a sentence, in lines of similar length
    return "\n".join(_with_breaks(lines, width if is_wrapped else None))


def _with_breaks(lines: Sequence[str], width: int | None) -> Iterator[str]:
    """The lines with empty lines between paragraphs. width: characters at which the text is wrapped, None if it is not
    wrapped."""
    for first, second in pairwise([*lines, ""]):
        yield first
        is_deeper = _indent(second) >= _indent(first) + INDENT
        if _is_joint(first, second) and (width is None or is_deeper or _stops_short(first, second, width)):
            yield ""


def _is_joint(first: str, second: str) -> bool:
    """Whether these are two consecutive lines of running text; lines with Markdown's own markers are not."""
    continues_item = bool(_MARKER.match(first)) and second.startswith(" ")
    return bool(first and second) and not _MARKER.match(second) and not continues_item


def _stops_short(first: str, second: str, width: int) -> bool:
    """Whether the next word would have fitted on the first line, and that line ends a sentence or is at most half full (a
    title)."""
    length, next_word = len(first), second.split(maxsplit=1)[0]
    return length + 1 + len(next_word) <= width and (ends_sentence(first) or 2 * length <= width)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def parse_essay(text: str, max_words: int = MAX_WORDS) -> Essay:
    """The essay in a plain or Markdown text.

    Block quotes are paragraphs; a list is one paragraph, unless blank lines separate its items; fenced code and front matter
    are left out. Raises BadRequest for a text without a paragraph, TooLarge beyond max_words or MAX_PARAGRAPHS."""
    if (words := words_in(text)) > max_words:
        raise TooLarge("essay_too_long", words=words, max_words=max_words)
    if text.lstrip().startswith(RICH_TEXT):
        raise BadRequest("essay_is_rtf")
    try:
        blocks = list(_blocks(SyntaxTreeNode(_MARKDOWN.parse(apart(_FRONT_MATTER.sub("", clean(text)))))))
    except RecursionError as error:
        raise BadRequest("essay_nested_too_deeply") from error
    headings, paragraphs = split_headings(blocks)
    if not paragraphs:
        raise BadRequest("essay_empty")
    if len(paragraphs) > MAX_PARAGRAPHS:
        raise TooLarge("essay_too_many_paragraphs", paragraphs=len(paragraphs), max_paragraphs=MAX_PARAGRAPHS)
    # the last heading that is no salutation, which ends with a comma; else the last one
    title = next((each for each in reversed(headings) if not each.endswith(",")), headings[-1] if headings else None)
    rest = iter([block for block in blocks if block.text != title or block in paragraphs])
    above = [tuple(line.text for line in takewhile(partial(ne, block), rest)) for block in paragraphs]
    *found, last = (to_paragraph(block, lines) for block, lines in zip(pausing(paragraphs), above, strict=True))
    return Essay(title, (*found, replace(last, below=tuple(line.text for line in rest))))


def words_in(text: str) -> int:
    """How many words the text has; in scripts without blanks, about as many. editor.js counts alike."""
    signs = sum(  # punctuation, symbols and wide East Asian characters count by themselves
        times
        for sign, times in Counter(text).items()
        if unicodedata.category(sign)[0] in "PS" or unicodedata.east_asian_width(sign) in "WF"
    )
    return max(len(text.split()), len(text) // MAX_MEAN_WORD_LENGTH, signs // SIGNS_A_WORD)


def split_headings(found: Sequence[Block]) -> tuple[list[str], list[Block]]:
    """What may be the title: the first marked heading, or else the lines before the first paragraph (by-lines, then the title);
    and all paragraphs. Later headings are left out, because they make no claims."""
    is_heading = [block.is_heading or looks_like_heading(block) for block in found]
    if all(is_heading):  # a text without full stops
        is_heading = [block.is_heading for block in found]
    first = is_heading.index(False) if False in is_heading else len(found)
    paragraphs = [block for block, heading in zip(found, is_heading, strict=True) if not heading]
    marked = [block.text for block in found[:first] if block.is_heading]
    return marked[:1] or [block.text for block in found[:first]], paragraphs


def looks_like_heading(block: Block) -> bool:
    """Whether the block is one short line without a full stop. A question counts as a heading, too."""
    short = len(block.pieces) == 1 and len(block.text.split()) <= HEADING_WORDS
    return short and (block.text.endswith("?") or not ends_sentence(block.text))


def to_paragraph(block: Block, above: tuple[str, ...]) -> Paragraph:
    """The paragraph with its sentences; no sentence spans two items of a list."""
    sentences = (piece[start:end] for piece in block.pieces for start, end in split_sentences(piece))
    return Paragraph(block.text, tuple(sentences), quoted=block.is_quoted, above=above)


def text_of(data: bytes, find: TextFinder) -> str:
    """The text of the file, whose kind is recognized by its content, not its name. Raises BadRequest."""
    for begins, has, refused in OTHERS:
        if data.startswith(begins) and has in data[:4096]:
            raise BadRequest(refused)
    found = find(data) if b"%PDF-" in data[:1024] or data.startswith(b"PK") else decoded(data)
    if found and found.lstrip()[:15].lower().startswith(("<!doctype html", "<html")):
        found = text_of_html(found)
    if not found or not found.strip():
        raise BadRequest("file_kind_unknown" if found is None else "file_without_text")
    return found.replace("\r\n", "\n").replace("\r", "\n")


def text_of_html(html: str) -> str:
    """The text of a page, with an empty line between paragraphs: what a student typed into a form with an editor."""
    page = LexborHTMLParser(html)
    page.strip_tags(["script", "style", "head"], recursive=True)
    if (body := page.body) is None:
        return ""
    for node in body.css("br"):
        node.replace_with("\n")
    for node in body.css(BLOCKS):
        node.insert_before("\n\n")
        node.insert_after("\n\n")
    lines = [" ".join(line.split()) for line in body.text().split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def text_in_sandbox(data: bytes) -> str:
    """The port TextFinder, in a sandbox with SANDBOX_LIMITS; text_worker.py describes the protocol."""
    match json.loads(WORKERS.ask(data, SANDBOX_LIMITS) or b"null"):
        case {"text": str(text)}:
            return text
        case {"refused": dict(message)}:
            raise BadRequest(from_json(message))
    raise BadRequest("file_unreadable")


def language_of(essay: Essay) -> str:
    """That of its paragraphs, as language_in tells it."""
    return language_in("\n".join(each.text for each in pausing(essay.paragraphs)))
