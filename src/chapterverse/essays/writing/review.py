"""Write the reviews of an essay, one per dimension: by a language model in time, else by rules, with a grammar checker."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from time import monotonic

from chapterverse.citations.quotations import overlap
from chapterverse.core.errors import ModelUnavailable, ProofreaderUnavailable
from chapterverse.core.ports import Signs
from chapterverse.core.turns import let_pass
from chapterverse.essays.model import (
    BY_RULES,
    Comment,
    Dimension,
    EssayEvidence,
    Review,
    Subject,
    in_order,
    sources_in,
    subject_of,
)
from chapterverse.essays.outline import EssaySpan, Outline
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.advice import on_argument
from chapterverse.essays.writing.argument import checked_outline, outline_of
from chapterverse.essays.writing.drafts import CheckedDraft, Drafter, prompts_for, repaired_comment
from chapterverse.essays.writing.expressions import (
    EXPRESSIONS,
    GRAMMAR,
    is_english,
    is_german,
    with_other_dictionary,
)
from chapterverse.essays.writing.grammar import SlipFound
from chapterverse.essays.writing.praise import with_works
from chapterverse.essays.writing.relevance import Embed, with_task
from chapterverse.essays.writing.rubric import with_criteria, with_rubric
from chapterverse.essays.writing.rules import CONTENT, OF_ANY_LANGUAGE, RuleContext, Rules
from chapterverse.essays.writing.structure import FEATURES
from chapterverse.essays.writing.writing import BY_GERMAN, BY_LANGUAGETOOL, Dictionary, Mistake, Writing, counted
from chapterverse.messages import Message, message

NO_TIME = message("no_time_for_llm")
NOTHING_LEFT = message("llm_not_borne_out")
BY_MODEL = "what a language model noticed; each of its comments was checked against your essay and the books"
NOT_SURE = "whether the language model is right about everything else: it can be wrong"
log = logging.getLogger(__name__)
Slips = Sequence[Sequence[SlipFound]]
"""The slips in each paragraph."""
Drafts = Mapping[Dimension, "Future[CheckedDraft]"]


def write_reviews(
    found: EssayEvidence, school: str, writing: Writing, began: float, embed: Embed | None = None
) -> Iterator[Review]:
    """Yield one review per dimension, in the style's order, each as soon as it is ready; the last one includes the rubric.

    began: when the essay came in, by writing.clock. embed: for the questions about the task. The language model is asked about
    all dimensions in parallel; rules write what it does not."""
    subject = subject_of(found)
    up = began + writing.seconds
    dimensions = writing.style.dimensions
    with ThreadPoolExecutor(len(dimensions) + 1) as pool:
        proof = pool.submit(copy_context().run, proofread, subject, writing, up)
        drafts = _ask_all(pool, _drafter(subject, school, writing, up), dimensions)
        signs = _signs(subject, writing, up)
        for dimension in dimensions:
            look = RuleContext(subject, writing.style, partial(_is_up, writing, up), signs)
            by_rules = compose(dimension, look)
            review = _noted(_review(by_rules, look, drafts, writing), found)
            slips = look.slips if dimension is Dimension.EXPRESSIONS else ()
            review = with_proof(review, proof.result() if dimension in writing.proofread else None, slips)
            if dimension is Dimension.EXPRESSIONS and writing.dictionary:
                review = replace(review, comments=_spelt(review.comments, look, writing.dictionary, writing, up))
            if dimension is Dimension.CONTENT:
                review = with_task(review, look, embed if is_english(subject.essay) else None)
            if dimension is dimensions[0] and is_english(subject.essay):
                review = with_works(review, look, review.outline or _outline_in_time(look), _good(review, drafts))
            if dimension is Dimension.CONTENT:
                review = replace(review, comments=tuple(_with_contract(review.comments, look)))
            review = with_rubric(review, look) if dimension is dimensions[-1] else review
            review = with_criteria(review, writing.style.rubric)
            yield numbered(replace(review, comments=tuple(_on_own_words(review.comments, subject))))
    _note(found, school, [draft.result() for draft in drafts.values()], writing.clock() - began)


def _signs(subject: Subject, writing: Writing, up: float) -> list[list[Signs | None]]:
    """What the reader of essays notices at each sentence of an English essay; empty without it or without time for it."""
    task, seconds = writing.style.task, min(writing.read_seconds, up - writing.clock())
    if writing.read_essay is None or seconds <= 0 or not is_english(subject.essay):
        return []
    paragraphs = [each.sentences for each in subject.essay.paragraphs]
    let_pass()
    try:
        return writing.read_essay(task.text if task else "", paragraphs, monotonic() + seconds)
    except ModelUnavailable:  # the rules do without it
        log.warning("reader of essays unavailable", exc_info=True)
        return []


def _spelt(
    comments: Sequence[Comment], look: RuleContext, dictionary: Dictionary, writing: Writing, up: float
) -> tuple[Comment, ...]:
    """The comments, those on spelling where the dictionary agrees; unchanged if it does not answer in time."""
    seconds = min(writing.proof_seconds, up - writing.clock())
    with suppress(ProofreaderUnavailable):
        return tuple(with_other_dictionary(comments, look, lambda words: dictionary(words, seconds)))
    return tuple(comments)


def _is_up(writing: Writing, up: float) -> bool:
    """Whether time is up; before that, a moment to let others go first."""
    let_pass()
    return writing.clock() >= up


def _on_own_words(comments: Sequence[Comment], subject: Subject) -> Iterator[Comment]:
    """The comments but those on sentences that are copied from the task or its sources."""
    for comment in comments:
        start, end = comment.about or (0, 0)
        paragraph = subject.essay.paragraphs[comment.paragraph or 0]
        copied = [(at, at + len(each)) for each in paragraph.copied if (at := paragraph.text.find(each)) >= 0]
        if comment.rule.startswith("task.") or not any(first <= start < end <= last for first, last in copied):
            yield comment


def numbered(review: Review) -> Review:
    """The review with its comments numbered from 1; these numbers stay, even if a teacher hides comments."""
    return replace(review, comments=tuple(replace(one, number=at) for at, one in enumerate(review.comments, start=1)))


def _ask_all(pool: ThreadPoolExecutor, draft: Drafter | None, dimensions: Sequence[Dimension]) -> Drafts:
    """Start a draft for each dimension on a thread of its own, within the same trace; empty without a model."""
    return {dimension: pool.submit(copy_context().run, draft, dimension) for dimension in dimensions if draft}


def _drafter(subject: Subject, school: str, writing: Writing, up: float) -> Drafter | None:
    """The drafter; None without a model or without time for it."""
    now = writing.clock()
    if writing.paid is None or now >= up:
        return None
    prompts, deadline = prompts_for(subject, writing.style), min(up, now + writing.model_seconds)
    return Drafter(prompts, subject, school, writing, writing.paid, deadline)


def _review(by_rules: Review, look: RuleContext, drafts: Drafts, writing: Writing) -> Review:
    """The model's comments if some passed the checks, with the indispensable ones of the rules; else the rules' review."""
    if not writing.paid:
        return by_rules
    if by_rules.dimension not in drafts:
        return _instead(by_rules, NO_TIME)
    draft = drafts[by_rules.dimension].result()
    if not (draft.checked.comments or draft.checked.good):
        return replace(_instead(by_rules, draft.failed or NOTHING_LEFT), usage=draft.usage, removed=draft.checked.removed)
    return Review(
        by_rules.dimension,
        in_order((*_comments_to_add(by_rules, draft), *draft.checked.comments)),
        by=writing.paid.model.model,
        checked=(BY_MODEL,),
        not_checked=(NOT_SURE,),
        usage=draft.usage,
        removed=draft.checked.removed,
        repaired=draft.checked.repaired,
        outline=_outline(by_rules, look, draft, writing.paid.model.model),
    )


def _good(review: Review, drafts: Drafts) -> Sequence[EssaySpan] | None:
    """What the language model would leave as it is; None if rules wrote the review."""
    return None if review.by == BY_RULES else drafts[review.dimension].result().checked.good


def _outline(by_rules: Review, look: RuleContext, draft: CheckedDraft, model: str) -> Outline | None:
    """The model's outline if it found a claim or a reason, else that of the rules."""
    if by_rules.outline is None or draft.checked.outline is None or not look.genre.argues:
        return by_rules.outline
    found = checked_outline(draft.checked.outline, look, model)
    return found if found.claim or found.reasons else by_rules.outline


