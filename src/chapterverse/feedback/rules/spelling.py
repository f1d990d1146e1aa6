"""Words that no dictionary has, with what was probably meant."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from spellchecker import SpellChecker

from chapterverse.feedback.comments import Comment
from chapterverse.feedback.rules.rule import Looking, words_of

MOST = 4  # comments on spelling in a paragraph
SHORTEST = 4  # letters; shorter words are too near to one another to guess

COMMON = 2e-4  # of the words that people write; "think", "school" and "money" are about as common

BRITISH = (
    (r"our(?=s|ed|ing|ite|ful|able|$)", "or"),
    (r"is(?=e|ed|es|ing|ation|ations$)", "iz"),
    (r"ys(?=e|ed|es|ing$)", "yz"),
    (r"ll(?=ed|ing|er|ers$)", "l"),
    (r"re(?=s?$)", "er"),
    (r"ogue", "og"),
    (r"ence(?=s?$)", "ense"),
    (r"maths$", "math"),
)

ENGLISH = 0.7  # of its words in the dictionary: students' essays have 0.94 and more, those in other languages 0.55 and less
FEWEST_WORDS = 4  # of fewer nothing can be told

UNKNOWN = "My dictionary does not have this word."

_CANDIDATE = re.compile(r"(?<![\w@./’'-])[^\W\d_]+(?:['’][^\W\d_]+)?(?![\w@/-])")


def misspelt(look: Looking, paragraph: int) -> Iterator[Comment]:
    """At most MOST, each word once in an essay, at its first place. Names, and words that the books found use, are right."""
    for at, word in islice(_unknown(look, look.text(paragraph)), MOST):
        meant = _correction(word)
        said = UNKNOWN if meant else f"{UNKNOWN} Look it up; if it is a name, it is fine."
        yield Comment(paragraph, said, (at, at + len(word)), instead=meant)


def is_english(look: Looking) -> bool:
    """Whether most of an essay's words are, so far as a dictionary can tell."""
    words = [word.lower().replace("’", "'") for each in look.subject.essay.paragraphs for word in words_of(each.text)]
    known = read_dictionary().known(set(words))
    return len(words) < FEWEST_WORDS or sum(word in known for word in words) >= ENGLISH * len(words)


def is_common(word: str) -> bool:
    """Whether a text may use it again and again and nobody would notice."""
    return bool(read_dictionary().word_usage_frequency(word) > COMMON)


def _unknown(look: Looking, text: str) -> Iterator[tuple[int, str]]:
    """Each word once. A capital inside a sentence is a name's."""
    for found in _CANDIDATE.finditer(text):
        word = found[0].replace("’", "'").removesuffix("'s")
        if len(word) >= SHORTEST and word.islower() and word not in look.told and word not in look.words_of_books:
            look.told.add(word)
            if read_dictionary().unknown([word]) and not any(
                map(read_dictionary().known, ([each] for each in _american(word)))
            ):
                yield found.start(), found[0]


def _american(word: str) -> Iterator[str]:
    """As the dictionary would spell a British word, if it is one: "neighbours", "realise", "travelled", "maths"."""
    return (american for pattern, change in BRITISH if (american := re.sub(pattern, change, word)) != word)


@cache
def read_dictionary() -> SpellChecker:
    """American spellings, read once a process. distance=1: with 2, one long word takes a tenth of a second to guess."""
    return SpellChecker(language="en", distance=1)


@cache
def _correction(word: str) -> str | None:
    meant = read_dictionary().correction(word.replace("’", "'"))
    return meant if meant and meant != word.lower() else None
