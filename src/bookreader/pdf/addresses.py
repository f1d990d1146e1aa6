"""Blocks of a PDF to sentences with addresses and ids. Speeches of plays begin with names, which are known by how often the
same few words in capitals begin a line.

Before sentences may be quoted, a last look asks whether each line of a paragraph is printed next to the one before it. Where
other print of the text's type stands between two lines of a sentence, in a column of theirs, or follows a line that goes on
elsewhere, the paragraph was put together wrongly, whatever step did it."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate, chain, groupby, pairwise, takewhile
from operator import attrgetter
from statistics import median
from types import MappingProxyType

from bookreader.book import LINED, Address, BookId, Box, Kind, Place, Sentence, paragraph_id, sentence_id
from bookreader.pdf.chapters import OUTSIDE
from bookreader.pdf.characters import has_capitals
from bookreader.pdf.flow import BULLETS, ITEM_MARK, FlowLine, block_of, is_part, overlap
from bookreader.pdf.kinds import TextBlock, is_before, is_open
from bookreader.pdf.model import Line, Matrix, PdfPage, Token
from bookreader.pdf.paragraphs import TERMINAL, begins_item, restore_opening
from bookreader.pdf.prose import SOFT, BoxedText, Prose, Vocabulary, is_stanza, is_tall, is_verse, is_word, prose_of, was_ended
from bookreader.text.sentences import split_sentences

SURE = 0.8  # confidence of every word of a sentence that is shown as a quotation (scripts/eval/scans.py)
LETTER = dict(zip(Kind, "pnscdftrli", strict=True))  # of paragraphs' ids
SLIP = 1.0  # points


@dataclass(frozen=True, slots=True)
class Edition:
    """What all addresses of one book share.

    labels: of every page. marks: the note marks of each page. to_display: for pages that are displayed rotated, the matrix to
    the displayed page. sizes: width and height of each displayed page, in points. breaks: of labels.Labels. marked: whether the
    file itself says where paragraphs begin and end. hung: as hung_below finds it."""

    book: BookId
    version: str
    labels: Sequence[str]
    vocabulary: Vocabulary
    marks: Mapping[int, frozenset[str]]
    to_display: Mapping[int, Matrix] = field(default_factory=dict)
    sizes: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    breaks: Mapping[int, Sequence[tuple[float, float, str]]] = field(default_factory=dict)
    marked: bool = False
    hung: Mapping[int, Sequence[tuple[float, float, float]]] = field(default_factory=dict)


class Doubt(StrEnum):
    """Why a sentence is not quoted as text, as the report names it."""

    SIGNS = "doubt_signs"
    RECOGNITION = "doubt_recognition"
    TORN = "doubt_torn"
    APART = "doubt_apart"
    SPEAKER = "doubt_speaker"


def sentences_of(
    blocks: Iterable[tuple[TextBlock, str]], edition: Edition, broken: Mapping[int, frozenset[int]] = MappingProxyType({})
) -> Iterator[tuple[Sentence, Doubt | None]]:
    """Every sentence in order, and why it is not quotable; paragraphs, notes and captions of a chapter are counted separately.
    blocks: each with the name that its speech begins with. broken: as joints_broken gives it."""
    counts: Counter[tuple[int, Kind]] = Counter()
    for n, (block, name) in enumerate(blocks):
        number = counts[block.chapter.index, block.kind]
        if sentences := list(sentences_in(block, number, edition, broken.get(n, frozenset()), name)):
            counts[block.chapter.index, block.kind] += 1
            yield from sentences


def sentences_in(
    block: TextBlock, number: int, edition: Edition, broken: frozenset[int], name: str
) -> Iterator[tuple[Sentence, Doubt | None]]:
    """The sentences of one block, linked to their neighbours in it. A caption known by its tiny type is judged as text."""
    prose = prose_in(block, edition)
    spans = spans_in(block, prose, name)
    paragraph = paragraph_id(edition.version, block.chapter.index + 1, number, LETTER[block.kind])
    ids = [None, *(sentence_id(paragraph, i) for i in range(len(spans))), None]
    guessed = not edition.marked and (block.lines[0].kind, block.kind) in GUESSED
    fewest = 2 if guessed and not begins_item(block.lines[0]) else 1
    torn = torn_in(block, prose, spans, edition.vocabulary) if guessed or block.lines[0].is_label else frozenset()
    broken |= ended_early(block.lines) if guessed else frozenset()
    for i, span in enumerate(spans):
        address = address_of(block, prose, span, (paragraph, number, i), edition)
        here, text = ids[i + 1], prose.text[slice(*span)]
        assert here is not None  # noqa: S101 - for the type checker: only the ends are None
        mean, weakest = prose.confidence(*span) or (None, 1.0)
        doubts = {
            Doubt.SPEAKER: i == 0 and bool(name),
            Doubt.RECOGNITION: weakest < SURE,
            Doubt.SIGNS: block.kind is Kind.FORMULA
            or not prose.is_exact(*span)
            or is_altered(text)
            or not is_said(text, fewest)
            or any(each.stands_over(*small) for each in prose.within(*span) for small in edition.hung.get(each.page, ())),
            Doubt.TORN: i in torn,
            Doubt.APART: (block.kind is Kind.CAPTION and block.lines[0].is_apart)  # the words in a picture have no order
            or not broken.isdisjoint(joints_in(prose, span))
            or is_gapped(prose, span, block.lines, is_text=guessed)
            or (block.kind is Kind.TABLE and is_part(block.lines, prose.within(*span)[0].row // 2)),
        }
        doubt = next((each for each, is_so in doubts.items() if is_so), None)
        yield Sentence(here, text, block.kind, address, ids[i], ids[i + 2], doubt is None, mean), doubt


GUESSED = frozenset({(Kind.SENTENCE, Kind.SENTENCE), (Kind.SENTENCE, Kind.CAPTION), (Kind.SIDENOTE, Kind.SIDENOTE)})
WHOLE = frozenset({Kind.FORMULA, Kind.REFERENCE})


def prose_in(block: TextBlock, edition: Edition) -> Prose:
    """The text of a block; lines of listings, tables and lists stay lines, but for those that an e-book's screen made."""
    if block.kind is Kind.FORMULA:  # a raised figure in it calls no note
        return prose_of(block.lines, edition.vocabulary, None)
    if block.kind not in LINED or (edition.marked and block.kind in OUTSIDE):
        return prose_of(block.lines, edition.vocabulary, edition.marks, opening_of(block, edition))
    return stacked([prose_of([line], edition.vocabulary, edition.marks) for line in block.lines])


