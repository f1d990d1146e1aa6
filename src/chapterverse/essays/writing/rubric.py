"""A teacher's rubric: read it from lines or a pasted table, put it into a prompt, and check what rules can check. Rules check
only what can be counted or found; each comment names the criterion that it is about, or none."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from chapterverse.citations.quotations import MIN_QUOTED_WORDS, PLACE, quotations
from chapterverse.essays.model import Comment, Dimension, Review, in_order, kind_of, sources_in
from chapterverse.essays.task import Criterion, CriterionReport, Rubric
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.messages import message

MAX_CRITERIA = 12  # criteria
MAX_CRITERION_LENGTH = 300  # characters of one
MAX_LEVELS = 8  # of a criterion
MAX_NAMED = 15  # words of a criterion in a comment
_MARKER = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|?)+\s*")
_HEAD = re.compile(r"criteri|kriteri|\bskill|\btrait|\bdimension|\bcategor", re.IGNORECASE)
_NUMBERS = re.compile(r"[\d\s.,/–-]+(?:points?|pts?\.?|%)?", re.IGNORECASE)
_UNIT = r"\s*(?:%|points?|pts?\.?|punkte?|percent|prozent)"
_WEIGHT = re.compile(
    rf"\s*\((?:weight:?\s*)?(\d{{1,3}})(?:{_UNIT})?\)\s*\.?\s*$"
    rf"|(?:\s+[-–—]|\s*[:;,])\s+(\d{{1,3}}){_UNIT}\s*\.?\s*$|\s*[:;]\s*(\d{{1,3}})\s*$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"\W*(?:(?:my|our|the|grading|marking|scoring|essay) )*(?:rubric|criteria|criterion|kriterien|bewertung|raster)\W*",
    re.IGNORECASE,
)


def read_rubric(text: str) -> Rubric:
    """The rubric in a text, or the built-in one of that name.

    A line is a criterion; a first line such as "Rubric" is none. It may begin with a list marker and end with a weight:
    "(20 %)", "(3 points)", "- 20 %", ": 3". In a table, pasted from a spreadsheet or as Markdown, the first cell of a row is
    the criterion and the others describe its levels."""
    lines = [line for line in BUILT_IN.get(text.strip().lower(), text).splitlines() if line.strip()]
    rows = [cells for line in lines if (cells := _cells(line))]
    if len(rows) > 1 and all(len(cells) > 1 for cells in rows):
        return weightiest_first(list(_of_table(rows)))
    own = lines[1:] if len(lines) > 1 and _HEADING.fullmatch(lines[0]) else lines
    return weightiest_first([_criterion(_MARKER.sub("", line)) for line in own])


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
        levels = (_level(name, text) for name, text in named if text)
        yield replace(_criterion(cells[0]), levels=tuple(levels)[:MAX_LEVELS]) if cells[0] else Criterion("")


def _level(name: str, text: str) -> str:
    """The description of a level under the teacher's name for it; a number is a mark, and is left out."""
    described = " ".join(text.split())[:MAX_CRITERION_LENGTH]
    return described if not name or _NUMBERS.fullmatch(name) else f"{name}: {described}"


def weightiest_first(criteria: Sequence[Criterion]) -> Rubric:
    """The first MAX_CRITERIA criteria by weight, each cut at MAX_CRITERION_LENGTH characters."""
    in_order = sorted((one for one in criteria if one.text.strip()), key=lambda one: -one.weight)
    return tuple(replace(one, text=" ".join(one.text.split())[:MAX_CRITERION_LENGTH]) for one in in_order[:MAX_CRITERIA])


def rubric_block(rubric: Rubric) -> str:
    """The rubric in a prompt: numbered, with weights if they differ."""
    weighed = len({one.weight for one in rubric}) > 1
    lines = (f"{n}. {one.text}{f' (weight {one.weight})' if weighed else ''}" for n, one in enumerate(rubric, start=1))
    return "\n".join(lines)


BUILT_IN = {
    "argument": """\
Says clearly what the writer thinks
Gives reasons for the claim
Supports each reason with specific evidence
Names the other side and answers it
Is organized in paragraphs with an introduction and a conclusion
Uses correct spelling, grammar and punctuation""",
    "sources": """\
Answers the question of the task
Uses specific evidence from the sources, quoted or retold
Explains how the evidence supports the claim
Is organized in paragraphs with an introduction and a conclusion
Uses the writer's own words and a fitting style
Uses correct spelling, grammar and punctuation""",
    "story": """\
Tells what happened in a clear order
Uses words that let the reader see and hear
Varies its sentences
Uses correct spelling, grammar and punctuation""",
    "explanation": """\
Answers the question of the task
Explains with specific facts and examples
Is organized in paragraphs in a clear order
Uses correct spelling, grammar and punctuation""",
}
"""Rubrics by name."""

