"""An essay, put to the grammar checker that the school has set, while the rest is written.

S1: from the evidence on an essay to feedback on it, dimension by dimension, within the time there is.

What a school has set for itself, laid over what the operator has set for all: essays, by day and by night, and answers."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import datetime

from chapterverse.accounts.model import NAMES, SchoolChoices, Value
from chapterverse.accounts.store import SqlChoices
from chapterverse.citations.model import Judge, Verdict
from chapterverse.citations.passages import evidence_section
from chapterverse.core.errors import ProofreaderUnavailable
from chapterverse.essays.evidence import EssayEvidence
from chapterverse.essays.model import (
    NOTHING_FOUND,
    Comment,
    Dimension,
    Essay,
    Review,
    Style,
    Subject,
    Tone,
    in_order,
    worst_verdicts,
)
from chapterverse.essays.writing.drafts import Drafted, Drafter
from chapterverse.essays.writing.judging import Foreseen, pairs_of
from chapterverse.essays.writing.review import PROOFREAD, Proof, compose, with_proof
from chapterverse.essays.writing.rubric import with_rubric
from chapterverse.essays.writing.rules import Looking
from chapterverse.essays.writing.writing import Writing
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, message
from chapterverse.search.plan import RetrievalPlan


def proofread(subject: Subject, writing: Writing, up: float) -> Proof | None:
    """None where there is no grammar checker; up: the clock's moment at which all has to be there."""
    if writing.proofreader is None:
        return None
    seconds = min(writing.proof_seconds, up - writing.clock())
    try:
        return Proof(tuple(writing.proofreader([each.text for each in subject.essay.paragraphs], seconds)))
    except ProofreaderUnavailable:
        return Proof(failed=True)


NO_TIME = message("no_time_for_llm")

NOTHING_LEFT = message("llm_not_borne_out")

BY_MODEL = "what a language model noticed; each of its comments was checked against your essay and the books"

NOT_SURE = "whether the language model is right about everything else: it can be wrong"

log = logging.getLogger(__name__)

