"""What a teacher set for an essay: the task with its sources, and its rubric; and which sentences of an essay are
copied from the task. What is copied is neither the student's claim nor searched for. A rubric is
read from lines or a pasted table."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from bookreader.text.sentences import split_sentences
from chapterverse.core.errors import BadRequest
from chapterverse.core.recent import lazy
from chapterverse.messages import ENGLISH, Message, in_words

MAX_TASK_CHARACTERS = 8_000
MAX_SOURCE_CHARACTERS = 60_000  # of all sources together: about 10,000 words
RUN = 4  # words in a row that a copied sentence shares with its source
COPIED = 0.75  # of a sentence's words that stand in such runs
REPEATED = 0.6  # of the words of a sentence of the task that a copy of it has: an answer may repeat a part
MIN_COPIED = 5  # words: shorter sentences happen to be alike
MIN_COPIED_SOURCE = 8  # words that are copied from a source
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@dataclass(frozen=True, slots=True)
class Criterion:
    """What a teacher looks for. weight: relative to the other criteria, 1 by default; levels: the teacher's descriptions of how
    well it can be met, in the teacher's order. Only a teacher chooses from them."""

    text: str
    weight: int = 1
    levels: tuple[str, ...] = ()

    def points_of(self, level: str) -> int | None:
        """The points that a level begins with ("3: clear"); of LEVELS, where the rubric describes none, a share of the weight.
        None: it has none."""
        if not self.levels and level in LEVELS and self.weight != 1:
            return round(self.weight * LEVELS.index(level) / (len(LEVELS) - 1))
        found = _POINTS.fullmatch(level.partition(":")[0])
        return int(found[1]) if found else None

    @property
    def most(self) -> int:
        """The most points that it gives; 0: none of its levels has points."""
        return max((self.points_of(each) or 0 for each in self.levels or LEVELS), default=0)


Rubric = tuple[Criterion, ...]


@dataclass(frozen=True)
class WritingTask:
    """What a teacher set. text: the question and instructions; sources: texts that came with it."""

    text: str = ""
    sources: tuple[str, ...] = ()

    @lazy
    def source_runs(self) -> frozenset[tuple[str, ...]]:
        """Every RUN words in a row of the sources."""
        return frozenset(run for text in self.sources for run in _runs(plain_words(text)))

    @property
    def sentences(self) -> list[str]:
        """The sentences of the text."""
        return [line[slice(*span)] for line in self.text.splitlines() for span in split_sentences(line)]

    def has(self, sentence: str) -> bool:
        """Whether the sentence is copied from the text or a source: most of its words stand there in the same order.

        "Cats should be free." is no copy of "Should cats be free?"."""
        words = plain_words(sentence)
        if len(words) >= MIN_COPIED_SOURCE and _covered(words, self.source_runs) >= COPIED * len(words):
            return True
        return len(words) >= MIN_COPIED and any(_repeats(words, plain_words(each), each) for each in self.sentences)


def _repeats(words: list[str], given: list[str], sentence: str) -> bool:
    """Whether the words repeat a sentence of the task."""
    if not given or (sentence.rstrip().endswith("?") and words[0] != given[0]):
        return False
    covered = _covered(words, frozenset(_runs(given)))
    return covered >= COPIED * len(words) and covered >= REPEATED * len(given)


