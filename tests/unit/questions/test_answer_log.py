from dataclasses import replace
from datetime import UTC, datetime, timedelta

from chapterverse.core.book import SentenceId
from chapterverse.essays.model import Rating
from chapterverse.questions.log import ENOUGH, start_of_days, statistics_by, statistics_of
from chapterverse.questions.model import GivenAnswer

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SURE = GivenAnswer("a", "school", "documents", NOON, (0.8, 0.6), "high", 0.7, nothing=False, cited=(SentenceId("s1"),))
UNSURE = replace(SURE, id="b", scores=(0.3, 0.1), band="low", relevance=None, nothing=True)


def test_figures_are_means_over_answers_and_counts() -> None:
    figures = statistics_of([SURE, replace(UNSURE, rating=Rating.DOWN)])

    assert (figures.answers, figures.low, figures.low_share, figures.up, figures.down) == (2, 1, 0.5, 0, 1)
    assert figures.mean is not None
    assert round(figures.mean, 3) == 0.45
    assert not figures.doubtful


def test_a_mean_of_enough_answers_below_the_seeds_bound_is_doubtful() -> None:
    assert statistics_of([UNSURE] * ENOUGH).doubtful
    assert not statistics_of([UNSURE] * 3).doubtful


def test_each_day_or_kind_of_question_has_its_own_figures() -> None:
    yesterday, fact = replace(UNSURE, created=NOON - timedelta(days=1)), replace(SURE, intent="fact")

    days = statistics_by(lambda one: one.created.date().isoformat(), [SURE, yesterday, fact])
    kinds = statistics_by(lambda one: one.intent, [yesterday, fact, SURE])

    assert [(one.name, one.answers, one.low) for one in days] == [("2026-11-19", 1, 1), ("2026-11-20", 2, 0)]
    assert [(one.name, one.answers) for one in kinds] == [("fact", 1)]


def test_so_many_days_end_today() -> None:
    assert start_of_days(1, NOON) == datetime(2026, 11, 20, tzinfo=UTC)
    assert start_of_days(30, NOON) == datetime(2026, 10, 22, tzinfo=UTC)


def test_nearness_is_spread_over_answers_and_times_are_of_those_that_were_timed() -> None:
    given = [replace(SURE, scores=(mean,), seconds=mean * 10) for mean in (0.2, 0.4, 0.6, 0.8, 1.0)]

    figures = statistics_of([*given, replace(SURE, scores=(0.6,))])

    assert (figures.median, figures.p50) == (0.6, 6.0)
    assert (statistics_of([]).median, statistics_of([SURE]).p50) == (None, None)
