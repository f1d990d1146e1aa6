"""What a language model is asked on an essay: the prompts, and the forms of its answers.

Every field has a greatest length, so that no answer is endless. The constant part of a prompt comes first; the material, which
is the student's and the books', comes last, between fences."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.passages import evidence_block
from chapterverse.core.ports import Prompt, fenced
from chapterverse.essays.model import Comment, Dimension, Essay, Style
from chapterverse.prompts import prompt

CLAIMS, PASSAGE, LANGUAGE = "essay-claims-1", "essay-passage-3", "essay-language-1"
ARGUMENT, READER = "essay-argument-1", "essay-reader-1"  # on the essay as a whole
ORDER, REPAIR, CORRECTIONS = "essay-order-6", "essay-repair-3", "check-corrections-2"
TEMPERATURE = 0.2
MAX_TOKENS: Mapping[str, int] = {
    CLAIMS: 160,
    PASSAGE: 900,
    ARGUMENT: 600,
    READER: 500,
    LANGUAGE: 1_000,
    ORDER: 340,
    REPAIR: 200,
    CORRECTIONS: 160,
}
MAX_TASK = 1_200  # characters of the task in a prompt
MAX_SOURCE = 1_500  # characters of the task's sources, together
MAX_OPENING = 160  # characters of another paragraph of a long essay, by which the model knows where it is
MAX_ESSAY = 8_000  # characters of an essay that is shown in full beside the paragraphs that a call comments on
MAX_USEFUL = 2  # sentences of books for a paragraph
AT_ONCE = 3  # paragraphs that one call comments on
UNFOUND = "in quotation marks and in none of the books"
LANGUAGES = {"en": "English", "de": "German (“Sie” from grade 11 on, else “du”)"}


class Form(BaseModel):
    """An answer of a language model."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ClaimsAnswer(Form):
    """What to search for."""

    queries: list[Annotated[str, Field(max_length=220)]] = Field(max_length=5)


class ChosenEvidence(Form):
    """A useful sentence. relation: to the student's own position."""

    number: int
    relation: Relation


class DraftComment(Form):
    """A comment. paragraph: its number; words: of it, that the comment is about; evidence: numbers of what it cites; see:
    numbers of other paragraphs that it speaks of; criterion: of the rubric, 0 for none."""

    paragraph: int
    words: str = Field(max_length=300)
    part: Literal["content", "expressions", "features"]
    kind: Literal["strength", "question", "suggestion", "contradiction"]
    evidence: list[int] = Field(max_length=2)
    see: list[int] = Field(max_length=4)
    criterion: int
    comment: str = Field(max_length=500)


class PassageAnswer(Form):
    """What the model writes on some paragraphs."""

    useful: list[ChosenEvidence] = Field(max_length=MAX_USEFUL * AT_ONCE)
    comments: list[DraftComment] = Field(max_length=AT_ONCE)


class EssayAnswer(Form):
    """What the model writes on the essay as a whole."""

    comments: list[DraftComment] = Field(max_length=4)


class DraftPlace(Form):
    """A mistake in the paragraph with this number, and the same words right."""

    paragraph: int
    words: str = Field(max_length=120)
    instead: str = Field(max_length=120)


class DraftRule(Form):
    """The mistakes that one rule explains."""

    why: str = Field(max_length=180)
    places: list[DraftPlace] = Field(max_length=12)


class LanguageAnswer(Form):
    """The mistakes of an essay, by rule."""

    rules: list[DraftRule] = Field(max_length=8)


class OrderAnswer(Form):
    """In which order to take the comments up, which of them only repeat another, and the whole in two or three sentences."""

    repeats: list[int] = Field(max_length=20)
    order: list[int] = Field(max_length=40)
    summary: str = Field(max_length=700)


class RepairAnswer(Form):
    """The comment without its problem; empty if it cannot be mended."""

    comment: str = Field(max_length=700)


class RightCorrections(Form):
    """The numbers of the corrections that only mend a mistake, and of those whose rule misleads."""

    right: list[int] = Field(max_length=96)
    misleading: list[int] = Field(max_length=96)


def claims_prompt(text: str) -> Prompt:
    """What one paragraph asserts, as sentences to search for. Raises nothing; the answer may be empty."""
    return _prompt(CLAIMS, {"paragraph": text})


