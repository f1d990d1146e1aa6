"""The help desk on two lists of questions of our own, on a student residence and on a music school.

    python -m scripts.eval.desk [--list residence|music] [--home DIR] [--misses]

71 and 40 entries, 144 and 62 questions as people ask (scripts/eval/data/questions/desk). A fifth of the entries is left out: a
question to one of those has no answer yet, and others never had one. The rule for a desk's own threshold was made on the first
list; nothing was made on the second. Asked by the threshold that the desk chooses by itself, and by others that it might have
chosen. Then small desks of a third of the entries each. Intervals: 95 %, bootstrapped over entries."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from chapterverse import composition
from chapterverse.core.book import Collection
from chapterverse.core.hits import Scope
from chapterverse.evaluation.calibration import OWN_REFUSED, by_itself, calibrate, confident_from
from chapterverse.evaluation.measures import auroc
from chapterverse.questions import faq
from chapterverse.questions.answers import ENTRIES
from chapterverse.questions.helpdesk import HelpdeskContext, judge_of
from chapterverse.questions.judging import SAME_QUESTION, accept, answerability_of
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import DEFAULT_THRESHOLDS, HELPDESK
from chapterverse.settings import Settings, read_settings
from scripts.eval.over_http import Asked, share

FOLDER = Path(__file__).parent / "data" / "questions" / "desk"
FOLDS, SMALL_DESKS = 5, 3
SHARES = (0.5, 0.6, 0.75, 0.9)  # refused of the entries' own questions, their entry left out
MADE = 0.9  # of answers to made questions right: how the threshold was chosen before
NONE, LISTS = "-", ("residence", "music")


@dataclass(frozen=True)
class Entry:
    """A question with its answer."""

    name: str
    question: str
    answer: str


@dataclass(frozen=True)
class Found:
    """What a desk finds. wanted: name of the entry that answers, "-" for none at any desk. first: names of the first entries
    found, best first. score: confidence, cosine: of the nearest entry; refused: by the desk's own threshold."""

    wanted: str
    question: str
    first: Sequence[str]
    score: float
    cosine: float
    refused: bool


def rows(file: str) -> Iterator[list[str]]:
    for line in (FOLDER / file).read_text("utf-8").splitlines():
        yield [part.strip() for part in line.split(" | ")]


def entries(name: str = LISTS[0]) -> list[Entry]:
    return [Entry(*row) for row in rows(f"{name}-entries.txt")]


def asked(name: str = LISTS[0]) -> list[tuple[str, str]]:
    """Name of the entry that answers, and the question."""
    return [(wanted, question) for wanted, question in rows(f"{name}-questions.txt")]


def left_out(all_: Sequence[Entry]) -> set[str]:
    return {one.name for at, one in enumerate(all_) if at % FOLDS == 0}


def open_desk(home: Path, school: str, there: Sequence[Entry], settings: Settings | None = None) -> HelpdeskContext:
    """A help desk with these entries, all approved."""
    home.mkdir(parents=True, exist_ok=True)
    given = (settings or read_settings()).model_copy(update={"home": home.absolute(), "school": school})
    services = composition.compose(given, collection=Collection.HELPDESK)
    desk = composition.helpdesk_context(given, services, composition.answer_settings(given, services.embedder))
    if not desk.faq.of_school(school, approved=True):
        added = [faq.add_entry(school, faq.EntryText(one.question, one.answer), desk).id for one in there]
        faq.approve_entries(school, added, True, desk, read=True)
    return desk


def look_up(questions: Sequence[tuple[str, str]], desk: HelpdeskContext, school: str, there: Sequence[Entry]) -> list[Found]:
    """What the desk finds for each question."""
    names, judge, found = {one.question: one.name for one in there}, judge_of(school, desk), list[Found]()
    for wanted, question in questions:
        chunks = find_chunks(question, Scope(school), desk.services, HELPDESK)
        judgement = judge(question, chunks)
        first = dict.fromkeys(names[one.chunk.question or ""] for one in chunks)
        assert judgement  # the desk has entries and an index of words
        refused = judgement.standing is ConfidenceLevel.REFUSED
        found.append(Found(wanted, question, list(first)[:ENTRIES], judgement.score, judgement.signs.cosine, refused))
    return found


def without_their_entry(desk: HelpdeskContext, school: str, there: Sequence[Entry]) -> list[float]:
    """The confidence of each entry's question if the entry is left out."""
    scores = list[float]()
    for one in there:
        chunks = find_chunks(one.question, Scope(school), desk.services, HELPDESK)
        others = [each for each in chunks if each.chunk.question != one.question]
        judgement = answerability_of(one.question, others, HELPDESK, desk.services)
        scores.append(judgement.score if judgement else 0.0)
    return scores


