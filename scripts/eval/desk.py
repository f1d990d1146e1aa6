"""The help desk on four lists of questions of our own: residence, examinations office, music school, health centre.

    python -m scripts.eval.desk [--list residence|exams|music|clinic] [--home DIR] [--misses]

175 entries, 338 questions as people ask (scripts/eval/data/questions/desk). A fifth of the entries is left out, of exams and
clinic a third: a question to one of those has no answer yet, and others never had one. The order of entries was fitted to
residence and exams, and the rules for a desk's own threshold were made on them; what a topic
adds was chosen on conversations at all four desks. Each question ends in one way: answered, asked back with the questions of up
to three entries, or refused. Then small desks of a third of the entries each. Intervals: 95 %, bootstrapped over entries."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from chapterverse import composition
from chapterverse.core.book import Collection
from chapterverse.core.hits import Scope
from chapterverse.questions import faq
from chapterverse.questions.answers import ENTRIES, Question
from chapterverse.questions.helpdesk import HelpdeskContext, find_entries
from chapterverse.questions.model import ConfidenceLevel, EntryText
from chapterverse.settings import Settings, read_settings
from evaluations.measures import grouped_estimate

FOLDER = Path(__file__).parent / "data" / "questions" / "desk"
SMALL_DESKS = 3
LISTS = {"residence": 5, "exams": 3, "music": 5, "clinic": 3}  # one in so many entries is left out
NONE = "-"


@dataclass(frozen=True)
class Entry:
    """A question with its answer."""

    name: str
    question: str
    answer: str


@dataclass(frozen=True)
class Found:
    """What a desk finds. wanted: name of the entry that answers, "-" for none at any desk. first: names of the first entries
    found, best first. score: chance that the first answers."""

    wanted: str
    question: str
    first: Sequence[str]
    score: float
    standing: ConfidenceLevel

    @property
    def answered(self) -> bool:
        return self.standing.answers

    @property
    def refused(self) -> bool:
        return self.standing is ConfidenceLevel.REFUSED


def rows(file: str) -> Iterator[list[str]]:
    for line in (FOLDER / file).read_text("utf-8").splitlines():
        yield [part.strip() for part in line.split(" | ")]


def entries(name: str = "residence") -> list[Entry]:
    return [Entry(*row) for row in rows(f"{name}-entries.txt")]


def asked(name: str = "residence") -> list[tuple[str, str]]:
    """Name of the entry that answers, and the question."""
    return [(wanted, question) for wanted, question in rows(f"{name}-questions.txt")]


def left_out(all_: Sequence[Entry], folds: int = LISTS["residence"]) -> set[str]:
    return {one.name for at, one in enumerate(all_) if at % folds == 0}


def open_desk(home: Path, school: str, there: Sequence[Entry], settings: Settings | None = None) -> HelpdeskContext:
    """A help desk with these entries, all approved."""
    home.mkdir(parents=True, exist_ok=True)
    given = (settings or read_settings()).model_copy(update={"home": home.absolute(), "school": school})
    services = composition.compose(given, collection=Collection.HELPDESK)
    desk = composition.helpdesk_context(given, services, composition.answer_settings(given, services.embedder))
    if not desk.faq.of_school(school, approved=True):
        added = [faq.add_entry(school, EntryText(question=one.question, answer=one.answer), desk).id for one in there]
        faq.approve_entries(school, added, True, desk, read=True)
    return desk


def look_up(questions: Sequence[tuple[str, str]], desk: HelpdeskContext, school: str, there: Sequence[Entry]) -> list[Found]:
    """What the desk finds for each question."""
    names, found = {one.question: one.name for one in there}, list[Found]()
    for wanted, question in questions:
        reading = find_entries(Question(question, question), Scope(school), desk).reading
        judgement = reading.judgement
        assert judgement  # the desk has entries
        first = [names[one.title] for one in reading.entries[:ENTRIES]]
        found.append(Found(wanted, question, first, judgement.score, judgement.standing))
    return found


def report(found: Sequence[Found], there: set[str]) -> None:
    """The figures."""

    def among(questions: Sequence[Found], is_so: Callable[[Found], bool]) -> str:
        return share([(one.wanted, is_so(one)) for one in questions])

    def is_first(one: Found) -> bool:
        return one.first[:1] == [one.wanted]

    known = [one for one in found if one.wanted in there]
    print(f"  {len(known)} questions to entries that are there: first {among(known, is_first)}", end="")
    print(f", among the first three {among(known, lambda one: one.wanted in one.first)}")
    print(f"  answered rightly {among(known, lambda one: one.answered and is_first(one))}", end="")
    print(f", wrongly {among(known, lambda one: one.answered and not is_first(one))}")
    print(
        f"  asked back, the right one among three {among(known, lambda one: is_asked(one) and one.wanted in one.first)}", end=""
    )
    print(f", not among them {among(known, lambda one: is_asked(one) and one.wanted not in one.first)}")
    print(f"  neither answered nor the right one among three {among(known, lambda one: not is_helped(one))}", end="")
    print(f", refused {among(known, lambda one: one.refused)}")
    for kind, its in (
        ("entry left out", [one for one in found if one.wanted not in there and one.wanted != NONE]),
        ("no entry at any time", [one for one in found if one.wanted == NONE]),
    ):
        answered, refused = (among(its, what) for what in (lambda one: one.answered, lambda one: one.refused))
        print(f"  {kind}, {len(its)}: answered {answered}, asked back {among(its, is_asked)}, refused {refused}")
    print(f"  of all that is answered, right {among([one for one in found if one.answered], is_first)}")


def is_asked(one: Found) -> bool:
    """Whether the desk asks back."""
    return not one.answered and not one.refused


def is_helped(one: Found) -> bool:
    """Whether the right entry is the answer, or among those that are named."""
    return one.first[:1] == [one.wanted] if one.answered else is_asked(one) and one.wanted in one.first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", choices=LISTS, default="residence")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--misses", action="store_true", help="print what is wrong by the desk's own threshold")
    given = parser.parse_args()
    with TemporaryDirectory() as temporary:
        home = given.home or Path(temporary)
        report_whole(home, given.list, misses=given.misses)
        report_small(home, given.list)


def report_whole(home: Path, name: str, *, misses: bool) -> None:
    """One desk without the entries that are left out."""
    all_ = entries(name)
    there = [one for one in all_ if one.name not in left_out(all_, LISTS[name])]
    desk = open_desk(home, name, there)
    names, found = {one.name for one in there}, look_up(asked(name), desk, name, there)
    print(f"{name}, {len(there)} entries")
    report(found, names)
    for one in found if misses else ():
        is_right = is_helped(one) if one.wanted in names else not one.answered
        if not is_right:
            print(f"{one.standing} {one.score:.2f} {one.wanted}: {one.question} -> {', '.join(one.first)}")


def report_small(home: Path, name: str) -> None:
    """Small desks together, each with its own threshold; and what SAME_QUESTION would add without one."""
    all_, found = entries(name), list[Found]()
    for number in range(SMALL_DESKS):
        school, there = f"{name}-{number}", all_[number::SMALL_DESKS]
        desk = open_desk(home, school, there)
        of_desk = {one.name for one in there}
        for one in look_up(asked(name), desk, school, there):
            found.append(one if one.wanted in of_desk or one.wanted == NONE else replace(one, wanted=f"{one.wanted}*"))
    print(f"{SMALL_DESKS} desks of {len(all_) // SMALL_DESKS} entries")
    report(found, {one.name for one in all_})


def share(told: Sequence[tuple[str, bool]]) -> str:
    """The mean with its interval."""
    if not told:
        return "-"
    found = grouped_estimate(told)
    return f"{found.value:.3f} ({found.low:.3f}-{found.high:.3f})"


if __name__ == "__main__":
    main()
