"""Lines to paragraphs: by the space above them, by their indent, or by both; across columns and pages. Also drop caps.

The signs are compared with the lines around them, not with a style: a first line is indented more than the next one, a new
paragraph has more space above it than the line before. At the top of a page, without visible space, the indent decides; in
books without indents, a line before that ends early, though the next word would have fitted, was a last line. A drop cap joins
its word, and the lines next to it return to the margin."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, takewhile
from statistics import median

from bookreader.numerals import counted_on
from bookreader.pdf.characters import has_capitals
from bookreader.pdf.flow import APART, BULLETS, ITEM_MARK, FlowLine
from bookreader.pdf.headings import ENDS, ORNAMENT, is_capitals
from bookreader.pdf.model import Line, PdfPage, Token, in_groups, line_of, text_of, whole_words
from bookreader.pdf.prose import Vocabulary, is_tall, is_word, lower_opening, was_ended
from bookreader.text.language import frequency

ALIGNED = 2.5  # points by which the lines of a list's item may differ
INDENT = 0.6  # of the type size: so much further in, a line begins a paragraph
WIDE = 1.7  # × the leading: no sentence goes on over such a space
QUOTES = "“„«‘"
TERMINAL = ".!?:…”’\"')]*"
OFTEN = 0.3  # of the paragraphs: so many must begin with an indent (a space) for it to be the book's habit
TORN = 0.03  # of the blocks of a tagged PDF, at most, begin within a sentence
SHORT = 3.0  # × the type size: a line that leaves so much free ends early
FARTHEST = 8.0  # × the type size: more than this is not an indent


@dataclass(frozen=True, slots=True)
class Habits:
    """How the book shows a new paragraph: by indents, by spaces, or (if neither) only by a last line that ends early.

    indent: points by which first lines are usually set in. hangs: whether first lines hang out instead, as in a glossary.
    tagged: whether the blocks of a tagged PDF end where sentences do."""

    indents: bool
    spaces: bool
    indent: float
    hangs: bool = False
    tagged: bool = False


def habits_of(flow: Sequence[FlowLine]) -> Habits:
    """The book's habits, from lines that follow a certain end of a paragraph and lines that certainly do not."""
    within = [(a, b) for a, b in pairwise(flow) if b.above is not None and alike(a, b)]
    firsts = [(a, b) for a, b in within if ended(a, b)]
    indents = [b.indent - a.indent for a, b in firsts if is_indent(b.indent - a.indent, b)]
    spaced = sum(is_apart(b) for _, b in firsts)
    hanging = sum(is_indent(a.indent - b.indent, b) and b.indent < INDENT * b.line.size for a, b in firsts)
    enough = OFTEN * len(firsts)
    hangs = hanging > enough and hanging > len(indents)
    parted = [(a, b) for a, b in pairwise(flow) if a.block and b.block and a.block != b.block and b.above is not None]
    tagged = sum(goes_on(a, b) for a, b in parted) <= TORN * len(parted)
    return Habits(len(indents) > enough, spaced > enough, median(indents) if indents else 0.0, hangs, tagged)


def is_apart(line: FlowLine) -> bool:
    """Whether there is more space above a line than between lines of one paragraph."""
    return (line.above or 0) > APART


def alike(a: FlowLine, b: FlowLine) -> bool:
    """Whether two lines are in type of one size, or one holds the type of the other, as a line with a long address does."""
    holds = any(token.style == each.line.style for each, other in ((a, b), (b, a)) for token in other.line.tokens)
    return holds or abs(a.line.size - b.line.size) <= 0.05 * max(a.line.size, b.line.size)


def is_indent(offset: float, line: FlowLine) -> bool:
    """Whether an offset in points is that of a first line."""
    return INDENT * line.line.size <= offset <= FARTHEST * line.line.size


def paragraphs_of(flow: Sequence[FlowLine], habits: Habits) -> list[Sequence[FlowLine]]:
    """The flow between two headings, divided into paragraphs."""
    lines = range(len(flow))
    parts = in_groups(lines, lambda own, i: not (begins(flow, i, habits) or leaves_item(flow[own[0] : i], flow[i])))
    return [flow[own[0] : own[-1] + 1] for own in parts]


