"""Our own embedder (containers/embedder) as the embedder, over HTTP."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import httpx
import numpy as np

from chapterverse.adapters.embedding_http import batches, not_one_of_those, open_http, post, sound
from chapterverse.adapters.id_tokens import IdTokens
from chapterverse.adapters.model_files import model_name
from chapterverse.adapters.vector_wire import from_base64
from chapterverse.errors import DimensionMismatch, ModelUnavailable
from chapterverse.model import Vectors

ONLINE, BULK = "/v1/embed", "/v1/embed/bulk"  # its lanes
TOKENS = "/v1/tokens"


@dataclass(frozen=True)
class RemoteEmbedder:
    """Embedder at `url`; nothing is called before the first vector.

    name, dimensions: of the model that has to run there; an answer by another one is an error. audience: of the identity token
    that goes with each call, empty for none; token: where that comes from instead. path: of the lane that texts go through."""

    url: str
    name: str
    dimensions: int
    audience: str = ""
    token: Callable[[], str] | None = None
    path: str = ONLINE

    @property
    def model(self) -> str:
        return model_name(self.name)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, "passage")

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, "query")

    def _embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        vectors = [self._call(batch, kind) for batch in batches(sound(texts))]
        return np.concatenate([np.empty((0, self.dimensions), np.float32), *vectors])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [number for batch in batches(sound(texts)) for number in self._count(batch)]

    def _count(self, texts: list[str]) -> list[int]:
        answer = post(self._http, TOKENS, {"texts": texts}, self._key())
        try:
            self._check_model(answer)
            return [int(number) for number, _ in zip(answer["tokens"], texts, strict=True)]
        except (KeyError, TypeError, ValueError) as error:
            raise not_one_of_those(self._http) from error

    def _call(self, texts: list[str], kind: str) -> Vectors:
        answer = post(self._http, self.path, {"texts": texts, "kind": kind}, self._key())
        try:
            return self._read(answer, len(texts))
        except (KeyError, TypeError, ValueError) as error:
            raise not_one_of_those(self._http) from error

    def _read(self, answer: Any, texts: int) -> Vectors:
        self._check_model(answer)
        if answer["dimensions"] != self.dimensions:
            raise DimensionMismatch("embedder_other_dimensions", dimensions=answer["dimensions"])
        return from_base64(answer["vectors"], self.dimensions).reshape(texts, self.dimensions)

    def _check_model(self, answer: Any) -> None:
        if answer["model"] != self.model:
            raise ModelUnavailable("embedder_other_model", runs=answer["model"], wanted=self.model)

    def _key(self) -> str:
        source = self.token or self._tokens
        return source() if source else ""

    @cached_property
    def _tokens(self) -> IdTokens | None:
        return IdTokens(self.audience) if self.audience else None

    @cached_property
    def _http(self) -> httpx.Client:
        return open_http(self.url)
