"""A batch that a batch prediction writes for, by the real client of a local server."""

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from chapterverse.core.errors import StillPredicting
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.files import BatchOrder, results_of
from chapterverse.essays.batch.model import BatchState, EssayBatch
from chapterverse.essays.batch.prediction import MAX_ROUNDS
from chapterverse.essays.batch.service import remove_batch, run_batch_task
from chapterverse.infrastructure.quotas import SqlLedger
from scripts.bench.simulated_model import answer, title_of
from tests.support.batches import TRUTH, a_batch_context, begun, entries, lines, queue_of, with_writing
from tests.support.intake import Clockwork, Killed, Watched
from tests.support.language_servers import ANSWER_TOKENS, MODEL, PROMPT_TOKENS, LanguageServer, as_simulated, language_server
from tests.support.vertex_jobs import Jobs, Line, says, vertex_jobs

TODAY = date(2026, 11, 20)
CLASS = entries(TRUTH, f"My uncle sings. {TRUTH}", "# Only a heading")


def respond(asked: Line) -> Line:
    """As the simulated model answers."""
    form, material = asked["generationConfig"]["responseJsonSchema"], asked["contents"][0]["parts"][0]["text"]
    return says(answer(title_of(form), material))(asked)


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    with vertex_jobs(tmp_path / "results") as running:
        running.respond = respond
        yield running


@pytest.fixture
def online() -> Iterator[LanguageServer]:
    with language_server() as running:
        running.reply = as_simulated
        yield running


@pytest.fixture
def context(tmp_path: Path, jobs: Jobs, online: LanguageServer, ledger: SqlLedger) -> Iterator[BatchContext]:
    with a_batch_context(tmp_path) as made:
        paid = PaidModel(online.openai(), ledger, Price(1, 1), ceiling=10**9, today=lambda: TODAY)
        yield replace(with_writing(made, paid=paid, seconds=60), predictor=jobs.predictor())


def done(context: BatchContext, looks: int = 2 * MAX_ROUNDS, order: BatchOrder | None = None) -> EssayBatch:
    """The batch, after so many rounds of whatever is asked for, and then all essays."""
    batch = begun(context, CLASS, order=order)
    for _ in range(looks):
        queue_of(context).do_all(context)
    queue_of(context).do_all(context)
    return context.store.batch(batch.key)


def by_model(context: BatchContext, batch: EssayBatch) -> list[str]:
    """The model that wrote each of the two essays, empty without one."""
    return [one["by"] for one in lines(results_of(batch.key, context))[:2]]


@pytest.mark.parametrize("ends", ["JOB_STATE_SUCCEEDED", "JOB_STATE_FAILED", "JOB_STATE_EXPIRED"])
def test_what_jobs_left_open_is_asked_one_by_one_and_nobodys_words_are_logged(
    context: BatchContext, jobs: Jobs, online: LanguageServer, ends: str, caplog: pytest.LogCaptureFixture
) -> None:
    jobs.ends, jobs.respond = ends, lambda asked: {} if "summary" in str(asked["generationConfig"]) else respond(asked)

    with caplog.at_level(logging.DEBUG):
        batch = done(context)

    assert (batch.done, bool(online.asked), by_model(context, batch)) == (2, True, [MODEL, MODEL])
    assert not any(re.search(r"\b(uncle|ada)\b", str(vars(record))) for record in caplog.records)


def test_its_cost_is_counted_once_by_what_the_answers_took(context: BatchContext, jobs: Jobs, ledger: SqlLedger) -> None:
    done(context, order=BatchOrder("essay-1", False, "", {}, charged=("essay-1", "9b")))

    assert ledger.spent("school", TODAY) == len(jobs.asked) * (PROMPT_TOKENS + ANSWER_TOKENS)
    assert ledger.spent("school", "essay-1") == ledger.spent("school", "9b") == ledger.spent("school", TODAY)


@pytest.mark.parametrize(("ceiling", "limited"), [(0, ""), (10**9, "essay-1"), (10**9, "9b")], ids=["day", "essay", "class"])
def test_beyond_a_limit_nothing_is_asked_of_anybody(
    context: BatchContext, jobs: Jobs, online: LanguageServer, ledger: SqlLedger, ceiling: int, limited: str
) -> None:
    poor = with_writing(context, paid=replace(context.essays.writing.paid, ceiling=ceiling))
    ledger.set_limit("school", limited, 0)

    batch = done(poor, order=BatchOrder("essay-1", False, "", {}, charged=("essay-1", "9b")))

    assert (batch.done, jobs.jobs, online.asked) == (2, {}, [])
    assert by_model(poor, batch) == ["", ""]
    assert [ledger.spent("school", each) for each in (TODAY, "essay-1", "9b")] == [0, 0, 0]


def test_a_job_that_takes_half_the_window_is_stopped_and_the_essays_asked_one_by_one(
    context: BatchContext, jobs: Jobs, online: LanguageServer
) -> None:
    jobs.looks = 10**6
    batch = begun(context, CLASS)
    queue_of(context).do_all(context)
    context.now.later(hours=6)

    for _ in range(2):
        queue_of(context).do_all(context)

    assert context.store.batch(batch.key).state(context.now()) is BatchState.DONE
    assert [job["state"] for job in jobs.jobs.values()] == ["JOB_STATE_CANCELLED"]
    assert online.asked


def test_of_a_batch_removed_while_the_job_is_under_way_nothing_is_left(context: BatchContext, jobs: Jobs) -> None:
    jobs.looks = 10**6
    batch = begun(context, CLASS)
    queue_of(context).do_all(context)

    remove_batch(batch.key, context)
    queue_of(context).do_all(context)

    assert [job["state"] for job in jobs.jobs.values()] == ["JOB_STATE_CANCELLED"]
    assert (context.results.names(""), jobs.bucket.names("")) == ([], [])


@pytest.mark.parametrize("kill_before", [1, 7, 13, 19, 25])
def test_killed_before_any_of_its_writes_no_job_runs_twice_and_every_essay_is_done(
    context: BatchContext, jobs: Jobs, online: LanguageServer, kill_before: int
) -> None:
    clockwork = Clockwork(kill_before)
    watched = replace(context, **{name: Watched(getattr(context, name), clockwork) for name in ("results", "store")})
    begun(context, CLASS)

    for _ in range(6 * MAX_ROUNDS):
        for task in list(queue_of(context).waiting):
            try:
                run_batch_task(task, 1, watched)
            except (Killed, StillPredicting):
                continue
            queue_of(context).waiting.remove(task)

    [key] = context.store.find()
    assert (context.store.batch(key).done, online.asked) == (2, [])
    assert len(jobs.jobs) <= MAX_ROUNDS
