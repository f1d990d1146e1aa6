"""What a language model's server says about its model, asked in the ways of vLLM, llama.cpp and Ollama."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import httpx2
from openai import OpenAI, OpenAIError

from chapterverse.core.ports import ModelFacts

SECONDS = 2.0  # for each request
FACTS_SECONDS = 600.0  # that what a server said is not asked again
AWAY_SECONDS = 20.0  # that a server that did not answer is not asked again
OLLAMA_CONTEXT = 4096  # tokens, unless the model or the server is set otherwise
_SIZE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)(M|B)(?![a-z])", re.IGNORECASE)  # "qwen3.5:4b", "Gemma-4-26B-A4B", "SmolLM2-135M"
_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)", re.MULTILINE)


@dataclass
class KnownFacts:
    """What the server said when it was last asked; safe for threads, which may ask twice."""

    client: OpenAI
    model: str
    until: float = 0.0
    facts: ModelFacts = field(default_factory=ModelFacts)

    def __call__(self) -> ModelFacts:
        """What the server says; nothing while it does not answer."""
        if monotonic() >= self.until:
            found = facts_of(self.client, self.model)
            self.facts, self.until = found or self.facts, monotonic() + (FACTS_SECONDS if found else AWAY_SECONDS)
        return self.facts


def facts_of(client: OpenAI, model: str) -> ModelFacts | None:
    """What the server says, and the size that the model's name says; None if the server does not answer."""
    client_once = client.with_options(timeout=SECONDS, max_retries=0)
    root = str(client.base_url).rstrip("/").removesuffix("/v1")

    def get(address: str) -> Any:
        return _read(lambda: client_once.get(address, cast_to=object))

    if (listed := get("/models")) is None:
        return None
    entries = [each for each in _list(listed, "data") if isinstance(each, Mapping)]
    own = next((each for each in entries if each.get("id") == model), entries[0] if len(entries) == 1 else {})
    meta = _map(own, "meta")
    props, show, running = get(f"{root}/props"), None, None
    if props is None:
        show = _read(lambda: client_once.post(f"{root}/api/show", body={"model": model}, cast_to=object))
        running = get(f"{root}/api/ps") if show else None
    contexts = (
        _map(props, "default_generation_settings").get("n_ctx"),  # of one of llama.cpp's slots
        own.get("max_model_len"),
        next(
            (each.get("context_length") for each in _list(running, "models") if model in (each.get("name"), each.get("model"))),
            None,
        ),
        _ollama_context(show),
        own.get("context_length") or own.get("context_window") or meta.get("n_ctx"),
    )
    context, size = next((int(each) for each in contexts if each), None), next(_billions(meta, show, model), None)
    return ModelFacts(context, size, props.get("total_slots") if props else None)


def _read(ask: Callable[[], Any]) -> Any:
    """The answer as JSON; None without one: servers know some of the addresses only."""
    try:
        found = ask()
        return found if isinstance(found, Mapping) else None
    except (OpenAIError, httpx2.HTTPError, ValueError):
        return None


def _ollama_context(show: Any) -> int | None:
    if not show:
        return None
    found = _NUM_CTX.search(str(show.get("parameters") or ""))
    most = next(
        (int(each) for name, each in _map(show, "model_info").items() if name.endswith(".context_length")), OLLAMA_CONTEXT
    )
    return int(found[1]) if found else min(most, OLLAMA_CONTEXT)


def _billions(meta: Mapping[str, Any], show: Any, model: str) -> Iterator[float]:
    """Of parameters, by the server, then by the model's name."""
    yield from (
        count / 1e9 for count in (meta.get("n_params"), _map(show, "model_info").get("general.parameter_count")) if count
    )
    yield from (float(found[1]) / (1000 if found[2] in "mM" else 1) for found in _SIZE.finditer(model))


def _map(value: Any, key: str) -> Mapping[str, Any]:
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _list(value: Any, key: str) -> list[Any]:
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, list) else []
