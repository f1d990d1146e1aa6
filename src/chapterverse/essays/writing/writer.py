"""A language model writes the comments on an essay, paragraph by paragraph and side by side.

For each paragraph: what to search for → sentences of books → useful ones and comments, in one streamed call → each comment is
vouched for as soon as it stands (vouch.py). Another call reads the essay as a whole meanwhile. A last one orders the comments.
What has arrived at the deadline is used."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from math import inf
from queue import Empty, Queue
from threading import Lock
from time import monotonic
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.second_reading import Ask, ask_for
from chapterverse.core.errors import (
    BadAnswer,
    BadRequest,
    CeilingReached,
    ChapterverseError,
    LanguageModelUnavailable,
    LanguageModelUnusable,
    ModelRefused,
)
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import ModelAnswer, Prompt, Schema, Usage
from chapterverse.essays.model import Comment, Dimension, Essay, Style
from chapterverse.essays.writing.forms import (
    ChosenEvidence,
    ClaimsAnswer,
    DraftComment,
    EssayAnswer,
    OrderAnswer,
    ParagraphAnswer,
    claims_prompt,
    order_prompt,
    paragraph_prompt,
    whole_prompt,
)
from chapterverse.essays.writing.vouch import Vouched, Voucher

FAILURES = (
    LanguageModelUnavailable,
    LanguageModelUnusable,
    BadAnswer,
    BadRequest,
    CeilingReached,
    ModelRefused,
)
"""Errors of a call, after which the essay gets what else there is."""

THREADS = 12  # calls of one essay at once
ORDER_SECONDS = 1.0  # that must be left for the call that orders
MAX_COMMENTS = 8  # that a student can take up at once; of a long essay, two more than it has paragraphs
log = logging.getLogger(__name__)
_USEFUL = TypeAdapter(list[ChosenEvidence])


@dataclass(frozen=True, slots=True)
class Useful:
    """The evidence that the model finds useful beside the paragraph with this index, by number, best first."""

    paragraph: int
    relations: Mapping[int, Relation]


@dataclass(frozen=True, slots=True)
class Written:
    """A vouched comment as it stands."""

    comment: Comment


@dataclass(frozen=True, slots=True)
class Failed:
    """A call that brought nothing."""

    error: ChapterverseError


Event = Useful | Written | Failed


@dataclass
class Tally:
    """Numbers of one essay, without any text: tokens, drafts withheld or repaired, calls that failed."""

    usage: Usage = field(default_factory=Usage)
    withheld: int = 0
    repaired: int = 0
    failed: int = 0


@dataclass
class Writer:
    """Writes the comments on one essay. paid: pays and answers; check: reads a second time; deadline: a time of
    time.monotonic() by which everything ends."""

    essay: Essay
    style: Style
    language: str
    school: str
    paid: PaidModel
    check: PaidModel
    deadline: float
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="writer")
        self._events: Queue[Event | None] = Queue()
        self._lock, self._open, self._over = Lock(), 0, False
        asked, checked = self._ask_of(self.paid), self._ask_of(self.check)
        self._voucher = Voucher(
            self.essay, self.style, self.language, asked, checked, self.deadline, stopped=lambda: self._over
        )

    def claims(self) -> dict[int, list[str]]:
        """What to search for, by index of the paragraph; a paragraph whose call failed is missing. At the same time the call on
        the whole essay begins."""
        if {Dimension.CONTENT, Dimension.FEATURES} & set(self.style.dimensions):
            self._start(self._on_whole)
        own = [at for at, each in enumerate(self.essay.paragraphs) if each.own]

        def of(at: int) -> list[str] | None:
            try:
                wanted = claims_prompt(self.essay.paragraphs[at].own_text)
                return ask_for(ClaimsAnswer, wanted, self._ask_of(self.paid), self.deadline).queries
            except FAILURES as error:
                self._note(error)
                return None

        answers = [self._pool.submit(copy_context().run, of, at) for at in own]
        found = {at: answer.result() for at, answer in zip(own, answers, strict=True)}
        return {at: queries for at, queries in found.items() if queries is not None}

    def write(self, candidates: Mapping[int, Sequence[Evidence]], *, only_begun: bool = False) -> Iterator[Event]:
        """What comes, as it comes, until all calls have ended or time is up: what is useful, of each paragraph once, unless its
        call fails; vouched comments; failures. candidates: for each paragraph, by index, with numbers that are unique.
        only_begun: bring to its end what has begun, and write on no paragraph."""
        for at, paragraph in enumerate(self.essay.paragraphs):
            if paragraph.own and not only_begun:
                self._start(self._on_paragraph, at, candidates.get(at, ()))
        while self._open:
            try:
                left = self.deadline - monotonic()
                event = self._events.get(timeout=None if left == inf else max(left, 0))
            except Empty:
                yield Failed(BadAnswer("llm_too_late"))
                break
            if event is None:
                with self._lock:
                    self._open -= 1
            else:
                yield event

    def order(self, comments: Sequence[Comment]) -> tuple[list[int], str]:
        """The numbers of the comments in the order in which to take them up, without those that only repeat another and those
        beyond what a student can take up; and a summary, which may be empty."""
        listed = sorted(comments, key=lambda one: (one.paragraph or 0, one.about or (0, 0), one.text))  # whatever came first
        numbers = [one.number for one in listed]
        if len(comments) < 2 or self.deadline - monotonic() < ORDER_SECONDS:
            return numbers, ""
        try:
            places = [replace(one, number=place) for place, one in enumerate(listed, start=1)]
            wanted = order_prompt(self.essay, places, self.style, self.language)
            answer = ask_for(OrderAnswer, wanted, self._ask_of(self.paid), self.deadline)
            ordered = [numbers[place - 1] for place in dict.fromkeys(answer.order) if 0 < place <= len(numbers)]
            ordered += [number for number in numbers if number not in ordered]
            repeats = {numbers[place - 1] for place in answer.repeats if 0 < place <= len(numbers)}
            left = [number for number in ordered if number not in repeats] or ordered
            ordered = left[: max(MAX_COMMENTS, len(self.essay.paragraphs) + 2)]
        except FAILURES as error:
            self._note(error)
            return numbers, ""
        try:
            return ordered, self._voucher.summary(answer.summary, listed)
        except FAILURES as error:
            self._note(error)
            return ordered, ""

    def close(self) -> None:
        """End all work that is under way."""
        self._over = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _on_whole(self) -> None:
        wanted = whole_prompt(self.essay, self.style, self.language)
        for each in ask_for(EssayAnswer, wanted, self._ask_of(self.paid), self.deadline).comments:
            if each.part in self.style.dimensions:
                self._start(self._vouch, lambda each=each: self._voucher.comment(each, each.paragraph - 1, {}, {}, whole=True))

    def _on_paragraph(self, at: int, evidence: Sequence[Evidence]) -> None:
        """Stream the answer; each comment is vouched for when the next one begins."""
        try:
            text, relations, taken = self._streamed(at, evidence)
        except FAILURES:
            self._events.put(Useful(at, {}))  # the same again changes nothing
            raise
        self._finish(at, text, evidence, relations, taken)

    def _streamed(self, at: int, evidence: Sequence[Evidence]) -> tuple[str, Mapping[int, Relation] | None, int]:
        """The whole answer, what is useful in it once that was seen, and how many comments were taken from it."""
        wanted, evidence = self.paid.fitted(
            lambda some: paragraph_prompt(at, self.essay, some, self.style, self.language), evidence
        )
        numbered = {one.number: one for one in evidence}
        text, relations, taken = "", None, 0
        for piece in self.paid.pieces(self.school, wanted, ParagraphAnswer.model_json_schema(), self.deadline):
            text += piece.text
            self._count(piece.usage)
            if "}" not in piece.text and "]" not in piece.text:
                continue
            so_far = _partial(text)
            if relations is None and "comments" in so_far:
                relations = self._useful(at, so_far.get("useful"), numbered)
            if relations is not None:
                drafts = [each for each in so_far.get("comments", []) if isinstance(each, dict)]
                ready = len(drafts) if "corrections" in so_far else len(drafts) - 1
                for each in drafts[taken:ready]:
                    self._vouch_draft(at, each, numbered, relations)
                taken = max(taken, ready)
        return text, relations, taken

    def _finish(
        self, at: int, text: str, evidence: Sequence[Evidence], relations: Mapping[int, Relation] | None, taken: int
    ) -> None:
        """Use what the whole answer holds beyond the comments already taken. Raises BadAnswer for another form."""
        numbered = {one.number: one for one in evidence}
        try:
            answer = ParagraphAnswer.model_validate_json(text)
        except ValidationError as error:
            if relations is None:
                self._events.put(Useful(at, {}))
            raise BadAnswer(
                "llm_answer_not_schema", problem=[one["loc"] for one in error.errors(include_input=False)]
            ) from None
        if relations is None:
            relations = self._useful(at, [each.model_dump() for each in answer.useful], numbered)
        for each in answer.comments[taken:]:
            self._vouch_draft(at, each.model_dump(), numbered, relations)
        if answer.corrections and Dimension.EXPRESSIONS in self.style.dimensions:
            for comment in self._voucher.corrections(answer.corrections, at):
                self._events.put(Written(comment))

    def _useful(self, at: int, chosen: Any, numbered: Mapping[int, Evidence]) -> Mapping[int, Relation]:
        try:
            useful = {one.number: one.relation for one in _USEFUL.validate_python(chosen or []) if one.number in numbered}
        except ValidationError:
            useful = {}
        self._events.put(Useful(at, useful))
        return useful

    def _vouch_draft(
        self, at: int, each: Mapping[str, Any], numbered: Mapping[int, Evidence], relations: Mapping[int, Relation]
    ) -> None:
        try:
            draft = DraftComment.model_validate(each)
        except ValidationError:
            self._add(withheld=1)
            return
        if draft.part in self.style.dimensions:
            self._start(self._vouch, lambda: self._voucher.comment(draft, at, numbered, relations))

    def _vouch(self, vouch: Callable[[], Vouched]) -> None:
        vouched = vouch()
        if vouched.comment:
            self._add(repaired=int(vouched.repaired))
            self._events.put(Written(vouched.comment))
        else:
            self._add(withheld=1)

    def _start(self, work: Callable[..., None], *about: Any) -> None:
        """Do this on a thread; its end is an event, so that `write` knows when nothing is left."""
        if self._over:
            return
        with self._lock:
            self._open += 1
        self._pool.submit(copy_context().run, self._logging_failure, work, about)

    def _logging_failure(self, work: Callable[..., None], about: tuple[Any, ...]) -> None:
        try:
            work(*about)
        except FAILURES as error:
            self._note(error)
            self._events.put(Failed(error))
        except Exception:  # a bug: the essay still gets the rest, and the log has the trace
            log.exception("writing failed")
            self._events.put(Failed(BadAnswer("llm_late_or_unusable")))
        finally:
            self._events.put(None)

    def _note(self, error: ChapterverseError) -> None:
        self._add(failed=1)
        log.warning("language model failed", extra={"error": error.code, "school": self.school})

    def _ask_of(self, paid: PaidModel) -> Ask:
        def ask(wanted: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
            answer = paid.answer(self.school, wanted, schema, deadline)
            self._count(answer.usage)
            return answer

        return ask

    def _count(self, usage: Usage | None) -> None:
        with self._lock:
            self.tally.usage += usage or Usage()

    def _add(self, **counts: int) -> None:
        with self._lock:
            for name, count in counts.items():
                setattr(self.tally, name, getattr(self.tally, name) + count)


def _partial(text: str) -> dict[str, Any]:
    """What a JSON object holds that is not complete yet; empty if it is none."""
    try:
        value = from_json(text, allow_partial=True)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
