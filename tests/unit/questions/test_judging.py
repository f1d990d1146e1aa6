"""A school's own calibration decides in every application, by several signs at once."""

from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest

from chapterverse.core.book import ChunkId
from chapterverse.core.hits import Scope
from chapterverse.infrastructure.vectors.sqlite_words import SqliteWords
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.questions import judging
from chapterverse.questions.judging import (
    Calibration,
    Judge,
    Scale,
    accept,
    judge_for,
)
from chapterverse.questions.model import Answerability, ConfidenceLevel, Signals
from chapterverse.questions.service import ChatPlan, ChatQuestion, chat
from chapterverse.questions.styles import DOCUMENT_QA, HELPDESK
from chapterverse.questions.units import ScoredUnit
from chapterverse.search.plan import TEXTBOOK_CHAT, ChanceLevels, DefaultThresholds
from tests.support.answers import answering
from tests.support.books import LIMITS
from tests.support.sites import folder
from tests.support.textbooks import PAGES, SCHOOL, textbook


def calibration(services: CollectionServices, sure: float | None, maybe: float) -> Calibration:
    return Calibration(services.embedder.model, services.chunker.unit, 20, Scale(0.9, 0.1, ()), Scale(sure, maybe, ()))


@pytest.mark.parametrize(("maybe", "nothing"), [(0.0, False), (1.0, True)])
def test_a_textbooks_answer_stands_or_falls_with_what_was_accepted(tmp_path: Path, maybe: float, *, nothing: bool) -> None:
    with textbook(tmp_path) as plain:
        services = replace(plain, words=SqliteWords(tmp_path / "words"))
        add_book(folder(PAGES | {"03-more.md": "# More\n\n## Wheels\n\nWheels turn."}), "more.zip", SCHOOL, services, LIMITS)
        accept(SCHOOL, calibration(services, None, maybe), services)
        with answering() as how:
            result = chat(ChatQuestion("What is a node process?"), Scope(SCHOOL), services, ChatPlan(), how)
            answer, found = result.answer, result.findings

    assert found.judgement
    assert (answer.nothing, bool(answer.claims)) == (nothing, not nothing)


def test_where_an_agent_can_be_asked_only_what_is_sure_is_answered(tmp_path: Path) -> None:
    with textbook(tmp_path) as services:
        accept(SCHOOL, calibration(services, 0.8, 0.1), services)
        desk, documents = (judge_for(SCHOOL, services, TEXTBOOK_CHAT, style) for style in (HELPDESK, DOCUMENT_QA))

    assert standing(desk, 0.5) is ConfidenceLevel.NEAR
    assert standing(documents, 0.5) is ConfidenceLevel.POSSIBLE


def test_without_a_calibration_the_seeds_threshold_holds(tmp_path: Path) -> None:
    with textbook(tmp_path) as services:
        before = judge_for(SCHOOL, services, TEXTBOOK_CHAT, HELPDESK).min_score
        accept(SCHOOL, calibration(services, 0.8, 0.1), services)
        after = judge_for(SCHOOL, services, TEXTBOOK_CHAT, HELPDESK).min_score

    assert (before, after) == (0.65, 0.1)


@pytest.mark.parametrize(("confidence", "nothing"), [(0.0, False), (1.0, True)])
def test_without_one_an_embedding_models_own_threshold_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, confidence: float, *, nothing: bool
) -> None:
    monkeypatch.setattr(judging, "DEFAULT_THRESHOLDS", {"words": DefaultThresholds(confidence=confidence, cosine=-1.0)})
    with textbook(tmp_path) as plain, answering() as how:
        services = replace(plain, words=SqliteWords(tmp_path / "words"))
        add_book(folder(PAGES | {"03-more.md": "# More\n\n## Wheels\n\nWheels turn."}), "more.zip", SCHOOL, services, LIMITS)
        answer = chat(ChatQuestion("What is a node process?"), Scope(SCHOOL), services, ChatPlan(), how).answer
        as_set = chat(ChatQuestion("What is a node process?"), Scope(SCHOOL), services, ChatPlan(min_score=0.99), how).answer

    assert (answer.nothing, as_set.nothing) == (nothing, True)


def test_a_calibration_without_a_sure_score_leaves_the_desk_to_the_models_threshold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "DEFAULT_THRESHOLDS", {"words": DefaultThresholds(confidence=0.4, cosine=0.25)})
    with textbook(tmp_path) as services:
        accept(SCHOOL, calibration(services, None, 0.1), services)

        assert judge_for(SCHOOL, services, TEXTBOOK_CHAT, HELPDESK).min_score == 0.25


@pytest.mark.parametrize(
    ("before", "chance", "after"),
    [("possible", 0.85, "sure"), ("possible", 0.75, "possible"), ("refused", 0.85, "refused"), ("sure", 0.75, "sure")],
)
def test_an_answer_that_is_given_is_sure_if_the_best_unit_is(tmp_path: Path, before: str, chance: float, after: str) -> None:
    judgement = Answerability(0.5, Signals(*[0.0] * 9), ConfidenceLevel(before))
    best = ScoredUnit(ChunkId("1"), (), log(chance / (1 - chance)), np.zeros(1, np.float32), frozenset())
    with textbook(tmp_path) as services:
        judge = Judge(
            TEXTBOOK_CHAT,
            services,
            None,
            only_confident=False,
            defaults=DefaultThresholds(0.4, 0.2, units=ChanceLevels(sure=0.8)),
        )
        found = calibration(services, 0.8, 0.1)

        assert judge.sure_of(judgement, [best]).standing == after
        assert judge.sure_of(judgement, []) == judgement
        assert replace(judge, calibration=found).sure_of(judgement, [best]) == judgement


def standing(judge: Judge, score: float) -> ConfidenceLevel:
    assert judge.calibration
    return judge.calibration.confidence.standing(score, only_confident=judge.only_confident)
