"""A batch that a batch prediction writes for, by the real client of a local server."""

import logging
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from chapterverse.essays.writing.choices.moves import Move, texts_of

from chapterverse.core.errors import StillPredicting
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.core.tasks import TaskKind
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.files import load_result
from chapterverse.essays.batch.model import BatchState, EssayBatch
from chapterverse.essays.batch.service import remove_batch
from chapterverse.essays.batch.tasks import run_batch_task
from chapterverse.essays.model import BY_RULES, Dimension, Style, Tone
from chapterverse.infrastructure.quotas import SqlLedger
from tests.support.batches import TRUTH, Clock, a_batch_context, begun, entries, queue_of, with_writing
from tests.support.intake import Clockwork, Killed, Watched
from tests.support.language_servers import ANSWER_TOKENS, MODEL, PROMPT_TOKENS, LanguageServer, choice, language_server
from tests.support.language_servers import says as says_online
from tests.support.vertex_jobs import Jobs, says, vertex_jobs

TODAY = date(2026, 11, 20)
CLASS = entries(TRUTH, "My uncle sings.", "# Only a heading")


BY_JOB = ("question", "exact_word", "link")
ONLINE = ("reason", "long", "order")


def comment(kinds: tuple[str, ...]) -> dict[str, object]:
    return {"comments": [choice(kind) for kind in kinds]}


def words_for(kind: Move, dimension: Dimension) -> str:
    return next(texts_of(kind, dimension, Tone.KIND, cites=False))


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    with vertex_jobs(tmp_path / "results") as running:
        running.respond = says(comment(BY_JOB))
        yield running


@pytest.fixture
def online() -> Iterator[LanguageServer]:
    with language_server(says_online(comment(ONLINE))) as running:
        yield running


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    with closing(SqlLedger(f"sqlite:///{tmp_path}/catalog.db")) as opened:
        yield opened


@pytest.fixture
def context(tmp_path: Path, jobs: Jobs, online: LanguageServer, ledger: SqlLedger) -> Iterator[BatchContext]:
    with a_batch_context(tmp_path) as made:
        paid = PaidModel(online.openai(), ledger, Price(1, 1), ceiling=10**9, today=lambda: TODAY)
        yield replace(with_writing(made, paid=paid, seconds=60, model_seconds=60), predictor=jobs.predictor())


def done(context: BatchContext, looks: int = 2) -> EssayBatch:
    """The batch, after so many rounds of whatever is asked for, and then all essays."""
    batch = begun(context, CLASS)
    for _ in range(looks):
        queue_of(context).do_all(context)
    queue_of(context).do_all(context)
    return context.store.batch(batch.key)


def written(context: BatchContext, batch: EssayBatch) -> set[tuple[str, str]]:
    """Who wrote, and what he says."""
    results = [load_result(context.results, batch.key, number) for number in (1, 2)]
    reviews = [getattr(result, name) for result in results for name in ("content", "expressions", "features")]
    return {(review.by, comment.text) for review in reviews for comment in review.comments if review.by != BY_RULES}


def test_the_essays_wait_for_the_job_and_are_then_written_by_its_answers(
    context: BatchContext, jobs: Jobs, online: LanguageServer
) -> None:
    batch = begun(context, CLASS)
    [task] = queue_of(context).waiting
    assert task.kind is TaskKind.PREDICT
    with pytest.raises(StillPredicting):
        run_batch_task(task, 1, context)

    queue_of(context).do_all(context)
    queue_of(context).do_all(context)

    assert context.store.batch(batch.key).done == 2
    assert (MODEL, words_for(Move.QUESTION, Dimension.CONTENT)) in written(context, batch)
    assert online.asked == []
    assert len(jobs.asked) == 6  # three dimensions of the two essays that can be used


def test_an_essay_that_cannot_be_used_says_why_and_stops_no_other(context: BatchContext) -> None:
    batch = done(context)

    assert [essay.reason for essay in context.store.essays(batch.key)] == [None, None, "bad_request"]


