from dataclasses import replace

from chapterverse.evaluation.cli import SEEDS, plan_of, rows_of
from chapterverse.questions.cli import QuestionCollection
from chapterverse.questions.judging import Scale, ThresholdMetrics
from chapterverse.search.plan import HELPDESK

TOLD = (ThresholdMetrics(0.79, None, 0.0, 1.0), ThresholdMetrics(0.7, 0.95, 0.4, 0.9), ThresholdMetrics(0.3, 0.5, 0.95, 0.2))
FOUND = Scale(confident=0.7, possible=0.3, metrics=TOLD)


def test_each_threshold_is_named_by_whose_it_is() -> None:
    rows = list(rows_of("cosine", FOUND, {0.79: "S2's own reading", 0.7: "S2: an answer"}))

    assert rows == [
        ("cosine", "0.790", "", "0.000", "1.000", "S2's own reading"),
        ("cosine", "0.700", "0.950", "0.400", "0.900", "calibrated: sure; S2: an answer"),
        ("cosine", "0.300", "0.500", "0.950", "0.200", "calibrated: possible"),
    ]


def test_where_no_score_is_sure_that_is_said() -> None:
    *_, last = rows_of("cosine", replace(FOUND, confident=None), {})

    assert last[-1] == "none is right in 95 of 100 cases"


def test_every_collection_that_is_asked_has_a_plan_and_its_seeds_thresholds() -> None:
    assert plan_of(QuestionCollection.HELPDESK) is HELPDESK
    assert all(SEEDS[one] and plan_of(one) for one in QuestionCollection)
