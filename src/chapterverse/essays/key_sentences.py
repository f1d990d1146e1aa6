"""Key sentences by a language model (S1: "extracted by a local small language model"): one question about the whole essay.

Any LanguageModel will do; a small one of one's own runs behind an address that speaks OpenAI's protocol (llama.cpp, Ollama,
vLLM). The default is vectors, which did better than a model of 135M parameters: docs/search.md."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chapterverse.core.errors import BadAnswer, BadRequest, CeilingReached, LanguageModelUnavailable, ModelRefused
from chapterverse.core.language import ModelAnswer, Prompt, Schema
from chapterverse.essays.model import Paragraph
from chapterverse.prompts import prompt

PROMPT = "key-sentences-1"

NUMBER = {"type": "integer"}

CHOICE = {
    "type": "object",
    "properties": {"paragraph": NUMBER, "key_sentences": {"type": "array", "items": NUMBER}},
    "required": ["paragraph", "key_sentences"],
    "additionalProperties": False,
}

SCHEMA: Schema = {
    "type": "object",
    "properties": {"choices": {"type": "array", "items": CHOICE}},
    "required": ["choices"],
    "additionalProperties": False,
}

Ask = Callable[[Prompt, Schema, float], ModelAnswer]

"""LanguageModel.generate, or PaidModel.answer of one school."""


@dataclass(frozen=True)
class KeySentenceModel:
    """Asks a language model once for the key sentences of all paragraphs."""

    ask: Ask

    def choose(self, paragraphs: Sequence[Paragraph], limit: int, deadline: float) -> dict[int, list[int]]:
        """Indices of at most `limit` key sentences, ascending, by index of the paragraph.

        Paragraphs of no more than `limit` sentences need no choice and have no entry, nor do those that the answer leaves out.
        deadline: a moment of time.monotonic(). Empty where the model does not answer in time, refuses or gives something else
        than a choice, and where the day's ceiling is reached. Raises ModelUnavailable."""
        asked = {number: one for number, one in enumerate(paragraphs) if len(one.sentences) > limit > 0}
        if not asked:
            return {}
        wanted = Prompt(PROMPT, prompt(PROMPT).template, material(asked, limit), temperature=0.0)
        try:
            chosen = choices(self.ask(wanted, SCHEMA, deadline).value)
        except (LanguageModelUnavailable, BadAnswer, BadRequest, CeilingReached, ModelRefused):
            return {}
        fitting = {number: fit(chosen.get(number, ()), one, limit) for number, one in asked.items()}
        return {number: keys for number, keys in fitting.items() if keys}


def material(paragraphs: Mapping[int, Paragraph], limit: int) -> str:
    """The paragraphs as JSON, numbered from 1, with their sentences, numbered from 1."""
    numbered = [
        {"paragraph": number + 1, "at_most": limit, "sentences": dict(enumerate(one.sentences, 1))}
        for number, one in paragraphs.items()
    ]
    return json.dumps(numbered, ensure_ascii=False)


def choices(value: Mapping[str, Any]) -> dict[int, list[int]]:
    """Indices of sentences, most important first, by index of the paragraph. Raises BadAnswer for another form."""
    try:
        return {int(one["paragraph"]) - 1: [int(n) - 1 for n in one["key_sentences"]] for one in value["choices"]}
    except (KeyError, TypeError, ValueError) as error:
        raise BadAnswer("answer_not_sentences") from error


def fit(chosen: Sequence[int], paragraph: Paragraph, limit: int) -> list[int]:
    """The first `limit` of the chosen indices that exist, each once, ascending."""
    existing = [index for index in dict.fromkeys(chosen) if 0 <= index < len(paragraph.sentences)]
    return sorted(existing[:limit])
