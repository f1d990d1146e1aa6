"""The help desk on four lists of questions of our own: residence, examinations office, music school, health centre.

    python -m scripts.eval.desk [--list residence|exams|music|clinic|conversations] [--misses]

175 entries, 338 questions as people ask (scripts/eval/data/questions/desk). A fifth of the entries is left out, of exams and
clinic a third: a question to one of those has no answer yet, and others never had one. The order of entries was fitted to
residence and exams, and the rules for a desk's own threshold were made on them; what a topic
adds was chosen on conversations at all four desks. Each question ends in one way: answered, asked back with the questions of up
to three entries, or refused. Intervals: 95 %, bootstrapped over entries.

Conversations: 62 of our own, with these entries and those of a library; 109 messages after the first of each: some lean on it,
some are on something else, some have no entry ("-")."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from chapterverse import composition
from chapterverse.core.book import Collection
from chapterverse.core.hits import Scope
from chapterverse.questions import faq
from chapterverse.questions.answers import ENTRIES, Question
from chapterverse.questions.helpdesk import HelpdeskContext, begin, find_entries, say
from chapterverse.questions.model import ConfidenceLevel, EntryText
from chapterverse.questions.records import AnswerRecord
from chapterverse.settings import Settings, read_settings
from evaluations.measures import grouped_estimate

FOLDER = Path(__file__).parent / "data" / "questions" / "desk"
LISTS = {"residence": 5, "exams": 3, "music": 5, "clinic": 3}  # one in so many entries is left out
NONE, TALKS = "-", "conversations"


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
    services = composition.collection_services(given, composition.compose(given), Collection.HELPDESK)
    desk = composition.helpdesk_context(given, services, composition.answer_settings(given, services.embedder))
    if not desk.faq.of_school(school):
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

    def line(what: str, its: Sequence[Found], **so: Callable[[Found], bool]) -> None:
        shares = (f"{name.replace('_', ' ')} {share([(one.wanted, is_so(one)) for one in its])}" for name, is_so in so.items())
        print(f"  {what}, {len(its)}:", ", ".join(shares))

    def is_first(one: Found) -> bool:
        return one.first[:1] == [one.wanted]

    line(
        "entries that are there",
        [one for one in found if one.wanted in there],
        first=is_first,
        among_three=lambda one: one.wanted in one.first,
        answered_rightly=lambda one: one.answered and is_first(one),
        answered_wrongly=lambda one: one.answered and not is_first(one),
        asked_back_rightly=lambda one: is_asked(one) and one.wanted in one.first,
        neither=lambda one: not is_helped(one),
        refused=lambda one: one.refused,
    )
    for kind, its in (
        ("entry left out", [one for one in found if one.wanted not in there and one.wanted != NONE]),
        ("no entry at any time", [one for one in found if one.wanted == NONE]),
    ):
        line(kind, its, answered=lambda one: one.answered, asked_back=is_asked, refused=lambda one: one.refused)
    line("answered", [one for one in found if one.answered], right=is_first)


def is_asked(one: Found) -> bool:
    """Whether the desk asks back."""
    return not one.answered and not one.refused


def is_helped(one: Found) -> bool:
    """Whether the right entry is the answer, or among those that are named."""
    return one.first[:1] == [one.wanted] if one.answered else is_asked(one) and one.wanted in one.first


@dataclass(frozen=True)
class Message:
    """wanted: names of the entries that answer, "-" for none."""

    wanted: Sequence[str]
    text: str


def conversations(name: str) -> Iterator[list[Message]]:
    lines = (FOLDER / f"{name}-conversations.txt").read_text("utf-8").splitlines()
    for is_message, its in groupby(lines, key=bool):
        if is_message:
            yield [Message(wanted.split("/"), text) for wanted, text in (line.split(" | ") for line in its)]


def cited_titles(answer: AnswerRecord) -> list[str]:
    titles = {source.number: source.title for source in answer.sources}
    return [titles[one.number] for one in answer.citations]


def outcome(message: Message, answer: AnswerRecord, names: dict[str, str]) -> str:
    """What becomes of it, and the entries that are named."""
    cited = [names[title] for title in cited_titles(answer)]
    named = cited[:1] or [names[title] for title in answer.did_you_mean]
    found = bool(set(named) & set(message.wanted))
    if message.wanted == [NONE]:
        return "no entry: answered" if cited else "no entry: not answered"
    what = "answered" if cited else "asked back" if named else "refused"
    return what if what == "refused" else f"{what}, {'right' if found else 'wrong'}"


def talk(name: str, desk: HelpdeskContext, there: Sequence[Entry], *, misses: bool) -> Iterator[str]:
    """The outcome of each message after the first of its conversation."""
    names = {one.question: one.name for one in there}
    for messages in conversations(name):
        id = begin(name, "student", desk).id
        for at, message in enumerate(messages):
            answer = say(name, id, message.text, desk).answer
            what = outcome(message, answer, names)
            if at:
                yield what
            if misses and what not in {"answered, right", "no entry: not answered"}:
                named = list(dict.fromkeys([*map(names.__getitem__, cited_titles(answer)), "|"]))
                print(
                    f"{what}: {'/'.join(message.wanted)}: {message.text} -> {named} {[names[t] for t in answer.did_you_mean]}"
                )


def main(
    name: Annotated[str, typer.Option("--list", help=", ".join([*LISTS, TALKS]))] = "residence", misses: bool = False
) -> None:
    """misses: print what is wrong by the desk's own threshold."""
    with TemporaryDirectory() as home:
        if name == TALKS:
            report_talks(Path(home), misses=misses)
        else:
            report_whole(Path(home), name, misses=misses)


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


def report_talks(home: Path, *, misses: bool) -> None:
    """What becomes of the messages of all conversations."""
    counts = Counter[str]()
    for name in (*LISTS, "library"):
        there = entries(name)
        counts.update(talk(name, open_desk(home, name, there), there, misses=misses))
    print(f"{counts.total()} messages: " + "; ".join(f"{what} {counts[what]}" for what in sorted(counts)))


def share(told: Sequence[tuple[str, bool]]) -> str:
    """The mean with its interval."""
    if not told:
        return "-"
    found = grouped_estimate(told)
    return f"{found.value:.3f} ({found.low:.3f}-{found.high:.3f})"


if __name__ == "__main__":
    typer.run(main)
