"""Comments that a language model chooses: the prompt, the request, and our words for each choice."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from itertools import accumulate

from bookreader.text.sentences import split_sentences
from chapterverse.citations.model import MAY_HELP, Evidence
from chapterverse.citations.passages import evidence_block
from chapterverse.citations.quotations import Quotable, false_quotations
from chapterverse.core.errors import BadAnswer, CeilingReached, ChapterverseError, LanguageModelUnavailable, ModelRefused
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import Prompt, Usage
from chapterverse.essays.model import (
    DEFAULT_KINDS,
    Citation,
    Comment,
    CommentKind,
    Dimension,
    Essay,
    Style,
    Subject,
    sources_in,
)
from chapterverse.essays.outline import EssaySpan
from chapterverse.essays.task import WritingTask
from chapterverse.essays.weights import TURNS
from chapterverse.essays.writing.argument import DraftOutline
from chapterverse.essays.writing.choices.answers import SCHEMA, DraftComment, ModelDraft, draft_in
from chapterverse.essays.writing.choices.mending import only_mends
from chapterverse.essays.writing.choices.moves import KINDS, Move, listed, texts_of
from chapterverse.essays.writing.rubric import rubric_block
from chapterverse.essays.writing.rules import BASE_LENGTH, GRADES_ABOVE, USE, last_words, readability, short_title, words_of
from chapterverse.essays.writing.writing import Writing
from chapterverse.messages import Message, message
from chapterverse.prompts import prompt

VERSION = 5
REPAIR_VERSION = 1
TAG_LENGTH = 16  # hex digits
MAX_SOURCE = 3_000  # characters of a source in a prompt


def ask(dimension: Dimension, subject: Subject, style: Style) -> Prompt:
    """The prompt for one dimension; only the one for content contains the evidence (S1-29)."""
    name = f"feedback-{dimension}-{VERSION}"
    tag = tag_of(subject, style)
    instructions = prompt(name).substitute(grade=style.grade, kinds=listed(dimension), tag=tag)
    blocks = {"task": task_block(style.task)} if style.task else {}
    blocks |= {"rubric": rubric_block(style.rubric)} if style.rubric else {}
    blocks |= {"evidence": evidence_block(subject.evidence)} if dimension is Dimension.CONTENT else {}
    return Prompt(name, instructions, fenced(blocks | {"essay": numbered(subject.essay)}, tag))


def prompts_for(subject: Subject, style: Style) -> dict[Dimension, Prompt]:
    """The prompts for all dimensions of the style."""
    return {dimension: ask(dimension, subject, style) for dimension in style.dimensions}


def repair_prompt(first: Prompt, problem: str) -> Prompt:
    """The same prompt with a request to correct the problem in the first answer."""
    repair = prompt(f"feedback-repair-{REPAIR_VERSION}").substitute(problem=problem)
    return Prompt(first.name, first.instructions + repair, first.material)


def task_block(task: WritingTask) -> str:
    """The task and the beginning of its sources in a prompt."""
    return "\n\n".join([task.text, *(f"Source: {each[:MAX_SOURCE]}" for each in task.sources)])


def tag_of(subject: Subject, style: Style) -> str:
    """The tag that fences material in the prompt: a digest of the material, so that no text can contain it and close the
    fence."""
    task = task_block(style.task) if style.task else ""
    whole = "\n".join([evidence_block(subject.evidence), numbered(subject.essay), rubric_block(style.rubric), task])
    return sha256(whole.encode("utf-8", "replace")).hexdigest()[:TAG_LENGTH]


def fenced(blocks: dict[str, str], tag: str) -> str:
    """The blocks, each between two lines that begin with the tag."""
    whole = "\n\n".join(f"{tag} {name} begins\n{text}\n{tag} {name} ends" for name, text in blocks.items())
    return whole.encode("utf-8", "replace").decode()  # half a surrogate pair would be refused


def numbered(essay: Essay) -> str:
    """The essay's title and paragraphs, numbered from 1."""
    title = [f"Title: {essay.title}"] if essay.title else []
    return "\n\n".join([*title, *(f"[{n}] {paragraph.text}" for n, paragraph in enumerate(essay.paragraphs, start=1))])


MAX_COMMENTS = 3  # on a paragraph, and on the whole
MAX_COMMENT_WORDS = 60  # of a comment
MIN_TELLING = 6  # words; of fewer the index of readability says nothing


_QUOTED = re.compile(r"“[^”]*”")


class Breach(StrEnum):
    """What a comment may lack."""

    ANCHOR = "anchor"
    LENGTH = "length"
    LEVEL = "level"
    CRITERION = "criterion"
    QUOTATION = "quotation"
    USE = "use"


