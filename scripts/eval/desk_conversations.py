"""Follow-ups at the help desk: 62 conversations of our own, with the entries of scripts/eval/desk.py and of a library.

    python -m scripts.eval.desk_conversations [--misses]

109 messages after the first of a conversation: some lean on it, some are on something else, some have no entry ("-"). Each is
answered, asked back or refused. What a topic adds (questions/entries.py) was chosen on them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from chapterverse.questions.helpdesk import HelpdeskContext, begin, say
from chapterverse.questions.records import AnswerRecord
from scripts.eval.desk import FOLDER, LISTS, NONE, Entry, entries, open_desk

DESKS = (*LISTS, "library")


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


def main(misses: bool = False) -> None:
    """misses: print what is not answered rightly."""
    counts = Counter[str]()
    with TemporaryDirectory() as home:
        for name in DESKS:
            there = entries(name)
            counts.update(talk(name, open_desk(Path(home), name, there), there, misses=misses))
    print(f"{counts.total()} messages: " + "; ".join(f"{what} {counts[what]}" for what in sorted(counts)))


if __name__ == "__main__":
    typer.run(main)