def begins(flow: Sequence[FlowLine], i: int, habits: Habits) -> bool:
    """Whether line i begins a paragraph."""
    before, line = flow[i - 1], flow[i]
    continues = False if is_next_item(flow, i) else line.goes_on
    if habits.tagged and continues is None:
        continues = goes_on_in_block(flow, i)
    if line.number is not None or continues is not None:
        return line.number is not None or not continues
    if is_apart(line):
        return (line.above or 0) > WIDE or before.text[-1:] in ENDS or not line.text.lstrip(QUOTES)[:1].islower()
    if ORNAMENT.match(line.text) or ORNAMENT.match(before.text):
        return True
    if not alike(before, line):
        return not (is_capitals([before]) and before.line.size < line.line.size)  # an opening line in small capitals
    hangs = habits.hangs and not begins_item(line)
    if hangs or line.above is None:
        at_edge = line.indent < INDENT * line.line.size and ended(before, line, strictly=False)
        return at_edge if hangs else begins_column(flow, i, habits)
    early = before.text[-1] not in ENDS and before.slack >= EARLY * (before.right - before.left)
    return (early and bool(STATED.match(before.text) and STATED.match(line.text))) or begins_within(flow, i, habits)


ITEM_END = re.compile(r";(?: \w{2,4})?$")  # "; and"
LETTERED = re.compile(r"\(([a-z]|[ivx]{1,5}|\d{1,2})\)")


def is_next_item(flow: Sequence[FlowLine], i: int) -> bool:
    """Whether line i begins with the letter or number after that of an item above it, as far in: "(b)" after "(a)"."""
    mark = LETTERED.match(flow[i].text) if ITEM_END.search(flow[i - 1].text) else None
    above = (each for each in flow[max(0, i - 15) : i] if abs(each.indent - flow[i].indent) < ALIGNED)
    labels = (found[1] for each in above if (found := LETTERED.match(each.text)))
    return mark is not None and any(mark[1] in (counted_on(label, 1), chr(ord(label[-1]) + 1)) for label in labels)


def goes_on_in_block(flow: Sequence[FlowLine], i: int) -> bool | None:
    """Whether line i continues the paragraph of the one before by the blocks of a tagged PDF; None if they do not say, or what
    they say cannot be: those who type may end a mere line as a paragraph, or a paragraph as a line."""
    before, line = flow[i - 1], flow[i]
    if not (before.block and line.block):
        return None
    ended, small = before.text[-1:] in ENDS, line.text[:1].islower() and not begins_item(line)
    if small or before.block == line.block:
        return True if small and not ended and before.block == line.block else None
    is_item = begins_item(line) or CLAUSE.match(line.line.tokens[0].text)
    is_whole = i < 2 or flow[i - 2].block != before.block  # then a line that does not end a sentence is a heading or an item
    opens = is_item or (is_whole and (line.text.lstrip(QUOTES)[:1].isupper() or before.room(line) > before.line.size))
    return False if ended or (opens and line.above is not None) else None


CLAUSE = re.compile(r"\d+(?:\.\d+)+\.?$")  # 1.2, before a clause or an item
STATED = re.compile(r"[A-Z](?:[\w/-]+ ){0,3}[\w/-]+: ?\S")
EARLY = 0.2  # of the column is free behind such a line


def begins_within(flow: Sequence[FlowLine], i: int, habits: Habits) -> bool:
    """Whether a line that closely follows another begins a paragraph."""
    before, line = flow[i - 1], flow[i]
    if was_last(flow, i - 1):
        return True
    if begins_item(before) and begins_item(line) and (abs(before.indent - line.indent) < ALIGNED or was_ended(before, line)):
        return True
    words = words_of_item(before)
    below = words is not None and abs(words - line.indent) <= ALIGNED
    hangs = below and (line.text[:1].islower() or not was_ended(before, line))
    return not hangs and not goes_on(before, line) and begins_by_indent(flow, i, habits)


ROOM = 2.0  # × the type size: so much more than the next word the last line of a paragraph leaves free …
HALF = 0.5  # … and twice as much where all lines around it are short, as in a quotation


def was_last(flow: Sequence[FlowLine], i: int) -> bool:
    """Whether line i ends a sentence, or an item before another one, and much more than the next word would fit into it."""
    line, following = flow[i], flow[i + 1]
    edge = max(each.line.x1 for each in flow[max(0, i - 1) : i + 2] if each.left == line.left)
    first, closed = following.line.tokens[0], line.text[-1:] in TERMINAL.replace(":", ";" * begins_item(following))
    return closed and max(edge - line.line.x1, HALF * line.slack) > first.x1 - first.x0 + ROOM * line.line.size


