"""An evaluation as JSON: what `chapterverse evaluate --json` prints."""

from typing import Any

from chapterverse.evaluation.measures import Figure
from chapterverse.usecases.evaluation import Evaluation

MEASURES = ("recall_at_1", "recall_at_3", "recall_at_5", "recall_at_10", "mrr")


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """The levels under "variants", and "essays", each only if evaluated; n counts paragraphs; null where no case."""
    found: dict[str, Any] = {}
    if evaluation.variants:
        found["variants"] = {
            level: {measure: rounded(getattr(figures, measure)) for measure in MEASURES}
            for level, figures in evaluation.variants.items()
        }
    if essays := evaluation.essays:
        found["essays"] = {
            "near_gold_at_1": rounded(essays.near_gold_at_1),
            "nothing_auroc": rounded(essays.nothing_auroc),
            "n": essays.n,
        }
    return found


def rounded(figure: Figure | None) -> float | None:
    """To four digits."""
    return round(figure.value, 4) if figure else None
