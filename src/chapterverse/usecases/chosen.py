"""Feedback with the evidence that a teacher has shown: laid over what was given whenever it is read; what was given stays."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from chapterverse.evidence.numbering import Evidence
from chapterverse.feedback.comments import Comment
from chapterverse.feedback.suspect import numbers_in
from chapterverse.ingestion.sentences import split_sentences
from chapterverse.model import Choice, Show
from chapterverse.usecases.essay_feedback import EssayEvidence, ParagraphEvidence
from chapterverse.usecases.write_feedback import Feedback


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
