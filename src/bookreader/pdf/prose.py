"""Lines of a paragraph to its text, with every character's place on the page kept; and its words as the author wrote them,
without the hyphens of line ends, the calls of notes and the capitals of an opening line."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

from bookreader.book import Box
from bookreader.pdf.characters import has_capitals, lowered_form, raised_form
from bookreader.pdf.flow import FlowLine
from bookreader.pdf.model import Line, Token, text_of, whole_words
from bookreader.text.language import dictionary, frequency


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How the book itself writes its words, away from line ends.

    words, compounds: in small letters, with their frequency. small: words mostly in small letters. proper: words
    with a capital inside sentences. spaced_dashes: blanks around dashes. hyphenates: whether words are broken at all.
    in_dictionary: whether most words are. german: whether the text is."""

    words: Counter[str]
    compounds: Counter[str]
    small: frozenset[str]
    proper: frozenset[str]
    spaced_dashes: bool
    hyphenates: bool
    in_dictionary: bool
    german: bool


TALL = 2.0  # × the type size
THIN = 0.2  # × the type size: a raised or lowered letter that stands so near to a word is part of it
DASHES = "—–"
STANZA = 3  # lines that hardly begin with capitals by chance
CALLS = re.compile(r"[\d,;–*†‡§-]+")
WITHIN_URL = re.compile(r"(?:https?://|www\.)\S*[/._?=&%#-]$")


class BoxedText(NamedTuple):
    """Characters [start, end) of a text and their box on this page, in points; row tells lines apart."""

    start: int
    end: int
    page: int
    row: int
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float | None = None

    def stands_over(self, x0: float, x1: float, baseline: float) -> bool:
        """Whether the box is on that baseline, and over a part of [x0, x1]."""
        return self.x0 < x1 and x0 < self.x1 and self.y0 <= baseline <= self.y1


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph's text and its places on pages. inexact: [start, end) of passages that are not what is printed."""

    text: str
    pieces: tuple[BoxedText, ...]
    inexact: tuple[tuple[int, int], ...] = ()

    def is_exact(self, start: int, end: int) -> bool:
        """Whether characters [start, end) are what is printed."""
        return not any(first < end and start < last for first, last in self.inexact)

    def pages(self, start: int, end: int) -> list[tuple[int, tuple[Box, ...]]]:
        """(page index, one box a line) for characters [start, end), in reading order."""
        rows = groupby(self.within(start, end), key=lambda piece: (piece.page, piece.row))
        boxes = [(page, hull(list(pieces))) for (page, _), pieces in rows]
        return [(page, tuple(box for _, box in group)) for page, group in groupby(boxes, key=lambda pair: pair[0])]

    def confidence(self, start: int, end: int) -> tuple[float, float] | None:
        """Confidence of the recognized characters of [start, end), if any: the mean, and that of the least sure word."""
        known = [(each.confidence, each.end - each.start) for each in self.within(start, end) if each.confidence is not None]
        letters = sum(count for _, count in known)
        if not letters:
            return None
        return sum(confidence * count for confidence, count in known) / letters, min(known)[0]

    def within(self, start: int, end: int) -> list[BoxedText]:
        """The pieces of [start, end); a divided piece gives its share of the width."""
        first = bisect_right(self.pieces, start, key=attrgetter("end"))
        own = self.pieces[first : bisect_left(self.pieces, end, first, key=attrgetter("start"))]
        return [each if start <= each.start and each.end <= end else cut(each, start, end) for each in own]


def cut(piece: BoxedText, start: int, end: int) -> BoxedText:
    """The part of a piece within characters [start, end)."""
    start, end = max(start, piece.start), min(end, piece.end)
    step = (piece.x1 - piece.x0) / (piece.end - piece.start)
    x0, x1 = piece.x0 + step * (start - piece.start), piece.x1 - step * (piece.end - end)
    return piece._replace(start=start, end=end, x0=x0, x1=x1)


def hull(pieces: Sequence[BoxedText]) -> Box:
    """The smallest box around all boxes."""
    x0, y0, x1, y1 = zip(*((each.x0, each.y0, each.x1, each.y1) for each in pieces), strict=True)
    return Box(round(min(x0), 2), round(min(y0), 2), round(max(x1), 2), round(max(y1), 2))