def breaches(comment: Comment, essay: Essay, style: Style, sources: Quotable) -> Iterator[Breach]:
    """What the comment breaks of the contract: it stands at a sentence or some words, is short, readable for the grade, names a
    criterion of the rubric or none, quotes only the essay and the books, and says how evidence could be used."""
    if comment.paragraph is None or comment.about is None or not _is_within(comment.about, essay, comment.paragraph):
        yield Breach.ANCHOR
    if len(comment.text.split()) > MAX_COMMENT_WORDS:
        yield Breach.LENGTH
    if not is_readable(comment.text, style.grade):
        yield Breach.LEVEL
    if comment.criterion is not None and comment.criterion not in {one.text for one in style.rubric}:
        yield Breach.CRITERION
    if comment.instead is None and any(false_quotations(comment.text, sources)):
        yield Breach.QUOTATION
    if comment.citations and not says_how_to_use(comment.text):
        yield Breach.USE


def says_how_to_use(text: str) -> bool:
    """Whether the comment says what a student could do with the evidence that it cites."""
    return "you could" in text.lower()


def repaired_comment(comment: Comment, subject: Subject, style: Style, sources: Quotable) -> Comment | None:
    """The comment as the contract wants it, None if it cannot be made so: anchored at the sentence that is nearest to it,
    without sentences that are too hard or too long, and with words on how to use the evidence."""
    essay = subject.essay
    if comment.paragraph is None or comment.about is None:
        comment = anchored(comment, essay)
    use = ""
    if comment.citations and comment.paragraph is not None and not says_how_to_use(comment.text):
        evidence = comment.citations[0].evidence
        words = last_words(essay.paragraphs[comment.paragraph].text[slice(*comment.about or (0, None))])
        use = USE.replace("{words}", words).replace("{book}", short_title(evidence))
    room = MAX_COMMENT_WORDS - len(use.split())
    sentences = [comment.text[slice(*span)] for span in split_sentences(comment.text)]
    readable = [each for each in sentences if is_readable(each, style.grade)]
    so_far = accumulate(len(each.split()) for each in readable)
    short = [each for each, count in zip(readable, so_far, strict=True) if count <= room]
    if not short:
        return None
    repaired = replace(comment, text=" ".join([*short, use]).strip()) if use or short != sentences else comment
    return None if any(breaches(repaired, essay, style, sources)) else repaired


def anchored(comment: Comment, essay: Essay) -> Comment:
    """The comment at the sentence of its paragraph, or of the essay, that has most words in common with it."""
    own = set(words_of(comment.text.lower()))
    paragraphs = range(len(essay.paragraphs)) if comment.paragraph is None else [comment.paragraph]
    places = [(at, sentence) for at in paragraphs for sentence in essay.paragraphs[at].sentences]
    at, sentence = max(places, key=lambda place: len(own & set(words_of(place[1].lower()))))
    start = max(essay.paragraphs[at].text.find(sentence), 0)
    return replace(comment, paragraph=at, about=(start, min(start + len(sentence), len(essay.paragraphs[at].text))))


_NAMED_PLACE = re.compile(r"\([^()]*\)")  # of a quotation


def is_readable(text: str, grade: int) -> bool:
    """Whether a student of that grade can read the comment, but for what it quotes and where that stands."""
    plain = _NAMED_PLACE.sub("", _QUOTED.sub("", text))
    sentences = [plain[slice(*span)] for span in split_sentences(plain)]
    lengths = [len(words_of(each)) for each in sentences]
    is_easy = sum(lengths) < MIN_TELLING or readability(sentences) <= grade + GRADES_ABOVE
    return max(lengths, default=0) <= BASE_LENGTH + grade and is_easy


def _is_within(about: tuple[int, int], essay: Essay, paragraph: int) -> bool:
    return 0 <= about[0] < about[1] <= len(essay.paragraphs[paragraph].text)


