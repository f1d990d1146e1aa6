"""Patterns of words: a small language in which the tables of rules are written, and the engine that applies them.

A pattern is a row of items. An item is a word or several with "|" between them; names in capitals stand for kinds of words
(CLASSES). The words in "< >" are replaced. "item?" may be missing. "!item" is a word that must not stand there, before the
first or after the last item. Without a word: "^" a clause begins here ("^and|that": or one of these words stands before),
"^^" a sentence begins, "$" what belongs together ends, "." a mark or the end of the text follows, "~?" the sentence is no
question, "~," no list.

The correction is a template of str.format over the replaced words: "{1:past}" is the past form of the second one (FORMS)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from chapterverse.core.words import word_set
from chapterverse.essays.proofreading import words as w
from chapterverse.essays.proofreading.counts import counts

Test = Callable[[str], bool]
OPENS = word_set("but because when if while so since although though whenever")
FOLLOWS = word_set("""
    is are was were in on at of to that who which and or but because for have has had can will would should must so when if with
    from than as by about until after before since while did do does don't could every here there now again today yesterday
    tomorrow together too also then not where how what we you they he she it i
""")  # what a noun is ended by
DOUBTFUL = word_set("found left felt thought read led said built cut used means needs born tired bored better rather saw")
CHANGED = {
    "no": "any", "nothing": "anything", "nobody": "anybody", "boring": "bored", "tiring": "tired", "exciting": "excited",
    "surprising": "surprised", "interesting": "interested", "said": "told", "says": "tells", "say": "tell", "she": "her",
    "he": "him", "they": "them", "we": "us", "i": "me", "many": "much", "few": "little", "these": "this",
}  # fmt: skip
_PAST = {"am": "was", "is": "was", "are": "were", "can": "could", "can't": "couldn't", "don't": "didn't", "doesn't": "didn't"}


def _base(word: str) -> str:
    return w.base_of(word) or word


def _a(word: str) -> str:
    pair = counts().pair
    return f"{'an' if pair('an', word) > pair('a', word) else 'a'} {word}"


FORMS: Mapping[str, Callable[[str], str]] = {
    "base": _base,
    "third": w.third,
    "they": w.plural_verb,
    "past": lambda word: _PAST.get(word) or w.past(_base(word)),
    "done": lambda word: w.done(_base(word)),
    "ing": lambda word: w.ing(_base(word)),
    "many": w.plural,
    "one": lambda word: w.singular(word) or word.removesuffix("s"),
    "er": w.comparative,
    "a": _a,
    "else": lambda word: CHANGED[word],
    "owner": lambda word: f"{word.removesuffix('s')}'s",
}
_NUMBERS = word_set("two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty")
CLASSES: Mapping[str, Test] = {
    "WORD": bool,
    "BASE": w.is_base,
    "VERB": w.is_verb,
    "THIRD": w.is_third,
    "FORM": lambda word: word not in DOUBTFUL and w.base_of(word) is not None and not w.is_ing(word),
    "ACT": lambda word: word not in DOUBTFUL and w.base_of(word) not in {None, "be"} and not w.is_ing(word),
    "PAST": lambda word: word not in DOUBTFUL and w.is_past(word),
    "ONLYPAST": lambda word: word not in DOUBTFUL and w.is_past(word) and not w.is_done(word) and word not in {"was", "got"},
    "ING": w.is_ing,
    "NOUN": w.is_counted,
    "NOUNS": w.is_plural,
    "THING": w.needs_article,
    "MASS": w.MASS.__contains__,
    "MASSES": lambda word: word.endswith("s") and word.removesuffix("s") in w.MASS,
    "ADJ": w.is_adjective,
    "SHORT": w.is_short_adjective,
    "ER": w.is_comparative,
    "PERSON": w.PERSONS.__contains__,
    "NUM": lambda word: word in _NUMBERS or (word.isdigit() and word not in {"0", "1"} and len(word) < len("1000")),
    "ADV": word_set("never always also often really still just already only even usually sometimes").__contains__,
    "DET": word_set("the my our their his her your these those many some most all several few other both").__contains__,
    "HEAD": word_set("of between with for in from to by about on at").__contains__,
    "MODAL": word_set("can could should would must can't cannot couldn't shouldn't wouldn't won't will").__contains__,
    "BE": word_set("am is are was were").__contains__,
    "DAY": word_set("monday tuesday wednesday thursday friday saturday sunday").__contains__,
}
_WORD = re.compile(r"[$€£]?\d+(?:[.,:/]\d+)*\w*|[^\W_]+(?:['’-][^\W_]+)*")
_STOP = re.compile(r"[.!?]")
LONGEST_SENTENCE = 2_000  # characters in which its end is looked for


class Word(NamedTuple):
    """A word in lower case with its place. joined: a blank alone stands between it and the word before."""

    text: str
    start: int
    end: int
    joined: bool

    def __format__(self, form: str) -> str:
        return FORMS[form](self.text) if form else self.text


class Words:
    """The words of a paragraph. Beyond its edges, and beyond a mark, there are empty words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.all: list[Word] = []
        end = 0
        for found in _WORD.finditer(text):
            joined = bool(self.all) and text[end : found.start()] == " "
            self.all.append(Word(found[0].lower().replace("’", "'"), *found.span(), joined))
            end = found.end()

    def before(self, at: int, back: int = 1) -> str:
        """The word so many places before."""
        first = at - back
        return self.all[first].text if first >= 0 and all(each.joined for each in self.all[first + 1 : at + 1]) else ""

    def after(self, at: int, on: int = 1) -> str:
        """The word so many places after."""
        last = at + on
        return self.all[last].text if last < len(self.all) and all(each.joined for each in self.all[at + 1 : last + 1]) else ""

    def opens(self, at: int) -> bool:
        """Whether the word is the first one of a clause."""
        return not self.all[at].joined or self.before(at) in OPENS

    def begins(self, at: int) -> bool:
        """Whether the word follows a mark and has a capital."""
        return not self.all[at].joined and self.text[self.all[at].start].isupper()

    def asks(self, at: int) -> bool:
        """Whether the sentence is a question."""
        stop = _STOP.search(self.text, end := self.all[at].end, end + LONGEST_SENTENCE)
        return stop is not None and stop[0] == "?"

    def lists(self, at: int) -> bool:
        """Whether a noun and a comma stand before the word."""
        if not at or self.all[at].joined or "," not in self.text[self.all[at - 1].end : self.all[at].start]:
            return False
        return w.is_plural(self.all[at - 1].text) or w.is_counted(self.all[at - 1].text)


