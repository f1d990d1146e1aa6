"""Kept feedback as JSON: what the command line prints with --json and the web answers."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from chapterverse.model import EVIDENCE, Item, KeptFeedback, Mark
from chapterverse.usecases.chosen import as_chosen
from chapterverse.usecases.feedback_json import feedback_json
from chapterverse.usecases.kept_feedback import Keeping, feedback_of, list_feedback
from chapterverse.usecases.write_feedback import Feedback

MOST = 100_000  # of one export


def kept_json(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    """feedback_json as a teacher has it shown, when it was given, approved and will be forgotten, and the teacher's marks and
    choices. Raises NotFound."""
    shown = feedback_json(as_chosen(feedback_of(kept), kept.choices))
    return (
        shown
        | _times(kept, keeping)
        | {
            "marks": [mark_json(each) for each in kept.marks],
            "choices": [{"number": each.number, "show": each.show.value, "sentence": each.sentence} for each in kept.choices],
        }
    )


def mark_json(mark: Mark) -> dict[str, Any]:
    """part: a dimension or "evidence"; number: of the comment or the evidence."""
    return {"part": mark.item.part, "number": mark.item.number, "thumb": mark.thumb, "comment": mark.comment}


def export_marks(school: str, keeping: Keeping) -> Iterator[dict[str, Any]]:
    """export_json of all that teachers have said anything of, newest first."""
    for kept in list_feedback(school, keeping, limit=MOST):
        if kept.marks or kept.choices:
            yield export_json(kept)


def export_json(kept: KeptFeedback) -> dict[str, Any]:
    """What teachers said of it, and of which sentences of books, without a word of the essay or the feedback."""
    sentences = {one.number: one.passage.sentence.id for one in feedback_of(kept).evidence.evidence}
    cited = _cited(feedback_of(kept))
    marks = [mark_json(each) | {"evidence": [sentences[n] for n in cited(each.item)]} for each in kept.marks]
    choices = [
        {"evidence": sentences[each.number], "show": each.show.value, "sentence": each.sentence} for each in kept.choices
    ]
    return {"id": kept.id, "created": kept.created.isoformat(), "marks": marks, "choices": choices}


def _cited(given: Feedback) -> Callable[[Item], list[int]]:
    comments = {
        Item(review.dimension, one.number): [by.evidence.number for by in one.citations]
        for review in given.reviews
        for one in review.comments
    }
    return lambda item: [item.number] if item.part == EVIDENCE else comments[item]


def summary_json(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    """One line of a list; title: the essay's. Also of feedback that another version of chapterverse gave."""
    return {"id": kept.id, "title": json.loads(kept.answer)["evidence"]["title"]} | _times(kept, keeping)


def _times(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    times = {"created": kept.created, "expires": keeping.until(kept), "approved": kept.approved}
    return {name: at and at.isoformat() for name, at in times.items()}
