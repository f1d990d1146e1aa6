"""A language model some of whose answers are there already, by the digests of their prompts; and one that only notes what it is
asked beyond them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Self

from chapterverse.core.errors import LanguageModelUnavailable
from chapterverse.core.names import fingerprint
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import AnswerPiece, ModelAnswer, Prompt, Schema


@dataclass(frozen=True, slots=True)
class RecordedPrompt:
    """A prompt and the form of its answer."""

    prompt: Prompt
    schema: Schema


def digest_of(prompt: Prompt) -> str:
    """The key that matches an answer to its prompt."""
    return fingerprint(prompt.name, prompt.instructions, prompt.material, digits=32)


@dataclass(frozen=True)
class PaidBefore(PaidModel):
    """A language model, some of whose answers are there and paid for already."""

    answers: Mapping[str, ModelAnswer] = field(default_factory=dict)

    @classmethod
    def of(cls, paid: PaidModel, answers: Mapping[str, ModelAnswer]) -> Self:
        """The same model with these answers, by digest."""
        return cls(**{each.name: getattr(paid, each.name) for each in fields(PaidModel)}, answers=answers)

    def answer(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        """The answer that is there, else one from the model. Raises as PaidModel.answer does."""
        return self.answers.get(digest_of(prompt)) or self._other(school, prompt, schema, deadline)

    def pieces(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        """The answer that is there, in one piece; else one from the model. Raises as PaidModel.pieces does."""
        if known := self.answers.get(digest_of(prompt)):
            yield AnswerPiece(json.dumps(dict(known.value), ensure_ascii=False), known.usage)
        else:
            yield from self._pieces(school, prompt, schema, deadline)

    def _other(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        return super().answer(school, prompt, schema, deadline)

    def _pieces(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        return super().pieces(school, prompt, schema, deadline)


@dataclass(frozen=True)
class Noting(PaidBefore):
    """Notes in `asked`, by digest, what is not answered yet, and asks nobody."""

    asked: dict[str, RecordedPrompt] = field(default_factory=dict)

    def _other(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:  # noqa: ARG002
        self.asked[digest_of(prompt)] = RecordedPrompt(prompt, schema)
        raise LanguageModelUnavailable("llm_away", retry_after=0)

    def _pieces(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        self._other(school, prompt, schema, deadline)
        yield AnswerPiece("")
