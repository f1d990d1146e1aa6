"""From which confidence on a textbook and a help desk answer where a school has measured nothing: search/plan.py.

    PYTHONPATH=src python -m scripts.eval.ask_default_threshold [SHARED] [--cache FILE]

SQuAD 2's sixteen articles are two books of eight, cut as the product cuts them. Each is asked people's questions that it
answers, such as it only seems to answer, those to the other book, and a bank's. The threshold is chosen on one book, the
lowest step at which 95 of 100 questions on something else are met with silence, and tried on the other. right: of those
answered, the share that has the answer's sentence in a chunk shown.

Entries: StackFAQ's in desks of twelve, with people's questions to each and to the other desks, and of all 125 at once, where
"elsewhere" is a question whose entry is taken away; right: the entry that is first."""

import gzip
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from bookreader.source import read_source
from chapterverse.core.book import BookId
from chapterverse.core.hits import Query, QueryKind
from chapterverse.library.text.chunking import passages, sections
from chapterverse.search.plan import DEFAULT_THRESHOLDS, HELPDESK, TEXTBOOK_CHAT, EmbeddedQueries, RetrievalPlan
from chapterverse.search.words import hybrid_candidates
from scripts.eval import ask_retriever
from scripts.eval.ask_arguments import read_arguments
from scripts.eval.ask_sets import SEED, Asked, helpdesk, other_domain, words_of

KINDS = ("answered", "seems", "elsewhere", "bank")
OTHERS = ("elsewhere", "bank")
EACH, BANK = 50, 150  # questions of an article, of the bank
PARAGRAPHS = 4  # under one heading
SILENT = 0.95
STEPS = np.arange(0.2, 0.81, 0.05)
SEEDS = {"section": 0.7, "passage": 0.65}
KEPT = {"section": 5, "passage": 7}
DESK, MODEL = 12, "all-MiniLM-L6-v2"


@dataclass(frozen=True)
class Told:
    """Of one question: cosine of the nearest chunk, confidence, whether a chunk shown has the answer's sentence."""

    kind: str
    cosine: float
    confidence: float
    right: bool


def main() -> None:
    shared = read_arguments(__doc__, "data")
    halves, bank = articles(shared), other_domain(shared, BANK)
    print("| | from | answered: shown | right | seems: silent | elsewhere: silent | bank: silent |\n" + "| --- " * 7 + "|")
    for name, plan in (("section", TEXTBOOK_CHAT), ("passage", HELPDESK)):
        told = [asked_of(name, plan, halves[n], halves[1 - n], bank) for n in (0, 1)]
        for number, its in enumerate(told):
            show(f"{name}s, book {number + 1}, cosine of the seed", SEEDS[name], its, lambda one: one.cosine)
            show(f"{name}s, book {number + 1}, chosen on the other", chosen_on(told[1 - number]), its, either(SEEDS[name]))
        show(f"{name}s, both, chosen on both", chosen_on([*told[0], *told[1]]), [*told[0], *told[1]], either(SEEDS[name]))
    desks = [*small_desks(shared), *chosen_desks(shared)]
    for name in dict.fromkeys(desk.name for desk in desks):
        its = [one for desk in desks if desk.name == name for one in asked_of_desk(desk, bank)]
        show(f"{name}, cosine of the seed", SEEDS["passage"], its, lambda one: one.cosine)
        show(name, DEFAULT_THRESHOLDS[MODEL].confidence, its, either(SEEDS["passage"]))


def small_desks(shared: Path) -> Iterator[Asked]:
    """Each with its own questions, and as many to the others."""
    [whole] = helpdesk(shared, answers=True)
    draw = random.Random(SEED)
    entries = draw.sample(range(len(whole.texts)), len(whole.texts))
    for start in range(0, len(entries) - DESK, DESK):
        place = {entry: at for at, entry in enumerate(entries[start : start + DESK])}
        pairs = [(q, frozenset(place[e] for e in w if e in place)) for q, w in zip(whole.questions, whole.wanted, strict=True)]
        own = [pair for pair in pairs if pair[1]]
        cases = own + draw.sample([pair for pair in pairs if not pair[1]], min(len(own), len(pairs) - len(own)))
        kinds = ["answered" if wanted else "elsewhere" for _, wanted in cases]
        yield Asked("desks of 12", [whole.texts[e] for e in place], [q for q, _ in cases], [w for _, w in cases], kinds)


def chosen_desks(shared: Path) -> Iterator[Asked]:
    for removed in (False, True):
        for desk in helpdesk(shared, answers=True, removed=removed):
            yield replace(desk, name="desk of 125", kinds=["elsewhere" if removed else "answered"] * len(desk.questions))


