"""From PDF to searchable, and embedding alone: the product against LlamaIndex, Haystack, sentence-transformers and bare parts.

    python -m scripts.bench.ingest [--books FILE or FOLDER]

Ratios are taken round by round, contestants in turn; times are per sentence of each one's own splitting. The peers embed with
the batch size that was best for them in a trial just before."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from chapterverse.infrastructure.embedding.local import BATCH_TOKENS
from scripts.bench.contest import Answer, Contestant, best_batch, contestants, per_sentence, ratio, rounds
from scripts.bench.corpus import BUILD, books_in, model_folders, sentences_of
from scripts.bench.report import settings, show, spread, verdict

SENTENCES, ROUNDS = 600, 3  # that are embedded, evenly taken from the books; of all contestants
SIZES = (16, 32, 64, 128)  # batch sizes that the peers try
PEERS = ("with_llama_index", "with_haystack", "sentence_transformers_alone")
GOALS = {  # of issue 3: ours against each; True: at least so many times faster, False: at most so many times as long
    ("ingest", "with_llama_index"): (4.0, True),
    ("ingest", "with_haystack"): (4.0, True),
    ("ingest", "bare_parts"): (1.25, False),
    ("embed", "sentence_transformers_alone"): (2.2, True),
    ("embed", "bare_parts"): (1.1, False),
}
PARSING = 0.2  # at most so much of the CPU seconds of embedding, likewise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--books", type=Path, default=Path("../shared/goldbooks/pdf/the-prince.pdf"))
    books = books_in(parser.parse_args().books)
    BUILD.mkdir(parents=True, exist_ok=True)
    texts = [text for book in books for text in sentences_of(book)]
    texts = texts[:: max(1, len(texts) // SENTENCES)]
    with contestants(("ours", "bare_parts", *PEERS), *model_folders()) as running:
        batches = {name: best_batch(running[name], texts[: SENTENCES // 2], SIZES) for name in PEERS}
        what = {"books": [book.stem for book in books], "sentences": len(texts), "batches": batches}
        what = settings(**what, rounds=ROUNDS, batch_tokens=BATCH_TOKENS)
        embed(running, texts, batches, what)
        ingest(running, books, batches, what)


def embed(running: Mapping[str, Contestant], texts: list[str], batches: Mapping[str, int], what: Mapping[str, Any]) -> None:
    requests = {name: {"texts": texts, "batch": batches.get(name)} for name in running}
    show("embedding", rows("embed", rounds(running, what["rounds"], requests)), what)


def ingest(running: Mapping[str, Contestant], books: list[Path], batches: Mapping[str, int], what: Mapping[str, Any]) -> None:
    readers = {name: one for name, one in running.items() if name != "sentence_transformers_alone"}
    requests = {name: {"books": list(map(str, books)), "batch": batches.get(name)} for name in readers}
    answers = rounds(readers, what["rounds"], requests)
    show("ingest", [*rows("ingest", answers), parsing(answers["ours"])], what)


def rows(job: str, answers: Mapping[str, Sequence[Answer]]) -> list[dict[str, Any]]:
    """A row a contestant: milliseconds a sentence (lowest, median, highest round), and how it compares with ours."""
    return [row(job, name, answers) for name in sorted(answers, key=lambda name: name != "ours")]


def row(job: str, name: str, answers: Mapping[str, Sequence[Answer]]) -> dict[str, Any]:
    goal = GOALS.get((job, name))
    pair = (name, "ours") if goal and goal[1] else ("ours", name)
    return {
        job: name,
        "wall_ms": spread([per_sentence(answer) for answer in answers[name]]),
        "cpu_ms": spread([per_sentence(answer, "cpu") for answer in answers[name]]),
        "mib": max(answer["mib"] for answer in answers[name]),
        "compared": " / ".join(pair) if goal else "",
        "wall_ratio": ratio(answers, *pair) if goal else "",
        "cpu_ratio": ratio(answers, *pair, "cpu") if goal else "",
        "goal": verdict(ratio(answers, *pair)[1], *goal) if goal else "",
    }


def parsing(answers: Sequence[Answer]) -> dict[str, Any]:
    """The CPU seconds of parsing against those of embedding the same book."""
    shares = sorted(answer["stages"]["parsing"] / answer["stages"]["embedding"] for answer in answers)
    first = dict.fromkeys(("wall_ms", "cpu_ms", "mib", "wall_ratio"), "")
    found = {"compared": "parsing / embedding", "cpu_ratio": spread(shares), "goal": verdict(median(shares), PARSING, False)}
    return {"ingest": "ours", **first, **found}


if __name__ == "__main__":
    main()
