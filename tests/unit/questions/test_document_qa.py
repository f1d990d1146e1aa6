"""S2's answers: the bands at their bounds, from documents typed in the test."""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.hits import Scope
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.logs import JsonLines
from chapterverse.infrastructure.sql import utc_now
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketWords
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.questions import styles
from chapterverse.questions.log import note_answer
from chapterverse.questions.service import AnswerResult, ask
from chapterverse.questions.store import SqlAnswers
from chapterverse.questions.styles import INTENTS, AnswerSettings
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL
from tests.support.shelved import document_library


def asked(question: str, services: CollectionServices) -> AnswerResult:
    return ask(question, Scope(SCHOOL), services, AnswerSettings(services.embedder))


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[CollectionServices]:
    with document_library(tmp_path) as services:
        yield services


def test_a_question_in_another_language_is_told_so_beside_the_nearest_place(documents: CollectionServices) -> None:
    answer = asked("Wohin kommen die Telefone morgens?", documents).answer

    assert (answer.confidence.band, answer.nothing, answer.claims) == ("near", True, ())
    assert answer.passages
    assert "not in the language of the sources" in str(answer.notes[0])


def test_figures_are_logged_no_word(documents: CollectionServices, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    caplog.set_level(logging.INFO)

    answers, result = SqlAnswers(f"sqlite:///{tmp_path}/answers.db"), asked("Who painted zebra ceilings?", documents)
    note_answer(SCHOOL, styles.DOCUMENT_QA, *result, answers=answers, now=utc_now(), began=0.0)
    answers.close()

    [record] = [each for each in caplog.records if hasattr(each, "scores")]
    line = json.loads(JsonLines("").format(record))
    assert (line["severity"], line["application"], line["nothing"]) == ("WARNING", "documents", True)
    assert line["mean"] < 0.4
    assert line["intent"] in INTENTS
    assert len(line["scores"]) == 2
    assert "zebra" not in caplog.text + json.dumps(line)


def test_the_answer_says_how_sure_it_is(documents: CollectionServices, tmp_path: Path) -> None:
    worded = replace(documents, words=BucketWords(FolderBucket(tmp_path / "words"), Recent()))
    add_book(b"Cake is for birthdays.", "cake.pdf", SCHOOL, worded, LIMITS)

    answer, findings = asked("cake birthdays", worded)

    assert answer.model_dump()["confidence"]["answerable"] == {"score": pytest.approx(findings.best), "standing": "sure"}


def test_for_thanks_nothing_is_looked_up(documents: CollectionServices) -> None:
    answer, findings = asked("Thanks for your help!", documents)

    assert (answer.confidence.band, answer.nothing, findings.scores) == ("courtesy", False, ())
