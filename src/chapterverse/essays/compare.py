"""Compare a draft with the earlier one: sentences are aligned by code; a language model, where there is one, says what each
change is and whether a comment was answered.

Which sentences of two drafts belong together: unchanged, moved, changed, split, merged, new, gone.

Unchanged sentences are found first, in order; then, between them, sentences that share letters or meaning."""

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from difflib import SequenceMatcher
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from chapterverse.citations.second_reading import Ask, ask_for
from chapterverse.core.errors import ChapterverseError
from chapterverse.core.ports import Embedder, Prompt, fenced
from chapterverse.essays.model import (
    Change,
    ChangeKind,
    Comment,
    CommentKind,
    CommentOutcome,
    CommentState,
    Essay,
    EssayEvidence,
    EssaySpan,
    Feedback,
    Place,
    Revision,
    essay_of,
)
from chapterverse.essays.task import plain_words
from chapterverse.essays.text import language_of
from chapterverse.essays.writing.forms import Form
from chapterverse.messages import ENGLISH
from chapterverse.prompts import prompt

BUCKETS = 1024  # of hashed letter trigrams
SAME_LETTERS = 0.42  # cosine of letter trigrams from which a sentence is the other one, changed
SAME_MEANING = 0.62  # cosine of embeddings, likewise
ALONE = 0.75  # of either, for the only sentence that went between two that stayed
BEGINS_ALIKE = 0.7  # of the words of a sentence that goes on in the other draft
ELSEWHERE = 0.8  # cosine of letters from which it is the other one, wherever it stands
MIN_GAIN = 0.08  # of letters, by which a neighbour must complete a sentence to be split from it
PROMPT = "essay-revision-1"
MAX_TOKENS = 700
MAX_SENTENCES = 400  # of a draft, about 8,000 words: each is compared with each, in a second or two
MAX_EMBEDDED = 64  # texts: 0.3 s of two cores; of an essay that was written anew, letters decide
MAX_JUDGED = 40  # changes, and comments, that a language model judges
BY_CODE = {ChangeKind.MOVED, ChangeKind.REMOVED}  # what no model needs to look at


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence of a draft and where it stands."""

    text: str
    place: EssaySpan

    @property
    def line(self) -> str:
        return " ".join(self.text.split())


def sentences_of(essay: Essay) -> list[DraftSentence]:
    return [
        DraftSentence(sentence, EssaySpan(number, start, end))
        for number, paragraph in enumerate(essay.paragraphs)
        for sentence, start, end in paragraph.placed
    ]


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Sentences of two drafts that belong together, by index; one side may be empty. moved: their order changed."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    moved: bool = False


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


def aligned(earlier: Essay, later: Essay, embedder: Embedder) -> Drafts:
    """Every sentence of both drafts in exactly one pair. In another language than English, letters alone decide."""
    first, second = sentences_of(earlier), sentences_of(later)
    meaning = embedder if language_of(later) == ENGLISH else None
    lines, others = [one.line for one in first], [one.line for one in second]
    blocks = SequenceMatcher(None, lines, others, autojunk=False).get_matching_blocks()
    anchors = [(block.a + at, block.b + at) for block in blocks for at in range(block.size)]
    left = sorted({*range(len(first))} - {i for i, _ in anchors})
    new = sorted({*range(len(second))} - {j for _, j in anchors})
    changed = _changed(left, new, anchors, _likeness([lines[at] for at in left], [others[at] for at in new], meaning))
    pairs = [SentencePair((i,), (j,)) for i, j in anchors]
    pairs += [SentencePair((i,), (j,), moved=lines[i] == others[j]) for i, j in changed]
    joined = _joined(pairs, first, second)
    gone = {*range(len(first))} - {i for pair in joined for i in pair.before}
    added = {*range(len(second))} - {j for pair in joined for j in pair.after}
    joined += [*(SentencePair((i,), ()) for i in sorted(gone)), *(SentencePair((), (j,)) for j in sorted(added))]
    return Drafts(first, second, joined)


def _likeness(before: Sequence[str], after: Sequence[str], embedder: Embedder | None) -> NDArray[np.float32]:
    """How alike sentences are: (n, m), from 0; at least 1 where they are the same sentence, changed."""
    letters = trigrams(before) @ trigrams(after).T
    within = [[_within(one, other) for other in map(plain_words, after)] for one in map(plain_words, before)]
    scores = np.maximum(letters / SAME_LETTERS, np.array(within, np.float32).reshape(letters.shape))
    if embedder and before and after and len({*before, *after}) <= MAX_EMBEDDED:
        vectors = embedder.embed_queries([*before, *after])
        scores = np.maximum(scores, vectors[: len(before)] @ vectors[len(before) :].T / SAME_MEANING)
    return np.asarray(scores, np.float32)


def _within(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether one begins with most of the other, in the same order."""
    begin = next((at for at, (a, b) in enumerate(zip(words, others, strict=False)) if a != b), min(len(words), len(others)))
    return begin >= max(2, BEGINS_ALIKE * len(words))


