"""The language of an essay: English, German or another one."""

import re

from chapterverse.core.turns import pausing
from chapterverse.core.words import are_english, word_set
from chapterverse.essays.model import Essay

ENGLISH, GERMAN, OTHER = "en", "de", ""
SMALL_WORDS = 0.15  # of the words of a German text are these, and more
GERMAN_EMPTY = word_set(
    """der die das den dem des ein eine einen einem einer eines und oder aber denn weil dass wenn als wie so auch nicht kein
    keine keinen ist sind war waren wird werden wurde wurden hat haben hatte hatten sein ich du er sie es wir ihr man mich mir
    mein meine sich uns unser unsere ihre ihren in im an am auf aus bei mit nach von vom zu zum zur für über unter um durch
    noch nur schon sehr mehr viel viele kann können soll sollen muss müssen darf würde dann da dort hier was wer wo dies diese
    dieser dieses"""
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def language_of(essay: Essay) -> str:
    """ENGLISH if most words are in the English dictionary, or there are very few; GERMAN by its small words; else OTHER."""
    return language_in("\n".join(each.text for each in pausing(essay.paragraphs)))


def language_in(text: str) -> str:
    """The language of any text, as language_of tells it."""
    words = _WORD.findall(text)
    if are_english(words):
        return ENGLISH
    return GERMAN if sum(word.lower() in GERMAN_EMPTY for word in words) >= SMALL_WORDS * len(words) else OTHER
