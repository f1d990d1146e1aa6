"""A batch as a table: a row an essay, with what a teacher looks for in it at a glance."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chapterverse.errors import NotFound
from chapterverse.evidence.verdict import VerdictKind
from chapterverse.feedback.comments import Dimension
from chapterverse.model import BatchKey, KeptFeedback
from chapterverse.usecases.kept_json import feedback_shown
from chapterverse.usecases.overnight.batch_json import told_json
from chapterverse.usecases.overnight.batches import essays_of
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.write_feedback import Feedback

BYTES = 500  # of one, about


@dataclass(frozen=True, slots=True)
class Figures:
    """comments: by dimension, None where it was not asked for. contradicting: citations of sentences that say otherwise than
    the essay."""

    paragraphs: int
    evidence: int
    comments: tuple[int | None, ...]
    contradicting: int
    nbytes: int = BYTES


def class_table(key: BatchKey, night: Night) -> Iterator[dict[str, Any]]:
    """By number. feedback: null where none is there (any more). Raises NotFound, CatalogUnavailable, BucketUnavailable."""
    kept = {each.origin.number: each for each in night.keeping.store.in_batch(key, night.keeping.since) if each.origin}
    for one in essays_of(key, night):
        feedback = kept.get(one.essay.number)
        yield told_json(one) | {"feedback": _row_json(feedback, night) if feedback else None}


def one_of_class(key: BatchKey, number: int, night: Night) -> dict[str, Any]:
    """An essay among the others. feedback: the id that it is kept under, null where there is none (any more); previous, next:
    the numbers of those beside it, null at the ends. Raises as class_table does, and NotFound without such an essay."""
    batch, told = night.store.batch(key), list(essays_of(key, night))
    numbers = [one.essay.number for one in told]
    if number not in numbers:
        raise NotFound("no_essay_of_number", number=number)
    at = numbers.index(number)
    before, after = numbers[at - 1 : at], numbers[at + 1 : at + 2]
    return told_json(told[at]) | {
        "name": batch.name,
        "place": at + 1,
        "essays": len(numbers),
        "previous": before[0] if before else None,
        "next": after[0] if after else None,
        "feedback": night.keeping.ids_in(key).get(number),
    }


def figures_of(given: Feedback) -> Figures:
    """Of feedback as it is shown."""
    reviews = {review.dimension: review for review in given.reviews}
    comments = tuple(len(reviews[each].comments) if each in reviews else None for each in Dimension)
    cited = (one for review in given.reviews for comment in review.comments for one in comment.citations)
    against = sum(one.verdict.kind is VerdictKind.CONTRADICTS for one in cited)
    return Figures(len(given.evidence.paragraphs), len(given.evidence.evidence), comments, against)


def _row_json(kept: KeptFeedback, night: Night) -> dict[str, Any]:
    times = {"created": kept.created, "approved": kept.approved, "expires": night.keeping.until(kept)}
    return {
        "id": kept.id,
        **{name: at and at.isoformat() for name, at in times.items()},
        "marks": len(kept.marks),
        "choices": len(kept.choices),
        "figures": _figures_json(kept, night),
    }


def _figures_json(kept: KeptFeedback, night: Night) -> dict[str, Any] | None:
    """None of what another version of chapterverse gave. They are looked at again and again while a batch goes on, and reading
    feedback takes longer than all else."""
    key = ("figures", kept.id, kept.created, kept.choices)
    try:
        figures = night.services.recent.get(key, lambda: figures_of(feedback_shown(kept)))
    except NotFound:
        return None
    return {
        "paragraphs": figures.paragraphs,
        "evidence": figures.evidence,
        **dict(zip(Dimension, figures.comments, strict=True)),
        "contradicting": figures.contradicting,
    }
