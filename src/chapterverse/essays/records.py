"""Feedback with the evidence that a teacher has shown: laid over what was given whenever it is read; what was given stays.

Kept feedback as JSON: what the command line prints with --json and the web answers.

What somebody handed in themselves: their history, their thumbs. Nobody sees another's; teachers see their school's."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Any

from pydantic import TypeAdapter

from chapterverse.citations.model import Evidence
from chapterverse.citations.quotations import numbers_in
from chapterverse.core.errors import NotFound
from chapterverse.core.names import fingerprint
from chapterverse.essays.evidence import EssayEvidence, ParagraphEvidence
from chapterverse.essays.history import Keeping, feedback_of, find_feedback, items_of, list_feedback, with_mark
from chapterverse.essays.json import evidence_json, feedback_json
from chapterverse.essays.model import EVIDENCE, Choice, Comment, Dimension, Item, KeptFeedback, Mark, Show, Submission, Thumb
from chapterverse.essays.service import Feedback
from chapterverse.library.text.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class Instead:
    """A sentence in the place of the one that was found, and what is said of it, under the numbers of what was said before."""

    evidence: Evidence
    comments: tuple[Comment, ...]


INSTEAD = TypeAdapter(Instead)


def as_chosen(given: Feedback, choices: Sequence[Choice]) -> Feedback:
    """Hidden evidence is gone, and what stood on it alone; replaced evidence has its number, and rules speak of it anew; pinned
    evidence comes first, and what is said of it. All numbers stay what they were."""
    hidden = {each.number for each in choices if each.show is Show.HIDDEN}
    pinned = {each.number for each in choices if each.show is Show.PINNED}
    news = {each.number: INSTEAD.validate_json(each.instead) for each in choices if each.instead and each.number not in hidden}
    reviews = tuple(
        replace(review, comments=_first(_chosen(review.comments, hidden, news), pinned)) for review in given.reviews
    )
    return replace(given, evidence=_evidence(given.evidence, hidden, pinned, news), reviews=reviews)


def without(comment: Comment, gone: Collection[int]) -> Comment | None:
    """The comment without that evidence, and without the sentences that name it; None where it stood on nothing else."""
    left = tuple(one for one in comment.citations if one.evidence.number not in gone)
    if len(left) == len(comment.citations):
        return comment
    sentences = (comment.text[slice(*span)] for span in split_sentences(comment.text))
    text = " ".join(sentence for sentence in sentences if not numbers_in(sentence) & set(gone))
    return replace(comment, text=text, citations=left) if left and text else None


def _chosen(comments: Sequence[Comment], hidden: set[int], news: Mapping[int, Instead]) -> Iterator[Comment]:
    anew = {comment.number: comment for instead in news.values() for comment in instead.comments}
    for comment in comments:
        left = without(comment, hidden | news.keys())
        if left is None and comment.citations[0].evidence.number in news:
            left = anew.get(comment.number)
        if left:
            yield left


def _first(comments: Iterator[Comment], pinned: set[int]) -> tuple[Comment, ...]:
    return tuple(sorted(comments, key=lambda one: pinned.isdisjoint(cited.evidence.number for cited in one.citations)))


def _evidence(found: EssayEvidence, hidden: set[int], pinned: set[int], news: Mapping[int, Instead]) -> EssayEvidence:
    shown = [news[one.number].evidence if one.number in news else one for one in found.evidence if one.number not in hidden]
    paragraphs = tuple(_without(one, hidden) for one in found.paragraphs)
    return replace(found, paragraphs=paragraphs, evidence=tuple(sorted(shown, key=lambda one: one.number not in pinned)))


def _without(one: ParagraphEvidence, hidden: set[int]) -> ParagraphEvidence:
    left = tuple(number for number in one.numbers if number not in hidden)
    return replace(one, numbers=left, hidden=left != one.numbers)


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


OWN_FEEDBACK_MOST = 500  # of one history

BEGINS = 12  # words that stand for an essay without a title


def submission_of(
    owner: str | None, caller: str, school: str, keeping: Keeping, *, key: str | None, earlier: str | None
) -> Submission:
    """How an essay comes in. key: random, told by the caller: the same again is the same essay, so it has the same id, which
    nobody but that caller can make. earlier: of which feedback of the owner's it is a new version; another's is none."""
    id = fingerprint(school, caller, key, digits=32) if key else None
    return Submission(owner, _theirs(school, owner, earlier, keeping), id)


def list_own(school: str, owner: str | None, keeping: Keeping) -> list[KeptFeedback]:
    """What they handed in, newest first. Raises CatalogUnavailable."""
    return keeping.store.of_owner(school, owner, keeping.since, OWN_FEEDBACK_MOST) if owner else []


def find_own(school: str, owner: str | None, id: str, keeping: Keeping) -> KeptFeedback:
    """Raises NotFound, also where somebody else handed it in."""
    kept = find_feedback(school, id, keeping)
    if owner is None or kept.owner != owner:
        raise NotFound("no_such_own_feedback")
    return kept


def refuse_anothers(kept: KeptFeedback, person: str | None) -> None:
    """A student who is signed in sees what nobody owns by its id, and of the rest only their own. Raises NotFound."""
    if person is not None and kept.owner not in (None, person):
        raise NotFound("no_such_own_feedback")


def thumb_own(school: str, owner: str | None, id: str, told: Mark, keeping: Keeping) -> None:
    """What they think of a comment or of evidence from now on; without a thumb: nothing. Raises NotFound, also without such an
    item."""
    item = told.item
    if item not in items_of(feedback_of(find_own(school, owner, id, keeping))):
        raise NotFound("no_such_part_of_feedback", part=item.part, number=item.number)

    keeping.store.change(school, id, lambda kept: replace(kept, thumbs=with_mark(kept.thumbs, told)))


def own_json(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    """One line of a history: summary_json, how the essay begins and how many words it has, what it is a new version of, and
    whether a teacher has chosen any of its evidence."""
    texts = [one["paragraph"]["text"] for one in json.loads(kept.answer)["evidence"]["paragraphs"]]
    words = " ".join(texts).split()
    return summary_json(kept, keeping) | {
        "begins": " ".join(words[:BEGINS]),
        "words": len(words),
        "version_of": kept.version_of,
        "changed": bool(kept.choices),
    }


def _theirs(school: str, owner: str | None, id: str | None, keeping: Keeping) -> str | None:
    if id is None:
        return None
    try:
        return find_own(school, owner, id, keeping).id
    except NotFound:
        return None
