"""Feedback on an essay, from request to stored result: one use case for HTTP, the command line and batches (S1).

A school's settings override the operator's; a request's options override both."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, suppress
from contextvars import copy_context
from dataclasses import dataclass, field, fields, replace
from functools import partial
from textwrap import shorten
from time import monotonic
from typing import Any

from chapterverse.citations.contract import renumbered
from chapterverse.citations.model import Evidence, Relation
from chapterverse.core.errors import BadRequest, CatalogUnavailable, ChapterverseError, NotFound, is_about_full_disk
from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel, no_school_model
from chapterverse.core.ports import ReadEssay
from chapterverse.core.turns import Turns, at_work
from chapterverse.essays import history as past
from chapterverse.essays import offline
from chapterverse.essays.compare import compare
from chapterverse.essays.evidence import (
    UsefulnessModel,
    by_paragraph,
    cited_evidence,
    find_candidates,
    find_evidence,
    find_meant,
    not_found,
    quoted_evidence,
)
from chapterverse.essays.model import (
    Comment,
    CommentKind,
    Correction,
    Dimension,
    Essay,
    EssayEvidence,
    Feedback,
    Style,
    Submission,
    Tone,
)
from chapterverse.essays.offline import gathered
from chapterverse.essays.proofreading import Proofread, in_english, proofread
from chapterverse.essays.task import Rubric, WritingTask
from chapterverse.essays.text import MAX_WORDS, language_of, parse_essay, words_in
from chapterverse.essays.writing.vouch import Outcome
from chapterverse.essays.writing.writer import Corrections, Event, Writer
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, message
from chapterverse.search.plan import ESSAY_FEEDBACK, RetrievalPlan

MIN_WORDS = 2  # of an essay
NAMED, OPENING = 3, 60  # quotations of no book that are named, and characters of each
PROOF_SECONDS, LOAD_SECONDS = 20.0, 60.0  # for the proofreader, at most; for loading it, which another text may keep busy
log = logging.getLogger(__name__)
FeedbackPart = EssayEvidence | Comment | Feedback


@dataclass(frozen=True)
class Writing:
    """How feedback is written. paid: the operator's language model, None without one; school_model: a school's own. seconds:
    for one essay, from its first word to the last. read_essay: the trained reader of essays, where no language model writes."""

    paid: PaidModel | None = None
    seconds: float = 60.0
    read_essay: ReadEssay | None = None
    style: Style = field(default_factory=Style)
    school_model: Callable[[str], PaidModel | None] = no_school_model

    def for_school(self, school: str) -> "Writing":
        """With the school's own language model, if the operator has none."""
        return self if self.paid else replace(self, paid=self.school_model(school))


@dataclass(frozen=True)
class EssayContext:
    """Everything that feedback on essays needs. usefulness: chooses the evidence where no language model writes. turns: of the
    schools at the processor; is_bulk: these essays are background work and let others go first."""

    services: CollectionServices
    history: past.FeedbackHistory
    writing: Writing = field(default_factory=Writing)
    plan: RetrievalPlan = ESSAY_FEEDBACK
    usefulness: UsefulnessModel | None = None
    max_words: int = MAX_WORDS
    turns: Turns = field(default_factory=Turns)
    is_bulk: bool = False


@dataclass(frozen=True, slots=True)
class FeedbackOptions:
    """The options of one request; None: as the school has set it."""

    grade: int | None = None
    tone: Tone | None = None
    rubric: Rubric | None = None
    task: WritingTask | None = None

    def style(self, style: Style) -> Style:
        """The school's style with the requested fields."""
        wanted: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(style, **{name: value for name, value in wanted.items() if value is not None})


@dataclass(frozen=True, slots=True)
class FeedbackRequest:
    """A request for feedback. text: plain or Markdown; scope: the school and the books to search; title: overrides the one in
    the text; by_student: the result waits for approval if the school requires it; charged: see PaidModel."""

    text: str
    scope: Scope
    options: FeedbackOptions = field(default_factory=FeedbackOptions)
    submission: Submission = past.ALONE
    title: str | None = None
    by_student: bool = False
    charged: tuple[str, ...] = ()