def _instead(by_rules: Review, why: Message) -> Review:
    """The rules' review with a note why the model did not write it."""
    return replace(by_rules, notes=(message("note_by_rules", why=why), *by_rules.notes))


def _noted(review: Review, found: EssayEvidence) -> Review:
    """The review on content with the notes on what was not searched; other reviews unchanged."""
    return replace(review, notes=(*found.notes, *review.notes)) if review.dimension is Dimension.CONTENT else review


def _comments_to_add(by_rules: Review, draft: CheckedDraft) -> Iterator[Comment]:
    """The rules' comments to add to the model's: quotations, and contradictions that the model missed."""
    if by_rules.dimension is not Dimension.CONTENT:
        return
    cited = {
        (each.paragraph, one.evidence.number) for each in draft.checked.comments if each.contradicts for one in each.citations
    }
    for comment in by_rules.comments:
        is_quotation = any(one.evidence.quotation for one in comment.citations)
        is_new = any((comment.paragraph, one.evidence.number) not in cited for one in comment.citations)
        if is_quotation or (comment.contradicts and is_new):
            yield comment


def _with_contract(comments: Sequence[Comment], look: RuleContext) -> Iterator[Comment]:
    """The comments that keep the contract; what a model read into a sentence of a book is no better than what it drafts."""
    sources = sources_in(look.subject)
    found = (repaired_comment(comment, look.subject, look.style, sources) for comment in comments)
    return (comment for comment in found if comment)


