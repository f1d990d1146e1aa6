"""Train the reader: a cross-encoder that says whether a sentence is useful beside a paragraph, and what it says of a claim.

    build/torch-venv/bin/python -m scripts.train.reader --corpus FOLDER --to FOLDER [--held SHELF] [--epochs 3]

It begins with the embedding model's weights and two new heads: useful (irrelevant, on topic, useful) and relation (supports,
partly, contradicts, nothing). The loss of a batch is the cross-entropy of both heads, and, for the candidates of one
paragraph, the divergence of their ranking from the judged one (ListNet, Cao et al. 2007). The epoch that is best on the
held-out shelves is best.pt.

Made for two cores: word embeddings and the lowest layers stay as they are, there is no dropout within the encoder, and an epoch
reads all useful and related candidates of a paragraph, but only some of the irrelevant ones, other ones each time."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Annotated

import numpy as np
import torch
import typer
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel

from chapterverse.infrastructure.embedding.local import open_tokenizer
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.infrastructure.llm.readers import pair_tokens
from evaluations.measures import auroc
from scripts.train.corpus import MODEL, Corpus
from scripts.train.examples import GAIN, RELATIONS, SEED, UNLABELLED, USEFUL, Example, Training

RATE, WARM_UP, DECAY = 7e-5, 0.06, 0.01  # learning rate, share of steps that it rises in, weight decay
TOKENS = 6_000  # of a batch
LIST = 12  # candidates of one paragraph in a batch
RANKING = 1.0  # weight of the ranking loss
FROZEN = 2  # layers that stay as they are
IRRELEVANT = 8  # candidates of a paragraph in an epoch, at most


class Reader(nn.Module):
    """BERT with two heads on its first token."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        no_dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self.bert = AutoModel.from_pretrained(folder, local_files_only=True, add_pooling_layer=False, **no_dropout)
        for part in (self.bert.embeddings, *self.bert.encoder.layer[:FROZEN]):
            part.requires_grad_(False)
        size = self.bert.config.hidden_size
        self.dropout = nn.Dropout(0.1)
        self.useful, self.relation = nn.Linear(size, len(USEFUL)), nn.Linear(size, len(RELATIONS))

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (n, 3) and (n, 4)."""
        states = self.bert(input_ids=ids, token_type_ids=segments, attention_mask=mask).last_hidden_state
        first = self.dropout(states[:, 0])
        return self.useful(first), self.relation(first)


@dataclass(frozen=True)
class Batch:
    """Padded pairs: ids, segments, mask (n, t), labels (n,), group (n,): a number for each paragraph."""

    ids: Tensor
    segments: Tensor
    mask: Tensor
    useful: Tensor
    relation: Tensor
    group: Tensor

    def to(self, device: str) -> "Batch":
        return Batch(*(part.to(device) for part in vars(self).values()))


def batch_of(examples: Sequence[Example], tokenizer: Tokenizer) -> Batch:
    encoded = [pair_tokens(tokenizer, example.pair) for example in examples]
    width = max(len(ids) for ids, _ in encoded)
    padded = [(ids + [0] * (width - len(ids)), seg + [0] * (width - len(seg)), [1] * len(ids)) for ids, seg in encoded]
    groups = {group: number for number, group in enumerate(dict.fromkeys(example.group for example in examples))}
    return Batch(
        torch.tensor([ids for ids, _, _ in padded]),
        torch.tensor([segments for _, segments, _ in padded]),
        torch.tensor([mask + [0] * (width - len(mask)) for _, _, mask in padded]),
        torch.tensor([example.useful for example in examples]),
        torch.tensor([example.relation for example in examples]),
        torch.tensor([groups[example.group] for example in examples]),
    )


def loss_of(batch: Batch, useful: Tensor, relation: Tensor) -> Tensor:
    """Cross-entropy of both heads, and the divergence of each paragraph's ranking."""
    loss = torch.zeros((), device=useful.device)
    if (batch.useful != UNLABELLED).any():
        loss = loss + functional.cross_entropy(useful, batch.useful, ignore_index=UNLABELLED)
    if (batch.relation != UNLABELLED).any():
        loss = loss + functional.cross_entropy(relation, batch.relation, ignore_index=UNLABELLED)
    gain = torch.tensor(GAIN, device=useful.device)
    rankings = list[Tensor]()
    for group in batch.group.unique():
        rows = (batch.group == group) & (batch.useful != UNLABELLED)
        if rows.sum() > 1 and (batch.useful[rows] > 0).any():
            wanted = functional.softmax(gain[batch.useful[rows]], dim=0)
            rankings.append(functional.kl_div(functional.log_softmax(_grade(useful[rows]), dim=0), wanted, reduction="sum"))
    return loss + RANKING * torch.stack(rankings).mean() if rankings else loss


def _grade(useful: Tensor) -> Tensor:
    """A number that grows with usefulness: the log-odds of "useful" against "irrelevant"."""
    return useful[:, 2] - useful[:, 0]


def fewer_irrelevant(examples: Iterable[Example], random: Random) -> list[Example]:
    """The examples with at most IRRELEVANT irrelevant ones of each paragraph, drawn at random."""
    kept, irrelevant = list[Example](), defaultdict[str, list[Example]](list)
    for example in examples:
        (irrelevant[example.group] if example.useful == 0 else kept).append(example)
    return [*kept, *(one for some in irrelevant.values() for one in random.sample(some, min(IRRELEVANT, len(some))))]


