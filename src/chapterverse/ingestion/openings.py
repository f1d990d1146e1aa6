"""The first words of a chapter, set in capitals or small capitals, as they would stand anywhere else."""

import re
from collections.abc import Sequence
from itertools import takewhile

from chapterverse.ingestion.marks import Token, text_of, whole_words
from chapterverse.ingestion.words import Vocabulary, lower_opening

CAPITALS = re.compile(r"^[^a-zà-ÿ]*[A-ZÀ-Þ][^a-zà-ÿ]*$")


def restore_opening(tokens: Sequence[Token], book: Vocabulary) -> list[Token]:
    """The line's tokens with an opening run of capitals lowered: "THE SUBJECT of" → "The subject of".

    One word alone is lowered only if the book writes it small elsewhere ("WHEN in", but "NATO is")."""
    words = whole_words(tokens)
    run = list(takewhile(lambda word: CAPITALS.match(text_of(word)), words))
    texts = [text_of(word) for word in run]
    if not lowers(texts, book):
        return list(tokens)
    restored = lower_opening(texts, book)
    mended = [token for word, text in zip(run, restored, strict=True) for token in respelled(word, text)]
    return [*mended, *(token for word in words[len(run) :] for token in word)]


def lowers(words: Sequence[str], book: Vocabulary) -> bool:
    """Whether a run of words in capitals is an opening rather than a name or an abbreviation."""
    long_words = [word for word in words if sum(c.isalpha() for c in word) > 1]
    if not long_words:
        return False
    bare = long_words[0].strip("“”\"‘’'([.,;:!?").casefold()
    return len(words) > 1 or book.words[bare] > 1


def respelled(word: Sequence[Token], text: str) -> list[Token]:
    """The word's tokens with the letters of `text`, which is as long."""
    out, position = [], 0
    for token in word:
        out.append(token._replace(text=text[position : position + len(token.text)]))
        position += len(token.text)
    return out
