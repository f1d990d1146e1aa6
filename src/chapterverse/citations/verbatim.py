"""Where a text quotes books word for word or nearly, with quotation marks or without.

Books are compared as numbers of words (library/artefacts.py): runs of RUN words anywhere, runs of SEED words in what is
marked as a quotation, which is then aligned with the book word by word."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from textwrap import shorten

import numpy as np
from numpy.typing import NDArray

from chapterverse.citations.model import Difference, Quotation
from chapterverse.core.book import SentenceId
from chapterverse.core.turns import pausing
from chapterverse.core.words import EMPTY, NEGATIONS, WORD, plain_word
from chapterverse.library.artefacts import Fingerprint, Words, numbers_of

RUN = 8  # identical words in a row that are no accident; without quotation marks, if they are about something
SEED = 3  # words in a row by which a marked quotation is looked for
MIN_CHARACTERS = 12  # of a quotation
MANY = 12  # identical words that are no accident in many places, either
MIN_MARKED = 5  # words in quotation marks: fewer are a title or an expression
MIN_CONTENT, MARKED_CONTENT = 3, 2  # different words of LONG letters that are not empty; "on the other hand" has none
LONG = 5
LEFT_OUT = 150  # words of a book that an ellipsis may stand for, at most
ONE_OF = 6  # words of a quotation may differ, two in any
MOSTLY = 0.75  # of MANY words or more are the book's, in order: they are this sentence, however much is changed or left out
SLACK = 4  # words that the place of a quotation may have more or fewer
SOURCES = 3  # places of books that a marked quotation is aligned with, at most
OMISSION_LENGTH = 160  # characters of words that an ellipsis stands for
MAX_PLACES = 3  # a run of fewer than MANY words in more places of the books is a phrase
ELLIPSIS = -1  # in the numbers of a quotation

_MARKED = (  # short ones, too: else the mark that closes one would open the next
    re.compile(
        r"“([^“”]{0,1500})”|„([^„“”]{0,1500})[“”]|«([^«»]{0,1500})»|»([^«»]{0,1500})«|‘((?:[^‘’]|’(?=\w)){0,1500})’(?!\w)"
    ),
    re.compile(r"\"([^\"]{0,1500})\""),
    re.compile(r"(?<!\w)'(?!\d)((?:[^']|(?<=\w)'(?=\w)){0,1500})'(?!\w)"),
)
_OMITTED = re.compile(r"…|\.{3}|\. \. \.|\[(?!\w\]\w)[^\]]*\]|\([.…\s]+\)")
_SOURCE_NAMED = re.compile(r"\s*[—–(][^—–(]{0,80}$")
TextOf = Callable[[str, SentenceId], str]  # the text of a version's sentence
Range = tuple[int, int]
Grams = NDArray[np.uint64]
_FACTOR, _BITS = np.uint64(0x9E3779B97F4A7C15), 16
_QuotedWords = tuple[list[str], list[int]]  # of a quotation, and their numbers; ELLIPSIS where words are left out
Block = tuple[int, int, int]  # where identical words begin in ours and in theirs, and how many they are


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation found. text: index of the text; version, sentence: most of its words stand there."""

    text: int
    version: str
    sentence: SentenceId
    quotation: Quotation


def marked_spans(text: str, is_block: bool) -> list[Range]:
    """The characters in quotation marks that are closed, without the marks; of a block quote all but its source. Straight marks
    count only in pairs."""
    if is_block:
        named = _SOURCE_NAMED.search(text)
        return [(0, named.start() if named and named.start() else len(text))]
    curly, straight, single = _MARKED
    patterns = [curly, single] if text.count('"') % 2 else [curly, straight, single]
    spans = (found.span(found.lastindex or 0) for pattern in patterns for found in pattern.finditer(text))
    return sorted((start, end) for start, end in spans if end - start >= MIN_CHARACTERS)


def find_quotations(texts: Sequence[tuple[str, bool]], books: Mapping[str, Fingerprint], text_of: TextOf) -> list[Quoted]:
    """The quotations of the books, by version, in the order of the texts; no two on the same words or of the same sentence in a
    text: of a sentence quoted in two parts, one that differs from it. texts: each with whether it is a block quote."""
    essay = [_Text.of(*each) for each in pausing(texts)]
    marked = sorted(_marked_quotations(essay, books, text_of), key=lambda one: one.quotation.exact)
    accepted: list[Quoted] = []
    for one in (*marked, *_unmarked_runs(essay, books)):
        others = [other for other in accepted if other.text == one.text]
        is_same = any(one.sentence == other.sentence for other in others)
        start, end = one.quotation.start, one.quotation.end
        if not is_same and all(end <= other.quotation.start or other.quotation.end <= start for other in others):
            accepted.append(one)
    return sorted(accepted, key=lambda one: (one.text, one.quotation.start))


