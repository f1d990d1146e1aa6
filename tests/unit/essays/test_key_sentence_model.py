"""Key sentences by a language model: the real client on a server that is told what to answer."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import QueryKind
from chapterverse.essays.queries import KeySentenceModel, queries_on
from chapterverse.essays.text.parse import parse_essay
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from tests.support.language_servers import LanguageServer, Reply, language_server, says
from tests.support.shelved import empty_library

PLAN = replace(ESSAY_FEEDBACK, key_sentences=1, key_sentence_seconds=30.0)
ESSAY = parse_essay("Truth is old. Truth and truth again. My uncle sings.\n\nHabit rules. Custom is old and habit is old.")


Chooses = tuple[CollectionServices, KeySentenceModel | None]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[CollectionServices]:
    with empty_library(tmp_path) as services:
        yield services


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    pytest.importorskip("openai")
    with language_server() as running:
        yield running


@pytest.fixture
def asking(library: CollectionServices, server: LanguageServer) -> Chooses:
    return library, KeySentenceModel(server.openai().generate)


@pytest.fixture
def alone(library: CollectionServices) -> Chooses:
    return library, None


def keys(by: Chooses, plan: Any = PLAN) -> list[str]:
    services, model = by
    queries = queries_on(ESSAY, plan, services.embedder, model).queries
    return [query.text for query in queries if query.kind is QueryKind.KEY_SENTENCE]


def chooses(*by_paragraph: list[int]) -> Reply:
    return says({"choices": [{"paragraph": n, "key_sentences": chosen} for n, chosen in enumerate(by_paragraph, 1)]})


def test_the_language_model_chooses_where_there_is_one(asking: Chooses, server: LanguageServer) -> None:
    server.will(chooses([2], [1]))

    assert keys(asking) == ["Truth and truth again.", "Habit rules."]


def test_without_one_the_nearest_to_the_whole_are_chosen(alone: Chooses) -> None:
    assert keys(alone) == ["My uncle sings.", "Custom is old and habit is old."]


def test_one_question_holds_all_paragraphs_with_their_sentences_by_number(asking: Chooses, server: LanguageServer) -> None:
    server.will(chooses([2], [1]))

    keys(asking)

    [asked] = server.asked
    assert json.loads(asked.material) == [
        {
            "paragraph": 1,
            "at_most": 1,
            "sentences": {"1": "Truth is old.", "2": "Truth and truth again.", "3": "My uncle sings."},
        },
        {"paragraph": 2, "at_most": 1, "sentences": {"1": "Habit rules.", "2": "Custom is old and habit is old."}},
    ]


def test_a_paragraph_that_the_answer_leaves_out_is_chosen_for_by_vectors(asking: Chooses, server: LanguageServer) -> None:
    server.will(chooses([2]))

    assert keys(asking) == ["Truth and truth again.", "Custom is old and habit is old."]


def test_the_most_important_are_kept_in_the_essays_order(asking: Chooses, server: LanguageServer) -> None:
    server.will(chooses([3, 1, 2], [2]))

    assert keys(asking, replace(PLAN, key_sentences=2))[:2] == ["Truth is old.", "My uncle sings."]


def test_numbers_that_do_not_exist_and_repeated_ones_are_ignored(asking: Chooses, server: LanguageServer) -> None:
    server.will(chooses([0, 9, -1, 2, 2], [7]))

    assert keys(asking) == ["Truth and truth again.", "Custom is old and habit is old."]


@pytest.mark.parametrize(
    "reply",
    [Reply(status=500), Reply(ended="refused"), Reply("{"), says({"choices": "none"}), says({"choices": [{"paragraph": "x"}]})],
    ids=["away", "refuses", "no JSON", "no list", "no number"],
)
def test_a_model_that_does_not_choose_leaves_it_to_the_vectors(
    reply: Reply, asking: Chooses, alone: Chooses, server: LanguageServer
) -> None:
    server.will(reply)

    assert keys(asking) == keys(alone)


def test_it_has_its_seconds_and_no_more(asking: Chooses, alone: Chooses, server: LanguageServer) -> None:
    server.will(Reply("{}", before=60))
    began = time.monotonic()

    assert keys(asking, replace(PLAN, key_sentence_seconds=0.2)) == keys(alone)
    assert time.monotonic() - began < 20


def test_a_wrong_key_is_not_hidden(asking: Chooses, server: LanguageServer) -> None:
    server.will(Reply(status=401))

    with pytest.raises(ModelUnavailable):
        keys(asking)


@pytest.mark.parametrize("key_sentences", [0, 3])
def test_where_there_is_nothing_to_choose_it_is_not_asked(key_sentences: int, asking: Chooses, server: LanguageServer) -> None:
    keys(asking, replace(PLAN, key_sentences=key_sentences))

    assert server.asked == []
