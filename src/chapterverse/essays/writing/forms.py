"""What a language model is asked on an essay: the prompts, and the forms of its answers.

Every field has a greatest length, so that no answer is endless. The constant part of a prompt comes first; the material, which
is the student's and the books', comes last, between fences."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.passages import evidence_block
from chapterverse.core.fences import fenced
from chapterverse.core.ports import Prompt
from chapterverse.essays.model import Comment, Dimension, Essay, Style
from chapterverse.essays.task import Rubric, WritingTask
from chapterverse.prompts import prompt

CLAIMS, PARAGRAPH, WHOLE, ORDER = "essay-claims-1", "essay-paragraph-1", "essay-whole-1", "essay-order-1"
REPAIR, CORRECTIONS = "essay-repair-1", "check-corrections-1"
TEMPERATURE = 0.2
MAX_TOKENS: Mapping[str, int] = {CLAIMS: 160, PARAGRAPH: 700, WHOLE: 500, ORDER: 260, REPAIR: 160, CORRECTIONS: 60}
MAX_TASK = 1_200  # characters of the task in a prompt
MAX_SOURCE = 1_500  # characters of the task's sources, together
MAX_OPENING = 160  # characters of another paragraph, by which the model knows where it is
MAX_USEFUL = 2  # sentences of books for a paragraph
LANGUAGES = {"en": "English", "de": "German"}


class Form(BaseModel):
    """An answer of a language model."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ClaimsAnswer(Form):
    """What to search for."""

    queries: list[Annotated[str, Field(max_length=220)]] = Field(max_length=3)


class ChosenEvidence(Form):
    """A useful sentence. relation: to the student's own position."""

    number: int
    relation: Relation


class DraftComment(Form):
    """A comment. words: of the paragraph that it is about; evidence: numbers of what it cites; see: numbers of other paragraphs
    that it speaks of; criterion: of the rubric, 0 for none."""

    words: str = Field(max_length=300)
    part: Literal["content", "expressions", "features"]
    kind: Literal["strength", "question", "suggestion", "contradiction"]
    evidence: list[int] = Field(max_length=2)
    see: list[int] = Field(max_length=2)
    criterion: int
    comment: str = Field(max_length=500)


class DraftCorrection(Form):
    """A mistake and the same words right."""

    words: str = Field(max_length=100)
    instead: str = Field(max_length=100)
    why: str = Field(max_length=120)


class ParagraphAnswer(Form):
    """What the model writes on one paragraph."""

    useful: list[ChosenEvidence] = Field(max_length=MAX_USEFUL)
    comments: list[DraftComment] = Field(max_length=2)
    corrections: list[DraftCorrection] = Field(max_length=6)


class DraftOnEssay(DraftComment):
    """A comment on the essay as a whole, at words of one of its paragraphs, from 1."""

    paragraph: int


class EssayAnswer(Form):
    """What the model writes on the essay as a whole."""

    comments: list[DraftOnEssay] = Field(max_length=2)


class OrderAnswer(Form):
    """In which order to take the comments up, which of them only repeat another, and the whole in two or three sentences."""

    order: list[int] = Field(max_length=40)
    repeats: list[int] = Field(max_length=12)
    summary: str = Field(max_length=400)


class RepairAnswer(Form):
    """The comment without its problem; empty if it cannot be mended."""

    comment: str = Field(max_length=500)


class RightCorrections(Form):
    """The numbers of the corrections that only mend a mistake."""

    right: list[int] = Field(max_length=6)


def claims_prompt(text: str) -> Prompt:
    """What one paragraph asserts, as sentences to search for. Raises nothing; the answer may be empty."""
    return _prompt(CLAIMS, {"paragraph": text})


def paragraph_prompt(at: int, essay: Essay, evidence: Sequence[Evidence], style: Style, language: str) -> Prompt:
    """Comments on the paragraph with this index, from this evidence."""
    blocks = _from_teacher(style.task, style.rubric) | {"place": _place(at, essay)}
    if evidence:
        blocks["evidence"] = evidence_block(evidence)
    return _prompt(PARAGRAPH, blocks | {"paragraph": f"[{at + 1}] {essay.paragraphs[at].text}"}, **_reader(style, language))