def _note(found: EssayEvidence, school: str, drafts: Sequence[CheckedDraft], seconds: float) -> None:
    """Log numbers about this feedback, no text of the essay or of a comment."""
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
            "repaired": sum(draft.checked.repaired for draft in drafts),
            "total_ms": round(seconds * 1000),
        },
    )


BY_DIMENSION: dict[Dimension, Rules] = {
    Dimension.CONTENT: CONTENT,
    Dimension.EXPRESSIONS: EXPRESSIONS,
    Dimension.FEATURES: FEATURES,
}

NOT_ENGLISH = message("note_not_english")
NOT_ENGLISH_SEARCHED = message("note_not_english_searched")


def compose(dimension: Dimension, look: RuleContext) -> Review:
    """The review of one dimension by rules.

    If time is up after the paragraphs that are always checked, a note says where it stopped. An essay that is not English is
    only checked on content."""
    english = is_english(look.subject.essay)
    rules = BY_DIMENSION[dimension] if english or dimension is not Dimension.CONTENT else OF_ANY_LANGUAGE
    if dimension is not Dimension.CONTENT and not english:
        return Review(dimension, (), not_checked=(*rules.checked, *rules.not_checked), notes=(NOT_ENGLISH,))
    comments: list[Comment] = []
    notes: tuple[Message, ...] = () if english else (NOT_ENGLISH_SEARCHED,)
    paragraphs = range(len(look.subject.essay.paragraphs))
    for paragraph in takewhile(lambda one: not look.is_late(one), paragraphs):
        comments.extend(rules.on_paragraph(look, paragraph))
    is_late = look.always < len(paragraphs) and look.time_is_up()
    if not is_late:
        comments.extend(rules.on_essay(look))
    if look.unfinished:
        notes = (*notes, message("note_time_up_rules", first=min(look.unfinished) + 1))
    if dimension is Dimension.CONTENT and look.unread and look.genre is not Genre.NARRATIVE:
        notes = (*notes, message("note_reader_cut", first=max(min(look.unread), 1)))
    if look.untried:
        notes = (*notes, message("note_spelling_cut", words=len(look.misspelt)))
    outline = outline_of(look) if english and dimension is Dimension.CONTENT and not is_late else None
    comments.extend(on_argument(look, outline, comments) if outline else ())
    checked, not_checked = rules.checked, rules.not_checked
    return Review(dimension, in_order(comments), checked=checked, not_checked=not_checked, notes=notes, outline=outline)


