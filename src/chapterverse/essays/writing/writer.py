"""Write the comments on an essay with a language model: one call for the comments, one for the mistakes of its language.

What to search for is asked for each paragraph; the call for the comments sees what the search found, too. That on language goes
out with the first. Each comment is vouched for and shown while the next ones are written. What has arrived at the deadline is
used."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from math import inf
from queue import Empty, Queue
from threading import Lock
from time import monotonic
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from chapterverse.citations.model import Evidence
from chapterverse.citations.second_reading import ask_for, in_form
from chapterverse.core.errors import BadAnswer, ChapterverseError
from chapterverse.core.paid_model import FAILURES, PaidModel
from chapterverse.core.ports import ModelAnswer, Prompt, Schema, Usage
from chapterverse.essays.evidence import not_found
from chapterverse.essays.model import Correction, Essay, Style
from chapterverse.essays.writing import forms
from chapterverse.essays.writing.vouch import Outcome, Voucher

THREADS = 12  # calls of one essay at once
TOGETHER = 4  # comments that are read a second time in one call, after the first one
log = logging.getLogger(__name__)
COUNTED = ("prompt_tokens", "answer_tokens", "model_failures", "withheld", "repaired")  # the latter two: drafts


@dataclass(frozen=True, slots=True)
class Corrections:
    """Accepted corrections. are_sure: of those made without a model; what is missing of these mends nothing."""

    corrections: Sequence[Correction]
    are_sure: bool = False


Event = Outcome | Corrections | ChapterverseError  # what comes of the calls; an error is one that brought nothing


@dataclass
class Writer:
    """Writes the comments on one essay. paid: pays, answers, and reads a second time; deadline: a time of time.monotonic() by
    which everything ends; quoted: what the essay quotes of books, or may mean to; has_books: to quote; tally: numbers, by
    COUNTED."""

    essay: Essay
    style: Style
    language: str
    school: str
    paid: PaidModel
    deadline: float
    quoted: Sequence[Evidence] = ()
    has_books: bool = True
    tally: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(COUNTED, 0)))

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="writer")
        self._events: Queue[Event | None] = Queue()
        self._lock, self._open, self._over = Lock(), 0, False
        self._unfound = [text for _, text in not_found(self.essay, self.quoted) if self.has_books]
        self._voucher = Voucher(
            self.essay, self.style, self.language, self._ask, self.deadline, self._unfound, lambda: self._over
        )

    def claims(self) -> dict[int, list[str]]:
        """What to search for, by index of the paragraph; a paragraph whose call failed is missing. Meanwhile the mistakes of
        language are gathered."""
        self._start(self._on_language)
        own = [at for at, each in enumerate(self.essay.paragraphs) if each.own]

        def of(at: int) -> list[str] | None:
            try:
                wanted = forms.claims_prompt(self.essay.paragraphs[at].own_text)
                return ask_for(forms.ClaimsAnswer, wanted, self._ask, self.deadline).queries
            except FAILURES as error:
                self._note(error)
                return None

        answers = [self._pool.submit(copy_context().run, of, at) for at in own]
        wait(answers, self._seconds_left())
        found = {at: answer.result() for at, answer in zip(own, answers, strict=True) if answer.done()}
        return {at: queries for at, queries in found.items() if queries is not None}

    def write(self, evidence: Sequence[Evidence] | None, sure: Sequence[Correction] = ()) -> Iterator[Event]:
        """What comes, as it comes, until all calls have ended or time is up. evidence: what bears on the essay, besides what it
        quotes, best first, with numbers of their own; None: no comments yet. sure: corrections made without a model, which are
        read a second time."""
        if sure:
            self._start(self._on_sure, sure)
        if evidence is not None:
            self._start(self._on_essay, evidence)
        while self._open:
            try:
                event = self._events.get(timeout=self._seconds_left())
            except Empty:
                yield BadAnswer("llm_too_late")
                break
            if event is None:
                with self._lock:
                    self._open -= 1
            else:
                yield event

    def close(self) -> None:
        """End all work that is under way."""
        self._over = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _seconds_left(self) -> float | None:
        left = max(self.deadline - monotonic(), 0)
        return None if left == inf else left

    def _on_essay(self, evidence: Sequence[Evidence]) -> None:
        """The comments. The first one is vouched for at once, so that something comes soon; the others a few at a time, the
        last of them with the summary."""

        def wanted(some: Sequence[Evidence]) -> Prompt:
            in_order = sorted(some, key=lambda one: one.number)
            return forms.comments_prompt(self.essay, in_order, self._unfound, self.style, self.language)

        asked, shown = self.paid.fitted(wanted, [*self.quoted, *evidence])
        known = {one.number: one for one in shown}
        begun, listed, summary = 0, list[Any](), ""
        try:
            for so_far in self._streamed(asked):
                listed, summary = so_far
                ready = sum(map(_is_complete, listed))
                if ready >= (begun + TOGETHER if begun else 1):
                    self._start(self._vouch, listed[begun:ready], begun, known)
                    begun = ready
        finally:
            self._vouch(listed[begun:], begun, known, summary)

    def _on_sure(self, sure: Sequence[Correction]) -> None:
        confirmed = self._voucher.confirmed(sure)
        if len(confirmed) < len(sure) / 2 and len(sure) > 2:  # nearly all are right: who refuses most has not read them
            raise BadAnswer("llm_late_or_unusable")
        self._events.put(Corrections(confirmed, are_sure=True))

    def _on_language(self) -> None:
        wanted = forms.language_prompt(self.essay, self.style, self.language)
        rules = ask_for(forms.LanguageAnswer, wanted, self._ask, self.deadline).rules
        self._events.put(Corrections(self._voucher.corrections(rules)))

    def _streamed(self, wanted: Prompt) -> Iterator[tuple[list[Any], str]]:
        """Comments and summary of the answer, each time something in it ends. Raises BadAnswer for another form, at its end."""
        text = ""
        for piece in self.paid.pieces(self.school, wanted, forms.CommentsAnswer.model_json_schema(), self.deadline):
            text += piece.text
            self._count_tokens(piece.usage)
            if "}" in piece.text or "]" in piece.text:
                yield _partial(text)
        in_form(forms.CommentsAnswer, text)

    def _vouch(self, listed: Sequence[Any], first: int, evidence: Mapping[int, Evidence], summary: str = "") -> None:
        """listed: parts of the answer; first: the rank of the first of them."""
        drafts = dict[int, forms.DraftComment]()
        for rank, each in enumerate(listed, start=first):
            with suppress(ValidationError):  # cut off, or not in the form
                drafts[rank] = forms.DraftComment.model_validate(each)
        for one in self._voucher.comments(drafts, evidence, summary) if drafts or summary else ():
            self._count(withheld=not (one.comment or one.summary), repaired=one.repaired and one.comment is not None)
            self._events.put(one)

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
            self._events.put(error)
        except Exception:  # a bug: the essay still gets the rest, and the log has the trace
            log.exception("writing failed")
            self._events.put(BadAnswer("llm_late_or_unusable"))
        finally:
            self._events.put(None)

    def _note(self, error: ChapterverseError) -> None:
        self._count(model_failures=1)
        log.warning("language model failed", extra={"error": error.code, "why": error.id, "school": self.school})

    def _ask(self, wanted: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        answer = self.paid.answer(self.school, wanted, schema, deadline)
        self._count_tokens(answer.usage)
        return answer

    def _count_tokens(self, usage: Usage | None) -> None:
        if usage:
            self._count(prompt_tokens=usage.prompt_tokens, answer_tokens=usage.answer_tokens)

    def _count(self, **counts: int) -> None:
        with self._lock:
            self.tally.update(counts)


def _partial(text: str) -> tuple[list[Any], str]:
    """The comments and the summary of a JSON object that is not complete yet; none if it is none or of another form."""
    try:
        value = from_json(text, allow_partial=True)
    except ValueError:
        value = None
    answer = value if isinstance(value, dict) else {}
    listed = answer.get("comments")
    return listed if isinstance(listed, list) else [], str(answer.get("summary", ""))


def _is_complete(draft: Any) -> bool:
    """Whether this part of an answer has all fields of a comment, its text last: a text that is cut off is left out."""
    return isinstance(draft, dict) and draft.keys() >= forms.DraftComment.model_fields.keys() and list(draft)[-1] == "comment"