def _test(names: str) -> Test:
    """Whether a word is one of those, or of those kinds."""
    parts = names.split("|")
    kinds = [CLASSES[each] for each in parts if each.isupper()]
    literal = frozenset(each for each in parts if not each.isupper())
    return lambda word: word in literal or any(kind(word) for kind in kinds)


class _Item(NamedTuple):
    test: Test
    may_be_missing: bool
    replaced: bool


@dataclass(frozen=True)
class Rule:
    """A row of a table: what is said of a mistake, its pattern, the template of its correction."""

    why: str
    pattern: str
    instead: str

    @cached_property
    def _parts(self) -> tuple[list[Test], list[_Item], list[Test], list[str]]:
        """The tests of the words before, nearest first; of the words; of the words after; and what has no word."""
        before: list[Test] = []
        items: list[_Item] = []
        after: list[Test] = []
        marks, inside = [], False
        for part in self.pattern.split():
            if part in {"<", ">"}:
                inside = part == "<"
            elif part[0] in "^$~" or part == ".":
                marks.append(part)
            elif part[0] == "!":
                (after if items else before).append(_test(part[1:]))
            else:
                items.append(_Item(_test(part.removesuffix("?")), part.endswith("?"), inside))
        return before[::-1], items, after, marks

    def match(self, text: Words, at: int) -> tuple[int, int] | None:
        """The words [first, last) to be replaced if the pattern holds from this word on."""
        before, items, after, marks = self._parts
        to, first, last = at, -1, -1
        for item in items:
            fits = to < len(text.all) and (to == at or text.all[to].joined) and item.test(text.all[to].text)
            if not fits and not item.may_be_missing:
                return None
            if fits:
                first, last = (first if first >= 0 else to, to + 1) if item.replaced else (first, last)
                to += 1
        if any(test(text.before(at, back)) for back, test in enumerate(before, 1)):
            return None
        if any(test(text.after(to - 1, on)) for on, test in enumerate(after, 1)):
            return None
        return (first, last) if all(_holds(mark, text, at, to - 1) for mark in marks) else None


def _holds(mark: str, text: Words, at: int, last: int) -> bool:
    if mark == "^^":
        return text.begins(at)
    if mark[0] == "^":
        return text.opens(at) or text.before(at) in mark[1:].split("|")
    follows = text.after(last)
    return {
        "$": not follows or follows in FOLLOWS,
        ".": not follows,
        "~?": not text.asks(last),
        "~,": not text.lists(at),
    }[mark]


class Found(NamedTuple):
    """A mistake: what is said of it, its characters [start, end), and the correction."""

    why: str
    start: int
    end: int
    instead: str


def found_in(text: Words, rules: tuple[Rule, ...], is_late: Callable[[], bool]) -> Iterator[Found]:
    """The mistakes in a paragraph in reading order, one at a word, until it is late."""
    for at in range(len(text.all)):
        if is_late():
            return
        for rule in rules:
            if (place := rule.match(text, at)) and (found := _corrected(rule, text, *place)):
                yield found
                break


def _corrected(rule: Rule, text: Words, first: int, last: int) -> Found | None:
    """The mistake; None if the correction changes nothing, or goes less well with the words beside it."""
    words = text.all[first:last]
    instead = rule.instead.format(*words)
    old = " ".join(one.text for one in words)
    if instead == old or (last - first == 1 and " " not in instead and _is_better(old, instead, text, first)):
        return None
    start, end = words[0].start, words[-1].end
    if not instead:  # the blank before goes too
        start -= 1
    capital = text.text[start].isupper() and instead
    return Found(rule.why, start, end, f"{instead[0].upper()}{instead[1:]}" if capital else instead)


def _is_better(old: str, new: str, text: Words, at: int) -> bool:
    """Whether the old word is more often seen between the two beside it than the new one."""
    pair, before, after = counts().pair, text.before(at), text.after(at)
    return pair(before, old) > 2 * pair(before, new) > 0 and pair(old, after) > pair(new, after) > 0
