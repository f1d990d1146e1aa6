"""Whether what `chapterverse calibrate` finds by made questions holds for the questions that people asked: docs/quality.md.

    PYTHONPATH=src python -m scripts.eval.ask_calibration [SHARED] [--cache FILE]

Of each set so many questions are made of its own texts, all texts of the set together; their thresholds are then applied to
people's: right is the share of what is shown that has the answer among the first three, answered and unanswered questions
counted as many."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from chapterverse.core.hits import Hit
from chapterverse.evaluation.calibration import confident_from, metrics_at, possible_from, questions_of
from chapterverse.questions.judging import CalibrationQuestion
from chapterverse.search.plan import DOCUMENT_QA
from scripts.eval import ask_retriever
from scripts.eval.ask_arguments import read_arguments
from scripts.eval.ask_sets import Asked, helpdesk, squad, syllabi

MADE, SEED, ANSWERED = 300, 0, "answered"
S2, S5 = {"S2: may contain": 0.5, "S2: an answer": 0.7}, {"S5: an answer": 0.65}
SEEDS = {"syllabi": S2, "SQuAD 2": S2, "StackFAQ": S5}
Scores = tuple[float, float]
"""Cosine of the nearest, and confidence."""


def main() -> None:
    shared = read_arguments(__doc__, "ask-lecture")
    print("| set, score | | from | made: right | shown | silent | people's: right | shown | silent |\n" + "| --- " * 9 + "|")
    for name, sets, others in sets_of(shared):
        people = [one for asked in (*sets, *others) for one in asked_by_people(asked)]
        made = [one for asked in sets for one in made_from(asked, -(-MADE // len(sets)))]
        for number, score in enumerate(("cosine", "confidence")):
            of_made = [pair[number] for pair in made]
            thresholds = {"sure": confident_from(of_made), "possible": possible_from(of_made)} | ({} if number else SEEDS[name])
            show(f"{name}, {score}", thresholds, of_made, [(s[number], kind, has) for s, kind, has in people])


def sets_of(shared: Path) -> Iterator[tuple[str, list[Asked], list[Asked]]]:
    """others: sets of which only people's questions count."""
    yield "syllabi", list(syllabi(shared)), []
    yield "SQuAD 2", list(squad(shared)), []
    yield "StackFAQ", list(helpdesk(shared, answers=True)), list(helpdesk(shared, answers=True, removed=True))


def asked_by_people(asked: Asked) -> Iterator[tuple[Scores, str, bool]]:
    """Scores, why it has no answer or that it has, and whether that is among the first three."""
    looked = ask_retriever.look_up(asked.texts, asked.questions)
    for number, (hits, kind, wanted) in enumerate(zip(looked.hits, asked.kinds, asked.wanted, strict=True)):
        yield scores_of(looked, number, hits), kind, any(int(hit.record.id) in wanted for hit in hits[: DOCUMENT_QA.limit])


def made_from(asked: Asked, number: int) -> Iterator[tuple[CalibrationQuestion, CalibrationQuestion]]:
    """As evaluation/calibration.py asks them: once among all, once without the answer."""
    made = list(questions_from(asked.texts, number))
    looked = ask_retriever.look_up(asked.texts, [question for question, _ in made])
    for row, (hits, (_, holding)) in enumerate(zip(looked.hits, made, strict=True)):
        right = any(int(hit.record.id) in holding for hit in hits[: DOCUMENT_QA.limit])
        whole, rest = (
            scores_of(looked, row, some) for some in (hits, [hit for hit in hits if int(hit.record.id) not in holding])
        )
        cosine, confidence = (CalibrationQuestion(w, right, r) for w, r in zip(whole, rest, strict=True))
        yield cosine, confidence


def questions_from(texts: Sequence[str], number: int) -> Iterator[tuple[str, set[int]]]:
    draw, holding = random.Random(SEED), dict[str, set[int]]()
    for place, text in enumerate(texts):
        entry = ask_retriever.is_entry(text)
        its_own = [text[len("Question: ") :].partition(" Answer: ")[0]] if entry else ask_retriever.sentences_of(text)
        for source in its_own:
            holding.setdefault(source, set()).add(place)
    yield from questions_of(sorted(holding.items()), number, draw)


def scores_of(looked: ask_retriever.LookedUp, row: int, hits: Sequence[Hit]) -> Scores:
    vector = looked.queries.vectors[row]
    cosine = max(float(hit.vector @ vector) for hit in hits[: DOCUMENT_QA.limit])
    return cosine, looked.confidence_of(looked.queries.queries[row].text, vector, hits)


def show(
    name: str,
    thresholds: Mapping[str, float | None],
    made: Sequence[CalibrationQuestion],
    people: Sequence[tuple[float, str, bool]],
) -> None:
    for label, least in thresholds.items():
        if least is None:
            print(f"| {name} | {label} | none " + "| " * 6 + "|")
            continue
        told, real = metrics_at(least, made), told_of_people(least, people)
        figures = (least, told.precision or 0.0, told.shown, told.silent, *real)
        print(f"| {name} | {label} " + "".join(f"| {figure:.3f} " for figure in figures) + "|", flush=True)


def told_of_people(least: float, people: Sequence[tuple[float, str, bool]]) -> tuple[float, float, float]:
    """Right, shown, silent."""
    answered = np.array([(score >= least, has) for score, kind, has in people if kind == ANSWERED], bool)
    others = np.array([score >= least for score, kind, _ in people if kind != ANSWERED], bool)
    shown, unanswerable = answered[:, 0].mean(), others.mean()
    return float(answered.all(1).mean() / max(shown + unanswerable, 1e-9)), float(shown), float(1 - unanswerable)


if __name__ == "__main__":
    main()