def stacked(lines: Sequence[Prose]) -> Prose:
    """Lines one below the other as one text."""
    texts, pieces, inexact, start = list[str](), list[BoxedText](), list[tuple[int, int]](), 0
    for row, line in enumerate(lines):
        texts.append(line.text)
        inexact += [(start + first, start + end) for first, end in line.inexact]
        pieces += [each._replace(start=start + each.start, end=start + each.end, row=2 * row) for each in line.pieces]
        start += len(line.text) + 1
    return Prose("\n".join(texts), tuple(pieces), tuple(inexact))


def spans_in(block: TextBlock, prose: Prose, name: str) -> list[tuple[int, int]]:
    """Where the sentences of a block are in its text: lines, rows, entries and the name before a speech count as sentences."""
    if block.kind in WHOLE:
        return [(0, len(prose.text))] if prose.text else []
    if block.kind in LINED:
        ends = list(accumulate((len(line) + 1 for line in prose.text.split("\n")), initial=0))
        return [(start, end - 1) for start, end in pairwise(ends) if end - 1 > start]
    parts, after = list[tuple[int, int]](), 0
    if name and f"{prose.text} ".casefold().startswith(f"{name} ".casefold()):
        parts, after = [(0, len(name))], len(name) + 1
        direction = REMARK.match(prose.text, after)
        if direction and prose.text[direction.end() :].lstrip(BEFORE_SPEECH)[:1].isupper():  # not of a speech's first words
            parts, after = [*parts, direction.span()], direction.end() + 1
    return [*parts, *((start + after, end + after) for start, end in split_sentences(prose.text[after:]))]


