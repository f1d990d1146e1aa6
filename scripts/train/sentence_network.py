"""What the readers of sentences (infrastructure/llm/readers.py) have in common while they are trained: a BERT with
heads on the mean state of each sentence's tokens, its training, and its graph."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shutil import copyfile
from time import monotonic
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import AutoModel

from chapterverse.infrastructure.embedding.bert_onnx import FLOAT, INT64, IR_VERSION, OPSET, BertGraph, states_of, tensor_info
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.infrastructure.llm.readers import GRAPH, TOKENIZER, Window
from scripts.train.corpus import MODEL
from scripts.train.export import Line, write_quantized

Batch = TypeVar("Batch")

WARM_UP, DECAY, LARGEST = 0.08, 0.01, 1.0  # share of steps in which the rates rise; weight decay; norm of a gradient
HEAD = 10  # times the rate of the encoder


class Network(nn.Module):
    """BERT with heads on each sentence. odds: (h,), the log-odds that the heads give at first."""

    def __init__(self, folder: Path, odds: NDArray[np.float32], dropout: float) -> None:
        super().__init__()
        self.bert = AutoModel.from_pretrained(folder, local_files_only=True, add_pooling_layer=False)
        self.bert.embeddings.requires_grad_(False)
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(self.bert.config.hidden_size, len(odds))
        nn.init.zeros_(self.head.weight)
        self.head.bias.data = torch.from_numpy(odds).float()

    def forward(self, ids: Tensor, mask: Tensor, pool: Tensor) -> Tensor:
        """Log-odds (b, n, h). pool: (b, n, t)."""
        states = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        found: Tensor = self.head(self.dropout(torch.bmm(pool, states)))
        return found


def fit(
    model: Network, rate: float, epochs: int, batches: Callable[[], Sequence[Batch]], loss: Callable[[Batch], Tensor]
) -> Iterator[None]:
    """Train by AdamW, whose rates rise at first and then fall to zero. Yields after each epoch, whose loss it prints.

    rate: of the encoder at its highest. batches: of an epoch; loss: the mean over a batch."""
    weights = [[one for one in model.bert.parameters() if one.requires_grad], list(model.head.parameters())]
    optimizer = torch.optim.AdamW([{"params": its} for its in weights], weight_decay=DECAY)
    for epoch in range(epochs):
        started, total, its_batches = monotonic(), 0.0, batches()
        model.train()
        for at, batch in enumerate(its_batches):
            found, done = loss(batch), (epoch + at / len(its_batches)) / epochs
            for group, highest in zip(optimizer.param_groups, (rate, HEAD * rate), strict=True):
                group["lr"] = highest * min(1, (done + 1e-3) / WARM_UP) * (1 - done)
            optimizer.zero_grad()
            found.backward()
            nn.utils.clip_grad_norm_([one for its in weights for one in its], LARGEST)
            optimizer.step()
            total += found.item()
        print(f"epoch {epoch + 1}: loss {total / len(its_batches):.3f}, {monotonic() - started:.0f} s", flush=True)
        yield


def padded(windows: Sequence[Window]) -> tuple[Tensor, Tensor, Tensor]:
    """ids and mask, (b, t), and pool, (b, n, t)."""
    width, most = max(len(one.ids) for one in windows), max(len(one.spans) for one in windows)
    ids, mask = (torch.zeros(len(windows), width, dtype=torch.long) for _ in range(2))
    pool = torch.zeros(len(windows), most, width)
    for row, one in enumerate(windows):
        ids[row, : len(one.ids)], mask[row, : len(one.ids)] = torch.tensor(one.ids), 1
        pool[row, : len(one.spans), : len(one.ids)] = torch.from_numpy(one.pool)
    return ids, mask, pool


def arrays(state: Mapping[str, Tensor]) -> dict[str, NDArray[np.float32]]:
    """The weights of a trained network by the names of graph_of."""
    return {name.removeprefix("bert."): tensor.numpy().astype(np.float32) for name, tensor in state.items()}


def graph_of(name: str, weights: Mapping[str, NDArray[np.float32]], config: Mapping[str, Any], lines: Iterable[Line]) -> bytes:
    """Serialized graph, fp32: input_ids and attention_mask, (b, t), pool, (b, n, t), to chances, (b, n, h). lines: calibration
    of the first h heads."""
    graph, lines = BertGraph(weights=weights), list(lines)
    sentences = graph.add("MatMul", "pool", states_of(graph, config))
    odds = graph.add("Slice", graph.linear(sentences, "head"), *(graph.constant(np.array([at])) for at in (0, len(lines), 2)))
    slopes, intercepts = (graph.constant(np.array([line[at] for line in lines], np.float32)) for at in (0, 1))
    graph.add("Sigmoid", graph.add("Add", graph.add("Mul", odds, slopes), intercepts), name="chances")
    inputs = [tensor_info(one, INT64, ["b", "t"]) for one in ("input_ids", "attention_mask")]
    inputs.append(tensor_info("pool", FLOAT, ["b", "n", "t"]))
    outputs = [tensor_info("chances", FLOAT, ["b", "n", len(lines)])]
    return graph.serialized(name, inputs, outputs, OPSET, IR_VERSION)


def write_reader(name: str, to: Path, weights: Mapping[str, NDArray[np.float32]], lines: Iterable[Line]) -> None:
    """Write the reader, quantized, and its tokenizer into the folder. lines: as in graph_of."""
    files = find_model(MODEL)
    to.mkdir(parents=True, exist_ok=True)
    copyfile(files.folder / TOKENIZER, to / TOKENIZER)
    write_quantized(graph_of(name, weights, files.config, lines), to / GRAPH)
