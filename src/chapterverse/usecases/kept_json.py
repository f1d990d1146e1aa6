"""Kept feedback as JSON: what the command line prints with --json and the web answers."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from textwrap import shorten
from typing import Any

from chapterverse.feedback.comments import Dimension
from chapterverse.model import EVIDENCE, Item, KeptFeedback, Mark, Thumb
from chapterverse.usecases.chosen import as_chosen
from chapterverse.usecases.essay_json import evidence_json
from chapterverse.usecases.feedback_json import feedback_json
from chapterverse.usecases.kept_feedback import Keeping, feedback_of, list_feedback
from chapterverse.usecases.write_feedback import Feedback

MOST = 100_000  # of one export
BEGINNING = 80  # characters that an essay is known by


def kept_json(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    """feedback_json as a teacher has it shown, when it was given, approved and will be forgotten, whether a teacher has chosen
    any of its evidence, and the teacher's marks and choices. Raises NotFound."""
    return (
        feedback_json(feedback_shown(kept))
        | _times(kept, keeping)
        | {
            "changed": bool(kept.choices),
            "marks": [mark_json(each) for each in kept.marks],
            "thumbs": [_without_words(mark_json(each), False) for each in kept.thumbs],
            "choices": _choices(kept),
        }
    )


def _choices(kept: KeptFeedback) -> list[dict[str, Any]]:
    """With what was found first, which a teacher sees where it is hidden or replaced."""
    if not kept.choices:
        return []
    found = {one.number: evidence_json(one, None) for one in feedback_of(kept).evidence.evidence}
    return [
        {"number": each.number, "show": each.show.value, "sentence": each.sentence, "found": found[each.number]}
        for each in kept.choices
    ]


def feedback_shown(kept: KeptFeedback) -> Feedback:
    """As a teacher has it shown. Raises NotFound."""
    return as_chosen(feedback_of(kept), kept.choices)


def mark_json(mark: Mark) -> dict[str, Any]:
    """part: a dimension or "evidence"; number: of the comment or the evidence."""
    return {"part": mark.item.part, "number": mark.item.number, "thumb": mark.thumb, "comment": mark.comment}


def export_marks(school: str, keeping: Keeping, *, with_text: bool = False) -> Iterator[dict[str, Any]]:
    """export_json of all that teachers have said anything of, newest first."""
    for kept in list_feedback(school, keeping, limit=MOST):
        if kept.marks or kept.choices:
            yield export_json(kept, with_text=with_text)


def export_json(kept: KeptFeedback, *, with_text: bool = False) -> dict[str, Any]:
    """What teachers did with it, and which sentences of books it is about. with_text: and what they wrote, which may quote the
    essay, the comment that they marked and the words of the essay that it is about; else nobody's words."""
    sentences = {one.number: one.passage.sentence.id for one in feedback_of(kept).evidence.evidence}
    cited = _cited(feedback_of(kept))
    about = _about(kept) if with_text else {}
    marks = [
        _without_words(mark_json(each), with_text)
        | {"evidence": [sentences[n] for n in cited(each.item)]}
        | about.get(each.item, {})
        for each in kept.marks
    ]
    choices = [
        {"evidence": sentences[each.number], "show": each.show.value, "sentence": each.sentence} for each in kept.choices
    ]
    return {"id": kept.id, "created": kept.created.isoformat(), "marks": marks, "choices": choices}


def _without_words(mark: dict[str, Any], with_text: bool) -> dict[str, Any]:
    return mark if with_text else {name: value for name, value in mark.items() if name != "comment"}


def _about(kept: KeptFeedback) -> dict[Item, dict[str, Any]]:
    """Of each comment its text, and the words of the essay that it is about."""
    told = feedback_json(feedback_of(kept))
    reviews = ((name, told[name]) for name in Dimension if told[name])
    return {
        Item(name, one["number"]): {"text": one["text"], "about": one["about"] and one["about"]["text"]}
        for name, review in reviews
        for one in review["comments"]
    }


def _cited(given: Feedback) -> Callable[[Item], list[int]]:
    comments = {
        Item(review.dimension, one.number): [by.evidence.number for by in one.citations]
        for review in given.reviews
        for one in review.comments
    }
    return lambda item: [item.number] if item.part == EVIDENCE else comments[item]


def summary_json(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    """One line of a list; title: the essay's, begins: its first words. Also of feedback that another version of chapterverse
    gave."""
    found = json.loads(kept.answer)["evidence"]
    first = next((one["paragraph"]["text"] for one in found["paragraphs"]), "")
    told = {"id": kept.id, "title": found["title"], "begins": shorten(first, BEGINNING, placeholder=" …")}
    thumbs = Counter(each.thumb for each in kept.thumbs)
    return told | {"thumbs": {thumb.value: thumbs[thumb] for thumb in Thumb}} | _times(kept, keeping)


def _times(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    times = {"created": kept.created, "expires": keeping.until(kept), "approved": kept.approved}
    return {name: at and at.isoformat() for name, at in times.items()}
