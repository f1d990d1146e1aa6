"""Word lists, stems and search terms of English, in lower case; and whether a text holds a selection.

The word lists serve quotations and the search by words."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from math import log
from threading import Lock
from typing import Any

from bookreader.text.language import dictionary
from chapterverse.messages import ENGLISH


@cache
def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


KNOWN = 0.7  # share of words in the dictionary: students' essays have 0.94 and more, those in other languages 0.55 and less
TELLING = 4  # fewer words tell nothing
GERMAN, OTHER = "de", ""
SMALL_WORDS = 0.15  # of the words of a text, and more, are small ones of its language
GERMAN_EMPTY = word_set(
    """der die das den dem des ein eine einen einem einer eines und oder aber denn weil dass wenn als wie so auch nicht kein
    keine keinen ist sind war waren wird werden wurde wurden hat haben hatte hatten sein ich du er sie es wir ihr man mich mir
    mein meine sich uns unser unsere ihre ihren in im an am auf aus bei mit nach von vom zu zum zur für über unter um durch
    noch nur schon sehr mehr viel viele kann können soll sollen muss müssen darf würde dann da dort hier was wer wo dies diese
    dieser dieses"""
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def are_english(words: Sequence[str]) -> bool:
    """Whether most of the words are in the English dictionary; True for very few."""
    known = dictionary()
    return len(words) < TELLING or sum(word.lower().replace("’", "'") in known for word in words) >= KNOWN * len(words)


def language_in(text: str) -> str:
    """ENGLISH if most words are in the English dictionary, or there are very few; else GERMAN or ENGLISH by their small words,
    which are right in a text full of mistakes, too; else OTHER."""
    words = _WORD.findall(text)
    if are_english(words):
        return ENGLISH
    german, english = (sum(word.lower() in small for word in words) for small in (GERMAN_EMPTY, ENGLISH_EMPTY))
    least = SMALL_WORDS * len(words)
    return GERMAN if german >= least else ENGLISH if english >= least else OTHER


NEGATIONS = word_set("""
not never no none nothing nobody nowhere neither nor without hardly scarcely barely cannot unable impossible seldom
rarely refuse refuses refused fail fails failed deny denies denied lack lacks lacked forbid forbids forbade forbidden
prohibit prohibits prohibited prevent prevents prevented cant dont doesnt didnt isnt arent wasnt werent wont wouldnt
couldnt shouldnt hasnt havent hadnt
""")

# Words without content: closed classes, auxiliaries, a few verbs and nouns used like them.
EMPTY = NEGATIONS | word_set("""
a an the this that these those there here it its he him his she her they them their we us our you your i me my mine
one ones who whom whose which what when where why how if then than as so such of in on at by for from to into onto
upon with about over under between among through during against is are was were be been being am do does did doing
done has have had having can could may might must shall should will would and or but because since while although
though also too very just even still yet again both each own same other others another some any all many much more
most less few little only once ever now thing things something say says said make makes made get gets got
""")

_STEMMING = Lock()  # a stemmer keeps the word in itself


@cache
def _stemmer() -> Any:
    import snowballstemmer  # all its languages: a tenth of a short command's start

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Stem of a word in lower case, by Porter's second algorithm (Snowball, "english")."""
    with _STEMMING:
        return str(_stemmer().stemWord(word))


ENGLISH_EMPTY = frozenset(word for word in EMPTY - GERMAN_EMPTY if len(word) > len("in"))  # shorter ones are other languages'
NOT_TERMS = EMPTY - NEGATIONS  # "not" and "never" may be the only difference between two questions
_TERM = re.compile(r"[^\W_]+")


def terms_of(text: str) -> list[str]:
    """Stems of the words with content, in order, repetitions included."""
    return [stem(word) for word in _TERM.findall(text.lower()) if word not in NOT_TERMS]


def distinct_terms(text: str) -> list[str]:
    """Stems of the words with content, each once."""
    return list(dict.fromkeys(terms_of(text)))


def rarity(chunks_with_it: int, chunks: int) -> float:
    """Inverse document frequency of a term as in BM25, never negative (Lucene's BM25Similarity, after Robertson & Zaragoza
    2009, "The Probabilistic Relevance Framework")."""
    return log(1 + (chunks - chunks_with_it + 0.5) / (chunks_with_it + 0.5))


WORD = re.compile(r"[^\W_]+(?:['’ʼ][^\W_]+)*")
"""Matches a word: a hyphen divides words, an apostrophe does not."""
_APOSTROPHE = re.compile("['’ʼ]")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
MIN_WORDS_CUT = 4  # words of a selection that may begin and end within a word; a shorter one must match whole words


def plain_word(word: str) -> str:
    """The word without case, accents, apostrophes and ligatures."""
    if word.isascii():
        return word.replace("'", "").lower()
    letters = unicodedata.normalize("NFKD", _APOSTROPHE.sub("", word).casefold()).replace("æ", "ae").replace("œ", "oe")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def plain_words(text: str) -> list[str]:
    return [plain_word(word) for word in WORD.findall(text)]


def holds(text: str, selected: str) -> bool:
    """Whether the text holds what a reader selected on the page (S4-7). Blanks, line ends, punctuation, capitals, Markdown
    and tags are ignored. False for a selection without a word."""
    within, wanted = (plain_words(_TAG.sub(" ", _LINK.sub(r"\1", each))) for each in (text, selected))
    if len(wanted) < MIN_WORDS_CUT:
        return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(within)} "
    return " ".join(wanted) in " ".join(within)
