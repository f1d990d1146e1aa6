"""How well questions find what answers them, by plan, and how well the product knows that nothing does: docs/quality.md.

    PYTHONPATH=src python -m scripts.eval.ask [SHARED] [--cache FILE] [--rerank NAME --questions 200]

Beside the product's plans the naive baselines of SHARED/ask-lecture, over the same vectors. --rerank adds a row in which a
cross-encoder (its name or folder) reads the first ten, for a draw of so many questions a set."""

import argparse
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from chapterverse import composition
from chapterverse.core.hits import Hit
from chapterverse.evaluation.measures import auroc
from chapterverse.search.rerank import rerank
from scripts.eval import ask_retriever
from scripts.eval.ask_sets import SEED, SIZES, Asked, helpdesk, of, other_domain, own_windows, squad, syllabi
from scripts.eval.shared import shared_folder

NAIVE = ("naive dense", "naive BM25", "naive RRF")
PLANS = ("dense", "words", "hybrid")
READ = 10  # candidates that are judged
RERANKING = {True: 0.4, False: 0.4}
Ranked = Callable[[Asked], Sequence[Sequence[int]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--cache", default="build/ask-vectors.db")
    parser.add_argument("--rerank", default="")
    parser.add_argument("--questions", type=int, default=200, help="of each set, that are re-ranked")
    given = parser.parse_args()
    Path(given.cache).parent.mkdir(parents=True, exist_ok=True)
    ask_retriever.configure(cache=given.cache)
    shared = shared_folder(given.shared, "ask-lecture").parent
    naive = of(shared, "baseline_retriever")
    naive.embed = ask_retriever.embed  # type: ignore[attr-defined]
    for name, sets in sets_of(shared):
        print_retrieval(name, sets, dict(ranked_by(naive)))
        if given.rerank:
            print_reranked([drawn(asked, given.questions, len(sets)) for asked in sets], given.rerank)
    for name, answered, others in silences(shared):
        print_silence(name, answered, others)


def sets_of(shared: Path) -> Iterator[tuple[str, list[Asked]]]:
    """Only the questions that are answered there."""
    for size, overlap in SIZES:
        yield f"syllabi {size}/{overlap}", [answered(asked) for asked in syllabi(shared, size, overlap)]
    for size, overlap in SIZES:
        yield f"syllabi's PDFs, our windows {size}/{overlap}", [answered(asked) for asked in own_windows(shared, size, overlap)]
    yield "StackFAQ, question and answer", list(helpdesk(shared, answers=True))
    yield "StackFAQ, question alone", list(helpdesk(shared, answers=False))
    yield "SQuAD 2, paragraphs of the article", [answered(asked) for asked in squad(shared)]


def answered(asked: Asked) -> Asked:
    return chosen(asked, [number for number, wanted in enumerate(asked.wanted) if wanted])


def chosen(asked: Asked, numbers: Sequence[int]) -> Asked:
    of_all = (asked.questions, asked.wanted, asked.kinds)
    questions, wanted, kinds = ([column[number] for number in numbers] for column in of_all)
    return replace(asked, questions=questions, wanted=wanted, kinds=kinds)


def drawn(asked: Asked, number: int, sets: int) -> Asked:
    share = min(len(asked.questions), -(-number // sets))
    return chosen(asked, random.Random(SEED).sample(range(len(asked.questions)), share))


def ranked_by(naive: object) -> Iterator[tuple[str, Ranked]]:
    for name, method in zip(NAIVE, ("dense", "bm25", "rrf"), strict=True):
        yield name, lambda asked, method=method: naive.retrieve(asked.texts, asked.questions, method)[0]  # type: ignore[attr-defined]
    for plan in PLANS:
        yield plan, lambda asked, plan=plan: ask_retriever.retrieve(asked.texts, asked.questions, plan)[0]


def print_retrieval(name: str, sets: Sequence[Asked], ways: dict[str, Ranked]) -> None:
    print(f"\n{name}: {sum(len(asked.questions) for asked in sets)} questions\n")
    print("| | hit@1 | hit@3 | hit@5 | Recall@3 | Recall@10 | nDCG@10 | MRR |\n" + "| --- " * 8 + "|")
    for way, rank in ways.items():
        print(row_of(way, [statistics_of(r, w) for asked in sets for r, w in zip(rank(asked), asked.wanted, strict=True)]))


def row_of(name: str, figures: Sequence[Sequence[float]]) -> str:
    return f"| {name} | " + " | ".join(f"{value:.3f}" for value in np.mean(figures, axis=0)) + " |"


def statistics_of(ranking: Sequence[int], wanted: frozenset[int]) -> list[float]:
    """hit@1, 3, 5: any of those wanted; Recall@3, 10: the share of them; nDCG@10 (Järvelin & Kekäläinen 2002); 1 / rank."""
    good = np.array([int(number) in wanted for number in ranking], float)
    first = int(np.argmax(good)) if good.any() else None
    discounts = 1 / np.log2(np.arange(10) + 2)
    ideal = discounts[: len(wanted)].sum()
    gain = float(good[:10] @ discounts[: len(good[:10])])
    hits = [float(good[:k].any()) for k in (1, 3, 5)]
    recalls = [float(good[:k].sum()) / len(wanted) for k in (3, 10)]
    return [*hits, *recalls, gain / ideal, 0.0 if first is None else 1 / (first + 1)]


def print_reranked(sets: Sequence[Asked], reranker: str) -> None:
    """Without and with, on the same questions."""
    rows: dict[str, list[list[float]]] = {}
    for asked in sets:
        looked = ask_retriever.look_up(asked.texts, asked.questions)
        for way, hits in (("hybrid", looked.hits), (f"hybrid + {reranker}", reranked(looked, reranker))):
            rankings = [[int(hit.record.id) for hit in its] for its in hits]
            rows.setdefault(way, []).extend(map(statistics_of, rankings, asked.wanted))
    for way, figures in rows.items():
        print(row_of(f"{way}, {len(figures)} drawn", figures), flush=True)


def reranked(looked: ask_retriever.LookedUp, name: str) -> list[list[Hit]]:
    plan = ask_retriever.HELPDESK if looked.entries else ask_retriever.DOCUMENT_QA
    reading = replace(plan, reranking=RERANKING[looked.entries], reranked=READ)
    judge = composition.reranker(name)
    text_of = lambda hit: looked.texts[int(hit.record.id)]  # noqa: E731
    return rerank(looked.queries.queries, looked.hits, reading, reranker=judge, text_of=text_of, deadline=math.inf)[0]


@dataclass(frozen=True)
class Scores:
    """Of questions: the cosine of the nearest, and the confidence."""

    cosine: np.ndarray
    confidence: np.ndarray


def silences(shared: Path) -> Iterator[tuple[str, Scores, dict[str, Scores]]]:
    for name, sets in (("syllabi 500/50", list(syllabi(shared))), ("SQuAD 2", list(squad(shared)))):
        of_kind = by_kind(sets)
        yield name, of_kind.pop("answered"), of_kind
    for view in (True, False):
        [whole] = helpdesk(shared, answers=view)
        others = by_kind([*helpdesk(shared, answers=view, removed=True), bank(whole, shared)])
        yield f"StackFAQ, {'question and answer' if view else 'question alone'}", by_kind([whole])["answered"], others


def bank(whole: Asked, shared: Path) -> Asked:
    questions = other_domain(shared)
    return replace(whole, questions=questions, wanted=[frozenset()] * len(questions), kinds=["other domain"] * len(questions))


def by_kind(sets: Sequence[Asked]) -> dict[str, Scores]:
    found: dict[str, list[tuple[float, float]]] = {}
    for asked in sets:
        looked = ask_retriever.look_up(asked.texts, asked.questions)
        for kind, signs, confidence in zip(asked.kinds, looked.signs(), looked.confidences(), strict=True):
            found.setdefault(kind, []).append((signs.cosine, confidence))
    return {kind: Scores(*np.array(scores).T) for kind, scores in found.items()}


def print_silence(name: str, answered: Scores, others: dict[str, Scores]) -> None:
    """In sample for the weights, which were fitted on these sets; ask_signs.py has the figures out of it."""
    for kind, scores in others.items():
        cosine, confidence = (auroc(getattr(answered, of), getattr(scores, of)) for of in ("cosine", "confidence"))
        print(f"| {name}: {kind} | {cosine:.3f} | {confidence:.3f} |", flush=True)


if __name__ == "__main__":
    main()
