"""Feedback on an essay, from request to stored result: one use case for HTTP, the command line and batches (S1).

A school's settings override the operator's; a request's options override both."""

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from chapterverse.core.errors import BadRequest, ChapterverseError, NotFound
from chapterverse.core.hits import Scope
from chapterverse.core.ports import Prompt
from chapterverse.core.turns import Turns
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.history import (
    ALONE,
    FeedbackHistory,
    earlier_feedback,
    feedback_of,
    find_feedback,
    store_feedback,
    visible_feedback,
    with_earlier,
)
from chapterverse.essays.model import (
    Dimension,
    Essay,
    EssayEvidence,
    Feedback,
    Review,
    Style,
    Submission,
    Tone,
    subject_of,
)
from chapterverse.essays.reading import EvidenceModel
from chapterverse.essays.revision.compare import compare, is_short_enough
from chapterverse.essays.task import Genre, Rubric, WritingTask
from chapterverse.essays.text.parse import MAX_WORDS, parse_essay
from chapterverse.essays.usefulness import UsefulnessModel
from chapterverse.essays.writing.drafts import prompts_for
from chapterverse.essays.writing.review import write_reviews
from chapterverse.essays.writing.writing import Writing
from chapterverse.library.services import CollectionServices
from chapterverse.messages import message
from chapterverse.search.plan import ESSAY_FEEDBACK, RetrievalPlan


@dataclass(frozen=True)
class EssayContext:
    """Everything that feedback on essays needs. read_by_model: whether the language model, where there is one, chooses the
    evidence; else `usefulness` does (essays/evidence.py). turns: of the schools at the processor;
    is_bulk: these essays are background work and let others go first."""

    services: CollectionServices
    history: FeedbackHistory
    writing: Writing = field(default_factory=Writing)
    plan: RetrievalPlan = ESSAY_FEEDBACK
    read_by_model: bool = False
    usefulness: UsefulnessModel | None = None
    max_words: int = MAX_WORDS
    turns: Turns = field(default_factory=Turns)
    is_bulk: bool = False


READY_SECONDS = 10.0  # for the grammar checker to start
STYLED = ("grade", "tone", "dimensions", "rubric", "task", "genre")  # options that are fields of Style


@dataclass(frozen=True, slots=True)
class FeedbackOptions:
    """The options of one request; None: as the school has set it. evidences: maximum number of sentences, or one per
    paragraph."""

    evidences: int | Literal["paragraphs"] | None = None
    grade: int | None = None
    tone: Tone | None = None
    dimensions: tuple[Dimension, ...] | None = None
    rubric: Rubric | None = None
    task: WritingTask | None = None
    genre: Genre | None = None

    def plan(self, plan: RetrievalPlan) -> RetrievalPlan:
        """The school's plan with the requested number of sentences."""
        if self.evidences is None:
            return plan
        return replace(plan, evidences=None if self.evidences == "paragraphs" else self.evidences)

    def style(self, style: Style) -> Style:
        """The school's style with the requested fields."""
        wanted: dict[str, Any] = {name: getattr(self, name) for name in STYLED}
        return replace(style, **{name: value for name, value in wanted.items() if value is not None})


@dataclass(frozen=True, slots=True)
class FeedbackRequest:
    """A request for feedback. text: plain or Markdown; scope: the school and the books to search; title: overrides the one in
    the text; by_student: the result waits for approval if the school requires it."""

    text: str
    scope: Scope
    options: FeedbackOptions = field(default_factory=FeedbackOptions)
    submission: Submission = ALONE
    title: str | None = None
    by_student: bool = False


@dataclass(frozen=True, slots=True)
class Citations:
    """The part after the last review: the feedback with all citations and verdicts, and what changed since an earlier draft."""

    feedback: Feedback


@dataclass(frozen=True, slots=True)
class Done:
    """The last part: the complete feedback; its id is None if nothing is stored."""

    feedback: Feedback


FeedbackPart = EssayEvidence | Review | Citations | Done


def give_feedback(request: FeedbackRequest, context: EssayContext) -> Iterator[FeedbackPart]:
    """Yield the parts of the feedback as soon as each is ready: evidence, one review per dimension, citations, done.

    An essay that already has feedback (by its submission) gets that feedback again; nothing is written twice. If a teacher has
    to approve it first, a student's request yields only Done. The time limit writing.seconds starts with the first
    part, or after it if a model read the candidates.

    Raises BadRequest and TooLarge for the essay, NotFound without a book to search, and every RetryableError of the ports."""
    known, held_back = known_feedback(request, context.history), is_held_back(request, context.history)
    for part in _known_parts(known) if known else _in_turn(request, context):
        if not held_back or isinstance(part, Done):
            yield part


def is_held_back(request: FeedbackRequest, history: FeedbackHistory) -> bool:
    """Whether a student's feedback waits for a teacher's approval."""
    held = request.submission.is_held or history.needs_approval(request.scope.school)
    return request.by_student and bool(history.days) and held


def known_feedback(request: FeedbackRequest, history: FeedbackHistory) -> Feedback | None:
    """The stored feedback on the same submission, None if there is none.

    For an essay of a batch it is unchanged, because the batch's files apply a teacher's choices when they are read; for any
    other essay it has the choices. Raises CatalogUnavailable."""
    submission, school = request.submission, request.scope.school
    with suppress(NotFound):
        if submission.origin:
            return feedback_of(history.store.on_essay(school, submission.origin))
        if submission.id:
            known = visible_feedback(find_feedback(school, submission.id, history))
            return with_earlier(known, school, history, for_student=request.by_student)
    return None