_TOPICS = (  # of which criteria comments are about, by the beginning of their rule or kind
    ("works.opinion", r"claim|thesis|opinion|position|point of view|what the writer thinks"),
    ("works.other_side", r"counter|other side|other view|oppos|objection|refut|rebut"),
    ("reasons.develop", r"\breason|\bargument|develop|elaborat|evidence|support|example|detail"),
    ("works.answer", r"counter|other side|other view|oppos|objection|refut|rebut"),
    ("works.source", r"evidence|quot|source|support|cite"),
    ("works.example", r"evidence|support|example|detail|fact"),
    ("reasons.answer", r"counter|other side|other view|oppos|objection|refut|rebut"),
    ("reasons.claim", r"claim|thesis|opinion|position|point of view|what the writer thinks"),
    ("reasons.how", r"\bend(?:ing)?\b|conclusion|solution|propos"),
    ("reasons.moment", r"detail|describ|\bsee\b|senses|moment"),
    ("reasons.feeling", r"detail|describ|\bsee\b|senses|feeling|emotion|character"),
    ("reasons.senses", r"detail|describ|\bsee\b|senses"),
    ("reasons.ending", r"\bend(?:ing)?\b|conclusion"),
    ("reasons", r"evidence|support|source|fact|data|detail"),
    ("books", r"evidence|support|source|book|quot|cite"),
    ("task", r"\btask|prompt|topic|question|relevan"),
    ("structure", r"structur|organi[sz]|paragraph|introduction|conclusion|\border\b|transition"),
    ("language", r"grammar|spelling|conventions?|mechanics|punctuation"),
    ("sentences", r"sentence|fluen"),
    ("wording", r"\bwords?\b|vocabulary|style|tone|voice|register|wording|language"),
)
_ON_EVIDENCE = re.compile(r"evidence|support|example|detail|fact|source", re.IGNORECASE)


def with_criteria(review: Review, rubric: Rubric) -> Review:
    """The review whose comments name the rubric's criterion that they are about, those that name none yet."""
    if not rubric:
        return review
    named = (replace(one, criterion=one.criterion or criterion_of(one, review.dimension, rubric)) for one in review.comments)
    return replace(review, comments=tuple(named))


def criterion_of(comment: Comment, dimension: Dimension, rubric: Rubric) -> str | None:
    """The first criterion whose words are those of the comment's subject; None without one."""
    rule = comment.rule or kind_of(comment, dimension).value
    topic = next((words for beginning, words in _TOPICS if rule.startswith(beginning)), None)
    return next((one.text for one in rubric if topic and re.search(topic, one.text, re.IGNORECASE)), None)


def _criterion(line: str) -> Criterion:
    found = _WEIGHT.search(line)
    return (
        Criterion(line[: found.start()].strip(), int(next(filter(None, found.groups())))) if found else Criterion(line.strip())
    )


CRITERION_MISSED = "Your teacher asks for “{criterion}”. {found}"
CHECKED = "your teacher's “{criterion}”"
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_NUMBER = rf"(?:\d{{1,5}}|{'|'.join(NUMBERS)})"
_OPENING = r"(?:(?:the|your|an?) (?:essay|text) )?(?:(?:should|must) )?(?:be|is|have|has|contains?|write|with)?\s*"

_COUNT = re.compile(
    rf"{_OPENING}(?P<bound>at least|a minimum of|no fewer than|at most|no more than|a maximum of|up to|exactly)?\s*"
    rf"(?P<first>{_NUMBER})(?:\s*(?:-|–|to|or)\s*(?P<last>{_NUMBER}))?\s+(?P<unit>paragraph|word|sentence)s?(?:\s+long)?\W*",
    re.IGNORECASE,
)

_TITLE = re.compile(rf"{_OPENING}(?:a|its)?\s*title\W*", re.IGNORECASE)