def passage_prompt(places: Sequence[int], essay: Essay, evidence: Sequence[Evidence], style: Style, language: str) -> Prompt:
    """Comments on the paragraphs with these indices, from this evidence. Of a long essay the others are only begun."""
    is_short = sum(len(each.text) for each in essay.paragraphs) <= MAX_ESSAY
    blocks = _from_teacher(style) | {"essay": numbered(essay, None if is_short else places)}
    if evidence:
        blocks["evidence"] = evidence_block(evidence)
    paragraphs = ", ".join(str(at + 1) for at in places)
    return _prompt(PASSAGE, blocks, paragraphs=paragraphs, **_reader(style, language))


def argument_prompt(essay: Essay, quoted: Sequence[Evidence], unfound: Sequence[str], style: Style, language: str) -> Prompt:
    """Whether the argument of the essay holds. quoted: what it quotes of books; unfound: what it quotes and no book has."""
    blocks = _from_teacher(style) | {"essay": numbered(essay)}
    if quoted:
        blocks["evidence"] = evidence_block(quoted)
    if unfound:
        blocks[UNFOUND] = "\n".join(unfound)
    return _prompt(ARGUMENT, blocks, **_reader(style, language))


def reader_prompt(essay: Essay, style: Style, language: str) -> Prompt:
    """What a reader of the essay needs."""
    return _prompt(READER, _from_teacher(style) | {"essay": numbered(essay)}, **_reader(style, language))


def language_prompt(essay: Essay, style: Style, language: str) -> Prompt:
    """The mistakes of the essay, by rule."""
    return _prompt(LANGUAGE, {"essay": numbered(essay)}, **_reader(style, language))


def order_prompt(essay: Essay, comments: Sequence[Comment], style: Style, language: str) -> Prompt:
    """The order of these comments, by their numbers, and a summary."""
    listed = "\n".join(f"{one.number}. [{_where(one)}, {one.part}, {one.kind}] {one.text}" for one in comments)
    blocks = _from_teacher(style) | {"essay": numbered(essay), "comments": listed}
    return _prompt(ORDER, blocks, **_reader(style, language))


def repair_prompt(statement: str, problem: str, context: Mapping[str, str], language: str, words: int) -> Prompt:
    """The comment once more, without its problem and in at most so many words. context: what it may rest on."""
    blocks = {**context, "comment": statement, "problem": problem}
    return _prompt(REPAIR, blocks, language=LANGUAGES.get(language, language), words=words)


def corrections_prompt(pairs: Sequence[tuple[str, str, str, str]]) -> Prompt:
    """Which of these corrections only mend a mistake: for each its sentence, the words, what is to stand instead, the rule."""
    listed = (
        f"{number}. {sentence}\n   {words} → {instead}" + (f"\n   Rule: {why}" if why else "")
        for number, (sentence, words, instead, why) in enumerate(pairs, start=1)
    )
    return _prompt(CORRECTIONS, {"corrections": "\n".join(listed)})


def numbered(essay: Essay, in_full: Collection[int] | None = None) -> str:
    """The essay's title and paragraphs, numbered from 1. in_full: indices of those that are not shortened, None for all."""
    title = [f"Title: {essay.title}"] if essay.title else []
    texts = (each.text if in_full is None or at in in_full else _opening(each.text) for at, each in enumerate(essay.paragraphs))
    return "\n\n".join([*title, *(f"[{number}] {text}" for number, text in enumerate(texts, start=1))])


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


def _from_teacher(style: Style) -> dict[str, str]:
    task, rubric = style.task, style.rubric
    blocks = {"kind of text": style.genre.value} if style.genre else {}
    if task and task.text:
        blocks["task"] = task.text[:MAX_TASK]
    if task and task.sources:
        share = MAX_SOURCE // len(task.sources)
        blocks["sources of the task"] = "\n\n".join(each[:share] for each in task.sources)
    if rubric:
        blocks["rubric"] = "\n".join(f"{n}. {one.text} (weight {one.weight})" for n, one in enumerate(rubric, start=1))
    return blocks


def _opening(text: str) -> str:
    return text if len(text) <= MAX_OPENING else f"{text[:MAX_OPENING].rsplit(' ', 1)[0]} …"


def _where(comment: Comment) -> str:
    return "whole essay" if comment.paragraph is None else f"paragraph {comment.paragraph + 1}"