def prose_of(
    lines: Sequence[FlowLine],
    book: Vocabulary,
    marks: Mapping[int, frozenset[str]] | None,
    restore: Callable[[list[Token]], list[Token]] | None = None,
) -> Prose:
    """The paragraph's text: words separated by one blank, broken words joined, calls of notes left out.

    marks: per page, the marks of its notes; None where nothing calls one. restore: corrects the tokens of an opening."""
    builder = Builder(book)
    verse = is_verse(lines)
    for row, each in enumerate(lines):
        own = each.line.tokens
        tokens = list(own) if marks is None else without_calls(own, marks.get(each.page, frozenset()))
        tokens = restore(tokens) if restore and row == 0 else tokens
        if tokens:
            builder.line(as_printed(tokens), each.page, row, forced=verse)
    return builder.prose()


def is_verse(lines: Sequence[FlowLine]) -> bool:
    """Whether most lines end on purpose: the next word would have fitted."""
    return 2 * sum(was_ended(a, b) for a, b in pairwise(lines)) > len(lines) - 1


def is_stanza(lines: Sequence[FlowLine]) -> bool:
    """Whether each of several lines begins with a capital."""
    return len(lines) >= STANZA and all(each.text.lstrip("“‘\"'(")[:1].isupper() for each in lines)


def was_ended(line: FlowLine, following: FlowLine) -> bool:
    """Whether the next line's first word would have fitted into a line."""
    return line.room(following) > line.line.size


def without_calls(tokens: Sequence[Token], marks: frozenset[str]) -> list[Token]:
    """The tokens that are text; a token glued to a removed call is glued to the word before it if the call was."""
    result: list[Token] = []
    called = apart = False  # the last token was a raised call ("3,4" may be three tokens), and stood apart from its word
    for token, after in pairwise([*tokens, None]):
        assert token is not None  # noqa: S101 - for the type checker: only the last is None
        called = called and token.raised and token.glued and CALLS.fullmatch(token.text) is not None
        text = None if called else without_call(token, result, after, marks)
        if text:
            result.append(text._replace(glued=text.glued and not (apart and text.text[0].isalnum())))
        apart = text is None and (apart or not token.glued)
        called = called or (text is None and token.raised)
    return result


def as_printed(tokens: list[Token]) -> list[Token]:
    """The tokens with raised and lowered characters as Unicode has them: "x²", "H₂O"; but "19th", and "1/2" set small. Small
    capitals within a line are capitals.

    Where Unicode has none, "^" or "_" stands before them, and they are not exact."""
    capitals = [has_capitals(token.style.font) for token in tokens]
    if any(capitals) and not all(capitals):
        tokens = [
            token._replace(text=token.text.upper()) if is_small and "ß" not in token.text else token
            for token, is_small in zip(tokens, capitals, strict=True)
        ]
    if not any(token.raised or token.lowered for token in tokens):
        return tokens
    return [shifted(tokens, i) if token.raised or token.lowered else token for i, token in enumerate(tokens)]


def shifted(tokens: Sequence[Token], i: int) -> Token:
    """Token i, which is raised or lowered, as it is printed."""
    token, before = tokens[i], tokens[i - 1] if i else None
    glued = before is not None and (token.glued or token.x0 - before.x1 <= THIN * before.style.size)
    if 0 < i < len(tokens) - 1 and (tokens[i - 1].text[-1:], token.text, tokens[i + 1].text[:1]) == ("L", "A", "T"):
        return token  # of "LaTeX"
    if not (glued or token.text[0].isdigit()):  # the beginning of a formula, if letters follow that are set as high
        after = tokens[i + 1] if i + 1 < len(tokens) else None
        goes_on = after is not None and after.glued and (after.raised, after.lowered) == (token.raised, token.lowered)
        return token._replace(exact=token.exact and not goes_on)
    form = raised_form(token.text, before.text if before and glued else "") if token.raised else lowered_form(token.text)
    if form is not None:
        return token._replace(text=form, glued=glued)
    goes_on = before is not None and (before.raised, before.lowered) == (token.raised, token.lowered)
    sign = "" if goes_on else "^" if token.raised else "_"
    return token._replace(text=sign + token.text, exact=False)


