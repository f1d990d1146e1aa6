"""Answers written by a language model: one call for claims, each with the words of the sources that it rests on. The server
finds these words, holds the claim to the contract (citations/contract.py), and has it read again beside them by a call that
sees nothing else (citations/second_reading.py). What fails is repaired once, or dropped."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Annotated

from pydantic import BaseModel, Field

from chapterverse.citations.contract import Grounds, Requirement, find_words, under_contract
from chapterverse.citations.second_reading import Ask, Statement, ask_for, read_again
from chapterverse.core.book import Sentence
from chapterverse.core.errors import BadAnswer, CeilingReached, ChapterverseError, LanguageModelUnavailable, ModelRefused
from chapterverse.core.ports import Prompt, fenced
from chapterverse.messages import Message, message
from chapterverse.prompts import prompt
from chapterverse.questions.answers import CitableSource, Question, text_of, text_under_headings
from chapterverse.questions.records import CitationRecord, ClaimRecord
from chapterverse.questions.styles import AnswerSettings, AnswerStyle

PROMPT, REPAIR = "answer-2", "answer-repair-1"
MAX_CLAIMS, MAX_GROUNDS = 6, 3
MAX_TEXT, MAX_COPIED = 400, 600  # characters of a claim, and of the words that it rests on
MAX_WORDS = 60  # of a claim
NOT_TO_BE_HAD = message("llm_not_asked")
WHY = {
    BadAnswer: message("llm_late_or_unusable"),
    CeilingReached: message("llm_enough_for_today"),
    LanguageModelUnavailable: message("llm_away_now"),
    ModelRefused: message("llm_would_not_answer"),
}


class DraftGround(BaseModel, extra="forbid", frozen=True):
    """The words of a source that a claim rests on."""

    source: int
    words: str = Field(max_length=MAX_COPIED)


class DraftClaim(BaseModel, extra="forbid", frozen=True):
    """A claim as the model wrote it. answers: whether the question would stay unanswered without it."""

    text: str = Field(max_length=MAX_TEXT)
    answers: bool
    grounds: Annotated[list[DraftGround], Field(min_length=1, max_length=MAX_GROUNDS)]


class AnswerDraft(BaseModel, extra="forbid", frozen=True):
    """A language model's answer; no claims if the sources do not answer the question."""

    claims: Annotated[list[DraftClaim], Field(max_length=MAX_CLAIMS)]


@dataclass(frozen=True, slots=True)
class DraftResult:
    """Result of a draft. claims: none if what is left would not answer. removed: number of claims that were dropped. failed:
    why there is no answer of the model, None if there is one."""

    claims: tuple[ClaimRecord, ...] = ()
    removed: int = 0
    failed: Message | None = None


def draft_answer(
    question: Question, sources: Sequence[CitableSource], style: AnswerStyle, school: str, settings: AnswerSettings
) -> DraftResult:
    """The model's answer to the question, checked. Raises no error of a language model: DraftResult.failed has it."""
    assert settings.paid  # noqa: S101  # asked only with a model
    ask = partial(settings.paid.answer, school)
    try:
        return _checked_draft(redacted(question, settings), sources, style, ask, monotonic() + settings.seconds)
    except ChapterverseError as error:
        return DraftResult(failed=WHY.get(type(error), NOT_TO_BE_HAD))


def _checked_draft(
    question: Question, sources: Sequence[CitableSource], style: AnswerStyle, ask: Ask, deadline: float
) -> DraftResult:
    wanted = answer_prompt(question, sources, style)
    drafts = ask_for(AnswerDraft, wanted, ask, deadline).claims
    check = ClaimCheck({one.number: one for one in sources}, question, ask, deadline)
    checked = check.all(drafts)
    refused = [(draft, its) for draft, its in zip(drafts, checked, strict=True) if isinstance(its, str)]
    repaired = iter(_repaired(wanted, refused, check, ask, deadline) if refused else ())
    accepted = [
        (draft.answers, claim)
        for draft, its in zip(drafts, checked, strict=True)
        if (claim := next(repaired, None) if isinstance(its, str) else its)
    ]
    answers = any(is_answer for is_answer, _ in accepted)
    return DraftResult(tuple(claim for _, claim in accepted) if answers else (), len(drafts) - len(accepted) * answers)


