"""What the embedders that are called over HTTP have in common: one keep-alive client, batches, and errors as ours."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import httpx
from opentelemetry.propagate import inject

from chapterverse.errors import BadRequest, EmbedderUnavailable, ModelUnavailable

WITHIN = httpx.Timeout(120.0, connect=5.0)  # seconds; a service that was scaled to nothing loads its model first
IDLE = 30.0  # seconds a connection is kept; servers keep theirs for longer
AT_ONCE = 64  # connections
MOST_TEXTS, MOST_CHARACTERS = 256, 300_000  # of one call; a single text may be longer
PAUSE = 5  # seconds, where the server names none
REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
UNUSABLE = {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}


def open_http(url: str) -> httpx.Client:
    """For any number of threads."""
    limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE, keepalive_expiry=IDLE)
    return httpx.Client(base_url=url, timeout=WITHIN, limits=limits)


def post(http: httpx.Client, path: str, body: Mapping[str, Any], key: str) -> Any:
    """The JSON answered. key: for "Authorization: Bearer", empty for none. The caller's trace goes with it.

    Raises EmbedderUnavailable, ModelUnavailable, BadRequest; none of them quotes what was sent."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    inject(headers)
    try:
        response = http.post(path, json=body, headers=headers)
    except httpx.TransportError as error:
        raise EmbedderUnavailable("embedder_away") from error
    _check(response)
    try:
        return response.json()
    except ValueError as error:
        raise not_one_of_those(http) from error


def not_one_of_those(http: httpx.Client) -> ModelUnavailable:
    """Something answers there, but in another language."""
    return ModelUnavailable("embedder_not_at_url", url=http.base_url)


def sound(texts: Sequence[str]) -> list[str]:
    """The texts as UTF-8 can say them: half a surrogate pair would be refused."""
    return [text.encode("utf-8", "replace").decode() for text in texts]


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, as many at once as one call takes."""
    batch: list[str] = []
    for text in texts:
        if batch and (len(batch) == MOST_TEXTS or sum(map(len, batch)) + len(text) > MOST_CHARACTERS):
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch


def _check(response: httpx.Response) -> None:
    status = response.status_code
    if status in REFUSED:
        raise ModelUnavailable("embedder_refused_key")
    if status == HTTPStatus.NOT_FOUND:
        raise ModelUnavailable("embedder_unknown_model")
    if status in UNUSABLE:
        raise BadRequest("embedder_refused_text")
    if not response.is_success:
        raise EmbedderUnavailable("embedder_status", status=status, retry_after=_pause(response))


def _pause(response: httpx.Response) -> int:
    """Seconds; the header may hold a date instead (RFC 9110, 10.2.3), which none of the servers we know sends."""
    said = response.headers.get("Retry-After", "")
    return int(said) if said.isdecimal() else PAUSE