REMARK = re.compile(r"\[[^\[\]]*\](?!\S)")  # a direction of a play
BEFORE_SPEECH = " “„«‘'\""
ITEM_NUMBER, CLOSING = 4, 3  # characters: so long are "(iv)" and ".”)" at most
END = re.compile(  # perhaps with the call of a note, or remarks in brackets; "2.1" is none
    r"(?!(?<=\d)[.:]\d)[.!?…:;—–](?:(?<=[.!?…])[\"'”’»]*\s?(?:[(\[][^()\[\]]+[)\]]\s?)+|\W*(?:\d{1,3}\]?)?)$"
)
STANZA_END = re.compile(r"[.!?…:]\W*$")
ALTERED = re.compile(  # what is printed otherwise
    r"[=<>≤≥≈≡∝∼]\s(?:\S+\s[+−–*/·×-]\s)*(?:\d+(?:[.,]\d+)*|[^\W\d_])\s(?![aAI]\b)[^\W\d_]\b"  # a fraction, a root: "= 360 t"
    r"|(?<=[\w)\]”’]) [,.](?= [^\s.,…]|$)"  # a sign is lost before it
    r"|(?:(?<!\S)(?:[^\W\d_]\d|\d[^\W\d_]|(?![aAIO])[^\W\d_])(?:\s|$)){4}"  # loose letters of a drawing
    rf"|^\d{{0,2}}[⁰¹²³⁴-⁹]+ |^\d{{1,3}}[A-ZÄÖÜ][a-zß-ÿ]|[^\W\d_][†‡]|{SOFT}"  # the call of a note
)
LIGATURE = re.compile(r"(?<=[a-zß-ÿ])[0-9@(#$%&*+<=>ƟŌƩƫƞƪ](?=[a-zß-ÿ])")  # as a broken font gives it: "func6on"
WORD = re.compile(r"[^\W\d_]{2,}")
LONG_WORD = 3  # letters
PAIRED = re.compile(r"\([^()]*\)")


def torn_in(block: TextBlock, prose: Prose, spans: Sequence[tuple[int, int]], book: Vocabulary) -> frozenset[int]:
    """The first sentence of a block that begins within a sentence, and the last one that does not end. Items of lists need no
    stop if they are one phrase, and a name in another face than its line may begin small ("awk reads")."""
    named = begins_item(block.lines[0])
    stopped = len(spans) > 1 and all(END.search(prose.text[slice(*span)]) for span in spans[:-1])
    if not spans or (named and not stopped and not block.lines[-1].is_cut):
        return frozenset()
    first = block.lines[0].line
    word = re.match(r"[a-zß-ÿ]+", prose.text.lstrip("([“‘"))
    small = (
        word and not named and (is_word(word[0]) or not book.in_dictionary) and first.tokens[0].style.font == first.style.font
    )
    unended = not END.search(prose.text) or goes_on(block.lines)
    found = {0: small, len(spans) - 1: (len(spans) == 1 and small) or unended}
    bracketed = (i for i, span in enumerate(spans) if is_cut_at_bracket(prose.text[slice(*span)]))
    return frozenset([*(i for i, is_torn in found.items() if is_torn), *bracketed])


def goes_on(lines: Sequence[FlowLine]) -> bool:
    """Whether a sentence goes on after the last of these lines: those of a stanza that does not end with a stop."""
    return is_stanza(lines) and not STANZA_END.search(lines[-1].text)


def is_cut_at_bracket(text: str) -> bool:
    """Whether a bracket opens within a sentence and does not close, or the other way round: it was parted at a stop in it."""
    while (rest := PAIRED.sub("", text)) != text:
        text = rest
    return text.find("(") > 0 or ITEM_NUMBER < text.find(")") < len(text) - CLOSING


def is_said(text: str, fewest: int) -> bool:
    """Whether a sentence has so many different words, a long one among them: "Sec. 5. Sec. 6." has one."""
    words = {*WORD.findall(text.casefold())}
    return len(words) >= fewest and any(len(word) >= LONG_WORD for word in words)