Drafts = Mapping[Dimension, "Future[Drafted]"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a student is given. id: under which it is kept, None where it is not."""

    evidence: EssayEvidence
    reviews: tuple[Review, ...]
    id: str | None = None

    @property
    def verdicts(self) -> dict[int, Verdict]:
        """By the number of the evidence, whether it bears the essay out: of several verdicts the most serious."""
        return worst_verdicts(comment for review in self.reviews for comment in review.comments)

    @property
    def section(self) -> str | None:
        """The Evidence section as Markdown, None where the books say nothing on any paragraph."""
        evidence = self.evidence.evidence
        return evidence_section(evidence, verdicts=self.verdicts) if evidence else None


def write_feedback(found: EssayEvidence, school: str, writing: Writing, began: float) -> Iterator[Review]:
    """One review a dimension, in the order of the style, each as soon as it is there; the last one has the rubric. began: the
    clock's moment at which the essay came in. The language model is asked about all dimensions at once, and rules write what
    it does not."""
    subject = subject_of(found)
    judge = Foreseen(writing.judge, tuple(pairs_of(subject)))
    up = began + writing.seconds
    dimensions = writing.style.dimensions
    with ThreadPoolExecutor(len(dimensions) + 1) as pool:
        proof = pool.submit(copy_context().run, proofread, subject, writing, up)
        drafts = _ask_all(pool, _drafter(subject, judge, school, writing, up), dimensions)
        for dimension in dimensions:
            look = Looking(subject, writing.style, judge)
            by_rules = compose(dimension, look, lambda: writing.clock() >= up)
            review = _noted(_review(by_rules, drafts, writing), found)
            review = with_proof(review, proof.result() if dimension in PROOFREAD else None)
            yield numbered(with_rubric(review, look) if dimension is dimensions[-1] else review)
    _note(found, school, [draft.result() for draft in drafts.values()], writing.clock() - began)


def numbered(review: Review) -> Review:
    """With a number for each comment, by which it goes whatever a teacher hides later."""
    return replace(review, comments=tuple(replace(one, number=at) for at, one in enumerate(review.comments, start=1)))


def subject_of(found: EssayEvidence) -> Subject:
    """What is written about."""
    left_out = frozenset(position for position, one in enumerate(found.paragraphs) if one.left_out)
    return Subject(Essay(found.title, tuple(one.paragraph for one in found.paragraphs)), found.evidence, left_out)


def _ask_all(pool: ThreadPoolExecutor, draft: Drafter | None, dimensions: Sequence[Dimension]) -> Drafts:
    """Each on a thread, which belongs to the same trace."""
    return {dimension: pool.submit(copy_context().run, draft, dimension) for dimension in dimensions if draft}


def _drafter(subject: Subject, judge: Judge, school: str, writing: Writing, up: float) -> Drafter | None:
    """None where there is no model, or no time left for one."""
    now = writing.clock()
    if writing.paid is None or now >= up:
        return None
    return Drafter(subject, judge, school, writing, writing.paid, min(up, now + writing.model_seconds))


def _review(by_rules: Review, drafts: Drafts, writing: Writing) -> Review:
    """The model's words where some stand, with those of the rules that must not be missing; else the rules' alone."""
    if not writing.paid:
        return by_rules
    if by_rules.dimension not in drafts:
        return _instead(by_rules, NO_TIME)
    draft = drafts[by_rules.dimension].result()
    if not draft.checked.comments:
        return replace(_instead(by_rules, draft.failed or NOTHING_LEFT), usage=draft.usage, removed=draft.checked.removed)
    return Review(
        by_rules.dimension,
        in_order((*_kept(by_rules, draft), *draft.checked.comments)),
        by=writing.paid.model.model,
        checked=(BY_MODEL,),
        not_checked=(NOT_SURE,),
        usage=draft.usage,
        removed=draft.checked.removed,
    )


def _instead(by_rules: Review, why: Message) -> Review:
    """Of the model's words, and why."""
    return replace(by_rules, notes=(message("note_by_rules", why=why), *by_rules.notes))


def _noted(review: Review, found: EssayEvidence) -> Review:
    """What was not looked up, its content could not be held against."""
    return replace(review, notes=(*found.notes, *review.notes)) if review.dimension is Dimension.CONTENT else review


def _kept(by_rules: Review, draft: Drafted) -> Iterator[Comment]:
    """Of the rules: where a book says otherwise and the model did not say so, and where the books have nothing."""
    said = {
        (each.paragraph, one.evidence.number) for each in draft.checked.comments if each.contradicts for one in each.citations
    }
    for comment in by_rules.comments if by_rules.dimension is Dimension.CONTENT else ():
        unsaid = any((comment.paragraph, one.evidence.number) not in said for one in comment.citations)
        if comment.text.startswith(NOTHING_FOUND) or (comment.contradicts and unsaid):
            yield comment


def _note(found: EssayEvidence, school: str, drafts: Sequence[Drafted], seconds: float) -> None:
    """Numbers only: nothing that anybody wrote."""
    log.info(
        "feedback written",
        extra={
            "school": school,
            "paragraphs": len(found.paragraphs),
            "bare_paragraphs": sum(not paragraph.numbers for paragraph in found.paragraphs),
            "evidence": len(found.evidence),
            "prompt_tokens": sum(draft.usage.prompt_tokens for draft in drafts),
            "answer_tokens": sum(draft.usage.answer_tokens for draft in drafts),
            "cost_micros": sum(draft.micros for draft in drafts),
            "model_failures": sum(draft.failed is not None for draft in drafts),
            "removed": sum(draft.checked.removed for draft in drafts),
            "total_ms": round(seconds * 1000),
        },
    )


@dataclass(frozen=True, slots=True)
class Change:
    """Who sets something, and when."""

    by: str
    at: datetime


def choices_of(school: str, services: CollectionServices) -> SchoolChoices:
    """All default where nothing is kept. Raises CatalogUnavailable."""
    return SchoolChoices.of(services.choices.of_school(school)) if services.choices else SchoolChoices()


def plan_for(school: str, plan: RetrievalPlan, services: CollectionServices) -> RetrievalPlan:
    """How the school's essays are looked up. Raises CatalogUnavailable."""
    chosen = choices_of(school, services)
    own = plan if chosen.evidences is None else replace(plan, evidences=chosen.evidences)
    return own if chosen.least_books is None else replace(own, min_score=chosen.least_books, for_these_books=True)


def style_for(school: str, style: Style, services: CollectionServices) -> Style:
    """How its feedback is. Raises CatalogUnavailable."""
    chosen = choices_of(school, services)
    tone = style.tone if chosen.tone is None else Tone(chosen.tone)
    return replace(style, tone=tone, grade=style.grade if chosen.grade is None else chosen.grade)


def choose(school: str, wanted: SchoolChoices, change: Change, store: SqlChoices) -> None:
    """From now on the school has just these; what is None is default again. The same again changes nothing.

    Raises CatalogUnavailable."""
    known = store.of_school(school)
    values: dict[str, Value | None] = {name: getattr(wanted, name) for name in NAMES}
    never = {name for name, value in values.items() if value is None and name not in known}
    store.change(school, {name: value for name, value in values.items() if name not in never}, change.by, change.at)