_CITES = re.compile(
    r"(?:(?:the|your|an?)\s+(?:essay|text)\s+)?(?:cites?|names?|quotes?|uses?|refers? to)\s+(?:its|the|a|one of the|your)?\s*"
    r"(?:evidence|books?|sources?)(?:\s+(?:and|with)\s+(?:the\s+)?pages?(?:\s+numbers?)?)?\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CriterionFinding:
    """Whether an essay meets a criterion; found: what was found, for the student."""

    met: bool
    found: str


def with_rubric(review: Review, look: RuleContext) -> Review:
    """The review with a comment for each criterion that is not met; criteria that no rule can check are named in a note."""
    findings = [(one, finding_on(one, look)) for one in look.style.rubric]
    missing = [_comment(one, finding, look) for one, finding in findings if finding and not finding.met]
    unknown = "; ".join(f"“{one.text}”" for one, finding in findings if finding is None)
    reports = (
        CriterionReport(one, finding.found if finding and not _CITES.fullmatch(one.text) else "", is_on_evidence(one))
        for one, finding in findings
    )
    return replace(
        review,
        criteria=tuple(reports),
        comments=in_order((*review.comments, *missing)),
        checked=(*review.checked, *(CHECKED.format(criterion=one.text) for one, finding in findings if finding)),
        notes=(*review.notes, *([message("note_rubric_not_checked", criteria=unknown)] if unknown else [])),
    )


def finding_on(criterion: Criterion, look: RuleContext) -> CriterionFinding | None:
    """The result for one criterion; None unless the criterion asks exactly for something that a rule can check."""
    for pattern, check in CHECKS:
        if found := pattern.fullmatch(criterion.text.strip()):
            return check(found, look)
    return None


def is_on_evidence(criterion: Criterion) -> bool:
    """Whether the criterion is about evidence, so that the essay's pieces of evidence are shown with it."""
    return bool(_ON_EVIDENCE.search(criterion.text))


def _counted(found: re.Match[str], look: RuleContext) -> CriterionFinding:
    first, last = _number(found["first"]), _number(found["last"] or found["first"])
    bound = (found["bound"] or "").lower()
    min_count = 0 if bound in {"at most", "no more than", "a maximum of", "up to"} else first
    max_count = None if bound in {"at least", "a minimum of", "no fewer than"} else last
    count = _count_of(found["unit"].lower(), look)
    unit = found["unit"].lower() + ("" if count == 1 else "s")
    return CriterionFinding(min_count <= count and (max_count is None or count <= max_count), f"Your essay has {count} {unit}.")


def _titled(_: re.Match[str], look: RuleContext) -> CriterionFinding:
    title = look.subject.essay.title
    return CriterionFinding(bool(title), f"Your essay has the title “{title}”." if title else "Your essay has none.")


def _citing(_: re.Match[str], look: RuleContext) -> CriterionFinding:
    text = " ".join(paragraph.text for paragraph in look.subject.essay.paragraphs)
    return CriterionFinding(
        any(_signs_of_books(text, look)), "I found no title of your books, no page and no quotation from them."
    )


def _signs_of_books(text: str, look: RuleContext) -> Iterator[bool]:
    """Whether the text names a book of the evidence, a page, or quotes at least MIN_QUOTED_WORDS words of a book."""
    sources = sources_in(look.subject).books_alone
    yield any(one.passage.book_title.lower() in text.lower() for one in look.subject.evidence)
    yield bool(PLACE.search(text))
    yield any(len(words_of(quoted)) >= MIN_QUOTED_WORDS and sources.have(quoted) for quoted in quotations(text))


def _comment(criterion: Criterion, finding: CriterionFinding, look: RuleContext) -> Comment:
    """The comment, at the essay's last sentence, where a student could go on. A long criterion is named by its beginning."""
    last = len(look.lengths) - 1
    named = criterion.text if len(criterion.text.split()) <= MAX_NAMED else f"{' '.join(criterion.text.split()[:MAX_NAMED])} …"
    text = CRITERION_MISSED.format(criterion=named, found=finding.found)
    place = look.sentence(last, look.subject.essay.paragraphs[last].sentences[-1])
    return Comment(last, text, place, rule="task.criterion", criterion=criterion.text)


def _count_of(unit: str, look: RuleContext) -> int:
    paragraphs = look.subject.essay.paragraphs
    if unit == "paragraph":
        return len(paragraphs)
    if unit == "sentence":
        return len(list(chain.from_iterable(each.sentences for each in paragraphs)))
    return sum(look.lengths)


def _number(written: str) -> int:
    return NUMBERS.get(written.lower()) or int(written)


CHECKS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], RuleContext], CriterionFinding]], ...] = (
    (_COUNT, _counted),
    (_TITLE, _titled),
    (_CITES, _citing),
)
