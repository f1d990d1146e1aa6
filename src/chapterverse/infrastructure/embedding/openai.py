"""Any server that speaks OpenAI's embeddings as the embedder: OpenAI, vLLM, Text Embeddings Inference, Ollama, LiteLLM.

https://platform.openai.com/docs/api-reference/embeddings"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import httpx
import numpy as np

from chapterverse.core.errors import DimensionMismatch
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.model_files import QUERY_PREFIXES, model_name
from chapterverse.infrastructure.embedding.remote import batches, from_base64, not_one_of_those, open_http, post, sound
from chapterverse.infrastructure.embedding.windows import plan_windows, pool, unit

WINDOW = 1_000  # characters: about WINDOW_TOKENS of English, which the smallest usual window (MiniLM's 256) takes whole

WINDOW_TOKENS = 220

OVERLAP = 0.125  # of a window, as in WindowedModel

LONGEST_WORD = 40  # characters that a window is moved by at most, to part between words


@dataclass(frozen=True)
class OpenAiEmbedder:
    """Embedder at `url`, the address that ends in /v1. name: the model as the server calls it. Nothing is called before the
    first vector.

    Servers differ in what they do with a text beyond the model's window: OpenAI refuses it, others cut it without a word. So
    none is sent one: a text longer than window_characters goes in windows, whose mean is its vector. That is sure where a
    character is no more than window_characters allow for; set fewer for scripts that take a token a character."""

    url: str
    name: str
    dimensions: int
    key: str = field(default="", repr=False)
    window_characters: int = WINDOW

    @property
    def model(self) -> str:
        return model_name(self.name)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, "")

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, QUERY_PREFIXES.get(self.model, ""))

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """As English has them: the protocol tells no number without making vectors."""
        return [-(-len(text) * WINDOW_TOKENS // WINDOW) for text in texts]

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        windows = [windows_of(text, self.window_characters) for text in sound(texts)]
        inputs = [prefix + window or " " for window in chain.from_iterable(windows)]  # an empty one would be refused
        vectors = [self._call(batch) for batch in batches(inputs)]
        return pool(np.concatenate([np.empty((0, self.dimensions), np.float32), *vectors]), [len(each) for each in windows])

    def _call(self, inputs: list[str]) -> Vectors:
        answer = post(self._http, "embeddings", {"model": self.name, "input": inputs, "encoding_format": "base64"}, self.key)
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors = np.stack([_numbers(row["embedding"]) for row in rows])
        except (KeyError, TypeError, ValueError) as error:
            raise not_one_of_those(self._http) from error
        if len(vectors) != len(inputs):
            raise not_one_of_those(self._http)
        if vectors.shape[1] != self.dimensions:
            raise DimensionMismatch("embedder_dimensions_not_set", model=self.name, dimensions=vectors.shape[1])
        return unit(vectors)

    @cached_property
    def _http(self) -> httpx.Client:
        return open_http(self.url)


def windows_of(text: str, characters: int) -> list[str]:
    """The text in windows of as many characters at most, each beginning before the one before it ends; a word of usual length
    is whole in one of them. They are of about one length, as plan_windows would have them."""
    reach = min(LONGEST_WORD, characters // 4)
    size = max(end - start for start, end in plan_windows(len(text), characters, int(characters * OVERLAP) + reach))
    windows, start = [], 0
    while start + size < len(text):
        end = _word_before(text, start + size, reach)
        windows.append(text[start:end])
        start = _word_before(text, end - int(size * OVERLAP), reach)
    return [*windows, text[start:]]


def _word_before(text: str, place: int, reach: int) -> int:
    """The last blank before the place, at most `reach` away; the place itself in a longer word or a script without blanks."""
    blank = text.rfind(" ", place - reach, place + 1)
    return place if blank < 0 else blank


def _numbers(embedding: Any) -> Vectors:
    """One row; servers that do not know encoding_format send a list."""
    if isinstance(embedding, str):
        return from_base64(embedding, 1)[:, 0]
    return np.asarray(embedding, np.float32)
