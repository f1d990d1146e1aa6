"""Evidence chosen by a language model that reads: what each paragraph claims, then which candidates are useful.

One call for a few paragraphs writes their claims, and statements that a book might hold for or against them; both are searched
for. Then a call for each paragraph, in parallel, grades the candidates. Only the highest grade is shown, and none may be."""

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from itertools import zip_longest
from time import monotonic
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.citations.model import Reading, Relation
from chapterverse.core.book import Sentence, SentenceId
from chapterverse.core.errors import BadAnswer, BadRequest, CeilingReached, LanguageModelUnavailable, ModelRefused
from chapterverse.core.hits import Found, Passage, Query, QueryKind
from chapterverse.core.ports import Embedder, ModelAnswer, Prompt, Schema
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.prompts import prompt
from chapterverse.search.engine import SearchResult
from chapterverse.search.fusion import fuse
from chapterverse.search.plan import EmbeddedQueries

CLAIMS_PROMPT, READING_PROMPT = "claims-1", "reading-1"
CLAIM_SECONDS, READING_SECONDS = 6.0, 8.0  # for the claims of an essay, and for reading the candidates of all paragraphs
AT_ONCE = 8  # calls
PARAGRAPHS_A_CALL = 8  # whose claims take some 900 of an answer's 1,500 tokens
MAX_CLAIMS, MAX_STATEMENTS = 3, 3  # of a paragraph
MAX_CANDIDATES = 40  # of a paragraph
MAX_CHOSEN = 2  # sentences shown for a paragraph
WHY_READ = "This may tell your reader more about what you say here."
"""Our words for a useful sentence that takes no side; for the others essays/writing/rules.py has them."""

NO_ANSWER = (LanguageModelUnavailable, BadAnswer, BadRequest, CeilingReached, ModelRefused)
"""Errors after which the next one chooses (essays/evidence.py)."""

Ask = Callable[[str, Prompt, Schema, float], ModelAnswer]
"""PaidModel.answer: school, prompt, schema, deadline."""

Answer = TypeVar("Answer", bound=BaseModel)
Item = TypeVar("Item")
Ranked = TypeVar("Ranked", bound=tuple[Found, *tuple[object, ...]])
Result = TypeVar("Result")


class WrittenClaims(BaseModel):
    """What the model found in one paragraph. paragraph: from 1."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paragraph: int
    claims: list[str]
    statements: list[str]


class ClaimsAnswer(BaseModel):
    """The model's answer on an essay."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paragraphs: list[WrittenClaims]


class ChosenSentence(BaseModel):
    """A candidate that the model chose. candidate: from 1; comment: its reason, never shown."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    candidate: int
    grade: Literal[1, 2]
    relation: Relation
    comment: str


class ReadingAnswer(BaseModel):
    """The model's answer on a paragraph."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    chosen: list[ChosenSentence] = Field(description="Best first; empty if no sentence is useful.")


Claims = Mapping[int, WrittenClaims]
"""By index of the paragraph, from 0; a paragraph without a claim is missing."""


@dataclass(frozen=True, slots=True)
class Written:
    """claims: of the paragraphs that claim something. unread: indices of those for which there was no answer."""

    claims: Claims
    unread: frozenset[int]


Candidate = tuple[Found, Passage]
Chosen = tuple[Found, Passage, Reading]


@dataclass(frozen=True, slots=True)
class ReadCandidates:
    """What came of reading. chosen: in the essay's order. judged: candidates that were read, of `worth` in all; fewer if the
    model failed or was late. unread: indices of the paragraphs whose candidates were not."""

    chosen: list[Chosen]
    judged: int
    worth: int
    unread: frozenset[int]


