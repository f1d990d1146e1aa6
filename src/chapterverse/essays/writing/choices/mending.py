"""Whether a language model's correction only mends: it is all that a model writes and a student reads."""

import re
from collections.abc import Mapping
from difflib import SequenceMatcher

from bookreader.text.language import dictionary
from chapterverse.core.words import NEGATIONS, stem, word_set
from chapterverse.essays.writing.clauses import base_of
from chapterverse.essays.writing.lexicon import BASES, IRREGULAR
from chapterverse.essays.writing.rules import words_of

_SMALL = word_set("""
a an the this that these those of in on at to from by for with into since and is are was were am be been being have has had do
does did i me my it its they them their who whom whose which than as if when there
""")  # words that a correction may add, none of which denies, counts or names
_DROPPED = _SMALL | word_set("more most so very about but also he she we us his her will would")  # and that it may leave out
_ALIKE = (
    "can could|will would|may might|much many|good well|he him his|she her hers|we us our|they them their theirs they're there"
    "|themselves theirself|there's theirs|your you're you|its it's|to too|were we're where|than then|whose who's|loose lose"
    "|affect effect|affects effects|accept except|aloud allowed|weather whether|quiet quite|advice advise|brake break"
    "|passed past|piece peace|principal principle|of have|no any|nothing anything|nobody anybody|less fewer|or nor"
    "|say tell|says tells|said told"
    "|life lives|person persons people|man men mans|do make|does makes|did made|become get|became got|sine sign|forth fourth"
)
_PERSONS = tuple(
    map(word_set, ("i me my mine", "he him his", "she her hers", "it its", "we us our ours", "they them their theirs"))
)
_MARKS = set(" .,;:'’-?!")
_DENYING = NEGATIONS | word_set("few only unless except")
NEAR = 0.7  # of two spellings, from which on one is taken for the other
LONGEST = 40  # words
COMMONER = 50  # times as common as the written word must be the one that was meant


def _groups() -> Mapping[str, frozenset[str]]:
    """The words that learners take for one another, by each of them."""
    found: dict[str, frozenset[str]] = {}
    for group in _ALIKE.split("|"):
        words = word_set(group)
        found |= {word: found.get(word, frozenset()) | words for word in words}
    return found


_GROUPS = _groups()
_THIRD_FORMS = {third: base for base, (_, third) in IRREGULAR.items()}


def only_mends(instead: str, about: str) -> bool:
    """Whether the words mend those of the essay and say nothing else: they are all its words in the same order, in another form
    or spelled rightly, but for small words, and deny no more and no less."""
    if instead.strip() == about.strip() or {each for each in instead if not each.isalpha()} - _MARKS - set(about):
        return False
    ours, theirs = _words(instead), _words(about)
    if not ours or max(len(ours), len(theirs)) > LONGEST or _denials(ours) != _denials(theirs):
        return False
    if _persons(ours) - _persons(theirs) and _persons(theirs) - _persons(ours):
        return False
    if "".join(ours) == "".join(theirs):  # "alot"
        return True
    reached = {0}  # how many words of the essay may be behind, after each of ours
    for word in ours:
        behind = _after_dropping(reached, theirs)
        reached = {at + 1 for at in behind if at < len(theirs) and _is_form(word, theirs[at])}
        reached |= behind if word in _SMALL else set()
    return len(theirs) in _after_dropping(reached, theirs)


def _after_dropping(reached: set[int], theirs: list[str]) -> set[int]:
    """Those places, and those behind words that may be left out."""
    found = set(reached)
    for at, word in enumerate(theirs):
        if at in found and word in _DROPPED:
            found.add(at + 1)
    return found


def _words(text: str) -> list[str]:
    """The words in lower case, "not" by itself: "don't" and "dont" are "do not"."""
    words = words_of(text.lower().replace("’", "'").replace("cannot", "can not"))
    split = [part for word in words for part in ([word[: -len("n't")], "not"] if word.endswith("n't") else [word])]
    bare = {
        "dosnt",
        "wont",
        "dont",
        "doesnt",
        "didnt",
        "cant",
        "isnt",
        "arent",
        "wasnt",
        "werent",
        "wouldnt",
        "couldnt",
        "shouldnt",
        "havent",
    }
    return [part for word in split for part in ([word[: -len("nt")], "not"] if word in bare else [word])]


def _persons(words: list[str]) -> set[int]:
    """Whom they speak of, as indices of _PERSONS."""
    return {at for at, its in enumerate(_PERSONS) if its & set(words)}


def _denials(words: list[str]) -> int:
    """How many words deny, "no" and "nothing" after "not" only once, because English denies once."""
    found = [word for word in words if word in _DENYING]
    return 1 if "not" in found or "never" in found else len(found)


def _is_form(word: str, written: str) -> bool:
    """Whether it is the written word, one of its forms, one that sounds alike, or the right spelling of one that is no word."""
    if word == written or stem(word) == stem(written) or _base(word) == _base(written) or word in _GROUPS.get(written, ()):
        return True
    if word in {"can", "ca"} and written in {"can", "ca"}:
        return True
    is_commoner = dictionary().get(word, 0) > COMMONER * dictionary().get(written, 0)
    return is_commoner and SequenceMatcher(None, word, written).ratio() >= NEAR


def _base(word: str) -> str:
    """The base of the form of a verb or an adjective, also of one that there is not: "teached"."""
    if base := base_of(word) or _THIRD_FORMS.get(word):
        return base
    for end in ("ed", "d"):
        if word.removesuffix(end) in BASES:
            return word.removesuffix(end)
    return re.sub(r"(?<=\w{3})i?(?:er|est)$", "", word).removesuffix("y")
