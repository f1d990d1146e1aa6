"""The tables of grammar: mistakes that learners make, as patterns of words, with what is said of each; and the engine that
applies them. Then marks and letters that are wrong in any context: apostrophes, capitals, a word that stands twice; and
words that sound or look alike: the other one is meant where it is far more often seen between the words beside it.

A pattern is a row of items. An item is a word or several with "|" between them; names in capitals stand for kinds of words
(CLASSES). The words in "< >" are replaced. "item?" may be missing. "!item" is a word that must not stand there, before the
first or after the last item. Without a word: "^" a clause begins here ("^and|that": or one of these words stands before),
"$" what belongs together ends, "~<" the paragraph does not tell of the past: "he build" may be "he built" there.

The correction is a template of str.format over the replaced words: "{1:base}" is the base form of the second one (FORMS)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log10
from typing import NamedTuple

from chapterverse.core.turns import at_work
from chapterverse.core.words import word_set
from chapterverse.essays.model import Correction, Place
from chapterverse.essays.proofreading import words as w
from chapterverse.essays.proofreading.words import pair

Test = Callable[[str], bool]
OPENS = word_set("but because when if while so since although though whenever")
FOLLOWS = word_set("""
    is are was were in on at of to that who which and or but because for have has had can will would should must so when if with
    from than as by about until after before since while did do does don't could every here there now again today yesterday
    tomorrow together too also then not where how what we you they he she it i
