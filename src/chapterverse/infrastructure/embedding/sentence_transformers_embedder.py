"""Embedder on sentence-transformers: any model it can load, on a GPU if there is one (extra `gpu`)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from chapterverse.core.errors import EmbedderUnavailable, ModelUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.local import LocalEmbedder, WindowedModel
from chapterverse.infrastructure.embedding.windows import Ids, Mask

GPU_BATCH_TOKENS = 32_768  # padded tokens of a batch
CPU_BATCH_TOKENS = 1024


@dataclass(frozen=True)
class SentenceTransformersEmbedder(LocalEmbedder):
    """Embedder with fp16 on a GPU, fp32 on the CPU; its vectors are those of OnnxEmbedder (cosine >= 0.999).

    device: as torch calls it ("cuda", "cpu"), None for the best available."""

    device: str | None = None

    def _load(self) -> WindowedModel:
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