class Builder:
    """Builds a text line by line; the only place that decides where blanks go."""

    def __init__(self, book: Vocabulary) -> None:
        self.book = book
        self.text = ""
        self.pieces: list[BoxedText] = []
        self.inexact: list[int] = []  # indices of pieces
        self.guessed = False  # whether an address or a word that was joined last may be written otherwise

    def line(self, tokens: Sequence[Token], page: int, row: int, *, forced: bool) -> None:
        """Add a line, joined to the text so far. forced: lines end on purpose, as in verse."""
        first, *rest = tokens
        self.guessed = False
        glued = self.join("".join(token.text for token in whole_words(tokens)[0]), forced) if self.text else True
        if self.guessed:
            self.inexact.append(len(self.pieces))
        texts, end = [self.text], len(self.text)
        for token in (first._replace(glued=glued), *rest):
            text = token.text[:-1].replace(SOFT, "") + token.text[-1:]
            start = end if token.glued else end + 1
            texts.append(text if token.glued else f" {text}")
            end = start + len(text)
            if not token.exact:
                self.inexact.append(len(self.pieces))
            row_of_token, box = 2 * row + is_tall(token), (token.x0, token.y0, token.x1, token.y1)
            self.pieces.append(BoxedText(start, end, page, row_of_token, *box, token.confidence))
        self.text = "".join(texts)

    def join(self, word: str, forced: bool) -> bool:
        """Correct the end of the text before a line that begins with `word`; whether no blank goes between."""
        last = self.text.rpartition(" ")[2]
        if WITHIN_URL.match(last.lstrip("(<[“")) and word[:1].isalnum() and not (last[-1] == "." and word[0].isupper()):
            self.guessed = last[-1] == "/" and word.isalpha()
            if last.endswith("/-"):
                self.drop(1)
            return True
        if len(last) > 1 and last[-1] in HYPHENS and last[-2].isalnum() and word[:1].isalnum():
            joined = join_at_line_end(last, word, self.book)
            if word.casefold() in SUSPENDED and joined == last + word:
                return False
            self.guessed = last[-1] != SOFT and is_undecided(last[:-1], word, self.book, apart=joined == last + word)
            self.drop(len(last) + len(word) - len(joined))
            return True
        if len(last) > 1 and last[-1] == "/" and not forced:
            return True
        dash = (len(last) > 1 and last[-1] in DASHES) or (len(word) > 1 and word[0] in DASHES)
        return word in {*",.;:)"} or (dash and not forced and not self.book.spaced_dashes)  # after a call that was left out

    def drop(self, n: int) -> None:
        """Remove the last n characters from the text and the pieces; the box keeps the hyphen that is on the page."""
        if n <= 0:
            return
        self.text = self.text[:-n]
        end = len(self.text)
        for i in range(len(self.pieces) - 1, -1, -1):
            piece = self.pieces[i]
            if piece.end <= end:
                break
            self.pieces[i] = piece._replace(start=min(piece.start, end), end=end)

    def prose(self) -> Prose:
        """The built text; a soft hyphen at the very end is removed, and all kinds of hyphens are "-"."""
        inexact = tuple((self.pieces[i].start, self.pieces[i].end) for i in self.inexact)
        return Prose(self.text.rstrip(SOFT).replace("\u2010", "-").replace("\u2011", "-"), tuple(self.pieces), inexact)


def is_tall(token: Token) -> bool:
    """Whether a token is a drop cap, which has a box of its own."""
    return token.y1 - token.y0 > TALL * token.style.size


