"""Compare a draft with the earlier one: sentences are aligned by code; a language model, where there is one, says what each
change is and whether a comment was answered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

from chapterverse.citations.contract import find_words
from chapterverse.citations.second_reading import Ask, ask_for
from chapterverse.core.errors import ChapterverseError
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder, Prompt, fenced
from chapterverse.essays.model import Comment, CommentKind, Essay, Feedback, essay_of
from chapterverse.essays.revision.align import DraftSentence, SentencePair, align, sentences_of
from chapterverse.essays.revision.model import Change, ChangeKind, CommentOutcome, CommentState, Revision, in_place
from chapterverse.essays.text.languages import ENGLISH, language_of
from chapterverse.prompts import prompt

PROMPT = "essay-revision-1"
MAX_TOKENS = 700
MAX_SENTENCES = 400  # of a draft, about 8,000 words: each is compared with each, in a second or two
MAX_EMBEDDED = 64  # texts: 0.3 s of two cores; of an essay that was written anew, letters decide
MAX_JUDGED = 40  # changes, and comments, that a language model judges
BY_CODE = {ChangeKind.MOVED, ChangeKind.REMOVED}  # what no model needs to look at


Item = TypeVar("Item")


class JudgedChange(BaseModel):
    """What a change is. number: as listed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int
    kind: ChangeKind


class JudgedComment(BaseModel):
    """What became of a comment. number: as listed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int
    state: CommentState


class RevisionAnswer(BaseModel):
    """What the model says of two drafts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    changes: list[JudgedChange] = Field(max_length=MAX_JUDGED)
    comments: list[JudgedComment] = Field(max_length=MAX_JUDGED)


@dataclass(frozen=True, slots=True)
class Drafts:
    """Two drafts by sentences, and which of these belong together."""

    first: Sequence[DraftSentence]
    second: Sequence[DraftSentence]
    pairs: Sequence[SentencePair]

    def before(self, pair: SentencePair) -> str:
        """The words of the earlier draft."""
        return " ".join(self.first[at].text for at in pair.before)

    def after(self, pair: SentencePair) -> str:
        """The words of the later draft."""
        return " ".join(self.second[at].text for at in pair.after)

    def is_same(self, pair: SentencePair) -> bool:
        """Whether the words are unchanged."""
        return self.before(pair).split() == self.after(pair).split()


def compare(earlier: Feedback, essay: Essay, embedder: Embedder, ask: Ask | None, deadline: float) -> Revision | None:
    """The revision; None if a draft is too long to be compared in time. ask: of the language model, None without one; deadline:
    a time of time.monotonic(). Raises EmbedderUnavailable, ModelUnavailable."""
    first = essay_of(earlier.evidence)
    if max(sum(len(each.sentences) for each in one.paragraphs) for one in (first, essay)) > MAX_SENTENCES:
        return None
    drafts = aligned(first, essay, embedder)
    changed = sorted(changes_in(drafts), key=lambda one: in_place(one[0].after or one[0].before))
    comments = [one for one in earlier.comments if one.kind is not CommentKind.STRENGTH]
    outcomes = [CommentOutcome(one.number, state_of(one, drafts)) for one in comments]
    revision = Revision(earlier.id or "", tuple(change for change, _ in changed), tuple(outcomes))
    if ask is None or not (changed or comments):
        return revision
    try:
        words = [f"before: {drafts.before(pair) or '–'} | after: {drafts.after(pair) or '–'}" for _, pair in changed]
        listed = [f"{number}. {each}" for number, each in _numbered(words)]
        return _judged(revision, listed, comments, ask, deadline)
    except ChapterverseError:  # what the comparison sees stays
        return revision


def aligned(first: Essay, second: Essay, embedder: Embedder) -> Drafts:
    """The sentences of two drafts, and which of them belong together."""
    one, other = sentences_of(first), sentences_of(second)

    def embed(texts: Sequence[str]) -> Vectors | None:
        return embedder.embed_queries(list(texts)) if len(set(texts)) <= MAX_EMBEDDED else None

    return Drafts(one, other, align(one, other, embed if language_of(second) == ENGLISH else None))


def changes_in(drafts: Drafts) -> Iterator[tuple[Change, SentencePair]]:
    """Each change as comparing sees it."""
    for pair in drafts.pairs:
        before = tuple(drafts.first[at].place for at in pair.before)
        after = tuple(drafts.second[at].place for at in pair.after)
        if not before:
            yield Change(ChangeKind.ADDED, before, after), pair
        elif not after:
            yield Change(ChangeKind.REMOVED, before, after), pair
        elif not drafts.is_same(pair):
            yield Change(ChangeKind.CHANGED, before, after), pair
        elif pair.moved:
            yield Change(ChangeKind.MOVED, before, after), pair


def state_of(comment: Comment, drafts: Drafts) -> CommentState:
    """What became of a comment, as comparing sees it: a correction is answered if its words are gone; any other comment is
    tried where its sentences changed, or something follows them that is new."""
    start, end = comment.about or (0, 1 << 30)
    there = [
        at
        for at, one in enumerate(drafts.first)
        if comment.paragraph in {None, one.place.paragraph} and one.place.start < end and start < one.place.end
    ]
    pairs = [pair for pair in drafts.pairs if set(pair.before) & set(there)]
    changed = any(not drafts.is_same(pair) for pair in pairs)
    if comment.instead is not None:
        if not changed or comment.paragraph is None:
            return CommentState.UNTOUCHED
        words = drafts.first[there[0]].text
        wrong = words[max(start - drafts.first[there[0]].place.start, 0) : end - drafts.first[there[0]].place.start]
        is_left = any(find_words(wrong, drafts.after(pair)) for pair in pairs)
        return CommentState.UNTOUCHED if is_left else CommentState.RESOLVED
    added = {at for pair in drafts.pairs if not pair.before for at in pair.after}
    followed = any(at + 1 in added for pair in pairs for at in pair.after)
    return CommentState.TRIED if changed or followed else CommentState.UNTOUCHED


def _judged(revision: Revision, listed: Sequence[str], comments: Sequence[Comment], ask: Ask, deadline: float) -> Revision:
    """The revision with the language model's kinds and states. listed: the changes with their words. Raises as Ask does, and
    BadAnswer."""
    asked = [(n, one) for n, one in _numbered(comments) if one.instead is None]
    said = [f"{n}. {one.text}" for n, one in asked]
    material = fenced({"changes": "\n".join(listed), "comments": "\n".join(said)})
    wanted = Prompt(PROMPT, prompt(PROMPT).template, material, 0.0, MAX_TOKENS)
    answer = ask_for(RevisionAnswer, wanted, ask, deadline)
    kinds = {one.number: one.kind for one in answer.changes}
    states = {one.number: one.state for one in answer.comments if one.number in dict(asked)}
    return replace(
        revision,
        changes=tuple(
            one if one.kind in BY_CODE else replace(one, kind=kinds.get(number, one.kind))
            for number, one in enumerate(revision.changes, start=1)
        ),
        comments=tuple(
            replace(one, state=states.get(number, one.state)) for number, one in enumerate(revision.comments, start=1)
        ),
    )


def _numbered(items: Sequence[Item]) -> list[tuple[int, Item]]:
    return list(enumerate(items[:MAX_JUDGED], start=1))