def whole_prompt(essay: Essay, style: Style, language: str) -> Prompt:
    """Comments on the essay as a whole."""
    blocks = _from_teacher(style.task, style.rubric) | {"essay": numbered(essay)}
    return _prompt(WHOLE, blocks, **_reader(style, language))


def order_prompt(essay: Essay, comments: Sequence[Comment], style: Style, language: str) -> Prompt:
    """The order of these comments, by their numbers, and a summary."""
    listed = "\n".join(f"{one.number}. [{_where(one)}, {one.part}, {one.kind}] {one.text}" for one in comments)
    openings = "\n".join(f"[{number}] {_opening(each.text)}" for number, each in enumerate(essay.paragraphs, start=1))
    blocks = _from_teacher(style.task, style.rubric) | {"paragraphs": openings, "comments": listed}
    return _prompt(ORDER, blocks, **_reader(style, language))


def repair_prompt(statement: str, problem: str, context: Mapping[str, str], language: str) -> Prompt:
    """The comment once more, without its problem. context: what it may rest on."""
    return _prompt(REPAIR, {**context, "comment": statement, "problem": problem}, language=LANGUAGES.get(language, language))


def corrections_prompt(paragraph: str, pairs: Sequence[tuple[str, str]]) -> Prompt:
    """Which of the (words, instead) of a paragraph only mend a mistake."""
    listed = "\n".join(f"{number}. {words} → {instead}" for number, (words, instead) in enumerate(pairs, start=1))
    return _prompt(CORRECTIONS, {"paragraph": paragraph, "corrections": listed})


def numbered(essay: Essay) -> str:
    """The essay's title and paragraphs, numbered from 1."""
    title = [f"Title: {essay.title}"] if essay.title else []
    return "\n\n".join([*title, *(f"[{n}] {paragraph.text}" for n, paragraph in enumerate(essay.paragraphs, start=1))])


def _prompt(name: str, blocks: Mapping[str, str], **values: object) -> Prompt:
    return Prompt(name, prompt(name).substitute(values), fenced(blocks), TEMPERATURE, MAX_TOKENS[name])


def _reader(style: Style, language: str) -> dict[str, object]:
    """Who reads the comments, for a template."""
    tone = "warm and encouraging" if style.tone == "kind" else "plain and brief"
    parts = " and ".join(style.dimensions) if len(style.dimensions) < len(Dimension) else "content, expressions and features"
    return {
        "grade": style.grade,
        "tone": tone,
        "parts": parts,
        "language": LANGUAGES.get(language, "the language of the essay"),
    }


def _from_teacher(task: WritingTask | None, rubric: Rubric) -> dict[str, str]:
    blocks = {}
    if task and task.text:
        blocks["task"] = task.text[:MAX_TASK]
    if task and task.sources:
        share = MAX_SOURCE // len(task.sources)
        blocks["sources of the task"] = "\n\n".join(each[:share] for each in task.sources)
    if rubric:
        blocks["rubric"] = "\n".join(f"{n}. {one.text} (weight {one.weight})" for n, one in enumerate(rubric, start=1))
    return blocks


def _place(at: int, essay: Essay) -> str:
    """The title and how the other paragraphs begin."""
    others = [f"[{n}] {_opening(each.text)}" for n, each in enumerate(essay.paragraphs, start=1) if n != at + 1]
    return "\n".join(
        [f"Title: {essay.title}"] * bool(essay.title) + [f"Paragraph {at + 1} of {len(essay.paragraphs)}.", *others]
    )


def _opening(text: str) -> str:
    return text if len(text) <= MAX_OPENING else f"{text[:MAX_OPENING].rsplit(' ', 1)[0]} …"


def _where(comment: Comment) -> str:
    return "whole essay" if comment.paragraph is None else f"paragraph {comment.paragraph + 1}"
