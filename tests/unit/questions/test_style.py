from chapterverse.questions.styles import DOCUMENT_QA
from tests.support.answers import findings


def test_thresholds_can_be_those_of_a_school() -> None:
    style = DOCUMENT_QA.with_min_scores({"high": 0.6})

    assert style.band_of(findings(scores=(0.61,))).name == "high"
    assert style.band_of(findings(scores=(0.55,))).name == "medium"
    assert style.band_of(findings(scores=(-1.0,))).name == "low"
