"""Marks and letters that are wrong in any context: apostrophes, blanks, capitals, a word that stands twice; and
words that sound or look alike: the other one is meant where it is far more often seen between the words beside it."""

import re
from collections.abc import Iterator, Mapping
from math import log10

from chapterverse.core.words import word_set
from chapterverse.essays.proofreading.counts import counts
from chapterverse.essays.proofreading.model import Kind
from chapterverse.essays.proofreading.rules import Found, Words

_PAIRS = """
there their|there they're|their there|their they're|they're their|they're there|your you're|you're your|its it's|it's its
then than|than then|loose lose|affect effect|effect affect|effects affects|affects effects|weather whether|no know|now know
quite quiet|quiet quite|where were|were where|here hear|except accept|brake break|peace piece|week weak|weak week|hole whole
threw through|breath breathe|breathe breath|advice advise|advise advice|use used|thing think|think thing|are our|our are
aloud allowed|to too|cloths clothes|lifes lives|chose choose|loss lose
"""
MEANT: Mapping[str, tuple[str, ...]] = {
    first: tuple(each.split()[1] for each in _PAIRS.replace("\n", "|").split("|") if each.split()[:1] == [first])
    for first in {each.split()[0] for each in _PAIRS.replace("\n", "|").split("|") if each}
}
"""What each word may be meant to be."""
SHORT_FOR = {"they're": ("they", "are"), "you're": ("you", "are"), "it's": ("it", "is")}
WHY = "Two words that sound or look alike are mixed up here."
WHYS = {
    "their": "“Their” tells whose something is; “there” is a place, “they’re” is short for “they are”.",
    "its": "“Its” tells whose something is; “it’s” is short for “it is”.",
    "your": "“Your” tells whose something is; “you’re” is short for “you are”.",
    "than": "In a comparison it is “than”; “then” is about time.",
    "too": "“Too” means more than is good.",
    "affect": "To “affect” is what something does; the “effect” is what comes of it.",
}
_OF = {"there": "their", "they're": "their", "it's": "its", "you're": "your", "effect": "affect", "affects": "affect",
    "effects": "affect"}  # fmt: skip
MARGIN = 1.8  # powers of ten; chosen on the first half of scripts/eval/data/grammar_essays.jsonl and on school essays
RAREST = 6e6  # what a pair counts that the table does not have
ARTICLE = 10.0  # times that one article is more often seen before a word than the other
A_OR_AN = "“A” goes before a consonant sound, “an” before a vowel sound: a dog, an apple, an hour."
_CORRECT = {tuple(pair.split()) for pair in ("there used", "where some", "where any", "where every", "use to")}


def confused_in(text: Words) -> Iterator[Found]:
    """The words of a paragraph that are confused, in reading order."""
    for at, word in enumerate(text.all):
        before, after = text.before(at), text.after(at)
        if meant := _article(word.text, after) or meant_by(word.text, before, after):
            why = A_OR_AN if word.text in {"a", "an"} and meant in {"a", "an"} else WHYS.get(_OF.get(meant, meant), WHY)
            capital = text.text[word.start].isupper()
            yield Found(why, word.start, word.end, f"{meant[0].upper()}{meant[1:]}" if capital else meant)


def _article(word: str, after: str) -> str | None:
    """The other article where the next word asks for it."""
    other = {"a": "an", "an": "a"}.get(word)
    pair = counts().pair
    if not other or len(after) < len("ace"):
        return None
    return other if pair(other, after) > ARTICLE * max(pair(word, after), RAREST / ARTICLE) else None


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
    pair = counts().pair
    left = log10(max(pair(before, first), RAREST) / RAREST) if before else 0.0
    return left, log10(max(pair(last, after), RAREST) / RAREST)


APOSTROPHE = "An apostrophe is missing: it stands for the letters left out."
OWNER = "An apostrophe is missing: it tells whose something is."
TWICE = "The same word stands here twice."
PERSONAL = "“I” is always a capital."
BEGINS = "A sentence begins with a capital letter."
BLANK_BEFORE = "No blank goes before this mark."
BLANK_AFTER = "A blank goes after a comma."
_NEGATED = "do does did is are was were has have had would could should ca wo ai must need"
SHORTENED = {f"{each}nt": f"{each}n't" for each in _NEGATED.split()} | {
    each.replace("'", "").lower(): each
    for each in word_set("I'm I've they're they've you're you've we've that's what's there's he's she's who's where's")
}
_SHORT = {word: right for word, right in SHORTENED.items() if word not in {"whos", "aint"}}
OWNERS = word_set("today yesterday everyone everybody someone somebody anyone anybody nobody")
TWICE_ALLOWED = word_set("had that can is do so very really bye ha no blah win please many long")
SPEAKS = word_set("asked said says cried shouted thought wrote")
_BLANK_BEFORE = re.compile(r"(?<=\w) +(?=[,;.!?](?:\s|$))")
_NO_BLANK = re.compile(r"\b([a-z]+),([a-z]{2,})")
_BEGINNING = re.compile(r"(?:\A|[^\W\d_]{3,}(?<!etc)[.!?] )([a-z]+)(?= [a-z])")


def marks_in(text: Words) -> Iterator[tuple[Kind, Found]]:
    """The mistakes in a paragraph."""
    for at, word in enumerate(text.all):
        written = text.text[word.start : word.end]
        if right := _SHORT.get(word.text):
            right = meant_by(right, text.before(at), text.after(at)) or right
            if word.text not in {"wont", "cant"} or text.before(at) not in {"his", "her", "their", "its"}:
                capital = written[0].isupper() and right[0].islower()
                yield "punctuation", Found(APOSTROPHE, word.start, word.end, right.capitalize() if capital else right)
        elif word.text.removesuffix("s") in OWNERS and word.text.endswith("s") and text.after(at):
            yield "punctuation", Found(OWNER, word.start, word.end, f"{written[:-1]}'s")
        elif written == "i" and (text.after(at) or text.text[word.end : word.end + 1] in {"'", "’"}):
            yield "capitals", Found(PERSONAL, word.start, word.end, "I")
        elif written.startswith(("i'", "i’")):
            yield "capitals", Found(PERSONAL, word.start, word.start + 1, "I")
        elif word.joined and written.islower() and word.text == text.all[at - 1].text and word.text not in TWICE_ALLOWED:
            yield (
                "grammar",
                Found(TWICE, text.all[at - 1].start, word.end, text.text[text.all[at - 1].start : text.all[at - 1].end]),
            )
    for found in _BLANK_BEFORE.finditer(text.text):
        yield "punctuation", Found(BLANK_BEFORE, found.start(), found.end(), "")
    for found in _NO_BLANK.finditer(text.text):
        yield "punctuation", Found(BLANK_AFTER, found.start(), found.end(), f"{found[1]}, {found[2]}")
    for found in _BEGINNING.finditer(text.text):
        if found[1] != "i" and found[1] not in SPEAKS and (found.start(1) or len(found[1]) > 1):
            yield "capitals", Found(BEGINS, found.start(1), found.end(1), found[1].capitalize())
