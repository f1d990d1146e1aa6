"""Checks of text by a language model: quotations must exist, and some sentences never belong into feedback.

A model that obeys instructions in an essay or a book writes such sentences."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chapterverse.citations.verbatim import is_negation, turning

MIN_QUOTED_WORDS = 3  # fewer name a thing and are no quotation
MAX_LEFT_OUT = 60  # words that an ellipsis of a model may stand for
BEFORE = 3  # words before a quotation, of which none may be a negation or condition
DENYING = {("far", "from"), ("anything", "but")}  # the same, together

_QUOTED = re.compile(
    r"“(?P<curly>[^”“]*)(?:[”“]|$)|„(?P<low>[^“”]*)(?:[“”]|$)|(?<!\w)»(?P<inward>[^«»]*)(?:[«»]|$)|«(?P<angled>[^»]*)(?:»|$)"
    r"|\"(?P<straight>[^\"]*)(?:\"|$)|[‟″〝＂](?P<prime>[^‟″”〞＂\"]*)(?:[‟″”〞＂\"]|$)|‹(?P<thin>[^›]*)(?:›|$)|›(?P<outward>[^‹]*)(?:‹|$)"
    r"|[「『《〈⟪⟨﴾﴿❝〔【](?P<corner>[^」』》〉⟫⟩﴾﴿❞〕】]*)(?:[」』》〉⟫⟩﴾﴿❞〕】]|$)|(?<!\w)[‚‘‛](?P<single>.+?)[’‘](?!\w)"
    r"|(?<!\w)['′](?P<plain>.+?)['′](?!\w)|`+(?P<ticks>[^`]+)(?:`+|$)|(?<![\w*])\*+(?P<stars>[^*\s][^*]*)\*+|(?<!\w)_+(?P<italics>[^_]+)_+(?!\w)"
    r"|^\s*>(?P<block>.+)$",
    re.MULTILINE | re.DOTALL,
)

_WORD = re.compile(r"\w+")
_LEFT_OUT = re.compile(r"[\[(]?(?:…|\.\s?\.\s?\.)[\])]?")
_INSERTED = re.compile(r"\[(?!\w\]\w)[^\]]*\w[^\]]*\]")  # "[not]", but not "[T]he"
_STOP = re.compile(r"[.!?]+[”\"’»)]*(?=\s+[“\"‘«(]*[A-ZÀ-ÞА-Я]|\s*$)")
_PIECE = re.compile(r"\w*n't\b|\w+|\0")  # "don't" is one word, "l'école" two
_APOSTROPHE = re.compile("[’ʼ]")


def _pieces(text: str) -> list[str]:
    """The words of a text in lower case, and the marks between its sentences."""
    return _PIECE.findall(_APOSTROPHE.sub("'", text).lower())


@dataclass(frozen=True, slots=True)
class QuotableText:
    """A text that may be quoted: its words in lower case, and before which of them a sentence begins."""

    words: tuple[str, ...]
    begins: frozenset[int]

    @classmethod
    def of(cls, text: str) -> "QuotableText":
        """The words of the text."""
        words, begins = list[str](), {0}
        for piece in _pieces(_STOP.sub(" \0 ", text)):
            if piece == "\0":
                begins.add(len(words))
            else:
                words.append(piece)
        return cls(tuple(words), frozenset(begins))

    def have(self, parts: Sequence[Sequence[str]], *, begins_anywhere: bool) -> bool:
        """Whether the parts stand here in this order, in one sentence if they are several, and neither what is left out
        between them nor, unless it begins anywhere, the words right before them turn what is said."""
        first, words = parts[0], sum(map(len, parts))
        return any(
            self._goes_on(start + len(first), parts[1:]) and (begins_anywhere or not self._is_negated(start, words))
            for start in range(len(self.words) - len(first) + 1)
            if self._at(start, first)
        )

    def _at(self, start: int, part: Sequence[str]) -> bool:
        return self.words[start : start + len(part)] == tuple(part)

    def _goes_on(self, end: int, parts: Sequence[Sequence[str]]) -> bool:
        if not parts:
            return True
        for start in range(end, min(end + MAX_LEFT_OUT, len(self.words)) + 1):
            if start in self.begins:
                return False
            is_there = self._at(start, parts[0]) and not turning(self.words[end:start])
            if is_there and self._goes_on(start + len(parts[0]), parts[1:]):
                return True
        return False

    def _is_negated(self, start: int, words: int) -> bool:
        """Whether a negation, or a condition of more than a term, is one of the BEFORE words before, in the same sentence."""
        if words < MIN_QUOTED_WORDS:
            return False
        first = next((at for at in range(start, start - BEFORE, -1) if at in self.begins), start - BEFORE)
        before = self.words[first:start]
        return before[-2:] in DENYING or any(is_negation(word, or_condition=words > MIN_QUOTED_WORDS) for word in before)


@dataclass(frozen=True, slots=True)
class Quotable:
    """Texts that may be quoted: the essay, and the evidence with its context."""

    essay: tuple[QuotableText, ...]
    books: tuple[QuotableText, ...]

    @classmethod
    def made_of(cls, essay: Iterable[str], books: Iterable[str]) -> "Quotable":
        """The words of these texts."""
        return cls(tuple(map(QuotableText.of, essay)), tuple(map(QuotableText.of, books)))

    @property
    def books_alone(self) -> "Quotable":
        """Without the essay, for statements on a book: an essay may ask for a false quotation of one."""
        return Quotable((), self.books)

    def have(self, quoted: str) -> bool:
        """Whether one of the texts contains the quotation word for word; with omissions, all its parts in order, where nothing
        is left out that turns what is said."""
        if _INSERTED.search(quoted):
            return False
        plain = quoted.replace("[", "").replace("]", "")
        parts = [words for part in _LEFT_OUT.split(plain) if (words := _pieces(part))]
        return (
            not parts
            or any(text.have(parts, begins_anywhere=True) for text in self.essay)
            or any(text.have(parts, begins_anywhere=False) for text in self.books)
        )


def false_quotations(text: str, sources: Quotable) -> Iterator[tuple[int, int]]:
    """Spans of quotations of MIN_QUOTED_WORDS or more words that no source contains. An open mark quotes the rest of the
    text."""
    for found in _QUOTED.finditer(text):
        quoted = found[found.lastgroup or 0]
        if len(_WORD.findall(quoted)) >= MIN_QUOTED_WORDS and not sources.have(quoted):
            yield found.span()


def quoted_spans(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The span of each quotation with its marks, and what is quoted."""
    return ((found.span(), found[found.lastgroup or 0]) for found in _QUOTED.finditer(text))


