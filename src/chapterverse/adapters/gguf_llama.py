"""What a GGUF file says of a language model of Llama's kind: its shape, its weights and its tokenizer.

https://github.com/ggml-org/ggml/blob/master/docs/gguf.md; read by the makers' own library (extra `llm-local`)."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers

from chapterverse.adapters.llama_onnx import WINDOW, Shape, Weights
from chapterverse.errors import ModelUnavailable

DOCUMENT = "<|endoftext|>"  # stands between documents in the training of such models, so before the first word of each
BEFORE_BYTES = {"gpt-2": [], "smollm": [pre_tokenizers.Digits(individual_digits=True)]}  # by GGUF's names of the tokenizers


@dataclass(frozen=True)
class GgufLlama:
    """A file; everything that reads it raises ModelUnavailable where it is damaged, or of another kind."""

    path: Path

    @cached_property
    def digest(self) -> str:
        """The file's sha256, in hex."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @property
    def shape(self) -> Shape:
        """How large what is."""
        if self._says("general.architecture") != "llama":
            raise ModelUnavailable("model_not_llama", model=self.path)
        if self._says("llama.context_length") < WINDOW:
            raise ModelUnavailable("model_window_too_small", model=self.path, tokens=WINDOW)
        heads = self._says("llama.attention.head_count")
        return Shape(
            layers=self._says("llama.block_count"),
            heads=heads,
            groups=self._says("llama.attention.head_count_kv", heads),
            width=self._says("llama.embedding_length"),
            epsilon=self._says("llama.attention.layer_norm_rms_epsilon"),
            turn=self._says("llama.rope.freq_base", 10_000.0),
        )

    @property
    def weights(self) -> Weights:
        """By GGUF's names, (out, in), float32."""
        from gguf import dequantize

        return {one.name: dequantize(one.data, one.tensor_type).astype(np.float32) for one in self._reader.tensors}

    @property
    def tokenizer(self) -> Tokenizer:
        """Byte-level BPE that knows no special tokens, so that nobody's text is read as one; DOCUMENT is a word of it."""
        kind = self._says("tokenizer.ggml.pre", "none")
        if self._says("tokenizer.ggml.model") != "gpt2" or kind not in BEFORE_BYTES:
            known = ", ".join(BEFORE_BYTES)
            raise ModelUnavailable("model_other_tokenizer", model=self.path, kind=kind, known=known)
        vocabulary = {token: number for number, token in enumerate(self._says("tokenizer.ggml.tokens"))}
        merges = [(left, right) for left, right in (merge.split(" ") for merge in self._says("tokenizer.ggml.merges"))]
        tokenizer = Tokenizer(models.BPE(vocabulary, merges))
        byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*BEFORE_BYTES[kind], byte_level])
        return tokenizer

    @cached_property
    def _reader(self) -> Any:
        try:
            from gguf import GGUFReader
        except ImportError as error:
            raise ModelUnavailable("gguf_missing") from error
        try:
            return GGUFReader(self.path)
        except Exception as error:  # it raises nothing narrower for a file that is cut, or no GGUF
            raise ModelUnavailable("model_not_gguf", model=self.path) from error

    def _says(self, name: str, default: Any = None) -> Any:
        field = self._reader.fields.get(name)
        if field is None and default is None:
            raise ModelUnavailable("model_not_llama_says_no", model=self.path, name=name)
        return default if field is None else field.contents()
