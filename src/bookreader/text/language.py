"""Whether text is in any language: broken fonts give letters that are shifted ("Dpsqpsbujpo" for "Corporation"), mixed or none.

Nothing is concluded from a language that the word list lacks: only from words that the list has once they are shifted back,
from words that nobody can speak, and from signs for unreadable letters."""

import gzip
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from pydantic_core import from_json

MIN_WORDS = 40  # of a page that can be judged
MIN_SHIFTED = 10  # of a page that can be shifted back: no words of a language become those of another one by it
MIN_LETTERS = 4  # of a word that is looked up
KNOWN = 0.15  # share of words in the list, from which the text is taken as it is: French has 0.2, shifted English 0.02
KNOWN_SHIFTED = 0.4  # share of words in the list after shifting back
SHIFTS = tuple(shift for step in range(1, 32) for shift in (step, -step))  # code points
COMMON, MANY_SHIFTED = "etaoin", 3  # letters, and how many are shifted to each
SAMPLE = 60  # words that are shifted back
UNSPEAKABLE = re.compile(r"[bcdfghjklmnpqrstvwxzß]{5}", re.IGNORECASE)
DIGRAPHS = re.compile(r"sch|ch|sh|th|ck|ph|sz|cz|rz|ng|ll|tz", re.IGNORECASE)  # one sound
MUCH_UNSPEAKABLE = 0.3  # share of the words: German has 0.04, English shifted by one letter 0.45
UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff]")
MUCH_UNREADABLE = 0.2  # share of the letters
WORD = re.compile("[A-Za-zÀ-ž]{4,}")


@cache
def dictionary() -> Mapping[str, int]:
    """American English words in lower case with their frequency (pyspellchecker's list), read once per process."""
    import spellchecker

    packed = (files(spellchecker) / "resources/en.json.gz").read_bytes()
    counts: dict[str, int] = from_json(gzip.decompress(packed), cache_strings="none")  # a third of the time of json.loads
    return counts


def frequency(word: str) -> int:
    """A word's frequency in English, in small letters; 0 if unknown."""
    return dictionary().get(word, 0)


def is_language(text: str) -> bool:
    """Whether a page's text may be in a language; True for a text that is too short to tell."""
    letters = sum(map(str.isalpha, text)) + len(UNREADABLE.findall(text))
    if letters >= MIN_WORDS and len(UNREADABLE.findall(text)) > MUCH_UNREADABLE * letters:
        return False
    tokens = [token for token in text.split() if len(token) >= MIN_LETTERS]
    if len(tokens) < MIN_SHIFTED or share_known(tokens) >= KNOWN:
        return True
    return not (is_shifted(tokens[:SAMPLE]) or is_unspeakable(WORD.findall(text)))


def share_known(tokens: Sequence[str]) -> float:
    """Share of the tokens whose word the list has."""
    return sum(frequency(token.strip(".,;:!?()[]“”\"'’").casefold()) > 0 for token in tokens) / len(tokens)


def is_shifted(tokens: Sequence[str]) -> bool:
    """Whether one shift of all characters gives words of the list: a short one, or one between letters that are often used."""
    letters = Counter("".join(tokens)).most_common(MANY_SHIFTED)
    far = (ord(common) - ord(letter) for letter, _ in letters for common in COMMON)
    shifts = dict.fromkeys((*SHIFTS, *far))
    return any(share_known([shifted(token, shift) for token in tokens]) >= KNOWN_SHIFTED for shift in shifts)


def shifted(token: str, shift: int) -> str:
    """The token with each character's code raised by `shift`."""
    return "".join(chr(min(max(32, ord(c) + shift), sys.maxunicode)) for c in token)


def is_unspeakable(words: Sequence[str]) -> bool:
    """Whether many of the words have five consonants in a row."""
    stuck = sum(UNSPEAKABLE.search(DIGRAPHS.sub("t", word)) is not None for word in words)
    return len(words) >= MIN_WORDS and stuck > MUCH_UNSPEAKABLE * len(words)
