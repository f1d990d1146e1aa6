"""A second, blind reading of what a language model wrote: a call that sees one statement beside what it rests on, and never the
prompt or the rest of the text it was written from. It may withhold a statement; it cannot add or change one.

A school may name another model for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.core.errors import BadAnswer
from chapterverse.core.fences import fenced
from chapterverse.core.ports import ModelAnswer, Prompt, Schema
from chapterverse.prompts import prompt

COMMENT, CLAIM = "check-comment-1", "check-claim-1"  # prompts: a comment on an essay, a claim of an answer
MAX_TOKENS = 120  # of a finding

Ask = Callable[[Prompt, Schema, float], ModelAnswer]
"""One call of a language model: prompt, schema, deadline as a time of time.monotonic(). Raises as LanguageModel does."""
Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Statement:
    """A text that a model wrote. context: by name, what the reader's own words are ("words of the essay", "question"); sources:
    what it cites, numbered, with neighbours or headers; empty if it cites nothing."""

    text: str
    context: Mapping[str, str]
    sources: tuple[str, ...] = ()


class Finding(BaseModel):
    """What the second reading found. problem: in a few words, empty if there is none."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    problem: str = Field(max_length=160)
    true_of_words: bool
    true_of_sources: bool
    decent: bool

    @property
    def keeps(self) -> bool:
        """Whether the statement may be shown."""
        return self.true_of_words and self.true_of_sources and self.decent


def read_again(statement: Statement, ask: Ask, deadline: float, name: str = COMMENT) -> Finding:
    """The finding on one statement. name: of the prompt. Raises BadAnswer for an answer of another form, and as Ask does: a
    statement without a finding is not shown."""
    blocks = dict(statement.context)
    if statement.sources:
        blocks["sources"] = "\n".join(statement.sources)
    material = fenced(blocks | {"statement": statement.text})
    return ask_for(Finding, Prompt(name, prompt(name).template, material, 0.0, MAX_TOKENS), ask, deadline)


def ask_for(form: type[Answer], wanted: Prompt, ask: Ask, deadline: float) -> Answer:
    """The model's answer in that form. Raises BadAnswer, and as Ask does."""
    answer = ask(wanted, form.model_json_schema(), deadline)
    try:
        return form.model_validate(dict(answer.value))
    except ValidationError as error:  # its message would quote the answer
        raise BadAnswer("llm_answer_not_schema", problem=[one["loc"] for one in error.errors(include_input=False)]) from None