def without_call(token: Token, before: Sequence[Token], after: Token | None, marks: frozenset[str]) -> Token | None:
    """The token without a note's call: None if it is one, shorter if it ends in one ("us.*"). An arrow such as "➠"
    behind a line's last sentence is none of its words.

    before: the line's tokens before it; after: the next one. marks: of the page's notes."""
    is_arrow = not (after or token.glued) and all("➔" <= c <= "➾" for c in token.text)
    if is_call(token, before, after, marks) or (is_arrow and before and before[-1].text[-1] in ".!?…”’"):
        return None
    if token.raised and before and is_doubtful(before[-1].text, token.text):
        return token._replace(exact=False)
    bare = token.text.rstrip(SYMBOLS)
    if token.text[len(bare) :] in marks and bare:
        return token._replace(text=bare)
    return token


RAISED = re.compile(r"^(?:\d[\d,;–-]*|[*†‡§¶‖∗]+|[a-z])$")  # several calls may stand together: "32,33"
BASE = re.compile(r"(?![AI]$)[A-Z][a-z]?$|[α-ωΑ-Ω]$")


def is_call(token: Token, before: Sequence[Token], after: Token | None, marks: frozenset[str]) -> bool:
    """Whether a token is the call of a note: raised and a number or symbol, but not a power ("x²", "10³") or part of a sign of
    a chemical element ("¹⁴C").

    A raised letter, and a call that is not raised, count only as the mark of a note on the same page, the latter in brackets or
    a symbol. In doubt a raised number stays in the text, as it is printed."""
    if not (token.raised or token.glued):
        return False
    bare = token.text.strip("[]().,;")
    if token.raised and RAISED.match(bare):
        if bare.isalpha() and bare not in marks:
            return False
        return not before or not (belongs_to(token, after) or is_base(before, called=bare in marks))
    return token.glued and bare in marks and (token.text.startswith(("[", "(")) or bare[0] in SYMBOLS)


def belongs_to(token: Token, after: Token | None) -> bool:
    """Whether a raised number belongs to what follows it: of a small fraction ("1/2"), before a sign ("¹⁴C")."""
    if after is None or not after.glued:
        return False
    return after.lowered or (not token.glued and BASE.match(after.text) is not None)


LETTERS = re.compile(r"[^\W\d_]+$")
DIGITS = re.compile(r"[\d.,]*\d$")
FUNCTION = re.compile(r"(?:arc)?(?:sin|cos|tan|cot|sec|csc)h?|log|ln|exp|det|dim")
UNITS = frozenset(["km", "cm", "mm", "dm", "nm", "μm", "µm", "ft", "yd", "mi", "sec", "sp"])  # and orbitals: "sp²"
PRODUCT = 3  # letters at most that are factors and no word: "mc²", "ax²"
YEAR = 3  # digits: so long a number rather bears a call than a power
PROSE = re.compile(r"[^\W\d_]{3,}|\d{3,}")
STOPPED = ".,;:!?\"'’”»…—–-"


def is_doubtful(base: str, raised: str) -> bool:
    """Whether a raised number may be a power, or a call behind a short word: "ax³", but "al³"."""
    last = (LETTERS.search(base) or [""])[0]
    known = len(last) == 1 or FUNCTION.fullmatch(last) or (last in UNITS and raised in ("2", "3"))
    return raised.isdigit() and not known and len(last) <= PRODUCT and last.islower() and frequency(last) > 0


def is_base(before: Sequence[Token], *, called: bool) -> bool:
    """Whether the text before a raised number can carry it as an exponent: a number, a single letter, a unit, a function, a
    formula in brackets, a sign of mathematics. called: whether a note on the page has this mark."""
    last = before[-1]
    if last.raised or last.lowered:
        return True
    if found := DIGITS.search(last.text):
        return not (called and len(found[0]) >= YEAR)
    if found := LETTERS.search(last.text):
        product = len(found[0]) <= PRODUCT and found[0].islower() and not called and not is_word(found[0])
        return len(found[0]) == 1 or product or FUNCTION.fullmatch(found[0]) is not None
    if last.text[-1] in ")]}":
        return not PROSE.search(bracketed(before))
    return last.text[-1] not in STOPPED


def bracketed(tokens: Sequence[Token]) -> str:
    """The text between the last bracket and the one that opens it; the whole line where none does."""
    text, depth = text_of(tokens), 0
    for i in range(len(text) - 1, -1, -1):
        depth += (text[i] in ")]}") - (text[i] in "([{")
        if depth == 0:
            return text[i:]
    return text


