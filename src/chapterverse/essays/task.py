"""What a teacher set for an essay: the task with its sources, its genre and its rubric; and which sentences of an essay are
copied from the task. What is copied is neither the student's claim nor searched for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bookreader.text.sentences import split_sentences
from chapterverse.core.lazy import lazy

MAX_TASK_CHARACTERS = 8_000
MAX_SOURCE_CHARACTERS = 60_000  # of all sources together: about 10,000 words
RUN = 4  # words in a row that a copied sentence shares with its source
COPIED = 0.75  # of a sentence's words that stand in such runs
REPEATED = 0.6  # of the words of a sentence of the task that a copy of it has: an answer may repeat a part
MIN_COPIED = 5  # words: shorter sentences happen to be alike
MIN_COPIED_SOURCE = 8  # words that are copied from a source
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


class Genre(StrEnum):
    """What kind of text an essay is; rules on reasons and opinions are for texts that argue."""

    ARGUMENTATIVE = "argumentative"
    SOURCE_BASED = "source-based"
    LETTER = "letter"
    NARRATIVE = "narrative"
    EXPOSITORY = "expository"

    @property
    def argues(self) -> bool:
        """Whether such a text has a claim and reasons."""
        return self in {Genre.ARGUMENTATIVE, Genre.SOURCE_BASED, Genre.LETTER}


@dataclass(frozen=True, slots=True)
class Criterion:
    """What a teacher looks for. weight: relative to the other criteria, 1 by default; levels: the teacher's descriptions of how
    well it can be met, in the teacher's order. Only a teacher chooses from them."""

    text: str
    weight: int = 1
    levels: tuple[str, ...] = ()


Rubric = tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class CriterionReport:
    """A criterion in feedback. found: what rules counted, empty if they count nothing; on_evidence: whether the essay's pieces
    of evidence belong to it."""

    criterion: Criterion
    found: str = ""
    on_evidence: bool = False


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

    def draws_on(self, sentence: str) -> bool:
        """Whether some words of the sentence stand in a source in the same order."""
        return any(run in self.source_runs for run in _runs(_words(sentence)))

    def words_from_sources(self, text: str) -> int:
        """How many words of the text stand in a source in the same order."""
        return _covered(_words(text), self.source_runs) if self.sources else 0

    @lazy
    def words(self) -> frozenset[str]:
        """The stems of the words of the text that say what it is about."""
        return content_stems(self.text)

    def shared_words(self, text: str) -> int:
        """How many words of content the text has in common with the task."""
        return len(content_stems(text) & self.words)

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


STEM = 5  # letters: what begins alike is the same word, mostly
MIN_STEM = 4  # letters of a word of content
_FUNCTION = frozenset(
    _WORD.findall(
        "about above after again also although among another because been before being below between both cannot could "
        "does doing down during each either else every from further have having here himself herself however into itself "
        "just like made make makes many might more most much must myself need neither never often once only other ought "
        "ours over people really same shall should since some still such than that their theirs them themselves then "
        "there therefore these they thing things think this those though through thus together under until upon very want "
        "well were what when where whether which while who whom whose will with within without would your yours essay "
        "write writing text article passage author explain describe discuss evidence source sources reason reasons "
        "opinion position support argue argument example examples details specific information student students school "
        "use using read best good better take give given include always someone something "
    )
)


def content_stems(text: str) -> frozenset[str]:
    """The beginnings of the words of content in a text."""
    words = (word for word in _words(text) if len(word) >= MIN_STEM and word not in _FUNCTION)
    return frozenset(word[:STEM] for word in words)


def _words(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def _runs(words: list[str]) -> Iterable[tuple[str, ...]]:
    return (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


_ASKS_FOR = (  # how a task names its genre, the plainest first
    (Genre.LETTER, re.compile(r"\b(?:write|compose|send) (?:\w+ ){0,3}(?:letter|e-?mail)\b", re.IGNORECASE)),
    (
        Genre.NARRATIVE,
        re.compile(
            r"\b(?:write|tell|invent|continue) (?:\w+ ){0,4}(?:story|narrative|tale)\b|\b(?:tell|write) (?:us )?about a time\b",
            re.IGNORECASE,
        ),
    ),
    (
        Genre.SOURCE_BASED,
        re.compile(
            r"\b(?:evidence|information|details|examples|ideas) (?:and \w+ )?from (?:the|both|at least|this|these|multiple)"
            r"\b[^.]{0,40}\b(?:article|text|source|passage|story|poem)s?\b|\bhow (?:well )?the author\b",
            re.IGNORECASE,
        ),
    ),
    (
        Genre.ARGUMENTATIVE,
        re.compile(
            r"\b(?:argue|argumentative|persuade|persuasive|convince|take a (?:position|stand)|your (?:opinion|position|view)"
            r"|do you (?:agree|think)|agree or disagree|for or against"
            r"|(?:discuss|say|decide|judge|consider) whether|how far|to what extent|should)\b"
            r"|(?:\A|[.?!]\s)(?:is|are|do|does|can|must|was|were)\b[^.?!]*\?",
            re.IGNORECASE,
        ),
    ),
    (Genre.EXPOSITORY, re.compile(r"\b(?:explain|describe|inform|compare|summari[sz]e)\b", re.IGNORECASE)),
)


def genre_wanted(task: WritingTask | None) -> Genre | None:
    """The genre that the task's text names; None without one."""
    text = task.text if task else ""
    return next((genre for genre, pattern in _ASKS_FOR if pattern.search(text)), None)
