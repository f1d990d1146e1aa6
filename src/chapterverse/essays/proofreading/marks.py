"""Marks and letters that are wrong in any context: apostrophes, blanks, capitals, a word that stands twice."""

import re
from collections.abc import Iterator

from chapterverse.core.words import word_set
from chapterverse.essays.proofreading.confused import meant_by
from chapterverse.essays.proofreading.matching import Found, Words
from chapterverse.essays.proofreading.model import Kind

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
