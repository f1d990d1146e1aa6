"""Checks of text by a language model: quotations must exist, and some sentences never belong into feedback.

A model that obeys instructions in an essay or a book writes such sentences."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MIN_QUOTED_WORDS = 3  # fewer name a thing and are no quotation

_QUOTED = re.compile(
    r"“(?P<curly>[^”]*)(?:”|$)|„(?P<low>[^“”]*)(?:[“”]|$)|«(?P<angled>[^»]*)(?:»|$)|\"(?P<straight>[^\"]*)(?:\"|$)"
    r"|‘(?P<single>.+?)’(?!\w)|(?<!\w)'(?P<plain>.+?)'(?!\w)|^\s*>(?P<block>.+)$",
    re.MULTILINE | re.DOTALL,
)

_WORD = re.compile(r"\w+")
_LEFT_OUT = re.compile(r"…|\.\.\.|\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class Quotable:
    """Texts that may be quoted, as words " one two three ": the essay, and the evidence with its context."""

    essay: tuple[str, ...]
    books: tuple[str, ...]

    @classmethod
    def made_of(cls, essay: Iterable[str], books: Iterable[str]) -> "Quotable":
        """The words of these texts."""
        return cls(tuple(map(_words, essay)), tuple(map(_words, books)))

    @property
    def books_alone(self) -> "Quotable":
        """Without the essay, for statements on a book: an essay may ask for a false quotation of one."""
        return Quotable((), self.books)

    def have(self, quoted: str) -> bool:
        """Whether one of the texts contains the quotation word for word; with omissions, all its parts."""
        parts = [words for part in _LEFT_OUT.split(quoted) if (words := _words(part)).strip()]
        return any(all(part in text for part in parts) for text in (*self.essay, *self.books))


def false_quotations(text: str, sources: Quotable) -> Iterator[tuple[int, int]]:
    """Spans of quotations of MIN_QUOTED_WORDS or more words that no source contains. An open mark quotes the rest of the
    text."""
    for found in _QUOTED.finditer(text):
        quoted = found[found.lastgroup or 0]
        if len(_WORD.findall(quoted)) >= MIN_QUOTED_WORDS and not sources.have(quoted):
            yield found.span()


def quotations(text: str) -> Iterator[str]:
    """All quotations in a text, without their marks."""
    return (found[found.lastgroup or 0] for found in _QUOTED.finditer(text))


def overlap(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Whether a span shares a character with another one."""
    return any(span[0] < end and start < span[1] for start, end in others)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "


GRADE = re.compile(  # feedback gives no grades
    r"\b\d{1,3}\s*(/|out of)\s*\d{1,3}\b|\b100\s*(%|per ?cent|points)|\b(?-i:A)\+|\bstraight As?\b"
    r"|\b(full|top|best|perfect|highest|maximum)\s+(possible\s+)?(marks?|scores?|grades?|points)\b"
    r"|\b(marks?|scores?|scored|grades?|graded|points)\s*(of|is|as|:|=|at)?\s*(\d|(?-i:[A-F])\b|full|perfect)",
    re.IGNORECASE,
)

WHOLESALE = re.compile(  # praise or blame of the whole text, which teaches nothing
    r"\b(perfect|flawless|faultless|best (essay|text|work)|nothing (left )?to (improve|change|correct|add))\b"
    r"|\b(stupid|idiot\w*|dumb|moron\w*|worthless|pathetic|loser)\b",
    re.IGNORECASE,
)

ELSEWHERE = re.compile(r"https?:|www\.|\w+@\w+\.\w|<\s*[a-z!/]|\]\(|```|javascript:|\bclick\b|\bpassword\b", re.IGNORECASE)

OBEYING = re.compile(
    r"\b(ignor\w*|disregard\w*|overrid\w*|forget\w*|bypass\w*)\b.{0,40}\b(instruction|rule|prompt|guideline|check|teacher)"
    r"|\b(system|developer|hidden|secret|initial)\s+(prompt|message|instruction|mode)|\bas (an ai|a language model)\b"
    r"|^\s*(system|assistant|user|developer)\s*:|\b(my|your) (instructions|prompt)\b|\bjailbr|\bpwned\b"
    r"|\bi (will|must|am told to) obey",
    re.IGNORECASE,
)

PLACE = re.compile(r"\b(pages?|chapters?|p\.|ch\.)\s*#?(?P<label>\d+|[ivxlc]+)\b", re.IGNORECASE)
OF_BOOKS = re.compile(r"\b(books?|authors?|novels?|according to|evidence)\b", re.IGNORECASE)
NUMBERED = re.compile(r"(?:\bevidence\s*(?:no\.?|number)?\s*#?\s*|#|\[)(?P<number>\d+)\b", re.IGNORECASE)


def is_suspect(sentence: str, tag: str) -> bool:
    """Whether a sentence has a grade, wholesale praise or blame, a link or code, talk of instructions, or the tag around
    material (essays.writing.drafts)."""
    return tag in sentence or any(each.search(sentence) for each in (GRADE, WHOLESALE, ELSEWHERE, OBEYING))


def numbers_in(sentence: str) -> set[int]:
    """Numbers of evidence in a sentence."""
    return {int(found["number"]) for found in NUMBERED.finditer(sentence)}


def labels_in(sentence: str) -> set[str]:
    """Labels of pages and chapters in a sentence, in lower case."""
    return {found["label"].lower() for found in PLACE.finditer(sentence)}
