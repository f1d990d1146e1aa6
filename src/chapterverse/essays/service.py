"""Feedback on an essay, from the request to the stored result: the one use case behind HTTP, the command line and batches (S1).

What a school has set for itself lies over the operator's settings; what a request asks for lies over both."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from chapterverse.accounts.model import NAMES, SchoolChoices, Value
from chapterverse.accounts.store import SqlChoices
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.history import ALONE, FeedbackHistory, feedback_of, feedback_shown, find_feedback, store_feedback
from chapterverse.essays.model import (
    Dimension,
    Essay,
    EssayEvidence,
    Feedback,
    Review,
    Rubric,
    Style,
    Submission,
    Tone,
)
from chapterverse.essays.queries import KeySentenceModel
from chapterverse.essays.text.parse import MAX_WORDS, parse_essay
from chapterverse.essays.writing.review import write_reviews
from chapterverse.essays.writing.writing import Writing
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK, RetrievalPlan


@dataclass(frozen=True)
class EssayContext:
    """What feedback on essays is given with; composition builds it, tests build their own. key_sentences: the language model
    that chooses key sentences, None: vectors choose them."""

    services: CollectionServices
    history: FeedbackHistory
    writing: Writing = field(default_factory=Writing)
    plan: RetrievalPlan = ESSAY_FEEDBACK
    key_sentences: KeySentenceModel | None = None
    max_words: int = MAX_WORDS


@dataclass(frozen=True, slots=True)
class FeedbackOptions:
    """What a request asks for; None: as the school has set it. evidences: sentences at most, or as many as paragraphs."""

    evidences: int | Literal["paragraphs"] | None = None
    grade: int | None = None
    tone: Tone | None = None
    dimensions: tuple[Dimension, ...] | None = None
    rubric: Rubric | None = None

    def plan(self, plan: RetrievalPlan) -> RetrievalPlan:
        """The school's plan with the number of sentences asked for."""
        if self.evidences is None:
            return plan
        return replace(plan, evidences=None if self.evidences == "paragraphs" else self.evidences)

    def style(self, style: Style) -> Style:
        """The school's style with the fields asked for."""
        asked: dict[str, Any] = {name: getattr(self, name) for name in ("grade", "tone", "dimensions", "rubric")}
        return replace(style, **{name: value for name, value in asked.items() if value is not None})


@dataclass(frozen=True, slots=True)
class FeedbackRequest:
    """An essay as it comes in. text: plain or Markdown; title: instead of the one in the text; scope: the school and the books
    to search; by_student: the result waits for a teacher where the school wants approval."""

    text: str
    scope: Scope
    options: FeedbackOptions = field(default_factory=FeedbackOptions)
    submission: Submission = ALONE
    title: str | None = None
    by_student: bool = False


@dataclass(frozen=True, slots=True)
class Citations:
    """The part of a stream after the last review: all reviews are known, so all citations and verdicts are."""

    feedback: Feedback


@dataclass(frozen=True, slots=True)
class Done:
    """The last part: the whole feedback, stored; its id is None where nothing is stored."""

    feedback: Feedback


FeedbackPart = EssayEvidence | Review | Citations | Done


def give_feedback(request: FeedbackRequest, context: EssayContext) -> Iterator[FeedbackPart]:
    """The parts of the feedback, each as soon as it is there: evidence, a review a dimension, citations, done.

    An essay that has feedback already (by its submission) gets that again: nothing is written twice. Where a teacher has to
    approve it first, a student's request yields Done alone. The time that writing.seconds gives starts with the first part.
    Raises BadRequest, TooLarge for the essay, NotFound without a book to search, and every RetryableError of the ports."""
    known, held_back = known_feedback(request, context.history), is_held_back(request, context.history)
    for part in _known_parts(known) if known else _new_parts(request, context):
        if not held_back or isinstance(part, Done):
            yield part


def is_held_back(request: FeedbackRequest, history: FeedbackHistory) -> bool:
    """Whether a student's feedback waits for a teacher's approval."""
    return request.by_student and history.approval