@dataclass(frozen=True, slots=True)
class _Text:
    """A text as words. spans: of their characters; marked: spans in quotation marks, as [first, last) words."""

    text: str
    spans: list[Range]
    numbers: Words
    marked: list[Range]

    @classmethod
    def of(cls, text: str, is_block: bool) -> "_Text":
        spans = [found.span() for found in WORD.finditer(text)]
        marked = [_words_in(spans, span) for span in marked_spans(text, is_block)]
        return cls(text, spans, np.array(numbers_of(text), np.uint32), marked)

    def words(self, first: int, last: int) -> list[str]:
        return [self.text[start:end] for start, end in self.spans[first:last]]

    def characters(self, first: int, last: int) -> Range:
        return self.spans[first][0], self.spans[last - 1][1]


def _words_in(spans: Sequence[Range], within: Range) -> Range:
    inside = [at for at, (start, end) in enumerate(spans) if within[0] <= start and end <= within[1]]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def is_searched(quoted: str) -> bool:
    """Whether words in quotation marks are enough to be looked for in books."""
    words = WORD.findall(quoted)
    return len(words) >= MIN_MARKED and has_content(words, MARKED_CONTENT)


def has_content(words: Sequence[str], minimum: int) -> bool:
    """Whether words in a row are about something, so that standing in two texts is no accident."""
    plain = {plain_word(word) for word in words}
    return len({word for word in plain if len(word) >= LONG and word not in EMPTY}) >= minimum


# Runs of words


def _grams(words: Words, n: int) -> Grams:
    """A number for each n words in a row."""
    count = max(len(words) - n + 1, 0)
    grams = np.zeros(count, np.uint64)
    for offset in range(n):
        grams = grams * _FACTOR + words[offset : offset + count]
    return grams * _FACTOR


def _positions(book: Fingerprint, wanted: Grams, n: int) -> tuple[NDArray[np.int64], Grams]:
    """Where the book has one of these grams, and which."""
    grams, shift = _grams(book.words, n), np.uint64(64 - _BITS)
    table = np.zeros(1 << _BITS, bool)
    table[wanted >> shift] = True
    maybe = np.flatnonzero(table[grams >> shift])
    there = maybe[np.isin(grams[maybe], wanted)]
    return there, grams[there]


def sentences_with(words: str, books: Iterable[Fingerprint]) -> list[SentenceId]:
    """The sentences in which the books have these words in a row, in reading order."""
    numbers = np.array(numbers_of(words), np.uint32)
    phrase = _grams(numbers, len(numbers))
    there = [(book, place) for book in books if len(numbers) for place in _positions(book, phrase, len(numbers))[0].tolist()]
    return list(dict.fromkeys(book.id(book.sentence_of(place)) for book, place in there))


def _unmarked_runs(essay: Sequence[_Text], books: Mapping[str, Fingerprint]) -> Iterator[Quoted]:
    """Runs of at least RUN identical words outside of quotation marks, the longest first."""
    where: dict[int, list[Range]] = {}
    for at, text in enumerate(essay):
        for first, gram in enumerate(_grams(text.numbers, RUN).tolist()):
            where.setdefault(gram, []).append((at, first))
    runs: dict[tuple[int, int, int], list[_Place]] = {}
    for version, book in books.items():
        for run, begin in _runs_in(book, essay, where):
            runs.setdefault(run, []).append(_Place(version, book, begin))
    for (at, start, end), places in sorted(runs.items(), key=lambda run: run[0][1] - run[0][2]):
        text, size = essay[at], end - start
        is_phrase = size < RUN or (size < MANY and len(places) > MAX_PLACES)
        is_marked = any(start < last and first < end for first, last in text.marked)
        if not (is_phrase or is_marked) and has_content(text.words(start, end), MIN_CONTENT):
            sentence = places[0].sentence_of(range(size))
            yield Quoted(at, places[0].version, sentence, Quotation(*text.characters(start, end), marked=False))