SOFT = "\u00ad"
HYPHENS = f"-\u2010{SOFT}"

AMERICAN = (
    ("our", "or"),
    ("is(?=e|ing|ation)", "iz"),
    ("ys(?=e|ing)", "yz"),
    ("re$", "er"),
    ("ae|oe", "e"),
    ("ll(?=ed|ing)", "l"),
)

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
URL = re.compile(r"\S*(?:://|www\.)\S*")
DASH = re.compile(r"(?<=\S)\s?—(?=\s?\w)")
COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
FEW = 3
IN_DICTIONARY = 0.7  # share of a text's words: in another language than the dictionary's, fewer are in it
GERMAN_WORDS = frozenset("und der das nicht ist ein eine zu von mit sich auf dem des für".split())  # noqa: SIM905
GERMAN = 0.1  # share of a German text's words that are these: most have 0.17 and more
SUSPENDED = ("and", "or", "to", "nor", "und", "oder", "sowie", "bzw.")  # "two- and three-year": the hyphen stays and a blank


def vocabulary_of(lines: Iterable[Line]) -> Vocabulary:
    """The vocabulary of all lines of the book."""
    texts = [line.text for line in lines]
    ended = [text.rpartition(" ")[0] if text[-1] in HYPHENS else text for text in texts]  # without halves of broken words
    apart = (b.partition(" ")[2] if a[-1:] in HYPHENS and a else b for a, b in zip(["", *texts], ended, strict=False))
    whole = [WORD.findall(URL.sub(" ", text) if "/" in text else text) for text in apart]
    words = Counter(word.casefold() for line in whole for word in line)
    small = Counter(word for line in whole for word in line if word.islower())
    inner = (text[:-1].replace("\u2010", "-") for text in texts)  # a hyphen at a line's end may only break a word
    german = sum(words[word] for word in GERMAN_WORDS) > GERMAN * words.total()
    return Vocabulary(
        words,
        Counter(found.casefold() for text in inner if "-" in text for found in COMPOUND.findall(text)),
        frozenset(word for word, n in small.items() if 2 * n >= words[word]),
        names_in(whole),
        spaces_dashes(texts),
        german or breaks_words(texts, words),
        sum(n for word, n in words.items() if frequency(word)) > IN_DICTIONARY * words.total(),
        german,
    )


def names_in(lines: Iterable[Sequence[str]]) -> frozenset[str]:
    """Words, in small letters, that mostly have a capital though they do not begin their line. lines: of words."""
    inside = [word for line in lines for word in line[1:]]
    small = Counter(word for word in inside if word.islower())
    capitals = Counter(word.casefold() for word in inside if word[0].isupper() and not word.isupper())
    return frozenset(word for word, n in capitals.items() if n > 2 * small[word])


def spaces_dashes(texts: Iterable[str]) -> bool:
    """Whether most dashes have a blank before them."""
    dashes = Counter(found[0].startswith(" ") for text in texts if "—" in text for found in DASH.finditer(text))
    return dashes[True] > dashes[False]


def breaks_words(lines: Sequence[str], words: Counter[str]) -> bool:
    """Whether hyphens at line ends are mostly inside words; in a book that breaks no words they are in compounds."""
    halves = [(last_word(line[:-1]), first_word(after)) for line, after in pairwise(lines) if line[-1:] in HYPHENS]
    joined = [left + right for left, right in halves if left and right]
    known = sum(is_known(word, words) for word in joined)
    return len(joined) < FEW or known >= 0.5 * len(joined)


def join_at_line_end(before: str, after: str, book: Vocabulary) -> str:
    """The joined halves of a word divided at a line's end: "treat-" + "ment" → "treatment", "well-" + "known" → "well-known".

    before ends in a hyphen; after is the first word of the next line, with what is glued to it."""
    stem, mark = before[:-1], before[-1]
    if book.german and mark != SOFT and after.casefold() in SUSPENDED:
        return before + after
    return stem + after if mark == SOFT or is_one_word(stem, after, book) else before + after