@dataclass(frozen=True)
class EvidenceModel:
    """A language model that writes claims and reads candidates. name: the model's. school: pays; grade: of its students."""

    ask: Ask
    name: str
    school: str
    grade: int = 7

    def claims(self, essay: Essay) -> Written | None:
        """The claims of the essay's paragraphs; None if no call is answered: the model is late, refuses, answers in another
        form, or the day's ceiling is reached. Raises ModelUnavailable."""
        deadline, every = monotonic() + CLAIM_SECONDS, range(len(essay.paragraphs))
        groups = [every[start : start + PARAGRAPHS_A_CALL] for start in every[::PARAGRAPHS_A_CALL]]
        answers = _in_parallel(lambda group: self._claims_of(essay, group, deadline), groups)
        if all(answer is None for answer in answers):
            return None
        unread = frozenset(at for group, answer in zip(groups, answers, strict=True) if answer is None for at in group)
        return Written({at: one for answer in answers if answer for at, one in answer.items()}, unread)

    def _claims_of(self, essay: Essay, group: range, deadline: float) -> Claims | None:
        """The claims of these paragraphs; None as for `claims`."""
        numbered = {at + 1: essay.paragraphs[at].own_text for at in group if essay.paragraphs[at].own}
        material = json.dumps({"title": essay.title or "", "paragraphs": numbered}, ensure_ascii=False)
        wanted = Prompt(CLAIMS_PROMPT, prompt(CLAIMS_PROMPT).template, material, temperature=0.0)
        answer = self._answer(ClaimsAnswer, wanted, deadline)
        if answer is None:
            return None
        return {one.paragraph - 1: one for one in answer.paragraphs if one.paragraph - 1 in group and one.claims}

    def read(self, essay: Essay, claims: Claims, candidates: Mapping[int, Sequence[Candidate]], limit: int) -> ReadCandidates:
        """The useful candidates of all paragraphs, by index: at most MAX_CHOSEN a paragraph and `limit` in all, the best of
        every paragraph before a second. A sentence is shown for one paragraph only. Raises ModelUnavailable."""
        deadline = monotonic() + READING_SECONDS

        def choose(at: int) -> list[tuple[int, Reading]] | None:
            return self.choose(essay.paragraphs[at], claims[at], [passage for _, passage in candidates[at]], deadline)

        chosen = dict(zip(candidates, _in_parallel(choose, list(candidates)), strict=True))
        readings = {at: [(*candidates[at][place], reading) for place, reading in its or ()] for at, its in chosen.items()}
        unread = frozenset(at for at, its in chosen.items() if its is None)
        judged = sum(len(candidates[at]) for at in chosen.keys() - unread)
        return ReadCandidates(in_turns(readings, limit), judged, sum(map(len, candidates.values())), unread)

    def choose(
        self, paragraph: Paragraph, claims: WrittenClaims, candidates: Sequence[Passage], deadline: float
    ) -> list[tuple[int, Reading]] | None:
        """Index and reading of the useful candidates, best first; None as for `claims`."""
        listed = [
            {"number": number, "sentence": one.sentence.text, "before": _text(one.previous), "after": _text(one.next)}
            for number, one in enumerate(candidates, 1)
        ]
        about = {"paragraph": paragraph.own_text, "claims": claims.claims[:MAX_CLAIMS], "candidates": listed}
        instructions = prompt(READING_PROMPT).substitute(grade=self.grade)
        wanted = Prompt(READING_PROMPT, instructions, json.dumps(about, ensure_ascii=False), temperature=0.0)
        answer = self._answer(ReadingAnswer, wanted, deadline)
        if answer is None:
            return None
        useful = {
            one.candidate - 1: one for one in reversed(answer.chosen) if one.grade == 2 and 0 < one.candidate <= len(candidates)
        }
        return [
            (place, Reading(one.relation, WHY_READ if one.relation is Relation.BACKGROUND else ""))
            for place, one in reversed(useful.items())
        ]

    def _answer(self, form: type[Answer], wanted: Prompt, deadline: float) -> Answer | None:
        """The answer; None as for `claims`."""
        try:
            return _in_form(form, self.ask(self.school, wanted, form.model_json_schema(), deadline))
        except NO_ANSWER:
            return None


def _in_parallel(call: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """The result of each call, AT_ONCE at a time, within the same trace."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        futures = [pool.submit(copy_context().run, call, item) for item in items]
        return [future.result() for future in futures]


def in_turns(ranked: Mapping[int, Sequence[Ranked]], limit: int) -> list[Ranked]:
    """At most MAX_CHOSEN of each paragraph and `limit` in all, in the paragraphs' order; the first of each before a second."""
    used, shown = set[SentenceId](), list[tuple[int, Ranked]]()
    for turn in range(MAX_CHOSEN):
        for at, its in ranked.items():
            rest = [one for one in its if one[0].record.id not in used]
            if rest and sum(of == at for of, _ in shown) == turn and len(shown) < limit:
                used.add(rest[0][0].record.id)
                shown.append((at, rest[0]))
    return [one for _, one in sorted(shown, key=lambda one: one[0])]


def _in_form(form: type[Answer], answer: ModelAnswer) -> Answer:
    try:
        return form.model_validate(dict(answer.value))
    except ValidationError as error:
        raise BadAnswer("llm_answer_not_schema", problem=[one["loc"] for one in error.errors(include_input=False)]) from None


def _text(sentence: Sentence | None) -> str:
    return sentence.text if sentence else ""


def queries_for(essay: Essay, claims: Claims, embedder: Embedder) -> EmbeddedQueries:
    """The paragraphs that claim something, their claims and the statements on them, embedded in one call."""
    queries = [
        Query(text, kind, at)
        for at, written in sorted(claims.items())
        for kind, texts in (
            (QueryKind.PARAGRAPH, [essay.paragraphs[at].own_text]),
            (QueryKind.CLAIM, written.claims[:MAX_CLAIMS]),
            (QueryKind.STATEMENT, written.statements[:MAX_STATEMENTS]),
        )
        for text in texts
        if text.strip()
    ]
    return EmbeddedQueries(tuple(queries), embedder.embed_queries([query.text for query in queries]))


def candidates_for(paragraph: int, result: SearchResult) -> list[Found]:
    """The first plan.hits_per_query hits of each query of the paragraph that reach plan.min_score, each once, at most
    MAX_CANDIDATES: the best of every query before the second of any."""
    plan, queries = result.plan, result.queries.queries
    own = [
        (query, [hit for hit in its[: plan.hits_per_query] if hit.score >= plan.min_score])
        for query, its in zip(queries, result.candidates, strict=True)
        if query.paragraph == paragraph
    ]
    fused = {one.record.id: one for one in fuse([query for query, _ in own], [its for _, its in own])}
    turns = (hit for row in zip_longest(*(its for _, its in own)) for hit in row if hit)
    return [fused[id] for id in list(dict.fromkeys(hit.record.id for hit in turns))[:MAX_CANDIDATES]]
