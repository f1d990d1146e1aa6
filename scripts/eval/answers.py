"""What a person is shown who asks the syllabi of SHARED: the right passage, and silence where there is none.

    python -m scripts.eval.answers [SHARED] [--own tuning|graded|read|german|german-check] [--read 30]

All PDFs stand in one school, so rare words are counted over all of them. Each question is asked of its own syllabus and of
another one, as POST /documents/ask does, without a language model. --own: the same of twelve documents of our own
(scripts/eval/data/questions), which need no SHARED; read: of two further ones with 40 questions; german, german-check: of two
German ones each. --read prints so many answers, drawn, to be judged by reading.

highlighted: the lit sentences of the best passage have at least half of a span that answers the question (by the readers of
SyllabusQA); shown: the best passage has, as an answer or as the nearest place; three: one of the three passages has. refused:
the product says that it found nothing; marked: it shows the nearest place under the words that this may not answer."""

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import typer

from chapterverse import composition
from chapterverse.core.book import BookId
from chapterverse.core.hits import Scope
from chapterverse.library.services import CollectionServices
from chapterverse.questions.records import AnswerRecord, QuotedRecord
from chapterverse.questions.service import AnswerResult, ask
from chapterverse.settings import read_settings
from evaluations.measures import auroc
from scripts.eval.shared import ADJACENT, SYLLABI, Shared, of, syllabi
from scripts.eval.written_courses import GERMAN, GERMAN_CHECK, GRADED, QUESTIONS, READ, TUNING, has_words, stored
from scripts.eval.written_courses import cases as written_cases

SCHOOL, SEED = "eval", 7


@dataclass(frozen=True)
class Case:
    """A question to a syllabus, and the spans of it that answer it; none if it has no answer there."""

    question: str
    syllabus: str
    kind: str
    spans: Sequence[str]
    answer: str


def main(shared: Shared = ADJACENT, own: str = "", read: int = 0) -> None:
    with TemporaryDirectory() as home:
        services, books, cases, holds = given_set(own, shared, Path(home))
        settings = composition.answer_settings(read_settings(), services.embedder)
        results, seconds = list[tuple[Case, AnswerResult]](), list[float]()
        for case in cases:
            began = perf_counter()
            results.append((case, ask(case.question, Scope(SCHOOL, (books[case.syllabus],)), services, settings)))
            seconds.append(perf_counter() - began)
    report(results, holds)
    print(f"seconds of a question: median {np.median(seconds):.3f}, p95 {np.quantile(seconds, 0.95):.3f}")
    for case, result in random.Random(SEED).sample(results, min(read, len(results))):
        print(json.dumps({"kind": case.kind, "question": case.question, "wanted": case.answer, "shown": result.answer.text}))


def given_set(own: str, folder: Path, home: Path) -> tuple[CollectionServices, Mapping[str, BookId], Sequence["Case"], "Holds"]:
    """Services, documents, cases, and whether a text has the answer of a case."""
    if own:
        settings = read_settings().model_copy(update={"home": home.absolute(), "school": SCHOOL})
        names = {"tuning": TUNING, "graded": GRADED, "read": READ, "german": GERMAN, "german-check": GERMAN_CHECK}[own]
        services, books = stored(settings, names if names in QUESTIONS else (*TUNING, *GRADED))
        cases = [Case(one.question, one.document, one.kind, (one.answer,), one.answer) for one in written_cases(names)]
        return services, books, cases, lambda case, text: has_words(case.answer, text)
    services, books = syllabi(folder, home, SCHOOL)
    syllabus = of(folder, "syllabus")
    return services, books, list(cases_of(folder, list(books))), lambda case, text: covers(case, text, syllabus)


def cases_of(shared: Path, names: Sequence[str]) -> Iterator[Case]:
    """Each question to its own syllabus, and to another one drawn."""
    draw = random.Random(SEED)
    for row in json.loads((shared / SYLLABI / "val.json").read_text()):
        if row["syllabus_name"] not in names:
            continue
        spans = [row[f"answer_span_{n}"] for n in range(1, 6) if row[f"answer_span_{n}"]]
        none = row["question_type"] == "no answer"
        kind = "no answer" if none else "answered" if spans else "reasoned"
        yield Case(row["question"], row["syllabus_name"], kind, spans, row["answer"])
        if not none:
            other = draw.choice([name for name in names if name != row["syllabus_name"]])
            yield Case(row["question"], other, "other syllabus", (), "")


Holds = Callable[[Case, str], bool]


def report(results: Sequence[tuple[Case, AnswerResult]], holds: Holds) -> None:
    answered = [(case, result.answer) for case, result in results if case.kind == "answered"]
    highlighted = [holds(case, text_of(best, lit=True)) for case, best in _best(answered)]
    shown = [holds(case, text_of(best)) for case, best in _best(answered)]
    three = [holds(case, "\n".join(map(text_of, answer.passages))) for case, answer in answered]
    number = len(answered)
    print(f"answered: {number}; lit {sum(highlighted) / number:.3f}, shown {sum(shown) / number:.3f}, in three {mean(three)}")
    print(f"characters of the best passage {mean([len(text_of(best)) for _, best in _best(answered)])}")
    others = [
        kind for kind in ("no answer", "other syllabus", "other document") if any(case.kind == kind for case, _ in results)
    ]
    scores = dict[str, list[float]]()
    for kind in ("answered", "reasoned", *others):
        its = [(case, result.answer) for case, result in results if case.kind == kind]
        refused = mean([answer.nothing and not answer.passages for _, answer in its])
        marked = mean([answer.nothing and bool(answer.passages) for _, answer in its])
        print(f"{kind}: {len(its)}, refused {refused}, marked {marked}")
        judgements = [answer.confidence.answerable for _, answer in its]
        scores[kind] = [one.score if one else 0.0 for one in judgements]
    for kind in others:
        told_apart = auroc(np.array(scores["answered"]), np.array(scores[kind]))
        print(f"AUROC of the confidence, answered against {kind}: {told_apart:.3f}")


def text_of(quoted: QuotedRecord, *, lit: bool = False) -> str:
    """What is shown, or of that only what is lit."""
    return "\n".join(one.text for one in quoted.sentences if one.highlighted or not lit)


def _best(answered: Sequence[tuple[Case, AnswerRecord]]) -> list[tuple[Case, QuotedRecord]]:
    return [(case, answer.passages[0]) for case, answer in answered if answer.passages]


def covers(case: Case, text: str, given: object) -> bool:
    """Whether the text has at least half of one of the spans."""
    flat = " ".join(text.split())
    tokens = [(match[0].lower(), match.start(), match.end()) for match in re.finditer(r"\w+", flat)]
    return any(covered(span, flat, tokens, given) for span in case.spans)


def covered(span: str, flat: str, tokens: list, given: object) -> bool:
    """Whether half of the span stands there: the whole of it, else one of its halves in words."""
    words = span.split()
    middle = max(1, len(words) // 2)
    halves = {span, " ".join(words[:middle]), " ".join(words[middle:])} - {""}
    return any(given.locate(half, flat, tokens) for half in halves)  # type: ignore[attr-defined]


def mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.3f}" if values else "-"


if __name__ == "__main__":
    typer.run(main)
