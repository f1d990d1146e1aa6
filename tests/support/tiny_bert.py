"""A BERT of a few kilobytes with random weights, in a folder as sentence-transformers would save it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = [
    "the", "mind", "of", "man", "is", "a", "free", "and", "restless", "thing", "represent", "this", "sentence", "for",
    "searching", "relevant", "passages",
]  # fmt: skip
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
HIDDEN, LAYERS, HEADS, POSITIONS, WINDOW = 32, 2, 4, 64, 40
PLAIN_BERT = {"model_type": "bert", "architectures": ["BertModel"], "hidden_act": "gelu", "hidden_size": HIDDEN,
             "intermediate_size": 2 * HIDDEN, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
             "max_position_embeddings": POSITIONS, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
             "vocab_size": len(SPECIAL) + len(WORDS), "pad_token_id": 0}  # fmt: skip


Projection = tuple[int, int, str]
"""Dimensions before and after, and torch's activation function."""


def tiny_bert(folder: Path, pooling: str = "mean", projections: Sequence[Projection] = (), **config: Any) -> Path:
    """The folder, filled. pooling: "mean" or "cls". projections: after it, each with a bias if it is no "Identity".
    config: what differs from a plain BERT in config.json."""
    folder.mkdir(parents=True)
    _save_tokenizer(folder)
    save_file(_weights(), folder / "model.safetensors")
    dense = [f"{number}_Dense" for number, _ in enumerate(projections, start=2)]
    first, last = [("", "Transformer"), ("1_Pooling", "Pooling")], ("9_Normalize", "Normalize")
    modules = [*first, *((path, "Dense") for path in dense), last]
    chance = np.random.default_rng(5)
    for path, (into, out, activation) in zip(dense, projections, strict=True):
        has_bias, function = not activation.endswith("Identity"), f"torch.nn.modules.{activation}"
        fields = {"in_features": into, "out_features": out, "bias": has_bias, "activation_function": function}
        _save_json(folder / path / "config.json", fields)
        weights = {"linear.weight": chance.normal(0, 0.3, (out, into)), "linear.bias": chance.normal(0, 0.3, out)}
        saved = {name: each.astype(np.float32) for name, each in weights.items() if has_bias or name != "linear.bias"}
        save_file(saved, folder / path / "model.safetensors")
    _save_json(folder / "config.json", PLAIN_BERT | config)
    _save_json(folder / "sentence_bert_config.json", {"max_seq_length": WINDOW})
    _save_json(folder / "tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "model_max_length": POSITIONS})
    modes = {"pooling_mode_cls_token": pooling == "cls", "pooling_mode_mean_tokens": pooling == "mean"}
    _save_json(folder / "1_Pooling" / "config.json", {"word_embedding_dimension": HIDDEN, **modes})
    typed = ((path, f"sentence_transformers.models.{kind}") for path, kind in modules)
    listed = [{"idx": i, "name": str(i), "path": path, "type": type_} for i, (path, type_) in enumerate(typed)]
    _save_json(folder / "modules.json", listed)
    return folder


def tiny_classifier(folder: Path, labels: Sequence[str]) -> Path:
    """The folder, filled with a cross-encoder of these labels, which it does not know."""
    folder.mkdir(parents=True)
    _save_tokenizer(folder)
    chance = np.random.default_rng(11)
    head = {
        "bert.pooler.dense.weight": chance.normal(0, 0.3, (HIDDEN, HIDDEN)).astype(np.float32),
        "bert.pooler.dense.bias": np.zeros(HIDDEN, np.float32),
        "classifier.weight": chance.normal(0, 0.3, (len(labels), HIDDEN)).astype(np.float32),
        "classifier.bias": np.zeros(len(labels), np.float32),
    }
    save_file({f"bert.{name}": weight for name, weight in _weights().items()} | head, folder / "model.safetensors")
    called = {str(i): label for i, label in enumerate(labels)}
    classifier = {"architectures": ["BertForSequenceClassification"], "id2label": called}
    _save_json(folder / "config.json", PLAIN_BERT | classifier | {"label2id": {label: int(i) for i, label in called.items()}})
    _save_json(folder / "tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "model_max_length": POSITIONS})
    return folder


def _save_json(path: Path, content: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")


def _save_tokenizer(folder: Path) -> None:
    """As MiniLM's is saved: padding to, and cutting at, fewer tokens than the model takes."""
    vocabulary = {word: i for i, word in enumerate(SPECIAL + WORDS)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.enable_truncation(WINDOW // 2)
    tokenizer.enable_padding(length=WINDOW // 2)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")


def _weights() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(7)

    def random(*shape: int) -> np.ndarray:
        return chance.normal(0, 0.3, shape).astype(np.float32)

    def linear(name: str, into: int, out: int) -> dict[str, np.ndarray]:
        return {f"{name}.weight": random(out, into), f"{name}.bias": random(out)}

    def norm(name: str) -> dict[str, np.ndarray]:
        return {f"{name}.weight": 1 + random(HIDDEN), f"{name}.bias": random(HIDDEN)}

    rows = {"word": len(SPECIAL) + len(WORDS), "position": POSITIONS, "token_type": 2}
    weights = {f"embeddings.{table}_embeddings.weight": random(count, HIDDEN) for table, count in rows.items()}
    weights |= norm("embeddings.LayerNorm")
    for layer in (f"encoder.layer.{i}" for i in range(LAYERS)):
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            weights |= linear(f"{layer}.attention.{part}", HIDDEN, HIDDEN)
        weights |= linear(f"{layer}.intermediate.dense", HIDDEN, 2 * HIDDEN)
        weights |= linear(f"{layer}.output.dense", 2 * HIDDEN, HIDDEN)
        weights |= norm(f"{layer}.attention.output.LayerNorm") | norm(f"{layer}.output.LayerNorm")
    return weights