def _outline_in_time(look: RuleContext) -> Outline:
    """The outline by rules; an empty one if there is no time for it."""
    is_late = look.always < len(look.subject.essay.paragraphs) and look.time_is_up()
    return Outline(look.genre) if is_late else outline_of(look)


MAX_MISTAKES = 8  # kinds of them in one paragraph and dimension
OVERLOOKED = "mistakes that the grammar checker overlooks: it knows patterns, and does not understand"
FAILED = message("note_no_proof")
GERMAN_CHECKED = message("note_german_checked")


@dataclass(frozen=True, slots=True)
class Proof:
    """The grammar checker's result. failed: it was asked and did not answer. checked: what it checks."""

    mistakes: tuple[Mistake, ...] = ()
    failed: bool = False
    checked: Mapping[Dimension, str] = field(default_factory=lambda: BY_LANGUAGETOOL)


def with_proof(review: Review, proof: Proof | None, slips: Slips = ()) -> Review:
    """The review with the grammar checker's mistakes of its dimension; unchanged if `proof` is None. slips: those found in each
    paragraph, which are not told again."""
    if proof is None or review.dimension not in proof.checked:
        return review
    if proof.failed:
        return replace(review, notes=(*review.notes, FAILED)) if review.dimension is Dimension.EXPRESSIONS else review
    return replace(
        review,
        comments=in_order(_with_mistakes(review, proof.mistakes, slips)),
        checked=(*review.checked, proof.checked[review.dimension]),
        not_checked=tuple(OVERLOOKED if one == GRAMMAR else one for one in review.not_checked),
        notes=tuple(GERMAN_CHECKED if one == NOT_ENGLISH else one for one in review.notes),
    )


def _with_mistakes(review: Review, mistakes: Sequence[Mistake], slips: Slips) -> Iterator[Comment]:
    """The comments, and one for all mistakes of a kind, at the first one; at most MAX_MISTAKES in a paragraph. What the slips
    have found is not told again; more mistakes of a kind that has a comment are counted there."""
    told = Counter(one.text for its in slips for one in its)
    alike: dict[str, list[Mistake]] = {}
    for each in mistakes:
        if each.dimension is review.dimension and not _is_mentioned(each, review.comments, slips):
            alike.setdefault(each.text, []).append(each)
    for comment in review.comments:
        kind = next((text for text in alike if told[text] and comment.text == counted(text, told[text])), None)
        yield replace(comment, text=counted(kind, told[kind] + len(alike.pop(kind)))) if kind else comment
    counts: Counter[int] = Counter()
    for text, [first, *others] in alike.items():
        counts[first.paragraph] += 1
        if counts[first.paragraph] <= MAX_MISTAKES:
            yield Comment(first.paragraph, counted(text, 1 + len(others)), (first.start, first.end), instead=first.instead)


def _is_mentioned(mistake: Mistake, comments: Sequence[Comment], slips: Slips) -> bool:
    """Whether a slip was found at some of the same words, or a comment corrects some of them or is about exactly these."""
    there = [one for one in comments if one.paragraph == mistake.paragraph]
    places = [one.place for one in slips[mistake.paragraph]] if slips else []
    places += [one.about for one in there if one.about and one.instead is not None]
    exactly = any(one.about == (mistake.start, mistake.end) for one in there)
    return exactly or overlap((mistake.start, mistake.end), places)


def proofread(subject: Subject, writing: Writing, up: float) -> Proof | None:
    """The grammar checker's result; None without one for the essay's language. up: when all time is used, by writing.clock."""
    english = is_english(subject.essay)
    proofreader = writing.proofreader if english else writing.german if is_german(subject.essay) else None
    checked = writing.proofread if english else BY_GERMAN
    if proofreader is None:
        return None
    seconds = min(writing.proof_seconds, up - writing.clock())
    try:
        found = proofreader([each.text for each in subject.essay.paragraphs], seconds)
        return Proof(tuple(found), checked=checked)
    except ProofreaderUnavailable:
        return Proof(failed=True, checked=checked)