def known_feedback(request: FeedbackRequest, history: FeedbackHistory) -> Feedback | None:
    """The stored feedback on the same submission, None if there is none.

    On an essay of a batch as it was written, because the files of the batch apply a teacher's choices when they are read; on
    any other as a student sees it, with these choices. Raises CatalogUnavailable."""
    submission, school = request.submission, request.scope.school
    with suppress(NotFound):
        if submission.origin:
            return feedback_of(history.store.on_essay(school, submission.origin))
        if submission.id:
            return feedback_shown(find_feedback(school, submission.id, history))
    return None


def _known_parts(feedback: Feedback) -> Iterator[FeedbackPart]:
    yield feedback.evidence
    yield from feedback.reviews
    yield Citations(feedback)
    yield Done(feedback)


def _new_parts(request: FeedbackRequest, context: EssayContext) -> Iterator[FeedbackPart]:
    began, school = context.writing.clock(), request.scope.school
    writing = replace(context.writing, style=style_of(request, context))
    yield (evidence := evidence_on(request, context))
    reviews: list[Review] = []
    for review in write_reviews(evidence, school, writing, began):
        yield review
        reviews.append(review)
    feedback = Feedback(evidence, tuple(reviews))
    yield Citations(feedback)
    yield Done(store_feedback(feedback, school, context.history, request.submission))


def feedback_on(request: FeedbackRequest, context: EssayContext) -> Feedback:
    """The whole feedback at once. Raises as give_feedback does."""
    [done] = (part for part in give_feedback(request, context) if isinstance(part, Done))
    return done.feedback


def evidence_on(request: FeedbackRequest, context: EssayContext) -> EssayEvidence:
    """The evidence alone: the request's plan over the school's. Raises as give_feedback does."""
    plan = request.options.plan(plan_for(request.scope.school, context.plan, context.services))
    return find_evidence(essay_in(request, context), request.scope, context.services, plan, context.key_sentences)


def essay_in(request: FeedbackRequest, context: EssayContext) -> Essay:
    """The parsed essay. Raises BadRequest, TooLarge."""
    essay = parse_essay(request.text, context.max_words)
    return replace(essay, title=request.title or essay.title)


def style_of(request: FeedbackRequest, context: EssayContext) -> Style:
    """The request's style over the school's. Raises CatalogUnavailable."""
    return request.options.style(style_for(request.scope.school, context.writing.style, context.services))


@dataclass(frozen=True, slots=True)
class Change:
    """Who changes the school's choices, and when."""

    by: str
    at: datetime


def choices_of(school: str, services: CollectionServices) -> SchoolChoices:
    """The school's own settings, each None where it has set nothing. Raises CatalogUnavailable."""
    return SchoolChoices.of(services.choices.of_school(school)) if services.choices else SchoolChoices()


def plan_for(school: str, plan: RetrievalPlan, services: CollectionServices) -> RetrievalPlan:
    """The plan with the school's choices. Raises CatalogUnavailable."""
    chosen = choices_of(school, services)
    own = plan if chosen.evidences is None else replace(plan, evidences=chosen.evidences)
    return own if chosen.least_books is None else replace(own, min_score=chosen.least_books, for_these_books=True)


def style_for(school: str, style: Style, services: CollectionServices) -> Style:
    """The style with the school's choices. Raises CatalogUnavailable."""
    chosen = choices_of(school, services)
    tone = style.tone if chosen.tone is None else Tone(chosen.tone)
    return replace(style, tone=tone, grade=style.grade if chosen.grade is None else chosen.grade)


def choose(school: str, wanted: SchoolChoices, change: Change, store: SqlChoices) -> None:
    """Replace the school's choices; a field that is None goes back to the operator's setting. Idempotent.

    Raises CatalogUnavailable."""
    known = store.of_school(school)
    values: dict[str, Value | None] = {name: getattr(wanted, name) for name in NAMES}
    never = {name for name, value in values.items() if value is None and name not in known}
    store.change(school, {name: value for name, value in values.items() if name not in never}, change.by, change.at)
