"""What a set of rules for one dimension is."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from chapterverse.feedback.comments import Comment, Judge, Style, Subject

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def words_of(text: str) -> list[str]:
    """Its words, as written."""
    return _WORD.findall(text)


@dataclass(frozen=True)
class Looking:
    """What the rules of one dimension look at, and for whom. told: what was said already and is not said again."""

    subject: Subject
    style: Style
    judge: Judge
    told: set[str] = field(default_factory=set)

    def text(self, paragraph: int) -> str:
        """Of that paragraph, counted from 0."""
        return self.subject.essay.paragraphs[paragraph].text

    @cached_property
    def lengths(self) -> list[int]:
        """Words of each paragraph."""
        return [len(each.text.split()) for each in self.subject.essay.paragraphs]

    @cached_property
    def words_of_books(self) -> frozenset[str]:
        """What the books found use is a word, lower case."""
        passages = (one.passage for one in self.subject.evidence)
        return frozenset(word.lower() for each in passages for word in words_of(f"{each.book_title} {each.paragraph}"))


@dataclass(frozen=True, slots=True)
class Rules:
    """on_paragraph: comments on one paragraph, counted from 0; on_essay: on the whole. checked, not_checked: for the reader."""

    on_paragraph: Callable[[Looking, int], Iterator[Comment]]
    on_essay: Callable[[Looking], Iterator[Comment]]
    checked: tuple[str, ...]
    not_checked: tuple[str, ...]
