"""S1: from the evidence on an essay to feedback on it, dimension by dimension, within the time there is."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace

from chapterverse.essay import Essay
from chapterverse.evidence.section import evidence_section
from chapterverse.evidence.verdict import Verdict
from chapterverse.feedback.comments import NOTHING_FOUND, Comment, Dimension, Judge, Review, Subject, in_order, worst_verdicts
from chapterverse.feedback.proofs import PROOFREAD, with_proof
from chapterverse.feedback.rules.compose import compose
from chapterverse.feedback.rules.rubric import with_rubric
from chapterverse.feedback.rules.rule import Looking
from chapterverse.messages import Message, message
from chapterverse.usecases.drafting import Drafted, Drafter
from chapterverse.usecases.essay_feedback import EssayEvidence
from chapterverse.usecases.foreseen import Foreseen, pairs_of
from chapterverse.usecases.proofreading import proofread
from chapterverse.usecases.writing import Writing

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