@dataclass(frozen=True, slots=True)
class CheckedComments:
    """The comments that are shown; removed: how many are not; repaired: how many of those shown lost a correction. good: what
    the model would leave as it is."""

    comments: tuple[Comment, ...]
    removed: int
    repaired: int = 0
    outline: DraftOutline | None = None
    good: tuple[EssaySpan, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """Makes comments of a draft of one dimension: in our words, at the words of the essay that the model copied, with the
    evidence that it numbered."""

    subject: Subject
    dimension: Dimension
    sources: Quotable
    style: Style = field(default_factory=Style)

    def __call__(self, draft: ModelDraft) -> CheckedComments:
        """The comments that the draft stands for and that keep the contract."""
        accepted: list[Comment] = []
        repaired = 0
        good = [place for one in draft.comments if one.kind is Move.STRENGTH and (place := self._place(one))]
        drafts = [one for one in draft.comments if one.kind is not Move.STRENGTH]
        for each in drafts:
            if (comment := self._comment(each, accepted)) is None:
                continue
            repaired += comment.instead != (" ".join(each.instead.split()) or None)
            accepted.append(comment)
        return CheckedComments(tuple(accepted), len(drafts) - len(accepted), repaired, draft.outline, tuple(good))

    def _comment(self, draft: DraftComment, others: Sequence[Comment]) -> Comment | None:
        """The comment; None if it has no place in the essay, names evidence that is not there, is of another dimension, or if
        the paragraph has enough of them or all our words for its kind are used up; a correction may come with the same ones."""
        if (place := self._place(draft)) is None or (cited := self._cited(draft, place.paragraph)) is None:
            return None
        paragraph, about = place.paragraph, (place.start, place.end)
        near = [one for one in others if one.paragraph == paragraph]
        if len(near) >= MAX_COMMENTS or any(one.about == about for one in near):
            return None
        instead = self._instead(draft)
        ways = list(texts_of(draft.kind, self.dimension, self.style.tone, cites=bool(cited)))
        used = {one.text.partition("?")[0] for one in others}
        fresh = [text for text in ways if text.partition("?")[0] not in used] or (ways if instead else [])
        if not fresh:
            return None
        kind = CommentKind.BOOKS if cited else KINDS.get(draft.kind, DEFAULT_KINDS[self.dimension])
        comment = Comment(
            paragraph,
            fresh[0],
            about,
            tuple(Citation(one, one.verdict or MAY_HELP) for one in cited),
            instead,
            rule=f"{kind}.{self._turn(draft, others)}",
            criterion=dict(enumerate((one.text for one in self.style.rubric), start=1)).get(draft.criterion),
        )
        return repaired_comment(comment, self.subject, self.style, self.sources)

    def _turn(self, draft: DraftComment, others: Sequence[Comment]) -> str:
        """The rule's name: one of TURNS if the model would take the comment up before all else, two of content at most."""
        taken = sum(one.rule.endswith(TURNS) for one in others)
        turns = TURNS if self.dimension is Dimension.CONTENT else TURNS[:1]
        return turns[taken] if draft.first and taken < len(turns) else "model"

    def _place(self, draft: DraftComment) -> EssaySpan | None:
        """The words that it is about, in whichever paragraph they are; of the first sentence of the
        paragraph, if it names none."""
        numbered = dict(enumerate(self.subject.essay.paragraphs, start=1))
        words = draft.about.strip()
        if not words and draft.paragraph in numbered:
            words = numbered[draft.paragraph].sentences[0]
        for number in sorted(numbered, key=lambda each: each != draft.paragraph) if words else ():
            start = numbered[number].text.translate(_STRAIGHT).find(words.translate(_STRAIGHT))
            if start >= 0:
                return EssaySpan(number - 1, start, start + len(words))
        return None

    def _cited(self, draft: DraftComment, paragraph: int) -> list[Evidence] | None:
        """The evidence that the comment cites; None if a number does not exist, or the paragraph or dimension has no
        evidence."""
        known = [one for one in self.subject.evidence if one.number in draft.evidence]
        silent = not self.subject.on(paragraph)
        if len(known) < len(set(draft.evidence)) or (known and (silent or self.dimension is not Dimension.CONTENT)):
            return None
        return known

    def _instead(self, draft: DraftComment) -> str | None:
        """The correction if it is about expressions and only mends; else None."""
        fits = self.dimension is Dimension.EXPRESSIONS and only_mends(draft.instead, draft.about)
        return " ".join(draft.instead.split()) if fits else None


_STRAIGHT = str.maketrans("’‘“”\u00a0", "''\"\" ")


WHY: dict[type[ChapterverseError], Message] = {
    BadAnswer: message("llm_late_or_unusable"),
    CeilingReached: message("llm_enough_for_today"),
    LanguageModelUnavailable: message("llm_away_now"),
    ModelRefused: message("llm_would_not_answer"),
}

NOT_TO_BE_HAD = message("llm_not_asked")


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """The result of one request to the model. failed: why there is none, as words for the reader without a full stop."""

    checked: CheckedComments
    usage: Usage = field(default_factory=Usage)
    micros: int = 0
    failed: Message | None = None


@dataclass(frozen=True, slots=True)
class Drafter:
    """Asks the language model about one essay until the deadline, by writing.clock."""

    prompts: Mapping[Dimension, Prompt]
    subject: Subject
    school: str
    writing: Writing
    paid: PaidModel
    deadline: float

    def __call__(self, dimension: Dimension) -> CheckedDraft:
        """The checked draft for one dimension. An error of the model becomes `failed`."""
        check = DraftCheck(
            self.subject,
            dimension,
            sources_in(self.subject),
            self.writing.style,
        )
        try:
            return self._draft_with_repair(self.prompts[dimension], check)
        except ChapterverseError as error:
            return CheckedDraft(CheckedComments((), 0), failed=WHY.get(type(error), NOT_TO_BE_HAD))

    def _draft_with_repair(self, prompt: Prompt, check: DraftCheck) -> CheckedDraft:
        """The checked draft, after a second request if the first answer was invalid and time is left."""
        try:
            return self._draft(prompt, check)
        except BadAnswer as error:
            if self.writing.clock() >= self.deadline:
                raise
            return self._draft(repair_prompt(prompt, str(error)), check)

    def _draft(self, prompt: Prompt, check: DraftCheck) -> CheckedDraft:
        answer = self.paid.answer(self.school, prompt, SCHEMA, self.deadline)
        return CheckedDraft(check(draft_in(answer)), answer.usage, self.paid.price.micros(answer.usage))