def trigrams(texts: Sequence[str]) -> NDArray[np.float32]:
    """Counts of the letter trigrams of each text, (n, BUCKETS), unit norm."""
    counts = np.zeros((len(texts), BUCKETS), np.float32)
    for row, text in zip(counts, texts, strict=True):
        padded = f" {' '.join(plain_words(text))} "
        for at in range(len(padded) - 2):
            row[crc32(padded[at : at + 3].encode()) % BUCKETS] += 1
    return np.asarray(counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9), np.float32)


def _changed(
    left: Sequence[int], new: Sequence[int], anchors: Sequence[tuple[int, int]], likeness: NDArray[np.float32]
) -> list[tuple[int, int]]:
    """Pairs of sentences that changed, the most alike first: between the same two that stayed, or nearly the same anywhere."""
    before, after = ([bisect([each[side] for each in anchors], at) for at in its] for side, its in enumerate((left, new)))
    rows, columns, found = set[int](), set[int](), list[tuple[int, int]]()
    for at in np.argsort(-likeness, axis=None, kind="stable").tolist():
        r, c = divmod(at, len(new))
        near = ALONE if before.count(before[r]) == 1 else 1.0
        least = near if before[r] == after[c] else ELSEWHERE / SAME_LETTERS
        if likeness[r, c] >= least and r not in rows and c not in columns:
            rows.add(r)
            columns.add(c)
            found.append((left[r], new[c]))
    return found


def _joined(pairs: list[SentencePair], first: Sequence[DraftSentence], second: Sequence[DraftSentence]) -> list[SentencePair]:
    """The pairs with the neighbours that were split from one sentence, or merged into one."""
    before = {i for pair in pairs for i in pair.before}
    after = {j for pair in pairs for j in pair.after}
    joined: list[SentencePair] = []
    for pair in pairs:
        [i], [j] = pair.before, pair.after
        if first[i].line == second[j].line:
            joined.append(pair)
        else:
            both = _grown(i, first, before, second[j]), _grown(j, second, after, first[i])
            joined.append(SentencePair(*both, pair.moved))
    return joined


def _grown(at: int, sentences: Sequence[DraftSentence], taken: set[int], whole: DraftSentence) -> tuple[int, ...]:
    """The sentence with the neighbours that make it more like the whole, which are taken from then on."""
    free = [each for each in (at + 1, at - 1) if 0 <= each < len(sentences) and each not in taken]
    near = [each for each in free if _completes(sentences[at], sentences[each], whole)]
    taken.update(near)
    return tuple(sorted([at, *near]))


def _completes(part: DraftSentence, other: DraftSentence, whole: DraftSentence) -> bool:
    """Whether the other sentence, of the same paragraph, makes the part more like the whole."""
    if part.place.paragraph != other.place.paragraph:
        return False
    alone, both, it = trigrams([part.text, f"{part.text} {other.text}", whole.text])
    return bool(both @ it > alone @ it + MIN_GAIN)


class JudgedChange(Form):
    """What a change is. number: as listed."""

    number: int
    kind: ChangeKind


class JudgedComment(Form):
    """What became of a comment. number: as listed."""

    number: int
    state: CommentState


class RevisionAnswer(Form):
    """What the model says of two drafts."""

    changes: list[JudgedChange] = Field(max_length=MAX_JUDGED)
    comments: list[JudgedComment] = Field(max_length=MAX_JUDGED)


