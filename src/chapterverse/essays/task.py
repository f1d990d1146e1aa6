"""What a teacher set for an essay: the task with its sources, its genre and its rubric; and which sentences of an essay are
copied from the task. What is copied is neither the student's claim nor searched for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bookreader.text.sentences import split_sentences
from chapterverse.core.recent import lazy

MAX_TASK_CHARACTERS = 8_000
MAX_SOURCE_CHARACTERS = 60_000  # of all sources together: about 10,000 words
RUN = 4  # words in a row that a copied sentence shares with its source
COPIED = 0.75  # of a sentence's words that stand in such runs
REPEATED = 0.6  # of the words of a sentence of the task that a copy of it has: an answer may repeat a part
MIN_COPIED = 5  # words: shorter sentences happen to be alike
MIN_COPIED_SOURCE = 8  # words that are copied from a source
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


class Genre(StrEnum):
    """What kind of text an essay is."""

    ARGUMENTATIVE = "argumentative"
    SOURCE_BASED = "source-based"
    LETTER = "letter"
    NARRATIVE = "narrative"
    EXPOSITORY = "expository"


@dataclass(frozen=True, slots=True)
class Criterion:
    """What a teacher looks for. weight: relative to the other criteria, 1 by default; levels: the teacher's descriptions of how
    well it can be met, in the teacher's order. Only a teacher chooses from them."""

    text: str
    weight: int = 1
    levels: tuple[str, ...] = ()


Rubric = tuple[Criterion, ...]


@dataclass(frozen=True)
class WritingTask:
    """What a teacher set. text: the question and instructions; sources: texts that came with it."""

    text: str = ""
    sources: tuple[str, ...] = ()

    @lazy
    def source_runs(self) -> frozenset[tuple[str, ...]]:
        """Every RUN words in a row of the sources."""
        return frozenset(run for text in self.sources for run in _runs(_words(text)))

    @property
    def sentences(self) -> list[str]:
        """The sentences of the text."""
        return [line[slice(*span)] for line in self.text.splitlines() for span in split_sentences(line)]

    def has(self, sentence: str) -> bool:
        """Whether the sentence is copied from the text or a source: most of its words stand there in the same order.

        "Cats should be free." is no copy of "Should cats be free?"."""
        words = _words(sentence)
        if len(words) >= MIN_COPIED_SOURCE and _covered(words, self.source_runs) >= COPIED * len(words):
            return True
        return len(words) >= MIN_COPIED and any(_repeats(words, _words(each), each) for each in self.sentences)

    def copied(self, sentences: Iterable[str]) -> tuple[str, ...]:
        """Those of the sentences that are copied."""
        return tuple(each for each in sentences if self.has(each))


def _repeats(words: list[str], given: list[str], sentence: str) -> bool:
    """Whether the words repeat a sentence of the task."""
    if not given or (sentence.rstrip().endswith("?") and words[0] != given[0]):
        return False
    covered = _covered(words, frozenset(_runs(given)))
    return covered >= COPIED * len(words) and covered >= REPEATED * len(given)


def _covered(words: list[str], runs: frozenset[tuple[str, ...]]) -> int:
    """How many of the words stand in one of the runs."""
    return len({at + step for at, run in enumerate(_runs(words)) if run in runs for step in range(RUN)})


def _words(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def _runs(words: list[str]) -> Iterable[tuple[str, ...]]:
    return (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