""")  # what a noun is ended by
DOUBTFUL = word_set("found left felt thought read led said built cut used means needs born tired bored better rather saw")
NOW = word_set("am is are has do does isn't aren't hasn't don't doesn't")


def _base(word: str) -> str:
    return w.base_of(word) or word


FORMS: Mapping[str, Callable[[str], str]] = {
    "base": _base,
    "third": w.third,
    "they": w.plural_verb,
    "many": w.plural,
    "one": lambda word: w.singular(word) or word.removesuffix("s"),
}
_NUMBERS = word_set("two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty")
CLASSES: Mapping[str, Test] = {
    "BASE": w.is_base,
    "VERB": w.is_verb,
    "THIRD": w.is_third,
    "FORM": lambda word: word not in DOUBTFUL and w.base_of(word) is not None and not w.is_form(word, w.ing),
    "PAST": lambda word: word not in DOUBTFUL and w.is_form(word, w.past),
    "ONLYPAST": lambda word: (
        word not in DOUBTFUL and w.is_form(word, w.past) and not w.is_done(word) and word not in {"was", "got"}
    ),
    "DONE": w.is_done,
    "ING": lambda word: w.is_form(word, w.ing),
    "NOUN": w.is_counted,
    "NOUNS": w.is_plural,
    "THINGS": lambda word: w.is_plural(word) and not w.is_form(word, w.third),
    "MASSES": lambda word: word.endswith("s") and word.removesuffix("s") in w.MASS,
    "ADJ": w.is_adjective,
    "PERSON": w.PERSONS.__contains__,
    "NUM": lambda word: word in _NUMBERS or (word.isdigit() and word not in {"0", "1"} and len(word) < len("1000")),
    "ADV": word_set("never always also often really still just already only even usually sometimes").__contains__,
    "DET": word_set("the my our their his her your these those many some most all several few other both").__contains__,
    "MODAL": word_set("can could should would must can't cannot couldn't shouldn't wouldn't won't will").__contains__,
}
_WORD = re.compile(r"[$€£]?\d+(?:[.,:/]\d+)*\w*|[^\W_]+(?:['’-][^\W_]+)*")

_NEGATED = "do does did is are was were has have had would could should ca wo must need"
SHORT = {f"{each}nt": f"{each}n't" for each in _NEGATED.split()} | {
    each.replace("'", ""): each
    for each in word_set("i'm i've they're they've you're you've we've that's what's there's he's she's where's")
}


class Word(NamedTuple):
    """A word in lower case, with the apostrophe that it lacks, and its place. joined: a blank alone stands between it and the
    word before."""

    text: str
    start: int
    end: int
    joined: bool

    def __format__(self, form: str) -> str:
        return FORMS[form](self.text) if form else self.text


class Words:
    """The words of a paragraph with its index. Beyond its edges, and beyond a mark, there are empty words."""

    def __init__(self, text: str, paragraph: int) -> None:
        self.text, self.paragraph = text, paragraph
        self.all: list[Word] = []
        end = 0
        for found in _WORD.finditer(text):
            joined = bool(self.all) and text[end : found.start()] == " "
            word = found[0].lower().replace("’", "'")
            self.all.append(Word(SHORT.get(word, word), *found.span(), joined))
            end = found.end()

    def written(self, at: int) -> str:
        """The word as the text has it."""
        return self.text[self.all[at].start : self.all[at].end]

    def corrected(self, why: str, start: int, end: int, instead: str) -> Correction:
        """The correction of the characters [start, end), with a capital where they have one."""
        capital = self.text[start : start + 1].isupper()
        return why, Place(self.paragraph, (start, end), f"{instead[:1].upper()}{instead[1:]}" if capital else instead)

    def before(self, at: int, back: int = 1) -> str:
        """The word so many places before."""
        first = at - back
        return self.all[first].text if first >= 0 and all(each.joined for each in self.all[first + 1 : at + 1]) else ""

    def after(self, at: int, on: int = 1) -> str:
        """The word so many places after."""
        last = at + on
        return self.all[last].text if last < len(self.all) and all(each.joined for each in self.all[at + 1 : last + 1]) else ""

    @cached_property
    def is_past(self) -> bool:
        """Whether more of its verbs are of the past than of now."""
        words = [each.text for each in self.all]
        return sum(map(CLASSES["PAST"], words)) > sum(each in NOW or w.is_third(each) for each in words)


def _test(names: str) -> Test:
    """Whether a word is one of those, or of those kinds."""
    parts = names.split("|")
    kinds = [CLASSES[each] for each in parts if each.isupper()]
    literal = frozenset(each for each in parts if not each.isupper())
    return lambda word: word in literal or any(kind(word) for kind in kinds)


@dataclass(frozen=True)
class Rule:
    """A row of a table: what is said of a mistake, its pattern, the template of its correction."""

    why: str
    pattern: str
    instead: str

    @cached_property
    def _parts(self) -> tuple[list[Test], list[tuple[Test, bool, bool]], list[Test], list[str]]:
        """The tests of the words before, nearest first; of the words, with whether one may be missing and is replaced; of the
        words after; and what has no word."""
        before: list[Test] = []
        items: list[tuple[Test, bool, bool]] = []
        after: list[Test] = []
        marks, inside = [], False
        for part in self.pattern.split():
            if part in {"<", ">"}:
                inside = part == "<"
            elif part[0] in "^$~":
                marks.append(part)
            elif part[0] == "!":
                (after if items else before).append(_test(part[1:]))
            else:
                items.append((_test(part.removesuffix("?")), part.endswith("?"), inside))
        return before[::-1], items, after, marks

    def match(self, text: Words, at: int) -> tuple[int, int] | None:
        """The words [first, last) to be replaced if the pattern holds from this word on."""
        before, items, after, marks = self._parts
        to, first, last = at, -1, -1
        for test, may_be_missing, is_replaced in items:
            fits = to < len(text.all) and (to == at or text.all[to].joined) and test(text.all[to].text)
            if not fits and not may_be_missing:
                return None
            if fits:
                first, last = (first if first >= 0 else to, to + 1) if is_replaced else (first, last)
                to += 1
        if any(test(text.before(at, back)) for back, test in enumerate(before, 1)):
            return None
        if any(test(text.after(to - 1, on)) for on, test in enumerate(after, 1)):
            return None
        return (first, last) if all(_holds(mark, text, at, to - 1) for mark in marks) else None


def _holds(mark: str, text: Words, at: int, last: int) -> bool:
    follows, is_first = text.after(last), not text.all[at].joined
    if mark[0] == "^":
        return is_first or text.before(at) in OPENS or text.before(at) in mark[1:].split("|")
    return not text.is_past if mark == "~<" else not follows or follows in FOLLOWS


def found_in(text: Words, up: float) -> Iterator[Correction]:
    """The mistakes in a paragraph in reading order, one at a word, until time is up."""
    for at in range(len(text.all)):
        if at_work() > up:
            return
        for rule in RULES:
            if (place := rule.match(text, at)) and (found := _corrected(rule, text, *place)):
                yield found
                break


def _corrected(rule: Rule, text: Words, first: int, last: int) -> Correction | None:
    """The mistake; None if the correction changes nothing, or goes less well with the words beside it."""
    words = text.all[first:last]
    instead = rule.instead.format(*words)
    old = " ".join(one.text for one in words)
    if instead == old or (last - first == 1 and " " not in instead and _is_better(old, instead, text, first)):
        return None
    return text.corrected(rule.why, words[0].start, words[-1].end, instead)


def _is_better(old: str, new: str, text: Words, at: int) -> bool:
    """Whether the old word is more often seen between the two beside it than the new one."""
    before, after = text.before(at), text.after(at)
    return pair(before, old) > 2 * pair(before, new) > 0 and pair(old, after) > pair(new, after) > 0


_ONE = "he|she|it|everyone|everybody|someone|somebody|nobody|anyone|anybody|everything|something|nothing"
_GOES = "THIRD|is|was|has|isn't|wasn't|hasn't|doesn't"
_GO = "VERB|have|do|don't|are"
_CLEAR = "^and|that|what|where|how|why"
_STATE = "agree|disagree|believe|think|know|prefer|hate|want|understand"
_WISH = "suggest|suggested|suggests|recommend|recommended|demand|demanded|insist|insisted|important|necessary"
_BEST = "all|everything|anything|whatever|what|best|as|hard|much|that|those"
_PEOPLE = "me|us|him|her|them|people|you"
_MANY = "these|those|many|several|few|both|various|NUM"


TABLES: dict[str, tuple[tuple[str, str], ...]] = {
    "The verb must match its subject: I go, he goes, they go.": (
        (f"!{_WISH} !MODAL {_CLEAR} {_ONE} ADV? < {_GO} > ~< !not", "{0:third}"),
        ("^ my|his|her|a|the|our PERSON ADV? < VERB|have|do|don't|are > ~<", "{0:third}"),
        (f"{_CLEAR} you ADV? < {_GOES} >", "{0:they}"),
        (f"!of|between|like|than|with|for they|we ADV? < {_GOES} >", "{0:they}"),
        (f"^that DET|ADJ|NOUN? ADJ|NOUN? NOUNS ADV? < {_GOES} > !what|whom|which", "{0:they}"),
        ("!if|though|wish there < is|was|isn't|wasn't > some|no|more|many|several|ADJ|NUM? NOUNS $", "{0:they}"),
    ),
    "Use the plain verb after this word: can go, did go, to go.": (
        ("!DET|a|an|this|that MODAL|may|might not|ADV? < THIRD|ONLYPAST|is|are|was|were > !by", "{0:base}"),
        ("i|we|they|he|she|you|people|it MODAL not|ADV? < PAST > !by|in|to|if", "{0:base}"),
        ("i|we|they|he|she|you|people MODAL ADV? < ING > !and|or", "{0:base}"),
        ("didn't|don't|doesn't ADV? < FORM > !by", "{0:base}"),
        (f"!{_BEST} !DET|a can|could|should|must|can't|cannot|couldn't|shouldn't not? < to BASE >", "{1}"),
        ("!DET|a < can|could able to >", "{0}"),
        ("!similar|used|due|close|according|thanks to < ONLYPAST >", "{0:base}"),
        (f"let|lets|make|makes|made {_PEOPLE} < to BASE >", "{1}"),
    ),
    "This verb needs no “am” or “are”: I agree, not “I am agree”.": (
        (f"i|we|they|you < am|are {_STATE} >", "{1}"),
        ("i|we|they|you < am|are not agree >", "do not agree"),
    ),
    "Should this be singular or plural?": (
        (f"!a|one|this|that|source|chapter|grade {_MANY} ADJ? < NOUN > $", "{0:many}"),
        ("one of the|my|our|his|her|their|these ADJ|most|best|biggest|main|worst? ADJ? < NOUN > $", "{0:many}"),
        ("each|every|another < NOUNS > $", "{0:one}"),
        ("< this > THINGS $", "these"),
        ("^ < this > are|were", "these"),
    ),
    "Write “have” here: “of” only sounds like it.": (("could|should|would|must|might not|never < of > DONE", "have"),),
    "This word takes no “s”: information, children.": (
        ("< MASSES >", "{0:one}"),
        ("< childrens > $", "children"),
    ),
}  # fmt: skip
RULES = tuple(Rule(why, pattern, instead) for why, rows in TABLES.items() for pattern, instead in rows)

_PAIRS = """
there their|there they're|their there|their they're|they're their|they're there|your you're|you're your|its it's|it's its
then than|than then|loose lose|affect effect|effect affect|effects affects|affects effects|weather whether|no know|now know
quite quiet|quiet quite|where were|were where|here hear|except accept|brake break|peace piece|week weak|weak week|hole whole
threw through|breath breathe|breathe breath|advice advise|advise advice|use used|thing think|think thing|are our|our are
aloud allowed|to too|cloths clothes|lifes lives|chose choose|loss lose
"""
_ROWS = [each.split() for each in _PAIRS.replace("\n", "|").split("|") if each]
MEANT: Mapping[str, list[str]] = {first: [meant for word, meant in _ROWS if word == first] for first, _ in _ROWS}
"""What each word may be meant to be."""
SHORT_FOR = {"they're": ("they", "are"), "you're": ("you", "are"), "it's": ("it", "is")}
WHY = "These words are easily confused."
_WHYS = {
    "“Their” shows who owns something; “there” is a place; “they’re” means “they are”.": "their there they're",
    "“Its” shows who owns something; “it’s” is short for “it is”.": "its it's",
    "“Your” shows who owns something; “you’re” is short for “you are”.": "your you're",
    "Use “than” to compare; “then” is about time.": "than",
    "“Too” means “also” or “more than enough”.": "too",
    "To “affect” something is to change it; an “effect” is the result.": "affect affects effect effects",
}
WHYS = {word: why for why, words in _WHYS.items() for word in words.split()}
MARGIN = 1.8  # powers of ten; chosen on the first half of scripts/eval/data/grammar_essays.jsonl and on school essays
RAREST = 6e6  # what a pair counts that the table does not have
_CORRECT = {tuple(pair.split()) for pair in ("there used", "where some", "where any", "where every", "use to")}


def confused_in(text: Words) -> Iterator[Correction]:
    """The words of a paragraph that are confused, in reading order."""
    for at, word in enumerate(text.all):
        before, after = text.before(at), text.after(at)
        if meant := meant_by(word.text, before, after):
            yield text.corrected(WHYS.get(meant, WHY), word.start, word.end, meant)


def meant_by(word: str, before: str, after: str) -> str | None:
    """What fits so much better that it is meant."""
    if (word, before) in _CORRECT or (word, after) in _CORRECT or not after:
        return None
    left, right = _fit(word, before, after)
    for other in MEANT.get(word, ()):
        new_left, new_right = _fit(other, before, after)
        if new_left >= left and new_right >= right and new_left + new_right - left - right >= MARGIN:
            return other
    return None


def _fit(word: str, before: str, after: str) -> tuple[float, float]:
    """How often the word is seen after the one and before the other, in powers of ten above RAREST."""
    first, last = SHORT_FOR.get(word, (word, word))
    left = log10(max(pair(before, first), RAREST) / RAREST) if before else 0.0
    return left, log10(max(pair(last, after), RAREST) / RAREST)


APOSTROPHE = "Use an apostrophe for the letters left out."
OWNER = "Use an apostrophe to show who something belongs to."
TWICE = "You wrote the same word twice."
BEGINS = "A sentence begins with a capital letter."
OWNERS = word_set("today yesterday everyone everybody someone somebody anyone anybody nobody")
TWICE_ALLOWED = word_set("had that can is do so very really bye ha no blah win please many long")
SPEAKS = word_set("asked said says cried shouted thought wrote")
_BEGINNING = re.compile(r"(?:\A|[^\W\d_]{3,}(?<!etc)[.!?] )([a-z]+)(?= [a-z])")


def marks_in(text: Words) -> Iterator[Correction]:
    """The mistakes in a paragraph."""
    for at, word in enumerate(text.all):
        written = text.written(at)
        if written.lower() in SHORT:
            right = meant_by(word.text, text.before(at), text.after(at)) or word.text
            if word.text not in {"won't", "can't"} or text.before(at) not in {"his", "her", "their", "its"}:
                yield text.corrected(APOSTROPHE, word.start, word.end, re.sub(r"\Ai'", "I'", right))
        elif word.text.removesuffix("s") in OWNERS and word.text.endswith("s") and text.after(at):
            yield text.corrected(OWNER, word.start, word.end, f"{written[:-1]}'s")
        elif word.joined and written.islower() and word.text == text.all[at - 1].text and word.text not in TWICE_ALLOWED:
            first = text.all[at - 1]
            yield text.corrected(TWICE, first.start, word.end, text.text[first.start : first.end])
    for found in _BEGINNING.finditer(text.text):
        if found[1] != "i" and found[1] not in SPEAKS and (found.start(1) or len(found[1]) > 1):
            yield text.corrected(BEGINS, *found.span(1), found[1].capitalize())
