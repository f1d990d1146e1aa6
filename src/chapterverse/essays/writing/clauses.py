"""The words of a paragraph with what stands before and after them, for rules of grammar that look at one word at a time."""

import re
from typing import NamedTuple

from chapterverse.core.words import word_set
from chapterverse.essays.writing.lexicon import BASE_OF_ING, BASE_OF_PAST, BASE_OF_THIRD_PERSON, BASES

ADVERBS = word_set("never always also often really still just already only even usually sometimes")
DETERMINERS = word_set("the my our their his her your these those many some most all several few other both")
JOINS = word_set("and but or because when if while so since although that what which who where how why then than")
OPENS = word_set("but because when if while so since although though whenever")
FOLLOWS = word_set("""
    is are was were in on at of to that who which and or but because for have has had can will would should must so when if with
    from than as by about until after before since while did do does don't could every
    here there now again today yesterday tomorrow together too also then not where how what we you they he she it i
""")  # what a noun is ended by
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_STOP = re.compile(r"[.!?]")
LONGEST_SENTENCE = 2_000  # characters in which its end is looked for


class Word(NamedTuple):
    """A word in lower case with its place. joined: a blank alone stands between it and the word before."""

    text: str
    start: int
    end: int
    joined: bool


class GrammarMistake(NamedTuple):
    """A mistake. words: indices [start, end) of words; instead: the correction, None if the writer has to decide."""

    text: str
    words: tuple[int, int]
    instead: str | None


class Clauses:
    """The words of a paragraph. Beyond its edges, and beyond a mark, there are empty words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[Word] = []
        end = 0
        for found in _WORD.finditer(text):
            joined = bool(self.words) and text[end : found.start()] == " "
            self.words.append(Word(found[0].lower().replace("’", "'"), *found.span(), joined))
            end = found.end()

    def __getitem__(self, at: int) -> str:
        """The word at this index."""
        return self.words[at].text if 0 <= at < len(self.words) else ""

    def before(self, at: int, back: int = 1) -> str:
        """The word so many places before."""
        first = at - back
        return self[first] if first >= 0 and all(each.joined for each in self.words[first + 1 : at + 1]) else ""

    def after(self, at: int, on: int = 1) -> str:
        """The word so many places after."""
        last = at + on
        return self[last] if last < len(self.words) and all(each.joined for each in self.words[at + 1 : last + 1]) else ""

    def ends(self, at: int) -> bool:
        """Whether the word ends what it belongs to: a mark follows, or a small word that begins something else."""
        return not self.after(at) or self.after(at) in FOLLOWS

    def opens(self, at: int) -> bool:
        """Whether the word is the first one of a clause."""
        return 0 <= at < len(self.words) and (not self.words[at].joined or self.before(at) in OPENS)

    def begins_sentence(self, at: int) -> bool:
        """Whether the word follows a mark and has a capital."""
        return not self.words[at].joined and self.text[self.words[at].start].isupper()

    def asks(self, at: int) -> bool:
        """Whether the sentence is a question."""
        stop = _STOP.search(self.text, end := self.words[at].end, end + LONGEST_SENTENCE)
        return stop is not None and stop[0] == "?"

    def verb_after(self, at: int) -> int:
        """The index of the verb after this subject, beyond one adverb; it may be no verb."""
        return at + 2 if self.after(at) in ADVERBS else at + 1

    def has(self, at: int, to: int) -> bool:
        """Whether no mark stands between the two."""
        return to < len(self.words) and all(each.joined for each in self.words[at + 1 : to + 1])


def base_of(word: str) -> str | None:
    """The base of a form that is no base itself; None if it is one, or no verb."""
    if word in BASES or word in {"born", "used", "better", "rather"}:
        return None
    if word in {"is", "am", "are", "was", "were"}:
        return "be"
    return BASE_OF_PAST.get(word) or BASE_OF_THIRD_PERSON.get(word) or BASE_OF_ING.get(word)