def _repaired(
    wanted: Prompt, refused: Sequence[tuple[DraftClaim, str]], check: "ClaimCheck", ask: Ask, deadline: float
) -> list[ClaimRecord | None]:
    """For each refused claim the one that the model writes instead, if that holds. The model may write them in its own order
    and leave some out, so each goes to the first refused one that rests on the same source. Empty if the model fails."""
    problems = "\n".join(f"- {draft.text} Refused: {problem}" for draft, problem in refused)
    instructions = wanted.instructions + prompt(REPAIR).template
    again = replace(wanted, instructions=instructions, material=f"{wanted.material}\n\n{fenced({'refused': problems})}")
    try:
        drafts = ask_for(AnswerDraft, again, ask, deadline).claims[: len(refused)]
    except ChapterverseError:
        return []
    left = [(draft, claim) for draft, claim in zip(drafts, check.all(drafts), strict=True) if isinstance(claim, ClaimRecord)]
    found = list[ClaimRecord | None]()
    for before, _ in refused:
        known = {ground.source for ground in before.grounds}
        same = next((one for one in left if known & {ground.source for ground in one[0].grounds}), None)
        left = [one for one in left if one is not same]
        found.append(same and same[1])
    return found


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """Checks claims. sources: by number."""

    sources: dict[int, CitableSource]
    question: Question
    ask: Ask
    deadline: float

    def all(self, drafts: Sequence[DraftClaim]) -> list[ClaimRecord | str]:
        """Each as a claim with its citations, or what is wrong with it; read again all at once."""
        if not drafts:
            return []
        with ThreadPoolExecutor(len(drafts)) as pool:
            return list(pool.map(self, drafts))

    def __call__(self, draft: DraftClaim) -> ClaimRecord | str:
        """A claim, or what is wrong with the draft."""
        found = [(self.sources[one.source], self._sentences(one)) for one in draft.grounds if one.source in self.sources]
        if len(found) < len(draft.grounds) or not all(sentences for _, sentences in found):
            return "the words of its grounds do not stand in that source"
        texts = tuple(_in_context(source, sentences) for source, sentences in found)
        known = (*texts, self.question.question, self.question.selected)
        held = under_contract(draft.text, Grounds(texts, known, repeats_contacts=True), MAX_WORDS)
        if failed := [one for one in held.failed if one is not Requirement.MARK]:  # "35 percent" is what a question may ask for
            return f"its {' and '.join(failed)} must be as in the source"
        question = {"question": self.question.question}
        numbered = tuple(f"[{number}] {text}" for number, text in enumerate(texts, start=1))
        try:
            finding = read_again(Statement(held.text, question, numbered), self.ask, self.deadline)
        except ChapterverseError:
            return "it could not be read again"
        if not finding.keeps:
            return finding.problem or "the sources do not say this"
        cited = {one.id: CitationRecord.of(source, source.passage(one)) for source, sentences in found for one in sentences}
        return ClaimRecord(text=held.text, citations=list(cited.values()))

    def _sentences(self, ground: DraftGround) -> list[Sentence]:
        """The sentences of the source in which the words stand; none if they do not stand there."""
        source = self.sources[ground.source]
        if not (place := find_words(ground.words, text_of(source.sentences))):
            return list(source.sentences[:1]) if find_words(ground.words, source.text) else []
        ends = [len(text_of(source.sentences[: number + 1])) for number in range(len(source.sentences))]
        return [
            one for one, at, end in zip(source.sentences, [0, *ends], ends, strict=False) if at < place[1] and place[0] < end
        ]


def _in_context(source: CitableSource, sentences: Sequence[Sentence]) -> str:
    """The sentences as they are read again: under their headings, with their neighbours in the source and what they belong to,
    such as the header of their table."""
    if source.whole:
        return source.text
    places = [at for at, one in enumerate(source.sentences) if one in sentences]
    near = source.sentences[max(min(places) - 1, 0) : max(places) + 2]
    units = (source.unit(one) if one in sentences else (one,) for one in near)
    ordered = list({each.id: each for unit in units for each in unit}.values())
    return f"{source.section}\n{text_under_headings(ordered, source.headings)}"


def answer_prompt(question: Question, sources: Sequence[CitableSource], style: AnswerStyle) -> Prompt:
    """The prompt for this question; what is always the same stands first, the question last."""
    blocks = {
        "sources": "\n\n".join(map(style.line.format, sources)),
        "conversation": "\n".join(question.conversation),
        "selected text": question.selected,
        "question": question.question,
    }
    material = fenced({name: text for name, text in blocks.items() if text})
    return Prompt(PROMPT, prompt(PROMPT).template, material, style.temperature, style.max_tokens)


def redacted(question: Question, settings: AnswerSettings) -> Question:
    """The question with names removed, for a language model; unchanged without a redactor. Raises ModelUnavailable."""
    if settings.redactor is None:
        return question
    texts = [question.question, question.selected, *question.conversation]
    words, selected, *conversation = settings.redactor.redact(texts, question.names)
    return replace(question, question=words, selected=selected, conversation=conversation)