def batches(examples: Iterable[Example], tokenizer: Tokenizer, random: Random) -> list[list[Example]]:
    """The examples in random order, of a paragraph up to LIST together, about TOKENS tokens a batch; those of a batch are about
    as long, so that little of it is padding."""
    groups = defaultdict[str, list[Example]](list)
    for example in examples:
        groups[example.group].append(example)
    lists = list[tuple[int, list[Example]]]()
    for of_group in groups.values():
        random.shuffle(of_group)
        for start in range(0, len(of_group), LIST):
            some = of_group[start : start + LIST]
            lists.append((max(len(pair_tokens(tokenizer, example.pair)[0]) for example in some), some))
    lists.sort(key=lambda one: one[0] * random.uniform(0.9, 1.1))
    found, batch, longest = list[list[Example]](), list[Example](), 0
    for length, some in lists:
        if batch and (len(batch) + len(some)) * max(longest, length) > TOKENS:
            found.append(batch)
            batch, longest = [], 0
        batch, longest = batch + some, max(longest, length)
    random.shuffle(found := [*found, batch])
    return found


def scores(model: Reader, examples: Sequence[Example], tokenizer: Tokenizer, device: str) -> np.ndarray:
    """Probabilities (n, 3) of usefulness in the examples' order."""
    model.eval()
    order = sorted(range(len(examples)), key=lambda place: len(examples[place].pair.text) + len(examples[place].pair.sentence))
    useful = np.zeros((len(examples), len(USEFUL)))
    with torch.no_grad():
        for start in range(0, len(order), 32):
            places = order[start : start + 32]
            batch = batch_of([examples[place] for place in places], tokenizer).to(device)
            useful[places] = model(batch.ids, batch.segments, batch.mask)[0].softmax(1).cpu().numpy()
    return useful


def quality(model: Reader, judged: Sequence[Example], tokenizer: Tokenizer, device: str) -> float:
    """On examples not learned from: AUC of useful against the rest within a paragraph's candidates, mean over paragraphs."""
    useful = scores(model, judged, tokenizer, device)
    grades = np.log(useful[:, 2] + 1e-9) - np.log(useful[:, 0] + 1e-9)
    by_group = defaultdict[str, list[int]](list)
    for place, example in enumerate(judged):
        by_group[example.group].append(place)
    within = list[float]()
    for places in by_group.values():
        truth = np.array([judged[place].useful == 2 for place in places])
        if truth.any() and not truth.all():
            within.append(auroc(grades[places][truth], grades[places][~truth]))
    return float(np.mean(within))


def train(training: Training, held: Sequence[str], to: Path, epochs: int) -> None:
    """Train, and store each epoch and its quality in `to`."""
    device, folder = "cuda" if torch.cuda.is_available() else "cpu", find_model(MODEL).folder
    torch.manual_seed(SEED)
    tokenizer = open_tokenizer(folder, MODEL)
    shelves = [shelf for shelf in training.shelves if shelf not in held]
    held_judged = list(training.judged(held))
    print(f"{len(training.missing)} sentences of the held-out data are not in the corpus", flush=True)
    model = Reader(folder).to(device)
    learned = [weights for weights in model.parameters() if weights.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=RATE, weight_decay=DECAY)
    history = list[dict[str, float]]()
    to.mkdir(parents=True, exist_ok=True)
    for epoch in range(epochs):
        random = Random(SEED + epoch)
        examples = [*fewer_irrelevant(training.judged(shelves, random), random), *training.claims(training.books_of(shelves))]
        of_epoch = batches(examples, tokenizer, random)
        began, losses = monotonic(), list[float]()
        model.train()
        for step, some in enumerate(of_epoch):
            _set_rate(optimizer, (epoch * len(of_epoch) + step) / (epochs * len(of_epoch)))
            batch = batch_of(some, tokenizer).to(device)
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                useful, relation = model(batch.ids, batch.segments, batch.mask)
            loss = loss_of(batch, useful.float(), relation.float())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(learned, 1.0)
            optimizer.step()
            losses.append(loss.item())
            if step % 50 == 49:
                print(f"epoch {epoch} step {step + 1}/{len(of_epoch)} loss {np.mean(losses[-50:]):.3f}", flush=True)
        seconds = monotonic() - began
        found = quality(model, held_judged, tokenizer, device)
        history.append(
            {"loss": float(np.mean(losses)), "seconds": seconds, "pairs": sum(map(len, of_epoch)), "auc_within": found}
        )
        print(json.dumps(history[-1]), flush=True)
        if found >= max(one["auc_within"] for one in history):
            torch.save(model.state_dict(), to / "best.pt")
        (to / "history.json").write_text(json.dumps(history, indent=1), "utf-8")


def _set_rate(optimizer: torch.optim.Optimizer, done: float) -> None:
    """Rises to RATE in the first WARM_UP of all steps, then falls to 0 in a straight line."""
    for group in optimizer.param_groups:
        group["lr"] = RATE * min(done / WARM_UP, (1 - done) / (1 - WARM_UP))


def main(
    corpus: Annotated[Path, typer.Option()],
    to: Annotated[Path, typer.Option()],
    held: Annotated[list[str], typer.Option(help="shelves that are not learned from")],
    epochs: int = 3,
) -> None:
    train(Training(Corpus(corpus)), held, to, epochs)


if __name__ == "__main__":
    typer.run(main)
