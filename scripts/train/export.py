"""Write the trained reader as package data: src/chapterverse/assets/reader (graph in int8, tokenizer, card with its figures).

    build/torch-venv/bin/python -m scripts.train.export --corpus FOLDER --from FOLDER --held SHELF

The graph ends in probabilities, calibrated on the held-out shelves by logistic regression on one number (Platt 1999)."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic

from chapterverse.infrastructure.embedding.bert_onnx import FLOAT, INT64, IR_VERSION, OPSET, BertGraph, states_of, tensor_info
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.infrastructure.llm.readers import GRAPH, OUTPUTS, READER, TOKENIZER, TrainedReader
from scripts.train.corpus import MODEL, Corpus
from scripts.train.examples import RELATIONS, UNLABELLED, Example, Training

Line = tuple[float, float]
"""Slope and intercept of a calibration."""

RAW: Mapping[str, Line] = dict.fromkeys(OUTPUTS, (1.0, 0.0))
COLUMNS = {"useful": ("useful", 2), "supports": ("relation", 0), "contradicts": ("relation", 2)}  # head and class of an output


def reader_graph(weights: Mapping[str, NDArray[np.float32]], config: Mapping[str, Any], lines: Mapping[str, Line]) -> bytes:
    """Serialized graph, fp32: input_ids, attention_mask and token_type_ids, (b, t), to a probability, (b,), of each output."""
    graph = BertGraph(weights=weights)
    first = graph.add("Gather", states_of(graph, config, "token_type_ids"), graph.constant(np.array(0)), axis=1)
    heads = {head: graph.linear(first, head) for head in ("useful", "relation")}
    for output, (head, column) in COLUMNS.items():
        classes = len(weights[f"{head}.bias"])
        others = graph.constant(np.array([one for one in range(classes) if one != column]))
        own = graph.add("Gather", heads[head], graph.constant(np.array(column)), axis=1)
        rest = graph.add(
            "ReduceLogSumExp", graph.add("Gather", heads[head], others, axis=1), graph.constant(np.array([1])), keepdims=0
        )
        slope, intercept = (graph.constant(np.float32(number)) for number in lines[output])
        graph.add("Sigmoid", graph.add("Add", graph.add("Mul", graph.add("Sub", own, rest), slope), intercept), name=output)
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [tensor_info(name, INT64, ["b", "t"]) for name in names]
    outputs = [tensor_info(name, FLOAT, ["b"]) for name in OUTPUTS]
    return graph.serialized("reader", inputs, outputs, OPSET, IR_VERSION)


def write_quantized(graph: bytes, to: Path) -> None:
    """Store the graph with its matrices in 8 bits; 7 of them are used, because processors without VNNI overflow else."""
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        whole.write_bytes(graph)
        quantize_dynamic(
            whole,
            to,
            op_types_to_quantize=["MatMul", "Gather"],
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
        )


def fitted_line(scores: NDArray[np.float64], truth: NDArray[np.bool_]) -> Line:
    """The line through the log-odds with the greatest likelihood, by Newton's method; a step that goes too far is halved."""
    features, weights = np.stack([scores, np.ones_like(scores)], axis=1), np.array([1.0, 0.0])
    signs = np.where(truth, 1.0, -1.0)

    def cost(at: NDArray[np.float64]) -> float:
        return float(np.logaddexp(0, -signs * (features @ at)).sum())

    for _ in range(50):
        chances = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (truth - chances)
        curvature = (features * (chances * (1 - chances))[:, None]).T @ features + 1e-6 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        while cost(weights + step) > cost(weights) and np.abs(step).max() > 1e-9:
            step = step / 2
        weights = weights + step
    return float(weights[0]), float(weights[1])


def log_odds(reader: TrainedReader, examples: Sequence[Example]) -> NDArray[np.float64]:
    """(n, 3): log-odds of OUTPUTS."""
    found = reader.chances([example.pair for example in examples])
    chances = np.array([[one.useful, one.supports, one.contradicts] for one in found if one]).clip(1e-6, 1 - 1e-6)
    return np.asarray(np.log(chances / (1 - chances)), np.float64)


def main(
    corpus: Annotated[Path, typer.Option()],
    trained: Annotated[Path, typer.Option("--from", help="folder of best.pt and history.json")],
    held: Annotated[list[str], typer.Option()],
    to: Path = READER,
) -> None:
    files = find_model(MODEL)
    state = torch.load(trained / "best.pt", weights_only=True, map_location="cpu")
    weights = {name.removeprefix("bert."): tensor.numpy().astype(np.float32) for name, tensor in state.items()}
    to.mkdir(parents=True, exist_ok=True)
    copyfile(files.folder / TOKENIZER, to / TOKENIZER)
    write_quantized(reader_graph(weights, files.config, RAW), to / GRAPH)
    training = Training(Corpus(corpus))
    judged, claims = list(training.judged(held)), list(training.claims(training.books_of(held)))
    reader = TrainedReader(to)
    on_judged, on_claims = log_odds(reader, judged), log_odds(reader, claims)
    lines = {"useful": fitted_line(on_judged[:, 0], np.array([one.useful == 2 for one in judged]))}
    related = [place for place, one in enumerate(judged) if one.useful == 2 and one.relation != UNLABELLED]
    both = np.concatenate([on_judged[related], on_claims])
    relations = np.array([judged[place].relation for place in related] + [one.relation for one in claims])
    for column, output in enumerate(OUTPUTS[1:], 1):
        lines[output] = fitted_line(both[:, column], relations == RELATIONS.index(output))
    write_quantized(reader_graph(weights, files.config, lines), to / GRAPH)
    card = {
        "held_out": held,
        "calibration": lines,
        "epochs": json.loads((trained / "history.json").read_text("utf-8")),
    }
    (to / "card.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    print(f"{(to / GRAPH).stat().st_size / 1e6:.1f} MB; calibration {lines}")


if __name__ == "__main__":
    typer.run(main)
