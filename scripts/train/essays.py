"""Train the reader of essays (infrastructure/llm/readers.py) and write it as package data.

    build/torch-venv/bin/python -m scripts.train.essays --to FOLDER [--epochs 5]   # train; figures on essays held out
    build/torch-venv/bin/python -m scripts.train.essays --from FOLDER     # write src/chapterverse/assets/essay_reader

Learns from data/essays.txt and data/marks.jsonl (data/README.md). It begins with the embedding model's weights and a head on
the mean state of each sentence's tokens; the loss is the binary cross-entropy of each sign. In half of the essays of an epoch
the task is left out, as many have none. About every fifth essay is held out: on these the chances are calibrated by logistic
regression on one number (Platt 1999), and the card of the exported reader has the figures."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated, Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from chapterverse.core.ports import Signs
from chapterverse.infrastructure.embedding.local import open_tokenizer
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.infrastructure.llm.readers import (
    ESSAY_READER,
    EssayReader,
    Window,
    windows,
)
from evaluations.measures import auroc
from scripts.train.corpus import MODEL
from scripts.train.examples import DATA, SEED
from scripts.train.export import fitted_line
from scripts.train.sentence_network import Network, arrays, fit, padded, write_reader

CODES = "DSAw"  # in the order of the fields of Signs; w: works
LEARNED_TOO = "ERVFfOCP"  # marks that only help to learn the others; f: first
HEADS = len(fields(Signs)) + len(LEARNED_TOO)
RATE, DROPOUT = 1.2e-4, 0.2
NAME = "essay_reader"
WINDOWS = 6  # of a batch
WITHOUT_TASK = 0.5
HELD_OUT = 5  # one in so many essays, by the letters of its name
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Marked:
    """An essay with its marks. marks: (n, HEADS), 1 where a sentence has the mark."""

    id: str
    task: str
    paragraphs: list[list[str]]
    marks: NDArray[np.float32]

    @property
    def is_held_out(self) -> bool:
        return sum(self.id.encode()) % HELD_OUT == 0


def marked_essays(data: Path) -> Iterator[Marked]:
    """The essays of data/essays.txt that data/marks.jsonl has marks for."""
    rows = {row["id"]: row for row in map(json.loads, (data / "marks.jsonl").read_text("utf-8").splitlines())}
    for block in (data / "essays.txt").read_text("utf-8").removeprefix("=== ").split("\n=== "):
        head, _, text = block.strip().partition("\n")
        id, *_, task = (part.strip() for part in head.split("|"))
        paragraphs = [part.split("\n") for part in text.split("\n\n")]
        if id in rows:
            yield Marked(id, task, paragraphs, _marks(rows[id], sum(map(len, paragraphs))))


def _marks(row: Mapping[str, Any], sentences: int) -> NDArray[np.float32]:
    """(n, HEADS), from the marks of an essay; its sentences are numbered from 1."""
    found, codes = np.zeros((sentences, HEADS), np.float32), CODES + LEARNED_TOO
    for number, code in (
        row["first"] + row["right"] + [[one, "w"] for one in row["good"]] + [[one, "f"] for one, _ in row["first"]]
    ):
        found[number - 1, codes.index(code)] = 1
    return found


def train(essays: Sequence[Marked], to: Path, epochs: int) -> None:
    """Train on the essays that are not held out, and store the weights."""
    torch.manual_seed(SEED)
    random, folder, device = Random(SEED), find_model(MODEL).folder, "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = open_tokenizer(folder, MODEL)
    ours, held = ([one for one in essays if one.is_held_out is side] for side in (False, True))
    shares = np.concatenate([one.marks for one in ours]).mean(axis=0)  # how often sentences have each mark
    model = Network(folder, np.log(shares / (1 - shares) + 1e-4), DROPOUT).to(device)
    batches, loss = partial(_batches, ours, tokenizer, random), partial(_loss, model, device)
    for _ in fit(model, RATE, epochs, lambda: list(batches()), loss):
        print(f"  {figures(_log_odds(model, held, tokenizer, device), held)}", flush=True)
    to.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), to / "last.pt")


def _batches(essays: Sequence[Marked], tokenizer: Tokenizer, random: Random) -> Iterator[list[tuple[Marked, Window]]]:
    """The windows of the essays in random order, those of a batch about as long."""
    rows = [
        (one, window)
        for one in essays
        for window in windows(tokenizer, "" if random.random() < WITHOUT_TASK else one.task, one.paragraphs)
    ]
    rows.sort(key=lambda row: len(row[1].ids) * random.uniform(0.8, 1.2))
    found = [rows[start : start + WINDOWS] for start in range(0, len(rows), WINDOWS)]
    random.shuffle(found)
    yield from found


def _loss(model: Network, device: str, batch: Sequence[tuple[Marked, Window]]) -> Tensor:
    """The cross-entropy of all signs of a sentence, mean over the sentences of the batch."""
    odds = model(*(one.to(device) for one in padded([window for _, window in batch])))
    wanted, weight = torch.zeros(odds.shape), torch.zeros(odds.shape[:2])
    for row, (one, window) in enumerate(batch):
        count = len(window.spans)
        wanted[row, :count] = torch.from_numpy(one.marks[window.first : window.first + count])
        weight[row, :count] = 1
    wanted, weight = wanted.to(device), weight.to(device)
    loss = functional.binary_cross_entropy_with_logits(odds, wanted, reduction="none").sum(-1)
    total: Tensor = (loss * weight).sum() / weight.sum()
    return total


def _log_odds(model: Network, essays: Sequence[Marked], tokenizer: Tokenizer, device: str) -> list[Numbers]:
    """(n, HEADS) of each essay, read without its task."""
    model.eval()
    found = list[Numbers]()
    with torch.no_grad():
        for one in essays:
            its = np.zeros(one.marks.shape)
            for window in windows(tokenizer, "", one.paragraphs):
                odds = model(*(part.to(device) for part in padded([window])))[0].cpu().numpy()
                in_essay, here = window.places
                its[in_essay] = odds[here]
            found.append(its)
    return found


def figures(odds: Sequence[Numbers], essays: Sequence[Marked]) -> dict[str, float]:
    """The area under the ROC curve of each sign, over all sentences."""
    every, marks = np.concatenate(odds), np.concatenate([one.marks for one in essays])
    return {
        one.name: round(auroc(every[marks[:, at] == 1, at], every[marks[:, at] == 0, at]), 3)
        for at, one in enumerate(fields(Signs))
        if 0 < marks[:, at].sum() < len(marks)
    }


def export(essays: Sequence[Marked], trained: Path, to: Path) -> None:
    """Write the trained reader, calibrated on the essays held out."""
    held = [one for one in essays if one.is_held_out]
    weights = arrays(torch.load(trained / "last.pt", weights_only=True, map_location="cpu"))
    names = [one.name for one in fields(Signs)]
    write_reader(NAME, to, weights, [(1.0, 0.0)] * len(names))
    odds, marks = [_odds_of(to, one) for one in held], np.concatenate([one.marks for one in held])
    every = np.concatenate(odds)
    lines = [fitted_line(every[:, at], marks[:, at] == 1) for at in range(len(names))]
    write_reader(NAME, to, weights, lines)
    card = {
        "essays": len(essays) - len(held),
        "held out": len(held),
        "figures": figures(odds, held),
        "calibration": dict(zip(names, lines, strict=True)),
    }
    (to / "card.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    print(json.dumps(card["figures"]))


def _odds_of(folder: Path, essay: Marked) -> Numbers:
    """(n, fields of Signs), by the exported reader."""
    signs = [one for its in EssayReader(folder, NAME).signs("", essay.paragraphs) for one in its if one]
    chances = np.array([[getattr(one, field.name) for field in fields(Signs)] for one in signs]).clip(1e-6, 1 - 1e-6)
    return np.asarray(np.log(chances / (1 - chances)), np.float64)


def main(to: Path | None = None, trained: Annotated[Path | None, typer.Option("--from")] = None, epochs: int = 5) -> None:
    """Export the weights in --from, or train to --to."""
    essays = list(marked_essays(DATA))
    if trained:
        export(essays, trained, to or ESSAY_READER)
    elif to:
        train(essays, to, epochs)


if __name__ == "__main__":
    typer.run(main)