def give_feedback(request: FeedbackRequest, context: EssayContext) -> Iterator[FeedbackPart]:
    """Yield the parts of the feedback as soon as each is ready: the evidence, whenever there is more of it, each comment; last
    all of it, which has the numbers of evidence that hold, and no comments beyond what a student can take up.

    An essay that already has feedback (by its submission) gets that feedback again; nothing is written twice. If a teacher has
    to approve it first, a student's request yields only the last. The time limit writing.seconds begins now.

    Raises BadRequest and TooLarge for the essay, NotFound without a book to search, and every RetryableError of the ports."""
    known, held_back = known_feedback(request, context.history), is_held_back(request, context.history)
    stored: tuple[FeedbackPart, ...] = (known.evidence, *known.comments, known) if known else ()
    for part in stored or _new_parts(request, context):
        if not held_back or isinstance(part, Feedback):
            yield part


def is_held_back(request: FeedbackRequest, history: past.FeedbackHistory) -> bool:
    """Whether a student's feedback waits for a teacher's approval."""
    held = request.submission.is_held or history.needs_approval(request.scope.school)
    return request.by_student and bool(history.days) and held


def known_feedback(request: FeedbackRequest, history: past.FeedbackHistory) -> Feedback | None:
    """The stored feedback on the same submission, with the teacher's choices; None if there is none. Raises
    CatalogUnavailable."""
    school, submission = request.scope.school, request.submission
    with suppress(NotFound):
        if submission.id:
            find = history.store.find if submission.origin else partial(past.find_feedback, history=history)
            visible = past.visible_feedback(find(school, submission.id))
            return past.with_earlier(visible, school, history, for_student=request.by_student)
    return None


@dataclass(frozen=True, slots=True)
class Work:
    """New feedback under way. began, up: times of time.monotonic(); by the latter it ends. hidden: by a teacher before."""

    essay: Essay
    language: str
    request: FeedbackRequest
    context: EssayContext
    writing: Writing
    began: float
    hidden: Set[tuple[object, ...]]

    @property
    def up(self) -> float:
        return self.began + self.writing.seconds

    @property
    def school(self) -> str:
        return self.request.scope.school

    def noted(self, found: EssayEvidence) -> EssayEvidence:
        """The evidence, which says where there is no book, and what is quoted of none."""
        if self.request.scope.is_empty:
            return replace(found, notes=(message("note_no_book"), *found.notes))
        quoted, task = [one for one in found.evidence if one.quotation], self.request.options.task
        words = [each for _, each in not_found(self.essay, quoted) if not (task and task.has(each))]
        if not words:
            return found
        named = [message("quoted", words=shorten(each, OPENING, placeholder=" …")) for each in words[:NAMED]]
        return replace(found, notes=(*found.notes, message("note_not_in_books", count=len(words), words=named)))

    def proofread(self) -> Proofread:
        """The proofreader's corrections of what the student wrote."""
        proof = proofread(self.essay, self.language, min(self.up, at_work() + PROOF_SECONDS))
        own = [(why, one) for why, one in proof.corrections if not self._is_copied(one.paragraph, one.about)]
        return replace(proof, corrections=own)

    def on_quotations(self, found: EssayEvidence) -> list[Comment]:
        """The comments on what the student quotes."""
        every = offline.on_quotations(found.evidence, self.language)
        return [one for one in every if not self._is_copied(one.paragraph or 0, one.about or (0, 0))]

    def _is_copied(self, at: int, span: tuple[int, int]) -> bool:
        paragraph, (start, end) = self.essay.paragraphs[at], span
        return any(text in paragraph.copied and first <= start < end <= last for text, first, last in paragraph.placed)

    def is_hidden(self, comment: Comment, found: EssayEvidence) -> bool:
        """Whether it says nothing but what a teacher hid in the earlier version."""
        return bool(self.hidden) and past.contents_of(comment, found) <= self.hidden

    def assembled(self, found: EssayEvidence, comments: Sequence[Comment], notes: Sequence[Message]) -> Feedback:
        """The feedback: only evidence that is quoted or that a comment cites, numbered in the order in which it is read;
        without what a teacher hid before."""
        comments = [one for one in comments if not self.is_hidden(one, found)]
        cited = [number for one in comments for number in one.evidence]
        quoted = [one.number for one in found.evidence if one.quotation]
        numbers = {old: new for new, old in enumerate(dict.fromkeys([*cited, *quoted]), start=1)}
        shown = sorted((one for one in found.evidence if one.number in numbers), key=lambda one: numbers[one.number])
        paragraphs = tuple(
            replace(each, numbers=tuple(sorted(numbers[number] for number in each.numbers if number in numbers)))
            for each in found.paragraphs
        )
        return Feedback(
            replace(found, paragraphs=paragraphs, evidence=tuple(replace(one, number=numbers[one.number]) for one in shown)),
            tuple(
                replace(one, text=renumbered(one.text, numbers), evidence=tuple(numbers[each] for each in one.evidence))
                for one in comments
            ),
            rubric=self.writing.style.rubric,
            notes=tuple(dict.fromkeys(notes)),
        )


