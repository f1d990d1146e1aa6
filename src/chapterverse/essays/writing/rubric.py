"""A teacher's rubric: read it, put it into a prompt, and check what rules can check. Rules check only what can be counted or
found."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from chapterverse.citations.quotations import MIN_QUOTED_WORDS, PLACE, quotations
from chapterverse.essays.model import Comment, Criterion, Review, Rubric, in_order, sources_in
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.messages import message

MAX_CRITERIA = 12  # criteria
MAX_CRITERION_LENGTH = 300  # characters of one
MAX_NAMED = 15  # words of a criterion in a comment
_MARKER = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_WEIGHT = re.compile(r"\s*\((?:weight:?\s*)?(\d{1,3})\s*(?:%|points?|pts?\.?)?\)\s*\.?\s*$", re.IGNORECASE)


def read_rubric(text: str) -> Rubric:
    """The rubric in a text, one criterion per line. A line may begin with a list marker and end with a weight: "(20 %)", "(3
    points)"."""
    return weightiest_first([_criterion(_MARKER.sub("", line)) for line in text.splitlines() if line.strip()])


def weightiest_first(criteria: Sequence[Criterion]) -> Rubric:
    """The first MAX_CRITERIA criteria by weight, each cut at MAX_CRITERION_LENGTH characters."""
    in_order = sorted(criteria, key=lambda one: -one.weight)
    return tuple(Criterion(" ".join(one.text.split())[:MAX_CRITERION_LENGTH], one.weight) for one in in_order[:MAX_CRITERIA])


def rubric_block(rubric: Rubric) -> str:
    """The rubric in a prompt: numbered, with weights if they differ."""
    weighed = len({one.weight for one in rubric}) > 1
    lines = (f"{n}. {one.text}{f' (weight {one.weight})' if weighed else ''}" for n, one in enumerate(rubric, start=1))
    return "\n".join(lines)


def _criterion(line: str) -> Criterion:
    found = _WEIGHT.search(line)
    return Criterion(line[: found.start()].strip(), int(found[1])) if found else Criterion(line.strip())


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
    return replace(
        review,
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


def _counted(found: re.Match[str], look: RuleContext) -> CriterionFinding:
    first, last = _number(found["first"]), _number(found["last"] or found["first"])
    bound = (found["bound"] or "").lower()
    min_count = 0 if bound in {"at most", "no more than", "a maximum of", "up to"} else first
    max_count = None if bound in {"at least", "a minimum of", "no fewer than"} else last
    count = _count_of(found["unit"].lower(), look)
    unit = found["unit"].lower() + ("" if count == 1 else "s")
    return CriterionFinding(min_count <= count and (max_count is None or count <= max_count), f"Your essay has {count} {unit}.")


def _titled(_: re.Match[str], look: RuleContext) -> CriterionFinding:
    return CriterionFinding(bool(look.subject.essay.title), "Your essay has none.")


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
