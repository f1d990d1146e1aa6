"""What running a language model of Llama's kind takes, made from its GGUF file at first use: reading that takes seconds."""

from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from chapterverse.adapters.gguf_llama import GgufLlama
from chapterverse.adapters.llama_onnx import GRAPH_VERSION, build_graph
from chapterverse.adapters.onnx_graph import write_whole
from chapterverse.adapters.rotated_weights import rotated
from chapterverse.errors import ModelUnavailable


@dataclass(frozen=True)
class LlamaFiles:
    """The graph of llama_onnx, and its tokenizer."""

    graph: Path
    tokenizer_json: Path

    @property
    def tokenizer(self) -> Tokenizer:
        """Raises ModelUnavailable."""
        try:
            return Tokenizer.from_file(str(self.tokenizer_json))
        except Exception as error:  # the library raises nothing narrower
            raise ModelUnavailable("tokenizer_unreadable", path=self.tokenizer_json) from error


def llama_files(gguf: Path, cache: Path, *, int8: bool) -> LlamaFiles:
    """In the folder `cache`, named after what the file holds. Raises ModelUnavailable."""
    model = GgufLlama(gguf)
    name = f"{gguf.stem}-{model.digest[:16]}"
    files = LlamaFiles(cache / f"{name}-{'int8' if int8 else 'fp32'}-v{GRAPH_VERSION}.onnx", cache / f"{name}.tokenizer.json")
    if not files.tokenizer_json.exists():
        write_whole(files.tokenizer_json, model.tokenizer.to_str().encode())
    if not files.graph.exists():
        write_whole(files.graph, _graph(model, int8=int8))
    return files


def _graph(model: GgufLlama, *, int8: bool) -> bytes:
    weights, shape = model.weights, model.shape
    try:
        return build_graph(rotated(weights, shape) if int8 else weights, shape, int8=int8)
    except KeyError as error:
        raise ModelUnavailable("model_not_llama_lacks", model=model.path, missing=error) from error