def _new_parts(request: FeedbackRequest, context: EssayContext) -> Iterator[FeedbackPart]:
    school = request.scope.school
    with _turn(request, context):
        work = work_on(request, context)
    paid = work.writing.paid
    parts = _by_model(work, paid) if paid and paid.writes else _offline(work)
    found: EssayEvidence | None = None
    for part in parts:
        found = part if isinstance(part, EssayEvidence) else found
        if isinstance(part, Feedback):
            feedback = past.with_earlier(_revised(part, work), school, context.history, for_student=request.by_student)
            yield _stored(feedback, request, context)
        elif not (isinstance(part, Comment) and found and work.is_hidden(part, found)):
            yield part


def _turn(request: FeedbackRequest, context: EssayContext, *, at_once: bool = False) -> AbstractContextManager[None]:
    """The block is a piece of work of the school at the processor; at_once: between calls of a model, without waiting to begin.
    Raises Overloaded."""
    return context.turns.of(request.scope.school).taken(behind=context.is_bulk, at_once=at_once)


def _proofread(work: Work) -> Proofread:
    with _turn(work.request, work.context, at_once=True):
        return work.proofread()


def work_on(request: FeedbackRequest, context: EssayContext) -> Work:
    """The work on a request, which begins now. Raises as give_feedback does."""
    began = monotonic()
    writing = replace(context.writing.for_school(request.scope.school), style=style_of(request, context))
    writing = replace(writing, paid=writing.paid and replace(writing.paid, charged=request.charged))
    essay = essay_in(request, context)
    hidden = past.hidden_before(request.scope.school, request.submission.version_of, context.history)
    return Work(essay, language_of(essay), request, context, writing, began, hidden)


def _stored(feedback: Feedback, request: FeedbackRequest, context: EssayContext) -> Feedback:
    """The feedback with its id. Where the catalogue fails, a teacher gets it with a note; a student's or a batch's has to be
    stored. Raises CatalogUnavailable."""
    try:
        text = f"# {request.title}\n\n{request.text}" if request.title else request.text
        return past.store_feedback(replace(feedback, text=text), request.scope.school, context.history, request.submission)
    except CatalogUnavailable as error:
        if request.by_student or request.submission.id:
            raise
        why = message("storage_full") if is_about_full_disk(error) else error.message
        return replace(feedback, notes=(message("note_not_stored", why=why), *feedback.notes))


def _offline(work: Work, proof: Proofread | None = None) -> Iterator[FeedbackPart]:
    """Feedback without a language model, as a piece of work of the school at the processor. proof: if it is there already."""
    with _turn(work.request, work.context):
        evidence = work.noted(_evidence(work.essay, work.request, work.context))
        yield evidence
        proof = proof or work.proofread()
        asked = offline.questions(work.essay, work.writing.style, work.writing.read_essay, work.language)
        passages = offline.passages(evidence.evidence, work.language)
        rules = gathered((), proof.corrections, work.essay)
        comments = _numbered([*asked, *work.on_quotations(evidence), *passages, *rules])
    yield from comments
    checked = message("not_judged" if work.language == "en" else "not_judged_nor_proofread")
    notes = (*evidence.notes, *proof.notes)
    yield work.assembled(evidence, comments, notes if evidence.lacked_books else (checked, *notes))