def compare(earlier: Feedback, essay: Essay, embedder: Embedder, ask: Ask | None, deadline: float) -> Revision | None:
    """The revision; None if a draft is too long to be compared in time. ask: of the language model, None without one; deadline:
    a time of time.monotonic(). Raises EmbedderUnavailable, ModelUnavailable."""
    first = essay_of(earlier.evidence)
    if max(sum(len(each.sentences) for each in one.paragraphs) for one in (first, essay)) > MAX_SENTENCES:
        return None
    drafts = aligned(first, essay, embedder)
    changed = sorted(changes_in(drafts), key=lambda one: astuple((one[0].after or one[0].before)[0])[:2])
    comments = [one for one in earlier.comments if one.kind not in {CommentKind.STRENGTH, CommentKind.PASSAGE}]  # nothing to do
    outcomes = [CommentOutcome(one.number, state_of(one, earlier.evidence, drafts)) for one in comments]
    revision = Revision(earlier.id or "", tuple(change for change, _ in changed), tuple(outcomes))
    if ask and (changed or comments):
        listed = [
            f"{number}. before: {drafts.before(pair) or '–'} | after: {drafts.after(pair) or '–'}"
            for number, (_, pair) in enumerate(changed[:MAX_JUDGED], start=1)
        ]
        with suppress(ChapterverseError):  # what the comparison sees stays
            return _judged(revision, listed, comments, ask, deadline)
    return revision


def changes_in(drafts: Drafts) -> Iterator[tuple[Change, SentencePair]]:
    """Each change as comparing sees it."""
    for pair in drafts.pairs:
        before = tuple(drafts.first[at].place for at in pair.before)
        after = tuple(drafts.second[at].place for at in pair.after)
        if not (before and after):
            yield Change(ChangeKind.REMOVED if before else ChangeKind.ADDED, before, after), pair
        elif pair.moved or not drafts.is_same(pair):
            yield Change(ChangeKind.MOVED if drafts.is_same(pair) else ChangeKind.CHANGED, before, after), pair


def state_of(comment: Comment, earlier: EssayEvidence, drafts: Drafts) -> CommentState:
    """What became of a comment, as comparing sees it: a correction is answered if its words are gone everywhere, and tried if
    they are gone somewhere; any other comment is tried where its sentences changed, or something follows them that is new."""
    if comment.places:
        mended = [_is_mended(each, earlier.words(each.paragraph, each.about), drafts) for each in comment.places]
        return CommentState.RESOLVED if all(mended) else CommentState.TRIED if any(mended) else CommentState.UNTOUCHED
    pairs = _pairs_at(comment.paragraph, comment.about or (0, 1 << 30), drafts)
    changed = any(not drafts.is_same(pair) for pair in pairs)
    added = {at for pair in drafts.pairs if not pair.before for at in pair.after}
    followed = any(at + 1 in added for pair in pairs for at in pair.after)
    return CommentState.TRIED if changed or followed else CommentState.UNTOUCHED


def _pairs_at(paragraph: int | None, span: tuple[int, int], drafts: Drafts) -> list[SentencePair]:
    """What the sentences of the earlier draft in these characters belong to. paragraph: None: any."""
    there = {
        at
        for at, one in enumerate(drafts.first)
        if paragraph in {None, one.place.paragraph} and one.place.start < span[1] and span[0] < one.place.end
    }
    return [pair for pair in drafts.pairs if there & set(pair.before)]


def _is_mended(place: Place, wrong: str, drafts: Drafts) -> bool:
    """Whether these words are gone from what became of their sentences."""
    words = r"\s+".join(map(re.escape, wrong.split()))
    same = re.compile(rf"(?<![\w'’]){words}(?![\w'’])")
    pairs = _pairs_at(place.paragraph, place.about, drafts)
    return any(not drafts.is_same(pair) for pair in pairs) and not any(same.search(drafts.after(pair)) for pair in pairs)


def _judged(revision: Revision, listed: Sequence[str], comments: Sequence[Comment], ask: Ask, deadline: float) -> Revision:
    """The revision with the language model's kinds and states. listed: the changes with their words. Raises as Ask does, and
    BadAnswer."""
    asked = {n: one.text for n, one in enumerate(comments[:MAX_JUDGED], start=1) if one.instead is None}
    said = "\n".join(f"{n}. {text}" for n, text in asked.items())
    material = fenced({"changes": "\n".join(listed), "comments": said})
    wanted = Prompt(PROMPT, prompt(PROMPT).template, material, 0.0, MAX_TOKENS)
    answer = ask_for(RevisionAnswer, wanted, ask, deadline)
    kinds = {one.number: one.kind for one in answer.changes}
    states = {one.number: one.state for one in answer.comments if one.number in asked}
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