def test_what_the_job_left_unanswered_is_asked_one_by_one(context: BatchContext, jobs: Jobs, online: LanguageServer) -> None:
    answer = jobs.respond
    jobs.respond = lambda asked: {} if asked["labels"]["prompt"] == "0002-features" else answer(asked)

    batch = done(context)

    assert len(online.asked) == 1
    online_words, job_words = words_for(Move.ORDER, Dimension.FEATURES), words_for(Move.QUESTION, Dimension.CONTENT)
    assert {(MODEL, online_words), (MODEL, job_words)} <= written(context, batch)


def test_its_cost_is_counted_once_by_what_the_answers_took(context: BatchContext, ledger: SqlLedger) -> None:
    done(context)

    assert ledger.spent("school", TODAY) == 6 * (PROMPT_TOKENS + ANSWER_TOKENS)


def test_beyond_the_ceiling_nothing_is_asked_of_anybody(context: BatchContext, jobs: Jobs, online: LanguageServer) -> None:
    assert context.essays.writing.paid
    poor = with_writing(context, paid=replace(context.essays.writing.paid, ceiling=0))

    batch = done(poor)

    assert (batch.done, jobs.jobs, online.asked) == (2, {}, [])
    assert written(poor, batch) == set()


@pytest.mark.parametrize("ends", ["JOB_STATE_FAILED", "JOB_STATE_EXPIRED"])
def test_a_job_that_fails_leaves_the_essays_to_be_asked_one_by_one(
    context: BatchContext, jobs: Jobs, online: LanguageServer, ends: str
) -> None:
    jobs.ends = ends

    batch = done(context)

    assert (batch.done, len(online.asked)) == (2, 6)


def test_a_job_that_takes_half_the_window_is_stopped_and_the_essays_asked_one_by_one(
    context: BatchContext, jobs: Jobs, online: LanguageServer
) -> None:
    jobs.looks = 10**6
    batch = begun(context, CLASS)
    queue_of(context).do_all(context)
    assert isinstance(context.now, Clock)
    context.now.later(hours=6)

    for _ in range(2):
        queue_of(context).do_all(context)

    assert context.store.batch(batch.key).state(context.now()) is BatchState.DONE
    assert [job["state"] for job in jobs.jobs.values()] == ["JOB_STATE_CANCELLED"]
    assert len(online.asked) == 6


def test_of_a_batch_removed_while_the_job_is_under_way_nothing_is_left(context: BatchContext, jobs: Jobs) -> None:
    jobs.looks = 10**6
    batch = begun(context, CLASS)
    queue_of(context).do_all(context)

    remove_batch(batch.key, context)
    queue_of(context).do_all(context)

    assert [job["state"] for job in jobs.jobs.values()] == ["JOB_STATE_CANCELLED"]
    assert (context.results.names(""), jobs.bucket.names("")) == ([], [])


@pytest.mark.parametrize("kill_before", range(1, 16, 2))
def test_killed_before_any_of_its_writes_there_is_one_job_and_every_essay_is_done(
    context: BatchContext, jobs: Jobs, online: LanguageServer, kill_before: int
) -> None:
    clockwork = Clockwork(kill_before)
    watched = replace(context, **{name: Watched(getattr(context, name), clockwork) for name in ("results", "store")})
    begun(context, CLASS)

    for _ in range(5):
        for task in list(queue_of(context).waiting):
            try:
                run_batch_task(task, 1, watched)
            except (Killed, StillPredicting):
                continue
            queue_of(context).waiting.remove(task)

    [key] = context.store.find()
    assert (context.store.batch(key).done, len(jobs.jobs), online.asked) == (2, 1, [])


def test_nobodys_words_are_logged(context: BatchContext, jobs: Jobs, caplog: pytest.LogCaptureFixture) -> None:
    jobs.ends = "JOB_STATE_FAILED"
    with caplog.at_level(logging.DEBUG):
        done(with_writing(context, style=Style()))

    assert not any(re.search(r"\b(uncle|ada)\b", str(vars(record))) for record in caplog.records)
