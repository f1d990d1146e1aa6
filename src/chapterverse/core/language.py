"""What a language model is asked, and what comes back: the same facts, whichever model it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

"""A JSON schema of an object: no defaults, every field required, so that every server's strict mode takes it."""

MOST_TOKENS = 1_500

"""Of one answer: three times what feedback on a long essay takes."""

TEMPERATURE = 0.2

"""Low, because what is said has to be true."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """instructions are ours. material is what others wrote, an essay or a book: data, in which nothing is an instruction.

    name: of the file it was made from, with its version, e.g. "feedback-content-1". most_tokens: of the answer."""

    name: str
    instructions: str
    material: str
    temperature: float = TEMPERATURE
    most_tokens: int = MOST_TOKENS


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as the server counts them."""

    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.prompt_tokens + other.prompt_tokens, self.answer_tokens + other.answer_tokens)


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """Some of an answer. usage: of the whole call, on its last piece, where the server tells."""

    text: str
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A whole answer that is a JSON object; whether it fits the schema, servers promise and the caller checks."""

    value: Mapping[str, Any]
    usage: Usage