def _known_parts(feedback: Feedback) -> Iterator[FeedbackPart]:
    yield feedback.evidence
    yield from feedback.reviews
    yield Citations(feedback)
    yield Done(feedback)


def _in_turn(request: FeedbackRequest, context: EssayContext) -> Iterator[FeedbackPart]:
    """The parts of new feedback, as a piece of work of the school; what waits for a language model takes no turn."""
    school = request.scope.school
    turn, is_paid = context.turns.of(school), context.writing.for_school(school).paid
    with nullcontext() if is_paid else turn.behind() if context.is_bulk else turn.taken():
        yield from _new_parts(request, context)


def _new_parts(request: FeedbackRequest, context: EssayContext) -> Iterator[FeedbackPart]:
    began, school = context.writing.clock(), request.scope.school
    writing = replace(context.writing.for_school(school), style=style_of(request, context))
    model = _evidence_model(request, context)
    yield (evidence := _evidence_on(request, context, model))
    began = context.writing.clock() if model else began  # a model that reads has its own time
    earlier = earlier_feedback(school, request.submission.version_of, context.history)
    comparison, found = None, evidence
    if earlier and is_short_enough(subject_of(earlier.evidence).essay, subject_of(evidence).essay):
        comparison = compare(earlier, evidence, request.scope, context.services)
    elif earlier:
        found = replace(evidence, notes=(*evidence.notes, message("note_drafts_too_long")))
    reviews: list[Review] = []
    for review in write_reviews(found, school, writing, began, context.services.embedder.embed_queries):
        yield review
        reviews.append(review)
    revision = comparison.revision(reviews) if comparison else None
    new = Feedback(evidence, tuple(reviews), revision=revision)
    feedback = with_earlier(new, school, context.history, for_student=request.by_student)
    yield Citations(feedback)
    yield Done(store_feedback(feedback, school, context.history, request.submission))


def get_ready(context: EssayContext) -> None:
    """Load the embedder and start the grammar checker, so that their start does not count against the time of an essay."""
    with suppress(ChapterverseError):  # the essay's own error says more
        context.services.embedder.embed_queries(["I am ready."])
    if context.writing.proofreader:
        with suppress(ChapterverseError):
            context.writing.proofreader(["I am ready."], READY_SECONDS)


def feedback_on(request: FeedbackRequest, context: EssayContext) -> Feedback:
    """The complete feedback. Raises as give_feedback does."""
    [done] = (part for part in give_feedback(request, context) if isinstance(part, Done))
    return done.feedback


def evidence_on(request: FeedbackRequest, context: EssayContext) -> EssayEvidence:
    """The evidence alone. Raises as give_feedback does."""
    model = _evidence_model(request, context)
    with nullcontext() if model else context.turns.of(request.scope.school).taken():
        return _evidence_on(request, context, model)


def _evidence_on(request: FeedbackRequest, context: EssayContext, model: EvidenceModel | None) -> EssayEvidence:
    plan = request.options.plan(plan_for(request.scope.school, context.plan, context.services))
    return find_evidence(
        essay_in(request, context), request.scope, context.services, plan, model=model, usefulness=context.usefulness
    )


def _evidence_model(request: FeedbackRequest, context: EssayContext) -> EvidenceModel | None:
    """The language model that chooses the evidence, paid by the school; None if none does. Raises CatalogUnavailable."""
    school = request.scope.school
    paid = context.writing.for_school(school).paid if context.read_by_model else None
    return EvidenceModel(paid.answer, paid.name, school, style_of(request, context).grade) if paid else None


def prompts_on(request: FeedbackRequest, context: EssayContext) -> dict[Dimension, Prompt]:
    """The prompts that give_feedback sends to a language model. Raises as give_feedback does."""
    return prompts_for(subject_of(evidence_on(request, context)), style_of(request, context))


def essay_in(request: FeedbackRequest, context: EssayContext) -> Essay:
    """The parsed essay of the request, with what is copied from its task. Raises BadRequest, also if all of it is copied,
    TooLarge."""
    essay = parse_essay(request.text, context.max_words)
    if task := request.options.task:
        paragraphs = tuple(replace(each, copied=task.copied(each.sentences)) for each in essay.paragraphs)
        if not any(each.own for each in paragraphs):
            raise BadRequest("essay_is_task")
        essay = replace(essay, paragraphs=paragraphs)
    return replace(essay, title=request.title or essay.title)


def style_of(request: FeedbackRequest, context: EssayContext) -> Style:
    """The school's style with the request's options. Raises CatalogUnavailable."""
    return request.options.style(style_for(request.scope.school, context.writing.style, context.services))


def plan_for(school: str, plan: RetrievalPlan, services: CollectionServices) -> RetrievalPlan:
    """The plan with the school's settings. Raises CatalogUnavailable."""
    settings = services.settings_of(school)
    own = plan if settings.evidences is None else replace(plan, evidences=settings.evidences)
    return own if settings.least_books is None else replace(own, min_score=settings.least_books, for_these_books=True)


def style_for(school: str, style: Style, services: CollectionServices) -> Style:
    """The style with the school's settings. Raises CatalogUnavailable."""
    settings = services.settings_of(school)
    tone = style.tone if settings.tone is None else Tone(settings.tone)
    return replace(style, tone=tone, grade=style.grade if settings.grade is None else settings.grade)
