"""A BERT encoder as an ONNX graph, built from its safetensors without torch or an exporter.

The graph (fp32, opset 20) takes input_ids and attention_mask, (b, t) int64, and returns the last layer's states, (b, t, h).
Architecture: Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers", as transformers' BertModel names
its weights. Pooling is not part of it, as in graphs exported by models' authors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from struct import pack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.errors import ModelUnavailable
from chapterverse.infrastructure.embedding.model_files import WEIGHTS, ModelFiles
from chapterverse.infrastructure.storage.folder import FolderBucket

FLOAT, INT64 = 1, 7  # TensorProto.DataType
TYPES = {"float32": FLOAT, "int64": INT64}
PAGE = 4096  # bytes of the unit in which files are mapped
FIELDS = {float: (2, 1), int: (3, 2), list: (8, 7)}  # of AttributeProto by type: the value's number, AttributeType


def encoded(*fields: tuple[int, float | str | bytes]) -> bytes:
    """A message of Protocol Buffers: fields by number, each a whole number, a float32, text, or bytes (of a message, too).

    https://protobuf.dev/programming-guides/encoding; onnx.proto has the numbers. The package onnx would add 9 MB for this."""

    def varint(value: int) -> bytes:
        value &= 2**64 - 1  # two's complement
        groups = [value >> shift & 127 for shift in range(0, max(value.bit_length(), 1), 7)]
        return bytes([*(group | 128 for group in groups[:-1]), groups[-1]])

    def field_of(number: int, value: float | str | bytes) -> bytes:
        if isinstance(value, int):
            return varint(number << 3) + varint(value)
        if isinstance(value, float):
            return varint(number << 3 | 5) + pack("<f", value)
        data = value.encode() if isinstance(value, str) else value
        return b"".join([varint(number << 3 | 2), varint(len(data)), data])

    return b"".join(field_of(number, value) for number, value in fields)


def tensor_info(name: str, type_: int, shape: Sequence[int | str]) -> bytes:
    """A ValueInfoProto: an input or output of that type and shape, whose sizes are numbers or names."""
    sizes = [(1, encoded((2, size) if isinstance(size, str) else (1, size))) for size in shape]
    return encoded((1, name), (2, encoded((1, encoded((1, type_), (2, encoded(*sizes)))))))


@dataclass
class BertGraph:
    """An ONNX graph with BERT's layers, under construction; methods return the name of the value they add. apart: name of a
    file for `data`, large constants, which is mapped instead of read; empty for none."""

    weights: "Weights"
    apart: str = ""
    data: bytearray = field(default_factory=bytearray)
    nodes: list[bytes] = field(default_factory=list)
    constants: list[bytes] = field(default_factory=list)

    def add(self, operator: str, *inputs: str, name: str = "", **attributes: float | list[int]) -> str:
        """Add a node with one output, called `name` or by its number."""
        name, given = name or f"value{len(self.nodes)}", []
        for each, value in attributes.items():
            number, type_ = FIELDS[type(value)]
            values = value if isinstance(value, list) else [value]
            given.append((5, encoded((1, each), *((number, one) for one in values), (20, type_))))
        self.nodes.append(encoded(*((1, each) for each in inputs), (2, name), (4, operator), *given))
        return name

    def constant(self, value: NDArray[Any] | np.generic) -> str:
        """Add an array of float32 or int64."""
        name, array = f"constant{len(self.constants)}", np.array(value, order="C")
        sizes, data = ((1, size) for size in array.shape), array.tobytes()
        if self.apart and len(data) >= PAGE:
            where = {"location": self.apart, "offset": str(len(self.data)), "length": str(len(data))}
            content = encoded(*((13, encoded((1, key), (2, value))) for key, value in where.items()), (14, 1))
            self.data += data + bytes(-len(data) % PAGE)
        else:
            content = encoded((9, data))
        self.constants.append(encoded(*sizes, (2, TYPES[array.dtype.name]), (8, name)) + content)
        return name

    def linear(self, x: str, layer: str) -> str:
        product = self.add("MatMul", x, self.constant(self.weights[f"{layer}.weight"].T))
        return self.add("Add", product, self.constant(self.weights[f"{layer}.bias"]))

    def norm(self, x: str, layer: str, epsilon: float) -> str:
        weight, bias = (self.constant(self.weights[f"{layer}.{part}"]) for part in ("weight", "bias"))
        return self.add("LayerNormalization", x, weight, bias, epsilon=epsilon)

    def serialized(self, name: str, inputs: Sequence[bytes], outputs: Sequence[bytes], opset: int, ir_version: int) -> bytes:
        """The model's bytes; inputs, outputs: from tensor_info."""
        parts = ((1, self.nodes), (5, self.constants), (11, inputs), (12, outputs))
        body = encoded((2, name), *((number, each) for number, its in parts for each in its))
        return encoded((1, ir_version), (7, body), (8, encoded((2, opset))))


GRAPH_VERSION = 2  # part of the cached file's name: increase it with every change to the graph
OPSET, IR_VERSION = 20, 10  # the first opset with Gelu; ONNX Runtime 1.18 and later
MASKED = -10_000.0  # added to the score of padding, whose softmax is then 0 in fp32
Weights = Mapping[str, NDArray[np.float32]]


