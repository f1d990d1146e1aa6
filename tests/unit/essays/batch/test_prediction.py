"""A batch that a batch prediction writes for, by the real client of a local server."""

import logging
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from chapterverse.core.errors import StillPredicting
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.core.tasks import TaskKind
from chapterverse.essays.batch.context import Night
from chapterverse.essays.batch.files import load_result
from chapterverse.essays.batch.model import BatchState, EssayBatch
from chapterverse.essays.batch.service import remove_batch
from chapterverse.essays.batch.tasks import run_night_task
from chapterverse.essays.model import BY_RULES, Style
from chapterverse.infrastructure.sql.ledger import SqlLedger
from tests.support.intake import Clockwork, Killed, Watched
from tests.support.language_servers import ANSWER_TOKENS, MODEL, PROMPT_TOKENS, LanguageServer, language_server
from tests.support.language_servers import says as says_online
from tests.support.nights import TRUTH, Clock, a_night, begun, entries, queue_of
from tests.support.vertex_jobs import Jobs, says, vertex_jobs

TODAY = date(2026, 11, 20)
CLASS = entries(TRUTH, "My uncle sings.", "# Only a heading")


def comment(text: str) -> dict[str, object]:
    return {"comments": [{"paragraph": 1, "about": "", "comment": text, "evidence": [], "instead": ""}]}


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    with vertex_jobs(tmp_path / "results") as running:
        running.respond = says(comment("From the job."))
        yield running


@pytest.fixture
def online() -> Iterator[LanguageServer]:
    with language_server(says_online(comment("One by one."))) as running:
        yield running


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    with closing(SqlLedger(f"sqlite:///{tmp_path}/catalog.db")) as opened:
        yield opened


@pytest.fixture
def night(tmp_path: Path, jobs: Jobs, online: LanguageServer, ledger: SqlLedger) -> Iterator[Night]:
    with a_night(tmp_path) as made:
        paid = PaidModel(online.openai(), ledger, Price(1, 1), ceiling=10**9, today=lambda: TODAY)
        patient = replace(made.writing, paid=paid, seconds=60, model_seconds=60)
        yield replace(made, writing=patient, predictor=jobs.predictor())


def done(night: Night, looks: int = 2) -> EssayBatch:
    """The batch, after so many rounds of whatever is asked for, and then all essays."""
    batch = begun(night, CLASS)
    for _ in range(looks):
        queue_of(night).do_all(night)
    queue_of(night).do_all(night)
    return night.store.batch(batch.key)


def written(night: Night, batch: EssayBatch) -> set[tuple[str, str]]:
    """Who wrote, and what he says."""
    results = [load_result(night.results, batch.key, number) for number in (1, 2)]
    reviews = [result[name] for result in results for name in ("content", "expressions", "features")]
    return {(review["by"], said["text"]) for review in reviews for said in review["comments"] if review["by"] != BY_RULES}


def test_the_essays_wait_for_the_job_and_are_then_written_by_its_answers(
    night: Night, jobs: Jobs, online: LanguageServer
) -> None:
    batch = begun(night, CLASS)
    [task] = queue_of(night).waiting
    assert task.kind is TaskKind.PREDICT
    with pytest.raises(StillPredicting):
        run_night_task(task, 1, night)

    queue_of(night).do_all(night)
    queue_of(night).do_all(night)

    assert night.store.batch(batch.key).done == 2
    assert (MODEL, "From the job.") in written(night, batch)
    assert online.asked == []
    assert len(jobs.asked) == 6  # three dimensions of the two essays that can be used


def test_an_essay_that_cannot_be_used_says_why_and_stops_no_other(night: Night) -> None:
    batch = done(night)

    assert [essay.reason for essay in night.store.essays(batch.key)] == [None, None, "bad_request"]


def test_what_the_job_left_unanswered_is_asked_one_by_one(night: Night, jobs: Jobs, online: LanguageServer) -> None:
    answer = jobs.respond
    jobs.respond = lambda asked: {} if asked["labels"]["prompt"] == "0002-features" else answer(asked)

    batch = done(night)

    assert len(online.asked) == 1
    assert {(MODEL, "One by one."), (MODEL, "From the job.")} <= written(night, batch)


def test_its_cost_is_counted_once_by_what_the_answers_took(night: Night, ledger: SqlLedger) -> None:
    done(night)

    assert ledger.spent("school", TODAY) == 6 * (PROMPT_TOKENS + ANSWER_TOKENS)


def test_beyond_the_ceiling_nothing_is_asked_of_anybody(night: Night, jobs: Jobs, online: LanguageServer) -> None:
    assert night.writing.paid
    poor = replace(night, writing=replace(night.writing, paid=replace(night.writing.paid, ceiling=0)))

    batch = done(poor)

    assert (batch.done, jobs.jobs, online.asked) == (2, {}, [])
    assert written(poor, batch) == set()


@pytest.mark.parametrize("ends", ["JOB_STATE_FAILED", "JOB_STATE_EXPIRED"])
def test_a_job_that_fails_leaves_the_essays_to_be_asked_one_by_one(
    night: Night, jobs: Jobs, online: LanguageServer, ends: str
) -> None:
    jobs.ends = ends

    batch = done(night)

    assert (batch.done, len(online.asked)) == (2, 6)


def test_a_job_that_takes_half_the_window_is_stopped_and_the_essays_asked_one_by_one(
    night: Night, jobs: Jobs, online: LanguageServer
) -> None:
    jobs.looks = 10**6
    batch = begun(night, CLASS)
    queue_of(night).do_all(night)
    assert isinstance(night.now, Clock)
    night.now.later(hours=6)

    for _ in range(2):
        queue_of(night).do_all(night)

    assert night.store.batch(batch.key).state(night.now()) is BatchState.DONE
    assert [job["state"] for job in jobs.jobs.values()] == ["JOB_STATE_CANCELLED"]
    assert len(online.asked) == 6


def test_of_a_batch_removed_while_the_job_is_under_way_nothing_is_left(night: Night, jobs: Jobs) -> None:
    jobs.looks = 10**6
    batch = begun(night, CLASS)
    queue_of(night).do_all(night)

    remove_batch(batch.key, night)
    queue_of(night).do_all(night)

    assert [job["state"] for job in jobs.jobs.values()] == ["JOB_STATE_CANCELLED"]
    assert (night.results.names(""), jobs.bucket.names("")) == ([], [])


@pytest.mark.parametrize("kill_before", range(1, 16, 2))
def test_killed_before_any_of_its_writes_there_is_one_job_and_every_essay_is_done(
    night: Night, jobs: Jobs, online: LanguageServer, kill_before: int
) -> None:
    clockwork = Clockwork(kill_before)
    watched = replace(night, **{name: Watched(getattr(night, name), clockwork) for name in ("results", "store")})
    begun(night, CLASS)

    for _ in range(5):
        for task in list(queue_of(night).waiting):
            try:
                run_night_task(task, 1, watched)
            except (Killed, StillPredicting):
                continue
            queue_of(night).waiting.remove(task)

    [key] = night.store.find()
    assert (night.store.batch(key).done, len(jobs.jobs), online.asked) == (2, 1, [])


def test_nobodys_words_are_logged(night: Night, jobs: Jobs, caplog: pytest.LogCaptureFixture) -> None:
    jobs.ends = "JOB_STATE_FAILED"
    with caplog.at_level(logging.DEBUG):
        done(replace(night, writing=replace(night.writing, style=Style())))

    assert not any(re.search(r"\b(uncle|ada)\b", str(vars(record))) for record in caplog.records)