def _covered(words: list[str], runs: frozenset[tuple[str, ...]]) -> int:
    """How many of the words stand in one of the runs."""
    return len({at + step for at, run in enumerate(_runs(words)) if run in runs for step in range(RUN)})


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case, with straight apostrophes."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def _runs(words: list[str]) -> Iterable[tuple[str, ...]]:
    return (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


MAX_CRITERIA = 12  # criteria
MAX_CRITERION_LENGTH = 300  # characters of one
MAX_LEVELS = 8  # of a criterion
LEVELS = ("not met", "partly", "mostly", "fully")  # where the rubric describes none
BUILT_IN = ("argument", "sources", "story", "explanation")  # rubrics, and the messages that hold them
_MARKER = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|?)+\s*")
_HEAD = re.compile(r"criteri|kriteri|\bskill|\btrait|\bdimension|\bcategor", re.IGNORECASE)
_UNIT = r"\s*(?:%|points?|pts?\.?|punkte?|percent|prozent)"
_WEIGHT = re.compile(
    rf"\s*\((?:weight:?\s*)?(\d{{1,3}})(?:{_UNIT})?\)\s*\.?\s*$"
    rf"|(?:\s+[-–—]|\s*[:;,])\s+(\d{{1,3}}){_UNIT}\s*\.?\s*$|\s*[:;]\s*(\d{{1,3}})\s*$",
    re.IGNORECASE,
)
_POINTS = re.compile(rf"(\d{{1,3}})(?:{_UNIT})?", re.IGNORECASE)
_HEADING = re.compile(
    r"\W*(?:(?:my|our|the|grading|marking|scoring|essay) )*(?:rubric|criteria|criterion|kriterien|bewertung|raster)\W*",
    re.IGNORECASE,
)


def read_rubric(text: str, language: str = ENGLISH) -> Rubric:
    """The rubric in a text, or the built-in one of that name in that language.

    A line is a criterion; a first line such as "Rubric" is none. It may begin with a list marker and end with a weight:
    "(20 %)", "(3 points)", "- 20 %", ": 3". In a table, pasted from a spreadsheet or as Markdown, the first cell of a row is
    the criterion, one with a number alone its weight, and the others describe its levels, which may begin with their points."""
    name = text.strip().lower()
    given = in_words(Message(name), language) if name in BUILT_IN else text
    lines = [line for line in given.splitlines() if line.strip()]
    if not lines:
        raise BadRequest("rubric_empty")
    rows = [cells for line in lines if (cells := _cells(line))]
    if any(len(cells) > 1 for cells in rows):
        return as_rubric(_of_table(rows))
    own = lines[1:] if len(lines) > 1 and _HEADING.fullmatch(lines[0]) else lines
    return as_rubric([_criterion(_MARKER.sub("", line)) for line in own])


def _cells(line: str) -> list[str]:
    """The cells of a row; one cell for a line of text, none for the line below a Markdown table's head."""
    if _RULE.fullmatch(line):
        return []
    parts = line.strip().strip("|").split("|") if line.strip().startswith("|") else line.strip("\n").split("\t")
    return [part.strip() for part in parts]


def _of_table(rows: Sequence[Sequence[str]]) -> Iterator[Criterion]:
    """The criteria of a table. Its first row names the levels if its first cell is empty or says "criterion"."""
    head = rows[0] if not rows[0][0] or _HEAD.match(rows[0][0]) else []
    for cells in rows[1:] if head else rows:
        names = head[1:] if head else [""] * len(cells)
        named = zip_longest(names, cells[1:], fillvalue="")
        one, levels, points = _criterion(cells[0]), list[str](), list[int]()
        for name, text in ((name, text) for name, text in named if text):
            described = " ".join((f"{name}: {text}" if name else text).split())[:MAX_CRITERION_LENGTH]
            if found := _POINTS.fullmatch(text):
                points.append(int(found[1]))
            else:  # a level under the teacher's name or points for it
                levels.append(described)
        yield Criterion(one.text, points[0] if points else one.weight, tuple(levels[:MAX_LEVELS]))


def rubric_table(rubric: Rubric) -> str:
    """The rubric as read_rubric reads it: per line a criterion, its points if not one, its levels, with tabs."""
    return "\n".join("\t".join((one.text, str(one.weight) if one.weight != 1 else "", *one.levels)).rstrip() for one in rubric)


def _criterion(line: str) -> Criterion:
    found = _WEIGHT.search(line)
    if found is None:
        return Criterion(line.strip())
    return Criterion(line[: found.start()].strip(), int(next(filter(None, found.groups()))))


def as_rubric(criteria: Iterable[Criterion]) -> Rubric:
    """The first MAX_CRITERIA criteria, in the teacher's order, each cut at MAX_CRITERION_LENGTH characters."""
    cut = [replace(one, text=" ".join(one.text.split())[:MAX_CRITERION_LENGTH]) for one in criteria if one.text.strip()]
    return tuple(cut[:MAX_CRITERIA])