def quotations(text: str) -> Iterator[str]:
    """All quotations in a text, without their marks."""
    return (found[found.lastgroup or 0] for found in _QUOTED.finditer(text))


def overlap(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Whether a span shares a character with another one."""
    return any(span[0] < end and start < span[1] for start, end in others)


ELSEWHERE = re.compile(r"https?:|www\.|\w+@\w+\.\w|<\s*[a-z!/]|\]\(|```|javascript:|\bclick\b|\bpassword\b", re.IGNORECASE)

OBEYING = re.compile(
    r"\b(ignor\w*|disregard\w*|overrid\w*|forget\w*|bypass\w*)\b.{0,40}\b(instruction|rule|prompt|guideline|check|teacher)"
    r"|\b(system|developer|hidden|secret|initial)\s+(prompt|message|instruction|mode)|\bas (an ai|a language model)\b"
    r"|^\s*(system|assistant|user|developer)\s*:|\b(my|your) (instructions|prompt)\b|\bjailbr|\bpwned\b"
    r"|\bi (will|must|am told to) obey",
    re.IGNORECASE,
)

PLACE = re.compile(r"\b(pages?|chapters?|p\.|ch\.)\s*#?(?P<label>\d+|[ivxlc]+)\b", re.IGNORECASE)
NUMBERED = re.compile(r"(?:\bevidence\s*(?:no\.?|number)?\s*#?\s*|#|\[)(?P<number>\d+)\b", re.IGNORECASE)


def numbers_in(sentence: str) -> set[int]:
    """Numbers of evidence in a sentence."""
    return {int(found["number"]) for found in NUMBERED.finditer(sentence)}


def labels_in(sentence: str) -> set[str]:
    """Labels of pages and chapters in a sentence, in lower case."""
    return {found["label"].lower() for found in PLACE.finditer(sentence)}
