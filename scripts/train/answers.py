"""Train the reader of answers (infrastructure/llm/readers.py) and write it as package data.

    .venv/bin/python -m scripts.train.found_passages FILE             # what the product finds for each question
    build/torch-venv/bin/python -m scripts.train.answers --found FILE --to FOLDER [--epochs 3]
    build/torch-venv/bin/python -m scripts.train.answers --found FILE --from FOLDER [--from FOLDER …]

Learns from data/answers (data/README.md): questions to documents and to FAQ lists, and where the answer stands, if anywhere.
Each question is searched as the product searches; of what it finds, one passage that answers and three or four others are read
in each epoch. All sentences of these compete with "none of them" (a softmax whose last logit is 0), as in Devlin et al. 2019
for SQuAD 2. It begins with the weights of the reader of pairs (assets/reader). About every fifth document is held out: on these
the chances are calibrated (Platt 1999), and the card has the figures. Of several trainings the mean of the weights is
exported (Wortsman et al. 2022)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Annotated, Any

import numpy as np
import onnx
import torch
import typer
from numpy.typing import NDArray
from onnx.numpy_helper import to_array
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from torch import Tensor

from chapterverse.infrastructure.embedding.bert_onnx import BertGraph, states_of
from chapterverse.infrastructure.embedding.local import open_tokenizer
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.infrastructure.llm import readers
from chapterverse.infrastructure.llm.readers import (
    ANSWER_READER,
    AnswerReader,
    Window,
    windows,
)
from evaluations.measures import auroc
from scripts.train.corpus import MODEL
from scripts.train.examples import SEED
from scripts.train.export import fitted_line
from scripts.train.found_passages import FoundPassage, FoundQuestion, read_found
from scripts.train.sentence_network import Network, arrays, fit, padded, write_reader

NAME = "answer_reader"
RATE, DROPOUT, AT_FIRST = 1.5e-4, 0.1, -2.0  # AT_FIRST: the log-odds of each sentence before training
QUESTIONS = 8  # of a batch
OTHERS = 3  # passages without the answer that are read with one that has it; one more where none has it
NEARER = 1.7  # power of a uniform number: those found first are drawn more often
MARK, IN_SMALL = 1_000, 0.2  # the first number that stands for a weight; share of the questions that are read in small letters
Numbers = NDArray[np.float64]
half_precision = partial(torch.autocast, "cpu", dtype=torch.bfloat16, enabled=torch.cpu._is_avx512_bf16_supported())


@dataclass(frozen=True)
class Row:
    """A passage to read. right: (n,), 1 for each sentence that answers, 0 for the heading, which comes first."""

    window: Window
    right: NDArray[np.float32]


def row_of(question: str, passage: FoundPassage, tokenizer: Tokenizer) -> Row:
    """The first window of the passage."""
    window = next(iter(windows(tokenizer, question, passage.paragraphs)))
    return Row(window, np.array([0, *passage.right], np.float32)[: len(window.spans)])


def train(found: Sequence[FoundQuestion], to: Path, epochs: int) -> None:
    """Train on the questions that are not held out, and store the weights."""
    torch.manual_seed(SEED)
    random, files = Random(SEED), find_model(MODEL)
    tokenizer = open_tokenizer(files.folder, MODEL)
    ours, held = ([one for one in found if one.is_held_out is side] for side in (False, True))
    model = Network(files.folder, np.array([AT_FIRST], np.float32), DROPOUT)
    found_layers = model.bert.load_state_dict(weights_of_reader(), strict=False)
    assert not found_layers.unexpected_keys
    assert not [name for name in found_layers.missing_keys if name.startswith("encoder")]
    to.mkdir(parents=True, exist_ok=True)
    for _ in fit(model, RATE, epochs, lambda: list(_batches(ours, tokenizer, random)), partial(_loss, model)):
        torch.save(model.state_dict(), to / "last.pt")
        print(f"  {figures(held, [_odds(model, one, tokenizer) for one in held])}", flush=True)


def weights_of_reader() -> dict[str, Tensor]:
    """The encoder layers of assets/reader, from 8 bits. A graph of the same form with marks for weights tells their names."""
    files = find_model(MODEL)
    whole = load_file(files.weights)
    names = dict(enumerate(sorted(whole), MARK))
    graph = BertGraph(weights={name: np.full(whole[name].shape, mark, np.float32) for mark, name in names.items()})
    states_of(graph, files.config, "token_type_ids")
    stored = {one.name: to_array(one) for one in onnx.load(readers.READER / readers.GRAPH).graph.initializer}
    found: dict[str, Tensor] = {}
    for constant in map(onnx.TensorProto.FromString, graph.constants):
        name = names.get(int(to_array(constant).flat[0])) if to_array(constant).size else None
        if name and name.startswith("encoder"):
            value = stored[constant.name] if constant.name in stored else _of_8_bits(stored, constant.name)
            found[name] = torch.from_numpy(np.ascontiguousarray(value.T))
    return found


def _of_8_bits(stored: Mapping[str, NDArray[Any]], name: str) -> NDArray[np.float32]:
    whole, zero, scale = (stored[f"{name}_{part}"].astype(np.float32) for part in ("quantized", "zero_point", "scale"))
    return (whole - zero) * scale


def _batches(questions: Sequence[FoundQuestion], tokenizer: Tokenizer, random: Random) -> Iterator[list[list[Row]]]:
    """The passages of each question, in random order, those of a batch about as long."""
    rows = list[list[Row]]()
    for one in questions:
        right = [passage for passage in one.passages if any(passage.right)]
        if one.is_answered and not right:
            continue  # not found
        read, others = random.sample(right, min(len(right), 1)), [each for each in one.passages if not any(each.right)]
        for _ in range(min(OTHERS + (not right), len(others))):
            read.append(others.pop(int(random.random() ** NEARER * len(others))))
        question = one.question.lower() if random.random() < IN_SMALL else one.question
        rows.append([row_of(question, passage, tokenizer) for passage in read])
    rows.sort(key=lambda its: max(len(row.window.ids) for row in its) * random.uniform(0.8, 1.2))
    found = [rows[start : start + QUESTIONS] for start in range(0, len(rows), QUESTIONS)]
    random.shuffle(found)
    yield from found


def _loss(model: Network, batch: Sequence[Sequence[Row]]) -> Tensor:
    """The cross-entropy of the sentences that answer, or of none, mean over the questions."""
    flat = [row for its in batch for row in its]
    with half_precision():
        odds = model(*padded([row.window for row in flat]))
    found, place = list[Tensor](), 0
    for its in batch:
        scores = torch.cat([odds[place + at, 1 : len(row.right), 0].float() for at, row in enumerate(its)])
        right = torch.from_numpy(np.concatenate([row.right[1:] for row in its])) == 1
        found.append(torch.logsumexp(torch.cat([scores, torch.zeros(1)]), 0))
        if right.any():
            found.append(-torch.logsumexp(scores[right], 0))
        place += len(its)
    return torch.stack(found).sum() / len(batch)


def _odds(model: Network, one: FoundQuestion, tokenizer: Tokenizer) -> list[Numbers]:
    """The log-odds of each sentence of each passage."""
    model.eval()
    rows = [row_of(one.question, passage, tokenizer) for passage in one.passages]
    with torch.no_grad(), half_precision():
        odds = model(*padded([row.window for row in rows])).float().numpy()[:, :, 0]
    return [odds[at, 1 : len(row.right)].astype(np.float64) for at, row in enumerate(rows)]


def right_of(one: FoundQuestion, odds: Sequence[Numbers]) -> NDArray[np.bool_]:
    """Whether each sentence that was read answers, passage by passage. odds: of each passage, as far as it was read."""
    return np.concatenate([np.array(each.right[: len(its)], bool) for each, its in zip(one.passages, odds, strict=True)])


def figures(found: Sequence[FoundQuestion], odds: Sequence[Sequence[Numbers]]) -> dict[str, float]:
    """For documents and for FAQ lists: how often the best sentence answers, and the area under the ROC curve of its log-odds,
    questions with an answer against those without."""
    shown: dict[str, float] = {}
    for kind, its in groupby(sorted(zip(found, odds, strict=True), key=lambda one: one[0].kind), key=lambda one: one[0].kind):
        best = [(one.is_answered, *max(zip(np.concatenate(each), right_of(one, each), strict=True))) for one, each in its]
        first = [right for is_answered, _, right in best if is_answered]
        sides = [np.array([score for is_answered, score, _ in best if is_answered is side]) for side in (True, False)]
        shown |= {f"{kind}, first right": round(float(np.mean(first)), 3), f"{kind}, AUROC": round(auroc(*sides), 3)}
    return shown


def export(found: Sequence[FoundQuestion], trained: Sequence[Path], to: Path) -> None:
    """Write the trained reader, the mean of several trainings, calibrated on the questions held out."""
    held = [one for one in found if one.is_held_out]
    states = [torch.load(folder / "last.pt", weights_only=True, map_location="cpu") for folder in trained]
    weights = arrays({name: torch.stack([state[name].float() for state in states]).mean(0) for name in states[0]})
    write_reader(NAME, to, weights, [(1.0, 0.0)])
    reader = AnswerReader(to, NAME)
    odds = [
        [np.array(its[1:]) for its in reader.log_odds(one.question, [each.paragraphs for each in one.passages])] for one in held
    ]
    right = np.concatenate([right_of(one, its) for one, its in zip(held, odds, strict=True)])
    line = fitted_line(np.concatenate([np.concatenate(its) for its in odds]), right)
    write_reader(NAME, to, weights, [line])
    card = {
        "questions": len(found) - len(held),
        "held out": len(held),
        "figures": figures(held, odds),
        "calibration": {"answers": line},
    }
    (to / "card.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    print(json.dumps(card["figures"]))


def main(
    found: Annotated[Path, typer.Option(help="what the product finds for each question, one line each")],
    to: Path | None = None,
    trained: Annotated[list[Path], typer.Option("--from", help="folders of trained weights")] = [],  # noqa: B006
    epochs: int = 3,
) -> None:
    """Export the mean of the weights in --from, or train to --to."""
    questions = list(read_found(found))
    if trained:
        export(questions, trained, to or ANSWER_READER)
    elif to:
        train(questions, to, epochs)


if __name__ == "__main__":
    typer.run(main)