def _runs_in(
    book: Fingerprint, essay: Sequence[_Text], where: Mapping[int, Sequence[Range]]
) -> Iterator[tuple[tuple[int, int, int], int]]:
    """The runs that a book has in common with the essay, each once: text, [first, last) word, and the first word in the book.

    where: text and first word of each gram of RUN words."""
    done: dict[tuple[int, int], int] = {}  # how far a text is compared, by how much further the book is
    for place, gram in zip(*(each.tolist() for each in _positions(book, np.array(list(where), np.uint64), RUN)), strict=True):
        for at, first in where[gram]:
            if done.get((at, place - first), 0) <= first:
                start, end, begin = _extended(essay[at].numbers, first, book.words, place)
                done[at, place - first] = end
                yield (at, start, end), begin


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a book: its version, its words, and the index of a word."""

    version: str
    book: Fingerprint
    word: int

    def sentence_of(self, offsets: Sequence[int]) -> SentenceId:
        """The sentence in which most of these words stand, counted from the place."""
        rows = [self.book.sentence_of(self.word + offset) for offset in offsets]
        return self.book.id(max(dict.fromkeys(rows), key=rows.count))


def _extended(ours: Words, first: int, theirs: Words, place: int) -> tuple[int, int, int]:
    """The whole run of identical words around a common one: [start, end) of ours, and the start of theirs."""
    before = 0
    while before < min(first, place) and ours[first - before - 1] == theirs[place - before - 1]:
        before += 1
    after = 0
    while first + after < len(ours) and place + after < len(theirs) and ours[first + after] == theirs[place + after]:
        after += 1
    return first - before, first + after, place - before


# What is marked as a quotation


def _marked_quotations(essay: Sequence[_Text], books: Mapping[str, Fingerprint], text_of: TextOf) -> Iterator[Quoted]:
    """What stands in quotation marks; RUN words of no content only word for word."""
    said = {(at, span): " ".join(text.words(*span)) for at, text in enumerate(essay) for span in text.marked}
    spans = [place for place, words in said.items() if len(words.split()) >= RUN or is_searched(words)]
    wanted = [_grams(essay[at].numbers[slice(*span)], SEED) for at, span in spans]
    if not wanted:
        return
    hits = {version: _positions(book, np.unique(np.concatenate(wanted)), SEED) for version, book in books.items()}
    for (at, (first, last)), grams in zip(spans, wanted, strict=True):
        ours = _, numbers = _with_omissions(essay[at], first, last)
        reach = last - first + SLACK + (LEFT_OUT if ELLIPSIS in numbers else 0)
        places = [
            (count, _Place(version, books[version], begin))
            for version, found in hits.items()
            for count, begin in _densest(found, grams, reach)
        ]
        best_first = sorted(places, key=lambda one: -one[0])[:SOURCES]
        aligned = [_aligned(ours, place, reach + last - first, text_of) for _, place in best_first]
        if good := [one for one in aligned if one]:
            best = min(good, key=lambda one: one.differing)
            if best.differing and not (is_searched(said[at, (first, last)]) and has_content(best.shared, MARKED_CONTENT)):
                continue
            quotation = Quotation(*essay[at].characters(first, last), True, best.differences, best.left_out)
            yield Quoted(at, best.version, best.sentence, quotation)


def _densest(found: tuple[NDArray[np.int64], Grams], grams: Grams, reach: int) -> list[tuple[int, int]]:
    """The place of a book that has most of the grams within reach: how many, and where the quotation would begin; empty if
    few."""
    ours = np.isin(found[1], grams)
    places, its = found[0][ours], found[1][ours]
    if not len(places):
        return []
    counts = np.searchsorted(places, places + reach, side="right") - np.arange(len(places))
    best = int(counts.argmax())
    begin = int(places[best]) - int(np.flatnonzero(grams == its[best])[0]) - SLACK
    return [(int(counts[best]), max(begin, 0))] if counts[best] * SEED >= len(grams) else []


def _with_omissions(text: _Text, first: int, last: int) -> _QuotedWords:
    """The words of a quotation; dots, and what stands in square brackets, as an ellipsis where words stand before it, but for
    a negation, which changes what is quoted. "[T]he" is one word."""
    gaps = [found.span() for found in _OMITTED.finditer(text.text, *text.characters(first, last))]
    words, numbers = list[str](), list[int]()
    for start, end in text.spans[first:last]:
        word = text.text[start:end]
        if any(gap[0] <= start < gap[1] for gap in gaps) and plain_word(word) not in NEGATIONS:
            continue
        if numbers and any(gap[1] <= start for gap in gaps):
            words.append("")
            numbers.append(ELLIPSIS)
        gaps = [gap for gap in gaps if gap[1] > start]
        if words and text.text[start - 1] == "]" and text.text[start - 3] == "[":
            word = f"{words.pop()}{word}"
            numbers.pop()
        words.append(word)
        numbers += numbers_of(word)
    return words, numbers


@dataclass(frozen=True, slots=True)
class _Alignment:
    """A quotation beside its source. shared: its words that are the book's; differing: how many are not; left_out: as in
    Quotation."""

    version: str
    sentence: SentenceId
    shared: list[str]
    differing: int
    differences: tuple[Difference, ...]
    left_out: tuple[str, ...]


def _aligned(ours: _QuotedWords, place: _Place, reach: int, text_of: TextOf) -> _Alignment | None:
    """The alignment with the next words of the book, as far as `reach`; None if too many differ."""
    words, numbers = ours
    theirs = place.book.words[place.word : place.word + reach].tolist()
    if not (blocks := _blocks(numbers, theirs)):
        return None
    _, begin, length = blocks[-1]
    last = place.book.sentence_of(place.word + begin + length - 1)
    end = min(int(place.book.ends[last]) - place.word, len(theirs))  # words added to a sentence stand for none of the next one
    differences, left_out = list[Difference](), list[str]()
    for (a, b), (c, d) in _gaps(blocks, len(numbers), end):
        mine, is_omission = [word for word in words[a:b] if word], ELLIPSIS in numbers[a:b]
        if is_omission and d - c > LEFT_OUT:
            return None
        its = _written(place, range(c, d), text_of)
        left_out += [shorten(" ".join(its), OMISSION_LENGTH, placeholder=" …")] if is_omission and its else []
        difference = Difference(" ".join(mine), "" if is_omission else " ".join(its))
        joined, other = ("".join(map(plain_word, side.split())) for side in (difference.ours, difference.theirs))
        if joined != other:  # they are not the same words, written together or apart
            differences.append(difference)
    differing = sum(max(len(each.ours.split()), len(each.theirs.split())) for each in differences)
    allowed = 1 if len(numbers) < RUN else max(2, len(numbers) // ONE_OF)  # with more it is none of this sentence
    shared = [word for a, _, size in blocks for word in words[a : a + size]]
    if differing > allowed and len(shared) < max(MANY, len(numbers)) * MOSTLY:
        return None
    sentence = place.sentence_of([its + offset for _, its, size in blocks for offset in range(size)])
    return _Alignment(place.version, sentence, shared, differing, tuple(differences), tuple(left_out))


def _written(place: _Place, offsets: range, text_of: TextOf) -> list[str]:
    """The words of the book at these offsets from the place, as written."""
    words, book = list[str](), place.book
    for at in (place.word + offset for offset in offsets):
        row = book.sentence_of(at)
        text = text_of(place.version, book.id(row))
        words.append(WORD.findall(text)[at - book.start(row)])
    return words


def _blocks(ours: Sequence[int], theirs: Sequence[int]) -> list[Block]:
    """The identical words in order, without few words at an end that stand further from the rest in the book than in the
    quotation: they are there by accident."""
    found = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    blocks = [(block.a, block.b, block.size) for block in found if block.size]
    while len(blocks) > 1 and _is_stray(blocks[0], blocks[1], blocks[0], ours):
        del blocks[0]
    while len(blocks) > 1 and _is_stray(blocks[-2], blocks[-1], blocks[-1], ours):
        del blocks[-1]
    return blocks


def _is_stray(one: Block, following: Block, outer: Block, ours: Sequence[int]) -> bool:
    (a, c, size), (b, d, _) = one, following
    return outer[2] < SEED and ELLIPSIS not in ours[a + size : b] and d - c - size > b - a - size + 1


def _gaps(blocks: Sequence[Block], ours: int, theirs: int) -> Iterator[tuple[Range, Range]]:
    """What lies between the identical words: [a, b) of ours and [c, d) of theirs. Before the first and after the last, as many
    of theirs as of ours. ours, theirs: where both end."""
    a = c = 0
    for place, (start, its, size) in enumerate(blocks):
        if start > a or (place and its > c):
            yield (a, start), (c if place else max(its - start, 0), its)
        a, c = start + size, its + size
    if ours > a:
        yield (a, ours), (c, min(c + ours - a, theirs))