def _by_model(work: Work, paid: PaidModel) -> Iterator[FeedbackPart]:
    """Feedback that a language model writes. What is sure without it stays; where it fails, the rest comes without it."""
    with _turn(work.request, work.context, at_once=True):
        writer = writer_on(work, paid, work.up)
    with ThreadPoolExecutor(1) as proof, closing(writer):
        proofs = proof.submit(copy_context().run, _proofread, work)
        yield (evidence := work.noted(cited_evidence(work.essay, writer.quoted, {})))
        claims = writer.claims()
        with _turn(work.request, work.context, at_once=True):
            candidates = candidates_on(work, writer.quoted, claims)
        found = proofs.result()
        came = _Came(work.essay, [*writer.quoted, *candidates], evidence, found.corrections)
        for event in writer.write(candidates, came.rules):
            yield from came.take(event)
    if not (came.written or came.corrections) and (came.failures or not came.summary):  # what it would get without a model
        for part in _offline(work, found):
            yield replace(part, notes=(message("note_no_model"), *part.notes)) if isinstance(part, Feedback) else part
        return
    comments = [comment for _, comment in sorted(came.written, key=lambda one: one[0])]
    others = _on_other_sentences(work.on_quotations(evidence), comments, came.known)
    has_argument = any(each.part is Dimension.CONTENT and each.kind is not CommentKind.STRENGTH for each in comments)
    if came.failures and not has_argument:
        came.evidence, passages = _with_passages(work, came.evidence)
        yield came.evidence
        others += passages
    further = _numbered([*others, *gathered(came.corrections, came.rules, work.essay)], len(came.written) + 1)
    yield from further
    comments += further
    missing = [message("note_some_failed", why=each.message) for each in came.failures]
    notes = (*missing, *came.evidence.notes, *found.notes)
    sizes = {"paragraphs": len(work.essay.paragraphs), "evidence": len(came.evidence.evidence), "comments": len(comments)}
    total_ms = round((monotonic() - work.began) * 1000)
    log.info("feedback written", extra={"school": work.school, **sizes, **writer.tally, "total_ms": total_ms})
    done = work.assembled(came.evidence, comments, notes)
    yield replace(done, summary=came.summary, by=paid.name or paid.model.model)


@dataclass
class _Came:
    """What has come of a writer. known: the sentences that it may cite; evidence: what is quoted or cited so far; rules: the
    corrections made without a model; written: comments, each with its rank."""

    essay: Essay
    known: Sequence[Evidence]
    evidence: EssayEvidence
    rules: Sequence[Correction]
    written: list[tuple[int, Comment]] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    failures: list[ChapterverseError] = field(default_factory=list)
    cited: dict[int, Relation | None] = field(default_factory=dict)
    summary: str = ""

    def take(self, event: Event) -> Iterator[FeedbackPart]:
        """Keep the event; yield what can be shown of it at once."""
        match event:
            case Corrections(corrections, are_sure=True):
                self.rules = corrections
            case Corrections(corrections):
                self.corrections += corrections
            case Outcome(int(rank), Comment() as comment):
                said = {at: each if self.cited.get(at, each) is each else None for at, each in event.relations.items()}
                if said.items() - self.cited.items():
                    self.cited |= said
                    yield (evidence := replace(cited_evidence(self.essay, self.known, self.cited), notes=self.evidence.notes))
                    self.evidence = evidence
                self.written.append((rank, replace(comment, number=len(self.written) + 1)))
                yield self.written[-1][1]
            case Outcome(summary=text):
                self.summary = text or self.summary
            case _:
                self.failures.append(event)


def _on_other_sentences(sure: Sequence[Comment], comments: Sequence[Comment], known: Sequence[Evidence]) -> list[Comment]:
    """Those on sentences of books that no comment is on, whatever number it cites them by."""
    sentence_of = {one.number: one.passage.sentence.id for one in known}
    said = {sentence_of[number] for one in comments for number in one.evidence}
    return [one for one in sure if said.isdisjoint(sentence_of[number] for number in one.evidence)]