def asked_of_desk(desk: Asked, bank: Sequence[str]) -> Iterator[Told]:
    looked = ask_retriever.look_up(desk.texts, [*desk.questions, *bank])
    kinds, wanted = [*desk.kinds, *("bank" for _ in bank)], [*desk.wanted, *(frozenset[int]() for _ in bank)]
    signs = zip(kinds, wanted, looked.signs(), looked.confidences(), looked.hits, strict=True)
    for kind, its, sign, confidence, hits in signs:
        yield Told(kind, sign.cosine, confidence, int(hits[0].record.id) in its)


def articles(shared: Path) -> list[list[dict]]:
    """In two halves."""
    with gzip.open(shared / "data/qa/squad2-dev-half/dev-v2.0.json.gz") as file:
        data = json.load(file)["data"]
    random.Random(SEED).shuffle(data)
    return [data[: len(data) // 2], data[len(data) // 2 :]]


def asked_of(name: str, plan: RetrievalPlan, its: list[dict], others: list[dict], bank: Sequence[str]) -> list[Told]:
    texts = cut(name, its)
    own = [(question, answer, "answered" if answer else "seems") for question, answer in questions_on(its)]
    elsewhere = [(question, "", "elsewhere") for question, answer in questions_on(others) if answer]
    cases = [*own, *elsewhere, *((question, "", "bank") for question in bank)]
    looked = look_up(texts, [question for question, _, _ in cases], plan)
    plain, kept = [" ".join(words_of(text)) for text in texts], KEPT[name]
    return [
        Told(kind, signs.cosine, confidence, bool(answer) and any(answer in plain[int(h.record.id)] for h in hits[:kept]))
        for (_, answer, kind), signs, confidence, hits in zip(
            cases, looked.signs(), looked.confidences(), looked.hits, strict=True
        )
    ]


def cut(name: str, its: list[dict]) -> list[str]:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as folder:
        for number, article in enumerate(its):
            folder.writestr(f"{number:02}.md", f"# {article['title'].replace('_', ' ')}\n\n" + "\n\n".join(parts_of(article)))
    chunker = {"section": sections, "passage": passages}[name](ask_retriever._embedder().count_tokens)
    return [chunk.text for chunk in chunker(read_source(buffer.getvalue(), BookId("squad")))]


def parts_of(article: dict) -> Iterator[str]:
    for number, paragraph in enumerate(article["paragraphs"]):
        if number % PARAGRAPHS == 0:
            yield f"## Part {number // PARAGRAPHS + 1}"
        yield " ".join(paragraph["context"].split())


def questions_on(its: list[dict]) -> Iterator[tuple[str, str]]:
    """Each with the words of the sentence that answers it, none where none does."""
    draw = random.Random(SEED)
    for article in its:
        cases = [(asked, paragraph["context"]) for paragraph in article["paragraphs"] for asked in paragraph["qas"]]
        for asked, context in draw.sample(cases, min(EACH, len(cases))):
            if asked["is_impossible"]:
                yield asked["question"], ""
            elif sentence := sentence_at(context, asked["answers"][0]["answer_start"]):
                yield asked["question"], " ".join(words_of(sentence))


def sentence_at(text: str, place: int) -> str:
    return next((s for s in ask_retriever.sentences_of(text) if text.find(s) <= place < text.find(s) + len(s)), "")


def look_up(texts: list[str], questions: list[str], plan: RetrievalPlan) -> ask_retriever.LookedUp:
    """As ask_retriever does, but a help desk's documents are texts."""
    index, words = ask_retriever.index_of(tuple(texts))
    queries = tuple(Query(question, QueryKind.QUESTION, n) for n, question in enumerate(questions))
    asked = EmbeddedQueries(queries, ask_retriever.embed(questions))
    plan = replace(plan, candidates_per_query=len(texts))
    hits = hybrid_candidates(asked, ask_retriever.PARTITION, ask_retriever.VERSIONS, plan, index, words=words)  # type: ignore[arg-type]
    return ask_retriever.LookedUp(texts, asked, hits, words, entries=False)


def either(seed: float) -> Callable[[Told], float]:
    """The confidence; a chunk above the specification's cosine is always answered (questions/judging.py)."""
    return lambda one: 1.0 if one.cosine >= seed else one.confidence


def chosen_on(told: Sequence[Told]) -> float:
    """The lowest step with silence enough for each kind of question on something else."""
    return float(next(s for s in STEPS if all(silent(told, kind, s) >= SILENT for kind in OTHERS)))


def silent(told: Sequence[Told], kind: str, least: float) -> float:
    return float(np.mean([one.confidence < least for one in told if one.kind == kind]))


def show(name: str, least: float, told: Sequence[Told], score: Callable[[Told], float]) -> None:
    shown = {kind: np.mean([score(one) >= least for one in told if one.kind == kind] or [np.nan]) for kind in KINDS}
    right = np.mean([one.right for one in told if one.kind == "answered" and score(one) >= least])
    figures = (shown["answered"], right, *(1 - shown[kind] for kind in KINDS[1:]))
    print(f"| {name} | {least:.2f} " + "".join(f"| {figure:.3f} " for figure in figures) + "|", flush=True)


if __name__ == "__main__":
    main()