def graph_file(files: ModelFiles, cache: Path) -> Path:
    """File of the model's graph: its authors' own, else built at its first use and stored in `cache`. Raises
    ModelUnavailable."""
    if files.exported_graph.exists():
        return files.exported_graph
    _check_architecture(files)
    config = sha256(repr(sorted(files.config.items())).encode()).hexdigest()
    path = cache / f"{files.name}-{(WEIGHTS.get(files.name) or files.digest)[:16]}-{config[:8]}-v{GRAPH_VERSION}.onnx"
    if not path.exists():
        files.check()  # the file will be known by their digest
        try:
            tensors = files.tensors(files.weights.name)
            weights = {name.removeprefix("bert."): tensor for name, tensor in tensors.items()}  # which some checkpoints have
            graph = BertGraph(weights, path.with_suffix(".bin").name)
            model = build_graph(graph, files.config)
        except KeyError as error:
            raise ModelUnavailable("model_weights_incomplete", file=files.weights, missing=error) from error
        FolderBucket(cache).write(graph.apart, bytes(graph.data))
        FolderBucket(cache).write(path.name, model)
    return path


def build_graph(graph: BertGraph, config: Mapping[str, Any]) -> bytes:
    """The graph, which is new, as a serialized BertModel. config: transformers' config.json."""
    graph.add("Identity", states_of(graph, config), name="states")
    inputs = [tensor_info(name, INT64, ["b", "t"]) for name in ("input_ids", "attention_mask")]
    outputs = [tensor_info("states", FLOAT, ["b", "t", config["hidden_size"]])]
    return graph.serialized("bert", inputs, outputs, OPSET, IR_VERSION)


def states_of(graph: BertGraph, config: Mapping[str, Any], segments: str = "") -> str:
    """Add a BertModel that reads input_ids and attention_mask; returns its last layer's states, (b, t, h).

    segments: name of token_type_ids, (b, t); without it all tokens are in the first segment."""
    states = _embeddings(graph, config, segments)
    mask = graph.add("Cast", "attention_mask", to=FLOAT)
    mask = graph.add("Unsqueeze", mask, graph.constant(np.array([1, 2])))
    penalty = graph.add("Mul", graph.add("Sub", graph.constant(np.float32(1)), mask), graph.constant(np.float32(MASKED)))
    for layer in range(config["num_hidden_layers"]):
        states = _layer(graph, states, penalty, f"encoder.layer.{layer}", config)
    return states


def _embeddings(graph: BertGraph, config: Mapping[str, Any], segments: str) -> str:
    table = "embeddings.{}_embeddings.weight"
    words = graph.add("Gather", graph.constant(graph.weights[table.format("word")]), "input_ids")
    by_segment = graph.weights[table.format("token_type")]
    first = graph.weights[table.format("position")] + by_segment[0]
    length = graph.add("Shape", "input_ids", start=1, end=2)
    zero = graph.constant(np.array([0]))
    positions = graph.add("Slice", graph.constant(first), zero, length, zero)
    if segments:
        words = graph.add("Add", words, graph.add("Gather", graph.constant(by_segment - by_segment[0]), segments))
    return graph.norm(graph.add("Add", words, positions), "embeddings.LayerNorm", config["layer_norm_eps"])


def _layer(graph: BertGraph, x: str, penalty: str, name: str, config: Mapping[str, Any]) -> str:
    epsilon = config["layer_norm_eps"]
    seen = graph.linear(_attention(graph, x, penalty, f"{name}.attention.self", config), f"{name}.attention.output.dense")
    x = graph.norm(graph.add("Add", seen, x), f"{name}.attention.output.LayerNorm", epsilon)
    wide = graph.add("Gelu", graph.linear(x, f"{name}.intermediate.dense"))
    return graph.norm(graph.add("Add", graph.linear(wide, f"{name}.output.dense"), x), f"{name}.output.LayerNorm", epsilon)


def _attention(graph: BertGraph, x: str, penalty: str, name: str, config: Mapping[str, Any]) -> str:
    """softmax(q kᵀ / √size + penalty) v of all heads, concatenated: (b, t, h)."""
    heads, hidden = config["num_attention_heads"], config["hidden_size"]
    split = graph.constant(np.array([0, 0, heads, hidden // heads]))  # 0: unchanged

    def by_head(part: str, order: list[int]) -> str:
        return graph.add("Transpose", graph.add("Reshape", graph.linear(x, f"{name}.{part}"), split), perm=order)

    query, key, value = by_head("query", [0, 2, 1, 3]), by_head("key", [0, 2, 3, 1]), by_head("value", [0, 2, 1, 3])
    scaled = graph.add("Mul", graph.add("MatMul", query, key), graph.constant(np.float32((hidden // heads) ** -0.5)))
    attended = graph.add("MatMul", graph.add("Softmax", graph.add("Add", scaled, penalty), axis=-1), value)
    together = graph.add("Transpose", attended, perm=[0, 2, 1, 3])
    return graph.add("Reshape", together, graph.constant(np.array([0, 0, hidden])))


def _check_architecture(files: ModelFiles) -> None:
    """Raise ModelUnavailable for models that this graph would compute wrongly."""
    config = files.config
    traits = (config.get("model_type"), config.get("hidden_act"), config.get("position_embedding_type", "absolute"))
    extra = set(files.modules) - {"Transformer", "Pooling", "Dense", "Normalize"}
    if traits != ("bert", "gelu", "absolute") or extra:
        raise ModelUnavailable("model_not_plain_bert", model=files.name)