def _with_passages(work: Work, found: EssayEvidence) -> tuple[EssayEvidence, list[Comment]]:
    """The evidence with the passages to use that are found without a language model, and a comment on each."""
    first = max((one.number for one in found.evidence), default=0) + 1
    passages = [one for one in _evidence(work.essay, work.request, work.context).evidence if not one.quotation]
    more = tuple(replace(one, number=number) for number, one in enumerate(passages, start=first))
    every = (*found.evidence, *more)
    return replace(found, paragraphs=by_paragraph(work.essay, every), evidence=every), offline.passages(more, work.language)


def writer_on(work: Work, paid: PaidModel, up: float) -> Writer:
    """The writer of comments, who has what the essay quotes of books, or may mean to. Raises as find_evidence does."""
    scope, services = work.request.scope, work.context.services
    quoted = quoted_evidence(work.essay, scope, services)
    quoted += find_meant(work.essay, quoted, (scope, services), work.context.plan)
    return Writer(work.essay, work.writing.style, work.language, work.school, paid, up, quoted, not scope.is_empty)


def candidates_on(work: Work, quoted: Sequence[Evidence], claims: Mapping[int, Sequence[str]]) -> list[Evidence]:
    """What bears on the essay, besides what it quotes. claims: what to search for, by index of the paragraph. Raises as
    find_evidence does."""
    library, usefulness = (work.request.scope, work.context.services), work.context.usefulness
    return find_candidates(work.essay, quoted, claims, library, work.context.plan, usefulness=usefulness)


def _numbered(comments: Sequence[Comment], first: int = 1) -> list[Comment]:
    return [replace(one, number=at) for at, one in enumerate(comments, start=first)]


def _revised(feedback: Feedback, work: Work) -> Feedback:
    """The feedback with what changed since the earlier draft, if there is one."""
    earlier = past.earlier_feedback(work.school, work.request.submission.version_of, work.context.history)
    if earlier is None:
        return feedback
    paid = work.writing.paid
    ask = paid.asked_by(work.school) if paid and paid.writes else None
    revision = compare(earlier, work.essay, work.context.services.embedder, ask, work.up)
    if revision is None:
        return replace(feedback, notes=(*feedback.notes, message("note_drafts_too_long")))
    return replace(feedback, revision=revision)


def get_ready(context: EssayContext) -> None:
    """Load the embedder, Harper and the counts of pairs of words, which then take no time of an essay."""
    with suppress(ChapterverseError):  # the essay's own error says more
        context.services.embedder.embed_queries(["I am ready."])
    in_english(["I am ready."], at_work() + LOAD_SECONDS)


def feedback_on(request: FeedbackRequest, context: EssayContext) -> Feedback:
    """The complete feedback. Raises as give_feedback does."""
    [done] = (part for part in give_feedback(request, context) if isinstance(part, Feedback))
    return done


def evidence_on(request: FeedbackRequest, context: EssayContext) -> EssayEvidence:
    """The evidence that is found without a language model. Raises as give_feedback does."""
    with _turn(request, context):
        return _evidence(essay_in(request, context), request, context)


def _evidence(essay: Essay, request: FeedbackRequest, context: EssayContext) -> EssayEvidence:
    return find_evidence(essay, request.scope, context.services, context.plan, usefulness=context.usefulness)


def essay_in(request: FeedbackRequest, context: EssayContext) -> Essay:
    """The parsed essay of the request, with what is copied from its task. Raises BadRequest, also if all of it is copied,
    TooLarge."""
    essay = parse_essay(request.text, context.max_words)
    if (words := sum(words_in(each.text) for each in essay.paragraphs)) < MIN_WORDS:
        raise BadRequest("essay_too_short", words=words)
    if task := request.options.task:
        paragraphs = tuple(replace(each, copied=tuple(filter(task.has, each.sentences))) for each in essay.paragraphs)
        if not any(each.own for each in paragraphs):
            raise BadRequest("essay_is_task")
        essay = replace(essay, paragraphs=paragraphs)
    return replace(essay, title=request.title or essay.title)


def style_of(request: FeedbackRequest, context: EssayContext) -> Style:
    """The school's style with the request's options. Raises CatalogUnavailable."""
    style, settings = context.writing.style, context.services.settings_of(request.scope.school)
    tone = style.tone if settings.tone is None else Tone(settings.tone)
    return request.options.style(replace(style, tone=tone, grade=style.grade if settings.grade is None else settings.grade))