def is_altered(text: str) -> bool:
    """Whether a sentence reads as what is printed otherwise; also if a sign within a word stands for a ligature, as it does
    where a font's map is broken: with it, the word is one."""
    broken = [word for word in text.casefold().split() if LIGATURE.search(word)]
    words = (LIGATURE.sub(each, word).strip(".,;:!?”’)") for word in broken for each in ("fi", "fl", "ff", "ti", "tt"))
    return ALTERED.search(text) is not None or any(map(is_word, words))


def joints_in(prose: Prose, span: tuple[int, int]) -> range:
    """The indices of the lines of a block that a sentence goes on from; -1 is before the block, for its first sentence."""
    rows = [piece.row // 2 for piece in prose.within(*span)]
    return range(min(rows, default=0) - (span[0] == 0), max(rows, default=0))


ROOM = 2.0  # × the type size: so much more than the next word a line leaves free that ends on purpose


def ended_early(lines: Sequence[FlowLine]) -> frozenset[int]:
    """The indices of the lines of a paragraph that end though the next word would have fitted beside the others, unless it is
    verse, where most lines do and no number begins the next; and of those before a capital in another face, as after a term."""
    right = defaultdict[tuple[int, float], float](float)  # the edge of each column, by its page and left edge
    for each in lines:
        right[each.page, each.left] = max(right[each.page, each.left], each.line.x1)
    room = [right[a.page, a.left] - a.line.x1 - (b.line.tokens[0].x1 - b.line.x0) for a, b in pairwise(lines)]
    found = [i for i, (free, each) in enumerate(zip(room, lines, strict=False)) if free > ROOM * each.line.size]
    faces = [{token.style.font for token in each.line.tokens} for each in lines]
    unlike = [i for i, (a, b) in enumerate(pairwise(faces)) if a.isdisjoint(b) and lines[i + 1].text[0].isupper()]
    listed = [i for i, (a, b) in enumerate(pairwise(lines)) if b.text[0].isnumeric() and was_ended(a, b)]
    return frozenset([*unlike, *(listed if len(lines) > 2 and is_verse(lines) else found)])


GAPPED = 2.0  # × the type size, and …
STRIPE = 0.6  # × the type size: as wide at least is what lies free between two columns, on line after line
WIDER = 3.0  # × the line's usual blank: words so far apart on a line are those of two columns
EVEN = 1.2  # × the narrowest blank of a line is the widest, if the line is spread to its measure
FEW_GAPS = 2  # of a line say nothing of its usual blank


def is_gapped(prose: Prose, span: tuple[int, int], lines: Sequence[FlowLine], *, is_text: bool) -> bool:
    """Whether words of a sentence stand far apart on a line that is not set so wide as a whole, or on two lines one below the
    other, or over each other, or in two blocks of a tagged PDF, or it ends in the number of an item that begins a line. The
    first word of a line may be the number of an item."""
    before: list[tuple[float, float]] = []
    for n, (row, group) in enumerate(groupby(prose.within(*span), key=lambda piece: piece.row // 2)):
        named, pieces = begins_item(lines[row]), list(group)
        gaps = [(a.x1, b.x0) for a, b in pairwise(pieces) if a.end < b.start][named:]
        size = lines[row].line.size
        over = is_text and any(b.x0 < a.x0 - size for a, b in pairwise(pieces))  # print over print
        last = prose.text[pieces[0].start : pieces[0].end] if n and len(pieces) == 1 else ""
        if over or (ITEM_MARK.fullmatch(last) and (last.islower() or begins_item(lines[0]))):
            return True
        blanks = [b.x0 - a.x1 for a, b in pairwise(lines[row].line.tokens) if not b.glued]
        is_spread = len(blanks) > FEW_GAPS and max(blanks) <= EVEN * min(blanks)
        wide = [(a, b) for a, b in gaps if b - a > STRIPE * size and not is_spread]
        usual = median(b - a for a, b in gaps) if wide and not (is_text and len(gaps) <= FEW_GAPS) else 0.0
        own = [t for t in lines[row].line.tokens if t.block and pieces[0].x0 <= t.x0 < pieces[-1].x1]
        parted = is_text and own and not block_of(own)
        if parted or any(b - a > max(GAPPED * size, WIDER * usual) for a, b in wide):
            return True
        if any(min(b, d) - max(a, c) > STRIPE * size for a, b in wide for c, d in before):
            return True
        before = wide
    return False


def opening_of(block: TextBlock, edition: Edition) -> Callable[[list[Token]], list[Token]] | None:
    """How to correct the first line of a block that opens a chapter or section, or begins with a drop cap or a bullet."""
    first = block.lines[0].line.tokens[0]
    if first.text[0] in BULLETS and sum(line.text.count(first.text[0]) for line in block.lines) == 1:
        return without_bullet
    opens = (block.opens or is_tall(first)) and not all(line.text.isupper() for line in block.lines)
    return (lambda tokens: restore_opening(tokens, edition.vocabulary)) if opens else None


def without_bullet(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a line after the bullet that it begins with."""
    first, *rest = tokens
    if len(first.text) == 1:
        return [each._replace(glued=each.glued and i > 0) for i, each in enumerate(rest)]
    return [first._replace(text=first.text[1:], x0=first.x0 + (first.x1 - first.x0) / len(first.text)), *rest]


def address_of(
    block: TextBlock, prose: Prose, span: tuple[int, int], numbers: tuple[str, int, int], edition: Edition
) -> Address:
    """The address of characters `span` of the block's text."""
    paragraph_id, paragraph, sentence = numbers
    places = tuple(place_of(page, boxes, edition) for page, boxes in prose.pages(*span))
    number = block.lines[0].number
    around = block.chapter, block.section_path
    return Address(edition.book, edition.version, *around, paragraph_id, paragraph, sentence, span, places, None, number)


def place_of(page: int, boxes: Iterable[Box], edition: Edition) -> Place:
    """The boxes on one page as displayed."""
    within = [on_page(box, edition.sizes.get(page)) for box in boxes]
    label = label_at(within[0], page, edition)
    return Place(page, label, tuple(as_displayed(box, edition.to_display.get(page)) for box in within))


def label_at(box: Box, page: int, edition: Edition) -> str:
    """The label of what begins in that box: of the last printed page that begins above it, or before it in its line."""
    breaks = edition.breaks.get(page, ())
    begun = [label for y, x, label in breaks if y < (box.y0 + box.y1) / 2 or (y < box.y1 and x <= box.x0 + SLIP)]
    return begun[-1] if begun else edition.labels[page]


def on_page(box: Box, size: tuple[float, float] | None) -> Box:
    """The part of the box that is on the page: a letter may cross its edge. MuPDF leaves out what is entirely outside."""
    if size is None:
        return box
    width, height = size
    x0, x1 = (min(max(x, 0.0), width) for x in (box.x0, box.x1))
    y0, y1 = (min(max(y, 0.0), height) for y in (box.y0, box.y1))
    return Box(x0, y0, x1, y1)


def as_displayed(box: Box, matrix: Matrix | None) -> Box:
    """The box on the page as displayed."""
    if matrix is None:
        return box
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
    xs = sorted(a * x + c * y + e for x, y in corners)
    ys = sorted(b * x + d * y + f for x, y in corners)
    return Box(round(xs[0], 2), round(ys[0], 2), round(xs[-1], 2), round(ys[-1], 2))


LONGEST = 4  # words of a name
WORDS = ("I", "A", "O")  # words in capitals that a speech may begin with
OFTEN = 3  # speeches of each
SHARE = 0.3  # of the paragraphs begin with a name


def speeches_of(blocks: Sequence[TextBlock]) -> list[tuple[TextBlock, str]]:
    """The blocks, each speech as one of its own, with the name that it begins with; "" for any other block. Names recur, and
    many paragraphs begin with one. Where few do, only those count that stand in capitals on lines of their own. Where two of
    these recur, all others that stand so are names, too."""
    found = [names_in(block) for block in blocks]
    texts = sum(block.kind is Kind.SENTENCE for block in blocks)
    counts = Counter(name for own in found for name in own if name)
    names = {name for name, count in counts.items() if count >= OFTEN}
    lines = {each.text for block in blocks for each in block.lines if each.text.isupper()}
    stand_alone = len(names & lines) > 1
    if len(names) < 2 or sum(counts[name] for name in names) < SHARE * texts:
        found, names = [names_in(block, alone=True) for block in blocks], set()
    else:  # those in small capitals are names, however few
        named = zip((each for block in blocks for each in block.lines), chain(*found), strict=True)
        names |= {name for each, name in named if name and has_capitals(each.line.tokens[0].style.font)}
    if stand_alone:
        names |= lines & counts.keys()
    return [part for block, own in zip(blocks, found, strict=True) for part in parted(block, own, names)]


def names_in(block: TextBlock, *, alone: bool = False) -> list[str]:
    """The name that each line of running text begins with; "" for none. alone: only of lines in capitals, which are names."""
    before = [None, *(each.text[-1:] for each in block.lines)]
    firsts = [last is None or last in TERMINAL for last in before]
    may = [block.kind is Kind.SENTENCE and (not alone or each.text.isupper()) for each in block.lines]
    return [name_in(each.line, first=at) if own else "" for each, at, own in zip(block.lines, firsts, may, strict=False)]


def parted(block: TextBlock, found: Sequence[str], names: set[str]) -> Iterator[tuple[TextBlock, str]]:
    """The block, divided before each line that begins with a name. found: of its lines."""
    starts = [0, *(n for n, name in enumerate(found) if n and name in names), len(found)]
    for start, end in pairwise(starts):
        name = found[start] if found[start] in names else ""
        yield replace(block, lines=block.lines[start:end], opens=block.opens and not start), name


def name_in(line: Line, *, first: bool) -> str:
    """The first words of a line if they are in capitals; those that begin so, before a stop, in a line after the end of a
    sentence. first: whether it is such a line."""
    words = [*takewhile(is_capital, line.tokens)]
    stop = next((n for n, token in enumerate(words) if token.text[-1] in ".:"), len(words) - 1)
    words = words[: stop + 1]
    while words and words[-1].text in WORDS:
        words.pop()
    if first and not words:
        stop = next((n for n, token in enumerate(line.tokens) if token.text[-1] in ".:"), -1)
        words = [*takewhile(lambda token: token.text[0].isupper(), line.tokens[: stop + 1])]
        words = words if len(words) == stop + 1 else []
    text = "".join(token.text if token.glued else f" {token.text}" for token in words).strip()
    follows = len(words) < len(line.tokens) or all(map(is_capital, words))
    text = line.text if line.text.isupper() else text
    return text if any(len(token.text) > 2 for token in words) and len(words) <= LONGEST and follows else ""


def is_capital(token: Token) -> bool:
    """Whether a word is in capitals, large or small."""
    return token.text.isupper() or (token.text.isalpha() and has_capitals(token.style.font))


BODY = (0.9, 1.15)  # × the size of the line: print of the text's type
SAME_ROW = 0.4  # × the type size
CLOSE = 2.1  # × the type size: the next line of a column is no farther, that it may stand SAME_ROW nearer
NEXT, RAISED = 0.95, 0.5  # × the type size: nearer below is no next line; so high stand raised signs
MOST_LINES = 400  # of a page of text
SHARED = 0.3  # of the narrower line's width, from which two lines stand in one column
AROUND_TEXT = frozenset(Kind) - {Kind.SENTENCE, Kind.FORMULA}  # kinds that a sentence may be interrupted by

Places = Mapping[tuple[int, int], list[tuple[float, float]]]
"""By page and baseline in points, from where to where lines stand."""


def joints_broken(blocks: Sequence[TextBlock], pages: Iterable[PdfPage]) -> dict[int, frozenset[int]]:
    """By block of running text, the indices of the lines that are no neighbours of those after them; -1 if the paragraph before
    it does not end. pages: with all lines but the page artefacts."""
    apart = places_of(each.line for block in blocks if block.kind in AROUND_TEXT for each in block.lines)
    lines = {page.index: [line for line in page.lines if not is_at(line, apart)] for page in pages}
    printed = {page: sorted(own, key=attrgetter("baseline")) for page, own in lines.items()}
    found = {}
    before: TextBlock | None = None
    waiting: list[TextBlock] = []  # paragraphs that end within a sentence
    for n, block in enumerate(blocks):
        if block.kind is Kind.SENTENCE:
            own = places_of(each.line for each in block.lines)
            joints = [i for i, (a, b) in enumerate(pairwise(block.lines)) if is_broken(a.line, b.line, own, printed)]
            parted = block.lines[0].above is None and not block.opens and any(is_before(each, block) for each in waiting)
            open_ = (parted or (before and goes_on(before.lines))) and not begins_item(block.lines[0])
            found[n], before = frozenset([-1, *joints] if open_ else joints), block
            waiting = [each for each in [*waiting, block] if is_open(each) and each.lines[-1].page >= block.lines[0].page - 1]
    return {n: joints for n, joints in found.items() if joints}


def hung_below(pages: Iterable[PdfPage]) -> dict[int, list[tuple[float, float, float]]]:
    """By page, small print closer below a line than the next line may be, as stands below "lim": from where to where it goes,
    and the baseline of that line. What is raised beside another line belongs to that one. Pages full of labels have none."""
    found = defaultdict[int, list[tuple[float, float, float]]](list)
    for page in (page for page in pages if len(page.lines) <= MOST_LINES):
        for small in page.lines:
            larger = [line for line in page.lines if small.size < BODY[0] * line.size and line.x0 <= small.middle <= line.x1]
            lower = {line.baseline: (small.baseline - line.baseline) / line.size for line in larger}
            if not any(-RAISED < by <= 0 for by in lower.values()):
                found[page.index] += [(small.x0, small.x1, at) for at, by in lower.items() if SAME_ROW < by < NEXT]
    return found


def places_of(lines: Iterable[Line]) -> Places:
    found = defaultdict[tuple[int, int], list[tuple[float, float]]](list)
    for line in lines:
        found[line.page, round(line.baseline)].append((line.x0, line.x1))
    return found


def is_at(line: Line, places: Places) -> bool:
    """Whether a line is one of these or a part of one: steps divide lines, and join them with others of their row."""
    keys = ((line.page, round(line.baseline) + slip) for slip in (-1, 0, 1))
    return any(x0 <= line.middle <= x1 or line.x0 <= (x0 + x1) / 2 <= line.x1 for key in keys for x0, x1 in places.get(key, ()))


def lines_like(line: Line, top: float, bottom: float, printed: Mapping[int, Sequence[Line]]) -> list[Line]:
    """The lines of its page that are of a line's type, with baselines between these, in other rows."""
    own, slip = printed.get(line.page, ()), SAME_ROW * line.size
    start, end = (bisect_right(own, y, key=attrgetter("baseline")) for y in (top + slip, bottom - slip))
    return [other for other in own[start:end] if BODY[0] <= other.size / line.size <= BODY[1]]


def is_broken(above: Line, below: Line, own: Places, printed: Mapping[int, Sequence[Line]]) -> bool:
    """Whether other print of the type of two successive lines stands between them, or next to one of them where the other is
    elsewhere. own: places of the paragraph's lines; printed: the lines of each page from the top."""
    step = below.baseline - above.baseline
    if above.page == below.page and abs(step) < SAME_ROW * above.size:
        return False
    if above.page == below.page and step > 0 and share(above, below):
        between = lines_like(above, above.baseline, below.baseline, printed)
        others = [each for each in between if share(above, each) or share(below, each)]
    else:
        after = lines_like(above, above.baseline, above.baseline + CLOSE * above.size, printed)
        before = lines_like(below, below.baseline - CLOSE * below.size, below.baseline, printed)
        others = [*(each for each in after if share(above, each)), *(each for each in before if share(below, each))]
    return any(not is_at(other, own) for other in others)


def share(a: Line, b: Line) -> bool:
    """Whether two lines stand in one column."""
    return overlap(a, b, SHARED)
