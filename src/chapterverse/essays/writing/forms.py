"""What a language model is asked on an essay: the prompts, and the forms of its answers.

Every field has a greatest length, so that no answer is endless. The constant part of a prompt comes first; the material, which
is the student's and the books', comes last, between fences."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.passages import evidence_block
from chapterverse.core.ports import Prompt, fenced
from chapterverse.core.requests import Record
from chapterverse.essays.model import Essay, Style, Tone
from chapterverse.prompts import prompt

CLAIMS, COMMENTS = "essay-claims-1", "essay-comments-2"
LANGUAGE, REPAIR, CORRECTIONS = "essay-language-5", "essay-repair-4", "check-corrections-2"
TEMPERATURE = 0.2
MAX_TASK = 1_200  # characters of the task in a prompt
MAX_COMMENTS = 10  # that a student can take up
MAX_SOURCE = 1_500  # characters of the task's sources, together
UNFOUND = "in quotation marks and in none of the books"
TONES = {
    Tone.KIND: "warm and encouraging",
    Tone.PLAIN: "plain and brief",
    Tone.QUESTIONS: "warm, and only ask: each comment that is no strength ends with its question and gives no advice",
}
LANGUAGES = {"en": "English", "de": "German (“Sie” from grade 11 on, else “du”)"}
MAX_PAIRS = 96  # corrections that are read a second time
A_PAIR = 8  # tokens of a number in both lists, where a token is a sign


class Form(Record, extra="forbid", frozen=True):
    """An answer of a language model."""


class ClaimsAnswer(Form):
    """What to search for."""

    queries: list[Annotated[str, Field(max_length=220)]] = Field(max_length=5)


class Cited(Form):
    """A sentence that a comment cites. relation: to the student's own position."""

    number: int
    relation: Relation


class DraftComment(Form):
    """A comment. paragraph: its number; words: of it, that the comment is about; kind: removal where something does not belong;
    see: numbers of other paragraphs that it speaks of; criterion: of the rubric, 0 for none."""

    paragraph: int
    words: str = Field(max_length=300)
    part: Literal["content", "expressions", "features"]
    kind: Literal["strength", "removal", "question", "suggestion"]
    evidence: list[Cited] = Field(max_length=2)
    see: list[int] = Field(max_length=4)
    criterion: int
    comment: str = Field(max_length=500)


class CommentsAnswer(Form):
    """Comments in the order in which to take them up, and the whole in a few sentences."""

    comments: list[DraftComment] = Field(max_length=MAX_COMMENTS)
    summary: str = Field(max_length=600)


class DraftPlace(Form):
    """A mistake in the paragraph with this number, and the same words right."""

    paragraph: int
    words: str = Field(max_length=120)
    instead: str = Field(max_length=120)


class DraftRule(Form):
    """The mistakes that one rule explains."""

    why: str = Field(max_length=240)
    places: list[DraftPlace] = Field(max_length=12)


class LanguageAnswer(Form):
    """The mistakes of an essay, by rule."""

    rules: list[DraftRule] = Field(max_length=10)


class RepairAnswer(Form):
    """The comment without its problem, empty if it cannot be mended; what it is then, and what it cites."""

    comment: str = Field(max_length=700)
    kind: Literal["strength", "question", "suggestion"]
    evidence: list[Cited] = Field(max_length=2)


class RightCorrections(Form):
    """The numbers of the corrections that only mend a mistake, and of those whose rule misleads."""

    right: list[int] = Field(max_length=MAX_PAIRS)
    misleading: list[int] = Field(max_length=MAX_PAIRS)


def claims_prompt(text: str) -> Prompt:
    """What one paragraph asserts, as sentences to search for. Raises nothing; the answer may be empty."""
    return _prompt(CLAIMS, 160, {"paragraph": text})


def comments_prompt(essay: Essay, evidence: Sequence[Evidence], unfound: Sequence[str], style: Style, language: str) -> Prompt:
    """The comments on the essay. evidence: what the essay quotes, or may mean to, and what bears on it; unfound: what
    it quotes and no book has."""
    task, rubric = style.task, style.rubric
    blocks: dict[str, str] = {}
    if task and task.text:
        blocks["task"] = task.text[:MAX_TASK]
    if task and task.sources:
        share = MAX_SOURCE // len(task.sources)
        blocks["sources of the task"] = "\n\n".join(each[:share] for each in task.sources)
    if rubric:
        blocks["rubric"] = "\n".join(f"{n}. {one.text} (weight {one.weight})" for n, one in enumerate(rubric, start=1))
    blocks["essay"] = numbered(essay)
    if evidence:
        blocks["evidence"] = evidence_block(evidence)
    if unfound:
        blocks[UNFOUND] = "\n".join(unfound)
    return _prompt(COMMENTS, 1_800, blocks, **_reader(style, language))


def language_prompt(essay: Essay, style: Style, language: str) -> Prompt:
    """The mistakes of the essay, by rule."""
    return _prompt(LANGUAGE, 1_000, {"essay": numbered(essay)}, **_reader(style, language))


def repair_prompt(statement: str, problem: str, context: Mapping[str, str], language: str, words: int) -> Prompt:
    """The comment once more, without its problem and in at most so many words. context: what it may rest on."""
    blocks = {**context, "comment": statement, "problem": problem}
    return _prompt(REPAIR, 240, blocks, language=LANGUAGES.get(language, language), words=words)


def corrections_prompt(pairs: Sequence[tuple[str, str, str, str]]) -> Prompt:
    """Which of these corrections only mend a mistake: for each its sentence, the words, what is to stand instead, the rule."""
    listed = (
        f"{number}. {sentence}\n   {words} → {instead}" + (f"\n   Rule: {why}" if why else "")
        for number, (sentence, words, instead, why) in enumerate(pairs, start=1)
    )
    return _prompt(CORRECTIONS, 30 + A_PAIR * len(pairs), {"corrections": "\n".join(listed)})


def numbered(essay: Essay) -> str:
    """The essay's title and all that it has, its paragraphs numbered from 1."""
    lines = [f"Title: {essay.title}"] if essay.title else []
    for number, each in enumerate(essay.paragraphs, start=1):
        lines += [*each.above, f"[{number}] {each.text}", *each.below]
    return "\n\n".join(lines)


def _prompt(name: str, max_tokens: int, blocks: Mapping[str, str], **values: object) -> Prompt:
    return Prompt(name, prompt(name).substitute(values), fenced(blocks), TEMPERATURE, max_tokens)


def _reader(style: Style, language: str) -> dict[str, object]:
    """Who reads the comments, for a template."""
    return {"grade": style.grade, "tone": TONES[style.tone], "language": LANGUAGES.get(language, "the language of the essay")}