def begins_by_indent(flow: Sequence[FlowLine], i: int, habits: Habits) -> bool:
    """Whether a line begins a paragraph: by its indent, or by where a quotation starts and ends."""
    before, line = flow[i - 1], flow[i]
    step = line.indent - before.indent
    if is_indent(step, line):
        verse = was_ended(before, line) and i + 1 < len(flow) and was_ended(line, flow[i + 1])
        return not (line.is_centred or verse) or ended(before, line, strictly=False)
    if is_indent(-step, line):  # after a quotation
        return ended(before, line) and i > 1 and not ended(flow[i - 2], before)
    if habits.indents and abs(line.indent - habits.indent) < 2 and was_first(flow, i - 1):
        return ended(before, line, strictly=is_apart(before))  # dialogue, unless a space before makes it a quotation
    if not habits.indents and not habits.spaces:
        return ended(before, line)
    return False


def goes_on(before: FlowLine, line: FlowLine) -> bool:
    """Whether a sentence certainly goes on from a full line, however far in the next one begins."""
    return before.text[-1:] not in ENDS and before.slack <= SHORT * before.line.size and line.text[:1].islower()


def words_of_item(line: FlowLine) -> float | None:
    """The indent of the words of an item of a list; None for a line that begins none."""
    first, *rest = line.line.tokens
    marked = ITEM_MARK.fullmatch(first.text)
    return line.indent + rest[0].x0 - first.x0 if marked and rest else None


def leaves_item(paragraph: Sequence[FlowLine], line: FlowLine) -> bool:
    """Whether a line with a capital is no more of an item: it stands further out than the item's words, which hang one below
    the other or leave it room; or it would have begun within the item's width. A line without a stop must end very early."""
    words, last = words_of_item(paragraph[0]), paragraph[-1]
    if words is None or line.goes_on or not line.text.lstrip(QUOTES)[:1].isupper():
        return False
    outside, hung = line.indent <= words - ALIGNED, abs(last.indent - words) <= ALIGNED
    parted = last.text[-1:] in ENDS or line.indent < paragraph[0].indent - ALIGNED
    early = (outside and was_ended(last, line)) or last.room(line) > min(x.slack for x in paragraph) + ROOM * line.line.size
    return (outside and hung) or (early and (parted or last.slack > 2 * EARLY * (last.right - last.left)))


def begins_item(line: FlowLine) -> bool:
    """Whether a line begins an item of a list, or a paragraph with a number; a dash at a word is no item's."""
    first, *rest = line.line.tokens
    marked = ITEM_MARK.fullmatch(first.text) and not (first.text in "–—-" and rest and rest[0].glued)
    return bool(line.number is not None or marked or first.text[0] in BULLETS)


def was_first(flow: Sequence[FlowLine], i: int) -> bool:
    """Whether line i, indented as far as the next one, was itself the indented first line of a one-line paragraph."""
    if i == 0:
        return True
    before, line = flow[i - 1], flow[i]
    return line.above is None or is_indent(line.indent - before.indent, line) or ended(before, line)


def begins_column(flow: Sequence[FlowLine], i: int, habits: Habits) -> bool:
    """Whether the first line of a column or page begins a paragraph."""
    before, line = flow[i - 1], flow[i]
    if before.text[-1:] in TERMINAL and begins_item(line):
        return True
    following = flow[i + 1] if i + 1 < len(flow) else None
    close = following is not None and following.above is not None and not is_apart(following)
    base = following.indent if following and close else margin_before(flow, i)
    if habits.indents and is_indent(line.indent - base, line):
        return ended(before, line, strictly=False)
    # dialogue: the lines on both sides of the page's edge are paragraphs of one line
    spoken = habits.indents and abs(line.indent - habits.indent) < 2 and was_first(flow, i - 1)
    moved = abs(base - margin_before(flow, i)) > INDENT * line.line.size and abs(line.indent - base) < 2
    return ((spoken or moved) and ended(before, line, strictly=False)) or (not habits.indents and ended(before, line))


def margin_before(flow: Sequence[FlowLine], i: int) -> float:
    """The indent of the text before line i: of the last two lines, the one further out."""
    return min(each.indent for each in flow[max(0, i - 2) : i])


def ended(line: FlowLine, following: FlowLine, strictly: bool = True) -> bool:
    """Whether a paragraph could end with `line`: it closes a sentence, and (strictly) the next word would still have fitted."""
    if line.text[-1:] not in (TERMINAL if strictly else ENDS):
        return False
    return not strictly or line.room(following) > 0.3 * line.line.size


RAISED = 1.25  # × the size of the word that follows: an initial that stands on the first line may be smaller
INITIAL = re.compile(r"^[“„«\"‘’'(\[]*(?:[^\W\d_]|Th|TH|Qu|QU)$")
NEAR = 1.5  # × the letter's width, and one size more: text beside an initial begins no further off
OVERHANG = 0.5  # × the body's size: so far the letter's box may reach into the text beside it
OWN_WORDS = frozenset("AIO")  # letters that are words
RARER = 0.002  # "A man", not "Aman": joined if the joined word is at least this share as frequent as the rest


