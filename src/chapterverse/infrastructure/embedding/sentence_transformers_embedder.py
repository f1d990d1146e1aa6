"""Embedder on sentence-transformers: any model it can load, on a GPU where there is one (extra `gpu`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokenizers import Tokenizer

from chapterverse.core.errors import EmbedderUnavailable, ModelUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.model_files import ModelFiles, find_model, model_name
from chapterverse.infrastructure.embedding.onnx import WindowedModel, open_tokenizer, tokens_of
from chapterverse.infrastructure.embedding.windows import Ids, Mask

GPU_BATCH_TOKENS = 32_768  # padded tokens of a batch

CPU_BATCH_TOKENS = 1024


@dataclass(frozen=True)
class SentenceTransformersEmbedder:
    """Embedder by name or folder: fp16 on a GPU, fp32 on the CPU. Nothing is looked for or loaded before the first vector.

    Windows, batches and length one are WindowedModel's, so that vectors are those of OnnxEmbedder (cosine >= 0.999).
    device: torch's name of it ("cuda", "cpu"), None for the best there is."""

    name: str
    device: str | None = None

    @property
    def model(self) -> str:
        return model_name(self.name)

    @property
    def dimensions(self) -> int:
        return self.windowed.dimensions

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.windowed.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.windowed.embed(texts, self._files.query_prefix)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(tokens) for tokens in tokens_of(self._tokenizer, texts)]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return open_tokenizer(self._files)

    @cached_property
    def _files(self) -> ModelFiles:
        return find_model(self.name)

    @cached_property
    def windowed(self) -> WindowedModel:
        """The model behind its windows."""
        dimensions = int(self._network.get_embedding_dimension())
        batch_tokens = GPU_BATCH_TOKENS if self._network.device.type == "cuda" else CPU_BATCH_TOKENS
        return WindowedModel(self._tokenizer, self._files.window, dimensions, batch_tokens, self._run)

    @cached_property
    def _network(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelUnavailable("sentence_transformers_missing") from error
        try:
            network = SentenceTransformer(str(self._files.folder), device=self.device, local_files_only=True)
        except Exception as error:  # its errors have no base of their own
            raise ModelUnavailable("model_files_not_loaded", model=self.model) from error
        return network.half() if network.device.type == "cuda" else network

    def _run(self, ids: Ids, mask: Mask) -> Vectors:
        import torch

        device = self._network.device
        features = {"input_ids": torch.from_numpy(ids).to(device), "attention_mask": torch.from_numpy(mask).to(device)}
        try:
            with torch.inference_mode():
                vectors: Vectors = self._network(features)["sentence_embedding"].float().cpu().numpy()
        except torch.OutOfMemoryError as error:
            raise EmbedderUnavailable("gpu_memory_full") from error
        return vectors