def is_known(word: str, words: Counter[str]) -> bool:
    """Whether the book or the dictionary has a word, in British or American spelling."""
    small = POSSESSIVE.sub("", word.casefold())
    return words[word.casefold()] > 0 or words[small] > 0 or any(form in dictionary() for form in (small, american(small)))


POSSESSIVE = re.compile(r"['’]s$")


def american(word: str) -> str:
    """The word as American dictionaries have it: "honour" → "honor", "realise" → "realize", "centre" → "center"."""
    for british, other in AMERICAN:
        word = re.sub(british, other, word)
    return word


def is_one_word(stem: str, after: str, book: Vocabulary) -> bool:
    """Whether the hyphen only breaks the word: the book's own spelling decides, then the dictionary, then the parts. In German
    a compound's hyphen stands before a capital, or after a single letter ("x-beliebig")."""
    left, right = last_word(stem), first_word(after)
    if not left or not right or (right[0].isupper() and not left.isupper()):
        return False
    together = (left + right).casefold()
    apart = f"{left}-{right}".casefold()
    parts_are_words = is_known(left, book.words) and is_known(right, book.words)
    if not book.hyphenates:
        return is_known(together, book.words) and not (parts_are_words or book.compounds[apart])
    if book.words[together] or book.compounds[apart]:
        return book.words[together] >= book.compounds[apart]
    if book.german:
        return len(left) > 1
    return is_known(together, book.words) or not (parts_are_words or "-" in stem)


def is_undecided(stem: str, after: str, book: Vocabulary, *, apart: bool) -> bool:
    """Whether it is in doubt how a word divided at a line's end is written. Left apart: if it is known as one word, or a part
    is not. Put together: if it is known as none, but a part is; what begins with a capital may be a name."""
    left, right = last_word(stem), first_word(after)
    if not (left and right) or right[0].isupper() or book.compounds[f"{left}-{right}".casefold()]:
        return False
    if not book.in_dictionary:
        return apart
    one, *parts = (is_known(word, book.words) for word in (left + right, left, right))
    if apart:
        return one or not all(parts)
    return any(parts) and not (one or left[0].isupper())


def last_word(text: str) -> str:
    return (WORD.findall(text) or [""])[-1] if text[-1:].isalpha() else ""


def first_word(text: str) -> str:
    return (WORD.match(text) or [""])[0]


def lower_opening(words: Sequence[str], book: Vocabulary) -> Iterator[str]:
    """The words of an opening set in capitals as they would stand elsewhere: "THE SUBJECT of" → "The subject of".

    Names keep their capital where the book writes them so; a word of one letter is a capital only as "I"."""
    for i, word in enumerate(words):
        bare = word.strip("“”\"‘’'([.,;:!?—-").casefold()
        upper = i == 0 or bare in book.proper or bare in ("i", "i’m", "i’ll", "i’ve", "i’d")
        first = next((n for n, c in enumerate(word) if c.isalpha()), 0)
        kept = len(word) if NUMERAL.match(word) else first + 1 if upper else 0
        yield word[:kept] + word[kept:].lower()


NUMERAL = re.compile(r"[IVXLCDM]{2,}\W*$")
OPERATORS = re.compile(r"(?:sin|cos|tan|cot|sec|log|ln|lim|max|min|mod|exp|det|sup|inf|gcd|lcm|arg|dim|ker|deg)")
SMALL_WORDS = re.compile(r"(?:a|am|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|oh|on|or|so|to|up|us|we)")
SHORTEST_WORD = 3  # letters: a shorter one is a word only if it is one of SMALL_WORDS
ATOM = re.compile(r"[^\W\d_]+")


def in_words(text: str) -> int:
    """How many letters stand in words of the language, other than names of functions."""
    return sum(len(word) for word in ATOM.findall(text) if is_word(word.casefold()))


def is_word(word: str) -> bool:
    if len(word) < SHORTEST_WORD:
        return bool(SMALL_WORDS.fullmatch(word))
    return frequency(word) > 0 and not OPERATORS.fullmatch(word)


SYMBOLS = "*†‡§¶‖∗"
