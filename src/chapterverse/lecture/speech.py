"""Where a sentence ends in what was said, decided word by word.

A book's sentences (`ingestion.boundaries`) are told with the whole paragraph in sight. A lecture's come piece by piece, and
often without capitals, so a stop after an ordinary word ends the sentence whatever follows. Only where a word might be an
abbreviation is the next one waited for, and then the book's rules decide."""

import re
from collections.abc import Sequence

from chapterverse.ingestion.abbreviations import EITHER, NEVER_LAST, REFERENCES, TIMES
from chapterverse.ingestion.boundaries import DOTTED, INITIALS, NO_VOWEL
from chapterverse.ingestion.sentences import split_sentences

NEVER_HERE = {"etc", "dr", "prof"}
"""S3, "Sentence Detection": these are ignored, even "etc." before a capital, where a book's sentence would end."""

OPENING = "([{“‘«\"'"
CLOSING = ")]}”’»\"'*"
MARK = re.compile(rf"[.,;:?!…–—][{re.escape(CLOSING)}]*$|^[-–—]+$")
"""A word that somebody, or a program, has put a mark after."""

ENOUGH = 12
"""Words of a sentence that tell whether a stop ends it."""

DOUBTFUL = NEVER_LAST | REFERENCES | EITHER | TIMES


def ends_sentence(said: Sequence[str], following: str | None = None) -> bool | None:
    """Whether the last word of `said`, the words of one sentence so far, ends it; None: that shows only with the next word."""
    word = said[-1].rstrip(CLOSING)
    if word.endswith(("?", "!")):
        return len(said) > 1 or len(word.strip("?!")) > 0
    if not word.endswith(".") or word.endswith(".."):  # S3: an ellipsis does not end a sentence
        return False
    return _full_stop(said, word[:-1].lstrip(OPENING), following)


def _full_stop(said: Sequence[str], word: str, following: str | None) -> bool | None:
    numbers = len(said) == 1 and (len(word) == 1 or word.isdigit())  # "3." opens the sentence that it numbers
    if numbers or word.casefold() in NEVER_HERE:
        return False
    last = re.split("[—-]", word)[-1]
    if not _is_doubtful(last):
        return True
    return None if following is None else _in_a_book(said, following)


def _is_doubtful(word: str) -> bool:
    """It may be short for something."""
    return len(word) == 1 or word in DOUBTFUL or any(shape.fullmatch(word) for shape in (INITIALS, DOTTED, NO_VOWEL))


def _in_a_book(said: Sequence[str], following: str) -> bool:
    """What the rules for books say of the stop between the two; they look no further back."""
    text = " ".join(said[-ENOUGH:])
    return any(end == len(text) for _, end in split_sentences(f"{text} {following}"))
