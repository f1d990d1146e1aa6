"""Train the query side: a student's paragraph is embedded so that the sentences that are useful beside it are near.

    build/torch-venv/bin/python -m scripts.train.queries --corpus FOLDER --to FOLDER [--held SHELF] [--epochs 20]

Low-rank changes (LoRA, Hu et al. 2021) to the attention of the embedding model, for queries only: the books' vectors stay as
they are. The loss is the divergence of a paragraph's ranking from the judged one (ListNet), over its judged candidates and
OTHERS random sentences of its shelf, of which hardly any is useful. Without these, the order of the judged ones is learned and
the search as a whole is lost. The trained numbers are stored as queries.npz."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import parametrize
from transformers import AutoModel

from chapterverse.infrastructure.embedding.model_files import find_model
from scripts.train.corpus import MODEL, Corpus
from scripts.train.examples import GAIN, SEED, read_rows, training_arguments

RANK, RATE, DECAY = 8, 2e-4, 0.01
BATCH = 16  # paragraphs
SHARPNESS = 20.0  # factor of a cosine in the loss
OTHERS = 4_000  # of about 25,000 sentences of a shelf
LONGEST = 256  # tokens of a query


class LowRank(nn.Module):
    """A weight plus B A, which is zero at first."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.a = nn.Parameter(torch.randn(RANK, weight.shape[1]) / weight.shape[1] ** 0.5)
        self.b = nn.Parameter(torch.zeros(weight.shape[0], RANK))

    def forward(self, weight: Tensor) -> Tensor:
        return weight + self.b @ self.a


