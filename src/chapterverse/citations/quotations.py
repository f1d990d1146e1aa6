"""What stands in quotation marks in a text, and whether somebody really wrote it.

Sentences that no feedback of ours holds, whoever wrote them: a model that obeys an essay or a book writes such."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

SENTENCE_LIKE = 3  # words; fewer name a thing, more say something

_QUOTED = re.compile(
    r"“(?P<curly>[^”]*)(?:”|$)|„(?P<low>[^“”]*)(?:[“”]|$)|«(?P<angled>[^»]*)(?:»|$)|\"(?P<straight>[^\"]*)(?:\"|$)"
    r"|‘(?P<single>.+?)’(?!\w)|(?<!\w)'(?P<plain>.+?)'(?!\w)|^\s*>(?P<block>.+)$",
    re.MULTILINE | re.DOTALL,
)

_WORD = re.compile(r"\w+")

_LEFT_OUT = re.compile(r"…|\.\.\.|\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class Quotable:
    """The words of all that may be quoted: the essay, and the evidence with what stands around it; " one two three "."""

    essay: tuple[str, ...]
    books: tuple[str, ...]

    @classmethod
    def made_of(cls, essay: Iterable[str], books: Iterable[str]) -> "Quotable":
        """Of these texts."""
        return cls(tuple(map(_words, essay)), tuple(map(_words, books)))

    @property
    def books_alone(self) -> "Quotable":
        """For what is said of a book: an essay may hold words that no book has, and ask that a book be quoted so."""
        return Quotable((), self.books)

    def have(self, quoted: str) -> bool:
        """Whether each part of it, where some is left out, stands in one of them word for word."""
        parts = [words for part in _LEFT_OUT.split(quoted) if (words := _words(part)).strip()]
        return any(all(part in text for part in parts) for text in (*self.essay, *self.books))


def false_quotations(text: str, sources: Quotable) -> Iterator[tuple[int, int]]:
    """Where in the text SENTENCE_LIKE words or more are quoted that nobody wrote. A mark never closed quotes all the rest."""
    for found in _QUOTED.finditer(text):
        quoted = found[found.lastgroup or 0]
        if len(_WORD.findall(quoted)) >= SENTENCE_LIKE and not sources.have(quoted):
            yield found.span()


def quotations(text: str) -> Iterator[str]:
    """Whatever stands in quotation marks."""
    return (found[found.lastgroup or 0] for found in _QUOTED.finditer(text))


def overlap(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Whether it shares a character with one of them."""
    return any(span[0] < end and start < span[1] for start, end in others)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "


MARK = re.compile(  # feedback gives no marks
    r"\b\d{1,3}\s*(/|out of)\s*\d{1,3}\b|\b100\s*(%|per ?cent|points)|\b(?-i:A)\+|\bstraight As?\b"
    r"|\b(full|top|best|perfect|highest|maximum)\s+(possible\s+)?(marks?|scores?|grades?|points)\b"
    r"|\b(marks?|scores?|scored|grades?|graded|points)\s*(of|is|as|:|=|at)?\s*(\d|(?-i:[A-F])\b|full|perfect)",
    re.IGNORECASE,
)

WHOLESALE = re.compile(  # praise or blame of the whole, of which nobody learns anything
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
    """A mark, wholesale praise or blame, a way out of this page, talk of instructions, or the tag that fences what others wrote
    (essays.writing.drafts)."""
    return tag in sentence or any(each.search(sentence) for each in (MARK, WHOLESALE, ELSEWHERE, OBEYING))


def numbers_in(sentence: str) -> set[int]:
    """Evidence that it names."""
    return {int(found["number"]) for found in NUMBERED.finditer(sentence)}


def labels_in(sentence: str) -> set[str]:
    """Pages and chapters that it names."""
    return {found["label"].lower() for found in PLACE.finditer(sentence)}
