"""Our own embedder (containers/embedder) over HTTP, and the identity tokens of this program's account for calls to other
services."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from threading import Lock
from time import monotonic
from typing import Any, Literal, TypeVar

import numpy as np
from google.auth.exceptions import GoogleAuthError
from google.auth.transport.requests import Request
from google.oauth2.id_token import fetch_id_token_credentials
from requests import RequestException, Response, Session
from requests.adapters import HTTPAdapter

from chapterverse.core.errors import BadRequest, ChapterverseError, EmbedderUnavailable, ModelUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding import ONLINE, TOKENS, from_base64
from chapterverse.infrastructure.embedding.model_files import model_name

WITHIN = 5.0, 120.0  # seconds to connect and to answer; a service scaled to zero has to load its model
IDLE = 30.0  # seconds until connections are closed; less than servers keep them
AT_ONCE = 64  # connections
MAX_TEXTS, MAX_CHARACTERS = 256, 300_000  # of one call; a single text may be longer
PAUSE = 5  # seconds, if the server names none
REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
UNUSABLE = {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}


@dataclass(frozen=True)
class IdTokens:
    """Tokens for one audience, the address of the called service; each is used until it expires, after about an hour."""

    audience: str
    _one_at_a_time: Lock = field(default_factory=Lock)

    def __call__(self) -> str:
        """A valid token. Raises EmbedderUnavailable."""
        try:
            with self._one_at_a_time:
                if not self._credentials.valid:
                    self._credentials.refresh(Request())
                return str(self._credentials.token)
        except GoogleAuthError as error:
            raise EmbedderUnavailable("embedder_no_token") from error

    @cached_property
    def _credentials(self) -> Any:
        return fetch_id_token_credentials(self.audience, Request())  # type: ignore[no-untyped-call]


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, in batches for one call; as valid UTF-8, because servers refuse surrogates."""
    batch: list[str] = []
    for text in (each.encode("utf-8", "replace").decode() for each in texts):
        if batch and (len(batch) == MAX_TEXTS or sum(map(len, batch)) + len(text) > MAX_CHARACTERS):
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch


def error_of(status: int, retry_after: int = PAUSE) -> ChapterverseError:
    """What a response with this status means. retry_after: seconds."""
    if status in REFUSED:
        return ModelUnavailable("embedder_refused_key")
    if status == HTTPStatus.NOT_FOUND:
        return ModelUnavailable("embedder_unknown_model")
    if status in UNUSABLE:
        return BadRequest("embedder_refused_text")
    return EmbedderUnavailable("embedder_status", status=status, retry_after=retry_after)


class Connections(HTTPAdapter):
    """Connections for any number of threads; after IDLE seconds without a call, new ones. Those of calls under way end with
    them."""

    used = float("-inf")

    def send(self, *args: Any, **options: Any) -> Response:
        if (now := monotonic()) > self.used + IDLE:
            self.init_poolmanager(1, AT_ONCE, block=True)
        self.used = now
        return super().send(*args, **options)


Answer = TypeVar("Answer")


@dataclass(frozen=True)
class RemoteEmbedder:
    """Embedder at `url`, which is first called for the first vector.

    name: of the model that has to run there; another model is an error. token: gives the identity token sent with each call.
    path: ONLINE or BULK."""

    url: str
    name: str
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
        def vectors_in(answer: Any, texts: int) -> Vectors:
            return from_base64(answer["vectors"], int(answer["dimensions"])).reshape(texts, -1)

        vectors = [self._ask(self.path, {"texts": batch, "kind": kind}, vectors_in) for batch in batches(texts or [""])]
        return np.concatenate(vectors)[: len(texts)]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        def numbers_in(answer: Any, texts: int) -> list[int]:
            return [int(number) for number, _ in zip(answer["tokens"], range(texts), strict=True)]

        return [number for batch in batches(texts) for number in self._ask(TOKENS, {"texts": batch}, numbers_in)]

    def _ask(self, path: str, body: Mapping[str, Any], read: Callable[[Any, int], Answer]) -> Answer:
        """What `read` finds in the response, for so many texts. Raises as _post does."""
        try:
            answer = self._post(path, body)
            if answer["model"] != self.model:
                raise ModelUnavailable("embedder_other_model", runs=answer["model"], wanted=self.model)
            return read(answer, len(body["texts"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ModelUnavailable("embedder_not_at_url", url=self.url) from error  # another protocol

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        """JSON of the response.

        Raises EmbedderUnavailable, ModelUnavailable, BadRequest, none of which quotes the texts; ValueError if it is none."""
        headers = {"Authorization": f"Bearer {self.token()}"} if self.token else {}
        try:
            address = self.url.rstrip("/") + path
            response = self._session.post(address, json=body, headers=headers, timeout=WITHIN, allow_redirects=False)
        except RequestException as error:
            raise EmbedderUnavailable("embedder_away") from error
        if response.status_code != HTTPStatus.OK:
            after = response.headers.get("Retry-After", "")  # a date (RFC 9110, 10.2.3) is ignored
            raise error_of(response.status_code, int(after) if after.isdecimal() else PAUSE)
        return response.json()

    @cached_property
    def _session(self) -> Session:
        session = Session()  # Google's libraries load requests as well
        session.mount(self.url, Connections())
        return session