class QueryEncoder(nn.Module):
    """The embedding model with low-rank changes to its attention: mean of the states, unit norm."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.bert = AutoModel.from_pretrained(folder, local_files_only=True, add_pooling_layer=False)
        self.bert.requires_grad_(False)
        for layer in self.bert.encoder.layer:
            own = layer.attention.self
            for linear in (own.query, own.key, own.value, layer.attention.output.dense):
                parametrize.register_parametrization(linear, "weight", LowRank(linear.weight))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.enable_padding()

    def forward(self, texts: Sequence[str]) -> Tensor:
        """(n, d), unit norm."""
        encoded = self._tokenizer.encode_batch(list(texts))
        mask = torch.tensor([one.attention_mask for one in encoded])
        states = self.bert(input_ids=torch.tensor([one.ids for one in encoded]), attention_mask=mask).last_hidden_state
        mean = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return functional.normalize(mean, dim=1)

    def learned(self) -> dict[str, np.ndarray]:
        """The trained numbers by name."""
        return {name: part.detach().numpy() for name, part in self.named_parameters() if part.requires_grad}


@dataclass(frozen=True)
class Judged:
    """A query, the vectors of its candidates (n, d) and their gains (n,); rows: of the useful ones on the shelf."""

    shelf: str
    text: str
    vectors: Tensor
    gains: Tensor
    rows: Sequence[int]


def read_judged(corpora: Sequence[Corpus], data: Path) -> tuple[list[Judged], Mapping[str, np.ndarray]]:
    """The paragraphs with something useful, and the vectors of every shelf."""
    paragraphs = {row["id"]: row for row in read_rows(data / "paragraphs.jsonl")}
    candidates = defaultdict[str, list[dict[str, object]]](list)
    for row in read_rows(data / "judged.jsonl"):
        candidates[str(row["paragraph"])].append(row)
    shelves, places = dict[str, np.ndarray](), dict[tuple[str, str, str], int]()
    for corpus in corpora:
        for name in {str(paragraphs[id]["shelf"]) for id in candidates} & set(corpus.shelves):
            shelf = corpus.shelf(name)
            shelves[name] = shelf.vectors
            places |= {(name, sentence.book, sentence.digest): row for row, sentence in enumerate(shelf.sentences)}
    found = list[Judged]()
    for id, of_paragraph in candidates.items():
        name = str(paragraphs[id]["shelf"])
        there = [(places.get((name, str(row["book"]), str(row["digest"]))), int(str(row["score"]))) for row in of_paragraph]
        rows, scores = [row for row, _ in there if row is not None], [score for row, score in there if row is not None]
        useful = [row for row, score in zip(rows, scores, strict=True) if score == 2]
        if useful and len(useful) < len(rows):
            vectors, gains = torch.tensor(shelves[name][rows]), torch.tensor([GAIN[score] for score in scores])
            found.append(Judged(name, str(paragraphs[id]["text"]), vectors, gains, useful))
    return found, shelves


def loss_of(queries: Tensor, batch: Sequence[Judged], others: Sequence[Tensor]) -> Tensor:
    """Mean divergence of the rankings. others: (OTHERS, d) for each query, of gain 0."""
    rankings = list[Tensor]()
    for query, one, rest in zip(queries, batch, others, strict=True):
        ranked = functional.log_softmax(SHARPNESS * (torch.cat([one.vectors, rest]) @ query), dim=0)
        wanted = functional.softmax(one.gains, dim=0) * (one.gains > 0)
        rankings.append(functional.kl_div(ranked[: len(one.gains)], wanted / wanted.sum(), reduction="sum"))
    return torch.stack(rankings).mean()


def drawn(shelf: np.ndarray, random: Random) -> Tensor:
    """OTHERS random rows."""
    return torch.tensor(shelf[random.sample(range(len(shelf)), min(OTHERS, len(shelf)))])


def recall(model: QueryEncoder, held: Sequence[Judged], shelves: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Over whole shelves: share of paragraphs with a useful sentence among the first 10 and 30, and share of all useful ones
    among the first 30."""
    model.eval()
    with torch.no_grad():
        queries = torch.cat([model([one.text]) for one in held]).numpy()
    any_10, any_30, all_30 = list[float](), list[float](), list[float]()
    for query, one in zip(queries, held, strict=True):
        scores = shelves[one.shelf] @ query
        ranks = np.array([int((scores > scores[row]).sum()) for row in one.rows])
        any_10.append(float((ranks < 10).any()))
        any_30.append(float((ranks < 30).any()))
        all_30.append(float((ranks < 30).mean()))
    return {"any_10": float(np.mean(any_10)), "any_30": float(np.mean(any_30)), "all_30": float(np.mean(all_30))}


def train(judged: Sequence[Judged], held: Sequence[Judged], shelves: Mapping[str, np.ndarray], to: Path, epochs: int) -> None:
    """Train; the epoch with the most useful sentences among the first 30 of the held-out shelves is stored in `to`."""
    torch.manual_seed(SEED)
    random = Random(SEED)
    model = QueryEncoder(find_model(MODEL).folder)
    optimizer = torch.optim.AdamW([part for part in model.parameters() if part.requires_grad], lr=RATE, weight_decay=DECAY)
    best = recall(model, held, shelves)
    print("before", json.dumps(best), flush=True)
    to.mkdir(parents=True, exist_ok=True)
    for epoch in range(epochs):
        order = random.sample(list(judged), len(judged))
        losses = list[float]()
        model.train()
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            others = [drawn(shelves[one.shelf], random) for one in batch]
            loss = loss_of(model([one.text for one in batch]), batch, others)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        found = recall(model, held, shelves)
        print(epoch, f"{np.mean(losses):.3f}", json.dumps(found), flush=True)
        if found["all_30"] > best["all_30"]:
            best = found
            np.savez_compressed(to / "queries.npz", **model.learned())


def main() -> None:
    given = training_arguments(__doc__, epochs=20)
    judged, shelves = read_judged([Corpus(folder) for folder in given.corpus], given.data)
    training, held = ([one for one in judged if (one.shelf in given.held) == wanted] for wanted in (False, True))
    train(training, held, shelves, given.to, given.epochs)


if __name__ == "__main__":
    main()
