"""Write the comments on an essay with a language model, side by side.

What to search for is asked for each paragraph; then a call for some paragraphs, which sees the essay, chooses evidence and
writes. The essay as a whole and its language are read meanwhile. A last call orders the comments. What has arrived at the
deadline is used."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import inf
from queue import Empty, Queue
from threading import Lock
from time import monotonic
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import from_json

from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.second_reading import Ask, ask_for, in_form
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
from chapterverse.essays.quoted import not_found
from chapterverse.essays.writing.forms import (
    AT_ONCE,
    ChosenEvidence,
    ClaimsAnswer,
    DraftComment,
    EssayAnswer,
    LanguageAnswer,
    OrderAnswer,
    PassageAnswer,
    argument_prompt,
    claims_prompt,
    language_prompt,
    order_prompt,
    passage_prompt,
    reader_prompt,
)
from chapterverse.essays.writing.vouch import Voucher

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
MAX_COMMENTS = 7  # that a student can take up at once; of a long essay, as many as it has paragraphs
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
    time.monotonic() by which everything ends; quoted: what the essay quotes of books, or may mean to."""

    essay: Essay
    style: Style
    language: str
    school: str
    paid: PaidModel
    check: PaidModel
    deadline: float
    quoted: Sequence[Evidence] = ()
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="writer")
        self._events: Queue[Event | None] = Queue()
        self._lock, self._open, self._over = Lock(), 0, False
        asked, checked = self._ask_of(self.paid), self._ask_of(self.check)
        self._unfound = [text for _, text in not_found(self.essay, self.quoted)]
        self._voucher = Voucher(
            self.essay, self.style, self.language, asked, checked, self.deadline, self._unfound, lambda: self._over
        )

    def claims(self) -> dict[int, list[str]]:
        """What to search for, by index of the paragraph; a paragraph whose call failed is missing. At the same time the calls
        on the whole essay and on its language begin."""
        self._start(self._on_argument)
        self._start(self._on_reader)
        if Dimension.EXPRESSIONS in self.style.dimensions:
            self._start(self._on_language)
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
        for places in () if only_begun else self._passages():
            self._start(self._on_passage, places, {at: candidates.get(at, ()) for at in places})
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
            ordered = left[: max(MAX_COMMENTS, len(self.essay.paragraphs))]
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

    def _passages(self) -> Iterator[Sequence[int]]:
        """Indices of the paragraphs with words of the student, as evenly as can be, at most AT_ONCE together."""
        own = [at for at, paragraph in enumerate(self.essay.paragraphs) if paragraph.own]
        count = -(-len(own) // AT_ONCE)
        for each in range(count):
            yield own[each * len(own) // count : (each + 1) * len(own) // count]

    def _on_argument(self) -> None:
        wanted, evidence = self.paid.fitted(
            lambda some: argument_prompt(self.essay, some, self._unfound, self.style, self.language), self.quoted
        )
        self._on_essay(wanted, {one.number: one for one in evidence}, 1)

    def _on_reader(self) -> None:
        self._on_essay(reader_prompt(self.essay, self.style, self.language), {}, 0)

    def _on_essay(self, wanted: Prompt, quoted: Mapping[int, Evidence], early: int) -> None:
        """The first `early` comments are vouched for when the next begins; the others together."""

        def vouch(drafts: Sequence[DraftComment]) -> None:
            against = {number for one in drafts if one.kind == "contradiction" for number in one.evidence}
            relations = {each: Relation.CONTRADICTS if each in against else Relation.BACKGROUND for each in quoted}
            self._vouch(drafts, quoted, relations, True)

        so_far, taken = dict[str, Any](), 0
        try:
            for so_far in self._streamed(wanted, EssayAnswer):
                if taken < early < len(so_far.get("comments", ())):
                    taken = early
                    self._start(vouch, self._drafts(so_far)[:taken])
        finally:
            vouch(self._drafts(so_far)[taken:])

    def _on_language(self) -> None:
        wanted = language_prompt(self.essay, self.style, self.language)
        rules = ask_for(LanguageAnswer, wanted, self._ask_of(self.paid), self.deadline).rules
        for comment in self._voucher.corrections(rules):
            self._events.put(Written(comment))

    def _on_passage(self, places: Sequence[int], candidates: Mapping[int, Sequence[Evidence]]) -> None:
        """What is useful is told as soon as it is there; the comments are vouched for together."""
        ranked = [one for row in zip_longest(*candidates.values()) for one in row if one]
        wanted, evidence = self.paid.fitted(
            lambda some: passage_prompt(
                places, self.essay, sorted(some, key=lambda one: one.number), self.style, self.language
            ),
            ranked,
        )
        numbered = {one.number: one for one in evidence}
        so_far, relations = dict[str, Any](), dict[int, Relation]()
        has_relations = False

        def tell() -> None:
            relations.update(self._useful(so_far.get("useful"), numbered))
            for at in places:
                of_it = {one.number for one in candidates[at]}
                self._events.put(Useful(at, {number: each for number, each in relations.items() if number in of_it}))

        try:
            for so_far in self._streamed(wanted, PassageAnswer):
                if not has_relations and "comments" in so_far:
                    has_relations = True
                    tell()
        finally:
            if not has_relations:
                tell()
            self._vouch(self._drafts(so_far), numbered, relations, False)

    def _streamed(self, wanted: Prompt, form: type[BaseModel]) -> Iterator[dict[str, Any]]:
        """What the answer holds each time something in it ends; the whole answer last. Raises BadAnswer for another form."""
        text = ""
        for piece in self.paid.pieces(self.school, wanted, form.model_json_schema(), self.deadline):
            text += piece.text
            self._count(piece.usage)
            if "}" in piece.text or "]" in piece.text:
                yield _partial(text)
        in_form(form, text)

    def _drafts(self, so_far: Mapping[str, Any]) -> list[DraftComment]:
        """The drafts that are complete, on what comments are wanted on."""
        drafts = []
        for each in so_far.get("comments") or ():
            with suppress(ValidationError):
                drafts.append(DraftComment.model_validate(each))
        return [each for each in drafts if each.part in self.style.dimensions]

    def _useful(self, chosen: Any, numbered: Mapping[int, Evidence]) -> Mapping[int, Relation]:
        try:
            return {one.number: one.relation for one in _USEFUL.validate_python(chosen or []) if one.number in numbered}
        except ValidationError:
            return {}

    def _vouch(
        self,
        drafts: Sequence[DraftComment],
        evidence: Mapping[int, Evidence],
        relations: Mapping[int, Relation],
        whole: bool,
    ) -> None:
        for vouched in self._voucher.comments(drafts, evidence, relations, whole=whole) if drafts else ():
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
        log.warning("language model failed", extra={"error": error.code, "why": error.id, "school": self.school})

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
