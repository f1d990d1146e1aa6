"""Whether a text that a model wrote is borne out by the texts that it cites: its numbers, times, dates and names stand in them,
and its other words do, or the trained reader is sure. What is not found counts as wrong."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from chapterverse.citations.checks import Weight, read_numbers, run_checks
from chapterverse.citations.model import ClaimPair
from chapterverse.citations.words import content_of, read_clauses, read_words
from chapterverse.core.lazy import lazy
from chapterverse.core.words import EMPTY, stem, word_set

COVERED = 0.6  # of a text's content words that its source must have
COVERED_IF_READ = 0.34  # the same, where the reader is sure that the source supports it
SAME_BEGINNING = 4  # letters: "delivery" and "delivered" are of one root
_DIGITS = re.compile(r"\d+")
_ONCE = re.compile(r"(?<=\d)[:.]00\b")  # "8:00" is 8
_THOUSANDS = re.compile(r"(?<=\d)[,.' \u2009\u00a0](?=\d{3}\b)")
_TOKEN = re.compile(r"(?:Mr|Mrs|Ms|Dr|St|Prof)\.|[^\W\d_]+(?:['’-][^\W\d_]+)*|[.!?:]+|[“\"„«(]")
CALENDAR = word_set("""
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october
november december montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember
noon midnight morning afternoon evening today tomorrow yesterday daily weekly monthly yearly
""") - {"may", "march"}  # verbs as well
OPENERS = EMPTY | word_set("""
according however therefore thus hence please also yes note remember additionally furthermore moreover finally first second
third students pupils both all each every most many several once after before during unless until instead either neither
""")


def plain(text: str) -> str:
    """The text with one kind of digits, letters and spaces."""
    return unicodedata.normalize("NFKC", text)


def digits_in(text: str) -> set[str]:
    """The numbers in digits, of a time or date each part: "8:00" and "8 am" have 8, "7/12" has 7 and 12."""
    whole = _THOUSANDS.sub("", _ONCE.sub("", plain(text)))
    return {str(int(found)) for found in _DIGITS.findall(whole)}


def names_in(text: str) -> set[str]:
    """Capitalised words in lower case, but those that may only begin a sentence; days and months wherever they stand."""
    found = set[str]()
    begins = True
    for token in _TOKEN.findall(plain(text)):
        if not token[0].isalpha():
            begins = begins or token[0] not in '“"„«('
            continue
        lower = token.lower().removesuffix("'s").removesuffix("’s")
        if lower in CALENDAR or (
            token[0].isupper() and lower not in OPENERS and (not begins or token[1:].lower() != token[1:])
        ):
            found.add(lower)
        begins = False
    return found - OPENERS


@dataclass(frozen=True)
class Material:
    """What a claim may rest on. texts: cited sentences with their surroundings, titles."""

    texts: tuple[str, ...]

    @lazy
    def whole(self) -> str:
        """All texts."""
        return plain("\n".join(self.texts))

    @lazy
    def digits(self) -> set[str]:
        """Its numbers, also those in words."""
        words = {str(int(number.value)) for number in read_numbers(self.whole) if number.value.is_integer()}
        return digits_in(self.whole) | words

    @lazy
    def stems(self) -> frozenset[str]:
        """Stems of all its words."""
        return frozenset(stem(word.text.removesuffix("'s")) for word in read_words(self.whole))

    def lacks(self, text: str) -> list[str]:
        """Numbers, times, dates and names of the text that are not here."""
        numbers = {str(int(one.value)) for one in read_numbers(plain(text)) if one.value.is_integer() and one.value > 2}
        strange = sorted((digits_in(text) | numbers) - self.digits)
        return strange + sorted(name for name in names_in(text) if not self.has(name))

    def has(self, word: str) -> bool:
        """Whether the word, or one of its root, is here."""
        root = stem(word)
        return root in self.stems or any(
            len(root) >= SAME_BEGINNING and each.startswith(root[: max(SAME_BEGINNING, len(root) - 2)]) for each in self.stems
        )

    def covers(self, words: Iterable[str]) -> float:
        """The share of the words that is here; 1 for none."""
        every = list(words)
        return sum(self.has(word) for word in every) / len(every) if every else 1.0


_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:['’]t)?")
MAY, MUST, ALL, NOT = (
    word_set("may can could might allowed"),
    word_set("must need needs required obliged has have"),
    word_set("all every each everybody everyone everything always any anybody anyone whole"),
    word_set("no not never nobody none nothing neither nor without cannot can't don't doesn't isn't aren't won't mustn't"),
)
# Words that only the same words, or those beside them, bear out: without them a sentence says something else.
BINDING = (
    (ALL, ALL),
    (word_set("only solely exclusively"), word_set("only solely exclusively just")),
    (NOT, NOT | word_set("only unless except until")),
    (word_set("before"), word_set("before by until first prior")),
    (word_set("after afterwards"), word_set("after afterwards then once when")),
    (word_set("until till"), word_set("until till by before")),
    (word_set("within during since"), word_set("within during since in")),
    (word_set("unless except"), word_set("unless except only not no but")),
    (word_set("also even"), word_set("also even too and")),
    (word_set("least"), word_set("least minimum")),
    (word_set("most"), word_set("most maximum up")),
    (word_set("free"), word_set("free nothing no without")),
)
UNITS = word_set("""
second seconds minute minutes hour hours day days week weeks month months year years euro euros dollar dollars cent cents
percent
""")
PRONOUNS = word_set("it its this that these those they them their he him his she her such here there both former latter")
_ONE_OR_TWO = re.compile(r"\b(one|two|a single|both)\b", re.IGNORECASE)


def keeps_to(text: str, sentence: str) -> bool:
    """Whether the text has no word that binds, and no unit of time or money, that the sentence has nothing for: "all", "only",
    "not", "before", "must" for "may"."""
    ours, theirs = ({word.lower().replace("’", "'") for word in _PLAIN_WORD.findall(plain(each))} for each in (text, sentence))
    if any(ours & group and not theirs & others for group, others in BINDING) or (ours & UNITS) - theirs:
        return False
    bound = theirs | (MUST if "only" in theirs else frozenset())
    if (ours & MAY and theirs & MUST and not theirs & MAY) or (ours & MUST and theirs & MAY and not bound & MUST):
        return False
    counted = {found.lower() for found in _ONE_OR_TWO.findall(plain(text))}
    numbers = {found.lower() for found in _ONE_OR_TWO.findall(plain(sentence))}
    return not numbers or not counted or bool(counted & numbers)


def is_of_one(text: str, its: Material, elsewhere: Material, asked: str = "") -> bool:
    """Whether no word of the text that these sentences lack comes from elsewhere in the source, as if that were said here.
    asked: the question, whose words may be used."""
    free = content_of(read_clauses(asked)) | {stem(word) for word in ALL | MAY | MUST | NOT}
    return not any(not its.has(word) and elsewhere.has(word) for word in content_of(read_clauses(text)) - free)


def is_borne_out(text: str, material: Material, pair: ClaimPair, *, read: bool, asked: str = "") -> bool:
    """Whether the material bears the text out. pair: the text with the sentence nearest to it; read: the reader is sure that
    it supports the text. asked: the question, whose words bear nothing out."""
    if material.lacks(text) or not keeps_to(text, pair.sentence):
        return False
    content = content_of(read_clauses(text))
    own = content - content_of(read_clauses(asked)) or content
    covered = min(material.covers(own), material.covers(content))
    if not content or covered < (COVERED_IF_READ if read else COVERED):
        return False
    return read or not any(finding.weight >= Weight.AGAINST for finding in run_checks(pair))
