"""Key sentences by a language model, here one that expects what it is told to."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from chapterverse.errors import LanguageModelUnavailable
from chapterverse.essay import parse_essay
from chapterverse.model import QueryKind
from chapterverse.retrieval.key_sentences import CLAIM
from chapterverse.retrieval.plan import ESSAY_FEEDBACK
from chapterverse.usecases.key_sentences import make_ready, queries_on
from chapterverse.usecases.services import Services
from tests.support.shelved import empty_library

PLAN = replace(ESSAY_FEEDBACK, key_sentences=1)
ESSAY = parse_essay("Truth is old. Truth and truth again. My uncle sings.\n\nHabit rules. Custom is old and habit is old.")


@dataclass
class Expecting:
    """A Likelihood: a text that holds the word is expected after a paragraph. most: pairs that there is time for."""

    word: str
    most: int = 1_000
    asked: list[list[tuple[str, str]]] = field(default_factory=list)
    deadlines: list[float] = field(default_factory=list)
    model: str = "expecting"

    def log_probs(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        self.asked.append(list(pairs))
        self.deadlines.append(deadline)
        found = [-1.0 if prompt != CLAIM and self.word in text else -5.0 for prompt, text in pairs]
        return [*found[: self.most], *([None] * (len(pairs) - self.most))]


class Away(Expecting):
    """Does not answer."""

    def log_probs(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        raise LanguageModelUnavailable("The language model does not answer.")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Services]:
    with empty_library(tmp_path) as services:
        yield services


def keys(services: Services, plan: object = PLAN) -> list[str]:
    looked_up = queries_on(ESSAY, plan, services)  # type: ignore[arg-type]
    return [query.text for query in looked_up.queries if query.kind is QueryKind.KEY_SENTENCE]


def test_the_language_model_chooses_where_there_is_one(library: Services) -> None:
    assert keys(replace(library, likelihood=Expecting("uncle"))) == ["My uncle sings.", "Habit rules."]


def test_without_one_the_nearest_to_the_whole_are_chosen(library: Services) -> None:
    assert keys(library) == keys(replace(library, likelihood=Expecting("uncle", most=0)))
    assert keys(library)[1] == "Custom is old and habit is old."


def test_all_of_an_essay_is_asked_at_once_within_its_seconds(library: Services) -> None:
    model = Expecting("uncle")
    began = time.monotonic()

    keys(replace(library, likelihood=model), replace(PLAN, key_sentence_seconds=3.0))

    [deadline] = model.deadlines
    assert began + 3.0 <= deadline <= time.monotonic() + 3.0
    assert len(model.asked[0]) == 2 * (3 + 2)


def test_what_it_does_not_get_to_is_chosen_without_it(library: Services) -> None:
    hurried = Expecting("Habit", most=6)

    assert keys(replace(library, likelihood=hurried)) == ["Truth is old.", "Custom is old and habit is old."]


def test_a_model_that_does_not_answer_costs_only_its_choice(library: Services) -> None:
    assert keys(replace(library, likelihood=Away("uncle"))) == keys(library)


def test_where_there_is_nothing_to_choose_it_is_not_asked(library: Services) -> None:
    model = Expecting("uncle")

    keys(replace(library, likelihood=model), replace(PLAN, key_sentences=3))

    assert model.asked == []


def test_it_is_loaded_before_the_first_essay(library: Services) -> None:
    model = Expecting("uncle")

    make_ready(replace(library, likelihood=model))

    assert model.deadlines == [math.inf]
