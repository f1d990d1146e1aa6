"""A second, blind reading of what a language model wrote: a call that sees a statement beside what it rests on, or several
comments beside their essay, and never the prompt. It may withhold a statement; it cannot add or change one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from chapterverse.core.errors import BadAnswer
from chapterverse.core.ports import ModelAnswer, Prompt, Schema, fenced
from chapterverse.core.requests import Record
from chapterverse.prompts import prompt

COMMENTS, CLAIM = "check-comments-2", "check-claim-1"  # prompts: comments on an essay, a claim of an answer
MAX_TOKENS = 120  # of a finding
A_FINDING = 80  # tokens of the problem of one comment among several, and of its numbers
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


class Finding(Record, extra="forbid", frozen=True):
    """What the second reading found. problem: in a few words, empty if there is none."""

    problem: str = Field(max_length=160)
    true_of_words: bool
    true_of_sources: bool
    decent: bool

    @property
    def keeps(self) -> bool:
        """Whether the statement may be shown."""
        return self.true_of_words and self.true_of_sources and self.decent


class Problem(Record, extra="forbid", frozen=True):
    """What is wrong with the comment with this number."""

    number: int
    problem: str = Field(max_length=160)


class Findings(Record, extra="forbid", frozen=True):
    """What the second reading of several comments found: the numbers of those that may be shown."""

    problems: list[Problem] = Field(max_length=12)
    right: list[int] = Field(max_length=12)


def read_again(statement: Statement, ask: Ask, deadline: float) -> Finding:
    """The finding on one claim of an answer. Raises BadAnswer for an answer of another form, and as Ask does: a statement
    without a finding is not shown."""
    blocks = dict(statement.context)
    if statement.sources:
        blocks["sources"] = "\n".join(statement.sources)
    material = fenced(blocks | {"statement": statement.text})
    return ask_for(Finding, Prompt(CLAIM, prompt(CLAIM).template, material, 0.0, MAX_TOKENS), ask, deadline)


def read_comments(comments: Sequence[Statement], context: Mapping[str, str], ask: Ask, deadline: float) -> list[str]:
    """For each comment what is wrong with it, empty if nothing is. context: what they rest on, by name; the context of each is
    its own place. Raises as read_again does."""
    sources = dict.fromkeys(line for one in comments for line in one.sources)
    blocks = {**context, "sources": "\n".join(sources)} if sources else dict(context)
    listed = (
        "\n".join([f"{number}. {one.text}", *(f"   {name}: {text}" for name, text in one.context.items())])
        for number, one in enumerate(comments, start=1)
    )
    material = fenced(blocks | {"comments": "\n".join(listed)})
    longest = MAX_TOKENS + A_FINDING * len(comments)
    found = ask_for(Findings, Prompt(COMMENTS, prompt(COMMENTS).template, material, 0.0, longest), ask, deadline)
    problems = {one.number: one.problem for one in found.problems}
    right = set(found.right) - set(problems)
    untrue = "It is not true of these words or sentences."
    return ["" if n in right else problems.get(n) or untrue for n in range(1, len(comments) + 1)]


def ask_for(form: type[Answer], wanted: Prompt, ask: Ask, deadline: float) -> Answer:
    """The model's answer in that form. Raises BadAnswer, and as Ask does."""
    return in_form(form, ask(wanted, form.model_json_schema(), deadline).value)


def in_form(form: type[Answer], answer: Mapping[str, Any] | str) -> Answer:
    """A model's answer, or its JSON, in that form. Raises BadAnswer."""
    try:
        return form.model_validate_json(answer) if isinstance(answer, str) else form.model_validate(dict(answer))
    except ValidationError as error:  # its message would quote the answer
        raise BadAnswer("llm_answer_not_schema", problem=[one["loc"] for one in error.errors(include_input=False)]) from None