def with_initials(page: PdfPage, size: float) -> PdfPage:
    """The page with its drop caps joined to the lines they begin; most pages have none. size: of the body type, in points."""
    lines = list(page.lines)
    for cap in [line for line in lines if is_initial(line, size)]:
        companions = sorted((line for line in lines if is_companion(line, cap, size)), key=lambda line: line.baseline)
        if companions:
            joined = {id(line): replace(line, x0=cap.x0) for line in companions}
            joined[id(companions[0])] = with_initial(cap, companions[0])
            lines = [joined.get(id(line), line) for line in lines if line is not cap]
    return page.with_lines(lines) if lines != list(page.lines) else page


def is_initial(line: Line, size: float) -> bool:
    """Whether the line is a single large letter, perhaps after a quotation mark."""
    return line.size >= RAISED * size and bool(INITIAL.match(line.text.replace(" ", "")))


def is_companion(line: Line, cap: Line, size: float) -> bool:
    """Whether a line of text stands to the right of the letter and within its height."""
    near = -OVERHANG * size <= line.x0 - cap.x1 <= size + NEAR * cap.width
    return near and line.size < cap.size / RAISED and cap.y0 - 0.3 * size <= line.baseline <= cap.baseline + 0.6 * size


def with_initial(cap: Line, line: Line) -> Line:
    """The line with the letter before it; it keeps its own baseline and style."""
    first, *rest = line.tokens
    letters = [token._replace(style=first.style) for token in cap.tokens]
    glued = belongs(cap.text[-1], first) or (first.glued and cap.text[-1] not in OWN_WORDS)
    tokens = [*letters, first._replace(glued=glued), *rest]
    return replace(line_of(line.page, tokens, line.baseline), y0=line.y0, y1=line.y1)


def belongs(letter: str, first: Token) -> bool:
    """Whether the letter begins the word after it ("T" + "HE") or is a word itself ("A" + "MAN")."""
    rest = re.match(r"[^\W\d_]*", first.text)
    word = rest[0].casefold() if rest else ""
    if letter not in OWN_WORDS or not word:
        return word != "" or not first.text[:1].isalnum()
    return frequency(letter.casefold() + word) >= max(1, RARER * frequency(word))


CAPITALS = re.compile(r"^[^a-zà-ÿ]*[A-ZÀ-Þ][^a-zà-ÿ]*$")


def restore_opening(tokens: Sequence[Token], book: Vocabulary) -> list[Token]:
    """The line's tokens with an opening run of capitals lowered: "THE SUBJECT of" → "The subject of".

    One word alone is lowered only if the book writes it small elsewhere ("WHEN in", but "NATO is"). In a font of small capitals
    the file says which letters are small."""
    tokens = as_in_file(tokens)
    words = whole_words(tokens)
    run = list(takewhile(lambda word: CAPITALS.match(text_of(word)), words))
    texts = [text_of(word) for word in run]
    if not lowers(texts, book):
        return list(tokens)
    restored = lower_opening(texts, book)
    mended = [token for word, text in zip(run, restored, strict=True) for token in respelled(word, text)]
    return [*mended, *(token for word in words[len(run) :] for token in word)]


def as_in_file(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens, those of an opening run in a font of small capitals in the letters that the file has, if it begins with a
    capital: such tokens are otherwise printed as capitals."""
    start = int(is_tall(tokens[0]))
    run = list(takewhile(lambda token: has_capitals(token.style.font), tokens[start:]))
    if not run or not (start or run[0].text.lstrip("“‘\"'")[:1].isupper()):
        return tokens
    named = [token._replace(style=token.style._replace(font="")) for token in run]
    return [*tokens[:start], *named, *tokens[start + len(run) :]]


def lowers(words: Sequence[str], book: Vocabulary) -> bool:
    """Whether words in capitals are an opening and not a name or an abbreviation."""
    long_words = [word for word in words if sum(c.isalpha() for c in word) > 1]
    if not long_words:
        return False
    bare = [word.strip("“”\"‘’'([.,;:!?").casefold() for word in long_words]
    worded = any(is_word(word) or word in book.small for word in bare)  # else initials of names
    return (len(words) > 1 and worded) or (book.words[bare[0]] > 1 and bare[0] in book.small)


def respelled(word: Sequence[Token], text: str) -> list[Token]:
    """The word's tokens with the letters of `text`, which has the same length."""
    letters = iter(text)
    return [token._replace(text="".join(islice(letters, len(token.text)))) for token in word]
