"""`chapterverse evaluate --claims`."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from chapterverse import composition
from chapterverse.cli.session import services
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.usecases.claims_evaluation import ClaimFigures, JudgeAll


class By(StrEnum):
    """What verdicts are given by."""

    WORDS = "words"
    VECTORS = "vectors"
    MODEL = "model"


def evaluate_file(data: bytes, by: By, model: str | None) -> ClaimFigures:
    """The figures of a file of claims. Raises BadRequest, EmbedderUnavailable, ModelUnavailable."""
    from chapterverse.evaluation.cases import read_claims
    from chapterverse.usecases.claims_evaluation import evaluate_claims

    return evaluate_claims(read_claims(data), judge_by(by, model))


def judge_by(by: By, model: str | None) -> JudgeAll:
    """The judge that was asked for; words need no model at all. Raises BadRequest."""
    from chapterverse.evidence.verdict import judge_words
    from chapterverse.usecases.verdicts import judge_all

    if (by is By.MODEL) != bool(model):
        raise BadRequest("cli_by_model_needs_nli")
    if by is By.WORDS:
        return lambda said: [judge_words(one) for one in said]
    if not model:
        return partial(judge_all, embedder=services().embedder)
    return partial(judge_all, embedder=services().embedder, reader=composition.claim_reader(model))


def confusion_rows(figures: ClaimFigures) -> Iterator[tuple[str, str, str, str, str]]:
    """A row for each true verdict and each that was given, after those of the figures."""
    for true, taken_for in figures.confusion.items():
        for given, number in taken_for.items():
            yield (f"claims, {true}", f"taken for {given}", str(number), "", str(sum(taken_for.values())))
