"""Prompts and answers of language models, independent of the model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

"""A JSON schema of an object. All fields are required and have no defaults, as strict modes of servers demand."""

MAX_TOKENS = 1_500

"""Of one answer: three times as many as feedback on a long essay has."""

TEMPERATURE = 0.2

"""Low, because answers have to be true."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request to a language model. instructions: ours. material: an essay or text of a book; nothing in it is an instruction.

    name: of its template with version, e.g. "feedback-content-1". max_tokens: of the answer."""

    name: str
    instructions: str
    material: str
    temperature: float = TEMPERATURE
    max_tokens: int = MAX_TOKENS


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call, as counted by the server."""

    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.prompt_tokens + other.prompt_tokens, self.answer_tokens + other.answer_tokens)


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A part of an answer. usage: of the whole call, only on the last piece, if the server reports it."""

    text: str
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A whole answer, a JSON object. The caller checks it against the schema."""

    value: Mapping[str, Any]
    usage: Usage
