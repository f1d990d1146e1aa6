"""How should a text longer than the model's window become one vector? Compares ways on real paragraphs of 400-600 words.

    python -m scripts.eval.long_text [FOLDER of *.gold.jsonl.gz]

A paragraph as query (an essay's paragraph): share of its own sentences among the nearest m, m = how many it has, for those of
its first, middle and last third; the pool holds the sentences of all paragraphs here and 1,500 others. A paragraph as
passage: each paragraph's last sentence as query; share of paragraphs found first, and mean reciprocal rank."""

import gzip
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import gettempdir

import numpy as np

from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.local import WindowedModel
from chapterverse.infrastructure.embedding.onnx import OnnxEmbedder
from chapterverse.infrastructure.embedding.windows import unit

GOLD = Path("../shared/goldbooks/pdf")
PARAGRAPHS, OTHERS, WORDS = 80, 1500, range(400, 601)

Paragraph = list[str]  # its sentences
Way = Callable[[WindowedModel, list[Paragraph]], Vectors]


def main() -> None:
    gold = Path(sys.argv[1]) if len(sys.argv) > 1 else GOLD
    files = sorted(gold.glob("*.gold.jsonl.gz"))
    if not files:
        sys.exit(f"skipped: no *.gold.jsonl.gz in {gold}; name the folder that holds them")
    every = list(chain.from_iterable(map(paragraphs_of, files)))
    chance = random.Random(1)
    long = chance.sample([p for p in every if len(" ".join(p).split()) in WORDS], PARAGRAPHS)
    others = chance.sample([sentence for p in every if p not in long for sentence in p], OTHERS)
    model = OnnxEmbedder("all-MiniLM-L6-v2", Path(gettempdir()) / "chapterverse-eval").windowed
    report(model, long, others)


def paragraphs_of(file: Path) -> Iterator[Paragraph]:
    found: dict[tuple[str, str, int], Paragraph] = defaultdict(list)
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            found[record["chapter_number"], record["chapter"], record["paragraph"]].append(record["text"])
    yield from found.values()


def report(model: WindowedModel, long: list[Paragraph], others: list[str]) -> None:
    sentences = model.embed([*chain.from_iterable(long), *others])
    print(f"{len(long)} paragraphs, {len(sentences)} sentences")
    print(f"{'way':44} own sentences: first middle last   all | passage: found 1st   MRR")
    report_best_window(model, sentences, long)
    for name, way in WAYS.items():
        vectors = way(model, long)
        thirds, everything = own_sentences_found(vectors, sentences, long)
        first, reciprocal = paragraph_found(vectors, sentences, long)
        print(f"{name:44} {'':14} {thirds[0]:.3f}  {thirds[1]:.3f} {thirds[2]:.3f} {everything:.3f} |"
              f" {'':8} {first:.3f} {reciprocal:.3f}", flush=True)  # fmt: skip


def own_sentences_found(vectors: Vectors, sentences: Vectors, long: list[Paragraph]) -> tuple[list[float], float]:
    thirds: list[list[bool]] = [[], [], []]
    begin = 0
    for vector, paragraph in zip(vectors, long, strict=True):
        count = len(paragraph)
        nearest = set(np.argsort(-(sentences @ vector))[:count].tolist())
        for i in range(count):
            thirds[3 * i // count].append(begin + i in nearest)
        begin += count
    return [float(np.mean(third)) for third in thirds], float(np.mean(list(chain(*thirds))))


def paragraph_found(vectors: Vectors, sentences: Vectors, long: list[Paragraph]) -> tuple[float, float]:
    lasts = sentences[np.cumsum([len(p) for p in long]) - 1]
    return found(lasts @ vectors.T)


def found(scores: Vectors) -> tuple[float, float]:
    ranks = 1 + (scores > np.diag(scores)[:, None]).sum(axis=1)
    return float((ranks == 1).mean()), float((1 / ranks).mean())


def windows(size: int, overlap: float) -> Way:
    return lambda model, long: replace(model, window=size, overlap=overlap).embed([" ".join(p) for p in long])


def cut(size: int) -> Way:
    def way(model: WindowedModel, long: list[Paragraph]) -> Vectors:
        texts = [" ".join(p) for p in long]
        ends = [code.offsets[: size - 2][-1][1] for code in model.tokenizer.encode_batch(texts, add_special_tokens=False)]
        return model.embed([text[:end] for text, end in zip(texts, ends, strict=True)])

    return way


def full_then_stump(weighted: bool) -> Way:
    """Full windows from the start and what is left over, each weighing the same or by its tokens."""

    def way(model: WindowedModel, long: list[Paragraph]) -> Vectors:
        return np.concatenate([pooled(*vectors_and_tokens(model, paragraph)) for paragraph in long])

    def pooled(vectors: Vectors, tokens: list[int]) -> Vectors:
        return unit(np.average(vectors, axis=0, weights=tokens if weighted else None)[None, :])

    return way


def vectors_and_tokens(model: WindowedModel, paragraph: Paragraph) -> tuple[Vectors, list[int]]:
    text, room = " ".join(paragraph), model.window - 2
    offsets = model.tokenizer.encode(text, add_special_tokens=False).offsets
    parts = [offsets[i : i + room] for i in range(0, len(offsets), room)]
    return model.embed([text[part[0][0] : part[-1][1]] for part in parts]), [len(part) for part in parts]


def report_best_window(model: WindowedModel, sentences: Vectors, long: list[Paragraph]) -> None:
    """For comparison: several vectors a text and the best of them counts. The port gives one."""
    lasts = sentences[np.cumsum([len(p) for p in long]) - 1]
    scores = np.stack([(lasts @ vectors_and_tokens(model, p)[0].T).max(axis=1) for p in long], axis=1)
    first, reciprocal = found(scores)
    print(f"{'(256, best window instead of one vector)':44} {'':42} | {'':8} {first:.3f} {reciprocal:.3f}")


def mean_of_sentences(model: WindowedModel, long: list[Paragraph]) -> Vectors:
    return unit(np.array([model.embed(p).mean(axis=0) for p in long]))


WAYS: dict[str, Way] = {
    "cut at 128 tokens (the bundled tokenizer)": cut(128),
    "cut at 256 tokens": cut(256),
    "512 positions at once, beyond its training": windows(512, 0.25),
    "256, full windows and a stump, plain mean": full_then_stump(weighted=False),
    "256, full windows and a stump, by tokens": full_then_stump(weighted=True),
    "256, equal windows, overlap 0": windows(256, 0),
    "256, equal windows, overlap 1/8": windows(256, 0.125),
    "256, equal windows, overlap 1/4": windows(256, 0.25),
    "128, equal windows, overlap 1/8": windows(128, 0.125),
    "64, equal windows, overlap 1/8": windows(64, 0.125),
    "mean of its sentences": mean_of_sentences,
}

if __name__ == "__main__":
    main()