def report(found: Sequence[Found], there: set[str], least: float | None = None) -> None:
    """The figures if questions are answered from the confidence `least` on, or by the desk's own threshold."""

    def refused(one: Found) -> bool:
        return one.refused if least is None else one.score < least

    known = [one for one in found if one.wanted in there]
    gone = [one for one in found if one.wanted not in there and one.wanted != NONE]
    right = Asked((one.wanted, one.wanted == one.first[0] and not refused(one)) for one in known)
    three = Asked((one.wanted, one.wanted in one.first) for one in known)
    answered = Asked((one.wanted, one.wanted == one.first[0]) for one in found if not refused(one))
    print(f"  {len(known)} questions to entries that are there: right {share(right)}; among the first three {share(three)}")
    print(f"  wrongly refused {share(Asked((one.wanted, refused(one)) for one in known))}")
    print(f"  entry left out, {len(gone)}: refused {share(Asked((one.wanted, refused(one)) for one in gone))}")
    others = [refused(one) for one in found if one.wanted == NONE]
    print(f"  no entry at any time, {len(others)}: refused {sum(others) / len(others):.3f}")
    print(f"  of all that is answered, right {share(answered)}")
    for kind, its in (("left out", gone), ("none", [one for one in found if one.wanted == NONE])):
        print(f"  AUROC, there against {kind}: {auroc(*(np.array([one.score for one in of]) for of in (known, its))):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", choices=LISTS, default=LISTS[0])
    parser.add_argument("--home", type=Path)
    parser.add_argument("--misses", action="store_true", help="print what is wrong by the desk's own threshold")
    given = parser.parse_args()
    with TemporaryDirectory() as temporary:
        home = given.home or Path(temporary)
        report_whole(home, given.list, misses=given.misses)
        report_small(home, given.list)


def report_whole(home: Path, name: str, *, misses: bool) -> None:
    """One desk with four fifths of the entries."""
    all_ = entries(name)
    there = [one for one in all_ if one.name not in left_out(all_)]
    desk = open_desk(home, name, there)
    measured = calibrate(name, desk.services, HELPDESK)
    accept(name, by_itself(measured), desk.services)
    names, found = {one.name for one in there}, look_up(asked(name), desk, name, there)
    print(f"{name}, {len(there)} entries; the desk refuses {OWN_REFUSED} of its own questions: from {measured.own or 0:.3f}")
    report(found, names)
    own = without_their_entry(desk, name, there)
    for refused in SHARES:
        print(f"{refused} of the own questions refused: from {np.quantile(own, refused):.3f}")
        report(found, names, float(np.quantile(own, refused)))
    made = confident_from(measured.confidence.questions, MADE)
    print(f"{MADE} of {measured.questions} made questions right: {made or 'at no threshold'}; without a calibration:")
    report(found, names, DEFAULT_THRESHOLDS["all-MiniLM-L6-v2"].confidence)
    for one in found if misses else ():
        is_there = one.wanted in names
        if one.refused == is_there or (is_there and one.first[0] != one.wanted):
            print(f"{'refused' if one.refused else 'answered'} {one.score:.2f} {one.cosine:.2f} {one.wanted}: ", end="")
            print(one.question, "->", ", ".join(one.first))


def report_small(home: Path, name: str) -> None:
    """Small desks together, each with its own threshold; and what SAME_QUESTION would add without one."""
    all_, found = entries(name), list[Found]()
    for number in range(SMALL_DESKS):
        school, there = f"{name}-{number}", all_[number::SMALL_DESKS]
        desk = open_desk(home, school, there)
        accept(school, by_itself(calibrate(school, desk.services, HELPDESK)), desk.services)
        of_desk = {one.name for one in there}
        for one in look_up(asked(name), desk, school, there):
            found.append(one if one.wanted in of_desk or one.wanted == NONE else replace(one, wanted=f"{one.wanted}*"))
    print(f"{SMALL_DESKS} desks of {len(all_) // SMALL_DESKS} entries, each with its own threshold")
    report(found, {one.name for one in all_})
    least = DEFAULT_THRESHOLDS["all-MiniLM-L6-v2"].confidence
    over = [one for one in found if one.cosine >= SAME_QUESTION and one.score < least]
    right = sum(one.first[0] == one.wanted for one in over)
    print(f"a cosine of {SAME_QUESTION} or more below {least}: {len(over)}, {right} right")


if __name__ == "__main__":
    main()
