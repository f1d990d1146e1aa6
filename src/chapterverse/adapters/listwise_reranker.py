"""Reranker by one question to a language model that writes: the candidates of every query in its order.

Listwise re-ranking (Sun et al. 2023, "Is ChatGPT Good at Search?"), without sliding windows: candidates are few."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from chapterverse.errors import BadAnswer
from chapterverse.language import Answer, Prompt, Schema
from chapterverse.prompts import prompt

PROMPT = "rerank-1"
LONGEST = 600.0  # seconds of the question, where there is no deadline
NUMBER = {"type": "integer"}
ORDER = {
    "type": "object",
    "properties": {"query": NUMBER, "best_first": {"type": "array", "items": NUMBER}},
    "required": ["query", "best_first"],
    "additionalProperties": False,
}
SCHEMA: Schema = {
    "type": "object",
    "properties": {"orders": {"type": "array", "items": ORDER}},
    "required": ["orders"],
    "additionalProperties": False,
}

Ask = Callable[[Prompt, Schema, float], Answer]
"""LanguageModel.generate, or one that counts what it costs."""


@dataclass(frozen=True)
class ListwiseReranker:
    """From 0 for a query's first to -1 for its last; one that the answer leaves out is last. model: whose ask it is."""

    ask: Ask
    model: str

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        if not pairs:
            return []
        queries = by_query(pairs)
        answer = self.ask(
            Prompt(PROMPT, prompt(PROMPT).template, material(queries)), SCHEMA, min(deadline, monotonic() + LONGEST)
        )
        orders = dict(_orders(answer.value))
        said = {query: places(len(its), orders.get(number, ())) for number, (query, its) in enumerate(queries.items(), 1)}
        return [said[query][queries[query].index(sentence)] for query, sentence in pairs]


def by_query(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """The sentences of each query, each once."""
    queries: dict[str, dict[str, None]] = {}
    for query, sentence in pairs:
        queries.setdefault(query, {})[sentence] = None
    return {query: list(sentences) for query, sentences in queries.items()}


def material(queries: Mapping[str, Sequence[str]]) -> str:
    """In JSON, which nobody's quotation marks get out of."""
    asked = [
        {"query": number, "student": query, "candidates": dict(enumerate(sentences, 1))}
        for number, (query, sentences) in enumerate(queries.items(), 1)
    ]
    return json.dumps(asked, ensure_ascii=False)


def places(candidates: int, best_first: Sequence[int]) -> list[float]:
    """The score of each candidate; numbers that there are not, and those said again, are not looked at."""
    named = [number - 1 for number in dict.fromkeys(best_first) if 0 < number <= candidates]
    step = 1 / max(candidates - 1, 1)
    return [-step * named.index(one) if one in named else -1.0 for one in range(candidates)]


def _orders(value: Mapping[str, Any]) -> Iterator[tuple[int, list[int]]]:
    try:
        for order in value["orders"]:
            yield int(order["query"]), [int(number) for number in order["best_first"]]
    except (KeyError, TypeError, ValueError) as error:
        raise BadAnswer("llm_answer_no_order") from error
