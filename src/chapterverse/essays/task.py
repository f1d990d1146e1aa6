"""What a teacher set for an essay: the task with its sources, and its rubric; and which sentences of an essay are copied from
the task. What is copied is neither the student's claim nor searched for. A rubric is read from lines or a pasted table."""

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

MAX_CRITERIA = 12  # of a rubric
MAX_CRITERION_LENGTH = 300  # characters of one
MAX_LEVELS = 8  # of a criterion
LEVELS = ("not met", "partly", "mostly", "fully")  # where the rubric describes none
BUILT_IN = ("argument", "sources", "story", "explanation")  # rubrics, and the messages that hold them
_MARKER = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|?)+\s*")
_HEAD = re.compile(r"criteri|kriteri|\bskill|\btrait|\bdimension|\bcategor", re.IGNORECASE)
_POINT = r"\s*(?P<unit>points?|pts?\.?|punkte?)"
_UNIT = r"\s*(?:%|points?|pts?\.?|punkte?|percent|prozent)"
_SHARE = re.compile(r"%|percent|prozent|weight|gewicht", re.IGNORECASE)
_WEIGHT = re.compile(
    rf"\s*\((?:weight:?\s*)?(\d{{1,3}})(?:{_UNIT})?\)\s*\.?\s*$"
    rf"|(?:\s+[-–—]|\s*[:;,])\s+(\d{{1,3}}){_UNIT}\s*\.?\s*$|\s*[:;]\s*(\d{{1,3}})\s*$",
    re.IGNORECASE,
)
_POINTS = re.compile(rf"(?P<number>\d{{1,3}})(?:{_POINT})?", re.IGNORECASE)
_NUMBER = re.compile(rf"(\d{{1,3}})(?:{_UNIT})?", re.IGNORECASE)
_UNIT_OF_POINTS = re.compile(rf"\d{_POINT}\W*$", re.IGNORECASE)
_HEADING = re.compile(
    r"\W*(?:(?:my|our|the|grading|marking|scoring|essay) )*(?:rubric|criteria|criterion|kriterien|bewertung|raster)\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Criterion:
    """What a teacher looks for. weight: relative to the other criteria, 1 by default; levels: the teacher's descriptions of how
    well it can be met, in the teacher's order. Only a teacher chooses from them. has_points: the weight is in points."""

    text: str
    weight: int = 1
    levels: tuple[str, ...] = ()
    has_points: bool = False

    @property
    def points(self) -> dict[str, int]:
        """By level its points: those it begins with ("3: clear"); of LEVELS, where the rubric describes none, its share of the
        criterion's, if all are whole. 1, 2, 3 … in the teacher's order are none: they may be grades, of which 1 is the best."""
        if not self.levels:
            share, rest = divmod(self.weight, len(LEVELS) - 1)
            return {level: share * at for at, level in enumerate(LEVELS)} if self.has_points and not rest else {}
        heads = {level: found for level in self.levels if (found := _POINTS.fullmatch(level.partition(":")[0]))}
        points = {level: int(found["number"]) for level, found in heads.items()}
        given = list(points.values())
        may_be_grades = given == [*range(1, len(given) + 1)] and not any(found["unit"] for found in heads.values())
        return points if not may_be_grades and sorted(given) in (given, given[::-1]) else {}


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

    def has(self, sentence: str) -> bool:
        """Whether the sentence is copied from the text or a source: most of its words stand there in the same order.

        "Cats should be free." is no copy of "Should cats be free?"."""
        words = plain_words(sentence)
        if len(words) >= MIN_COPIED_SOURCE and _covered(words, self.source_runs) >= COPIED * len(words):
            return True
        given = (line[slice(*span)] for line in self.text.splitlines() for span in split_sentences(line))
        return len(words) >= MIN_COPIED and any(_repeats(words, plain_words(each), each) for each in given)


def _repeats(words: list[str], given: list[str], sentence: str) -> bool:
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
        one, levels, weights = _criterion(cells[0]), list[str](), list[tuple[int, bool]]()
        for name, text in ((name, text) for name, text in named if text):
            described = " ".join((f"{name}: {text}" if name else text).split())[:MAX_CRITERION_LENGTH]
            if found := _NUMBER.fullmatch(text):
                weights.append((int(found[1]), not _SHARE.search(f"{name} {text}")))
            else:  # a level under the teacher's name or points for it
                levels.append(described)
        weight, has_points = weights[0] if weights else (one.weight, one.has_points)
        yield Criterion(one.text, weight, tuple(levels[:MAX_LEVELS]), has_points)


def rubric_table(rubric: Rubric) -> str:
    """The rubric as read_rubric reads it: per line a criterion, with its weight if not one, points, levels, with tabs."""
    lines = list[str]()
    for one in rubric:
        text = one.text if one.has_points or one.weight == 1 else f"{one.text} ({one.weight})"
        lines.append("\t".join((text, str(one.weight) if one.has_points else "", *one.levels)).rstrip())
    return "\n".join(lines)


def _criterion(line: str) -> Criterion:
    found = _WEIGHT.search(line)
    if found is None:
        return Criterion(line.strip())
    weight = int(next(filter(None, found.groups())))
    return Criterion(line[: found.start()].strip(), weight, has_points=bool(_UNIT_OF_POINTS.search(found[0])))


def as_rubric(criteria: Iterable[Criterion]) -> Rubric:
    """The first MAX_CRITERIA criteria, in the teacher's order, each cut at MAX_CRITERION_LENGTH characters."""
    cut = [replace(one, text=" ".join(one.text.split())[:MAX_CRITERION_LENGTH]) for one in criteria if one.text.strip()]
    return tuple(cut[:MAX_CRITERIA])
