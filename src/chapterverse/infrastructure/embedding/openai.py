"""Embedder on a server with OpenAI's embeddings API: OpenAI, vLLM, Text Embeddings Inference, Ollama, LiteLLM.

https://platform.openai.com/docs/api-reference/embeddings"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import httpx
import numpy as np

from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.local import plan_windows, pool, unit
from chapterverse.infrastructure.embedding.model_files import model_name, prefixes_of
from chapterverse.infrastructure.embedding.remote import batches, from_base64, not_one_of_those, open_http, post, sound

WINDOW = 1_000  # characters: about WINDOW_TOKENS tokens of English, which fit the smallest common window (MiniLM's 256)
WINDOW_TOKENS = 220
OVERLAP = 0.125  # of a window, as in WindowedModel
MAX_WORD = 40  # characters that the bound of a window is moved by at most, to a blank


@dataclass(frozen=True)
class OpenAiEmbedder:
    """Embedder at `url`, which ends in /v1. name: the model's name there. The server is first called for the first vector.

    Servers refuse a text beyond the model's window (OpenAI) or cut it silently. Therefore a text longer than window_characters
    is sent in windows, whose mean is its vector. Set fewer for scripts with about one token per character."""

    url: str
    name: str
    key: str = field(default="", repr=False)
    window_characters: int = WINDOW

    @property
    def model(self) -> str:
        return model_name(self.name)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, prefixes_of(self.model)[1])

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, prefixes_of(self.model)[0])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Estimates for English, because the API counts tokens only when embedding."""
        return [-(-len(text) * WINDOW_TOKENS // WINDOW) for text in texts]

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        windows = [windows_of(text, self.window_characters) for text in sound(texts) or [""]]
        inputs = [prefix + window or " " for window in chain.from_iterable(windows)]  # servers refuse an empty text
        vectors = [self._call(batch) for batch in batches(inputs)]
        return pool(np.concatenate(vectors), [len(each) for each in windows])[: len(texts)]

    def _call(self, inputs: list[str]) -> Vectors:
        answer = post(self._http, "embeddings", {"model": self.name, "input": inputs, "encoding_format": "base64"}, self.key)
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors = np.stack([_numbers(row["embedding"]) for row in rows])
        except (KeyError, TypeError, ValueError) as error:
            raise not_one_of_those(self.url) from error
        if len(vectors) != len(inputs):
            raise not_one_of_those(self.url)
        return unit(vectors)

    @cached_property
    def _http(self) -> httpx.Client:
        return open_http(self.url)


def windows_of(text: str, characters: int) -> list[str]:
    """Overlapping windows of a text, of about equal length, at most so many characters; each word of usual length is whole in
    one of them."""
    reach = min(MAX_WORD, characters // 4)
    size = max(end - start for start, end in plan_windows(len(text), characters, int(characters * OVERLAP) + reach))
    windows, start = [], 0
    while start + size < len(text):
        end = _word_before(text, start + size, reach)
        windows.append(text[start:end])
        start = _word_before(text, end - int(size * OVERLAP), reach)
    return [*windows, text[start:]]


def _word_before(text: str, place: int, reach: int) -> int:
    """Position of the last blank at most `reach` before a place; the place itself without one."""
    blank = text.rfind(" ", place - reach, place + 1)
    return place if blank < 0 else blank


def _numbers(embedding: Any) -> Vectors:
    """A vector; servers without encoding_format send a list."""
    if isinstance(embedding, str):
        return from_base64(embedding, 1)[:, 0]
    return np.asarray(embedding, np.float32)
