"""What became of each comment on the earlier draft: answered, tried or untouched."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from chapterverse.core.lazy import lazy
from chapterverse.essays.model import Comment, CommentKind, Dimension, Item, Review, arranged, kind_of
from chapterverse.essays.outline import EssaySpan
from chapterverse.essays.revision.align import TOKEN, DraftSentence, SentencePair
from chapterverse.essays.revision.kinds import Drafts
from chapterverse.essays.revision.model import Change, ChangeKind, CommentOutcome, CommentState

K = ChangeKind
EVIDENCE = frozenset({K.BOOK, K.ELSEWHERE})
WANTED = {  # what answers a comment of this rule; the others want evidence or a reason
    "books.none": EVIDENCE | {K.REASONING},
    "books.contradicts": EVIDENCE | {K.REASONING},
    "books": frozenset({K.BOOK}),
    "reasons.source": EVIDENCE,
}
MISQUOTED = "books.misquoted"  # the rule whose comments tell the words that differ, so that each is another one
ON_PARAGRAPH = frozenset({"reasons.develop"})  # rules whose comments are about the paragraph of their sentence
ANY_SUPPORT = EVIDENCE | {K.REASONING}
ON_WORDS = frozenset({CommentKind.LANGUAGE, CommentKind.SENTENCES, CommentKind.WORDING})
PASSING = 2  # sentences after the one that a comment is about, behind which an addition may still answer it
SHORTER = 0.75  # of the words of a sentence that was too long
OTHER_SIDE = re.compile(
    r"\b(?:granted|admittedly|of course|even if|opponents?|critics?|on the other hand|it is true"
    r"|(?:some|many|most|other) (?:\w+ ){0,2}(?:may |might |could |will |would )?(?:say|think|argue|claim|believe|object)"
    r"|one (?:may|might|could) (?:say|argue|object|think)|einwenden|manche \w* ?(?:sagen|meinen|finden|denken)|natürlich)\b"
    r"|\b(?:would )?disagrees?\b|\b(?:though|however)\b"
    r"|\A(?:still|but|yet|parents may)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Compared:
    """Two drafts that were compared. later: the comments on the later draft."""

    drafts: Drafts
    pairs: Sequence[SentencePair]
    changes: Sequence[Change]
    later: Sequence[Comment]

    def pair_of(self, at: int) -> SentencePair:
        """The pair of a sentence of the earlier draft."""
        return next(pair for pair in self.pairs if at in pair.before)

    def sentences_at(self, comment: Comment) -> list[int]:
        """The sentences of the earlier draft that a comment is about."""
        first = self.drafts.first
        if comment.paragraph is None:
            return list(range(len(first)))
        start, end = comment.about if comment.about and comment.rule not in ON_PARAGRAPH else (0, 1 << 30)
        return [
            at
            for at, one in enumerate(first)
            if one.place.paragraph == comment.paragraph and one.place.start < end and start < one.place.end
        ]

    def own_kinds(self, sentences: Iterable[int]) -> set[ChangeKind]:
        """The kinds of changes of these sentences of the earlier draft."""
        places = {self.drafts.first[at].place for at in sentences}
        return {one.kind for one in self.changes if places & set(one.before)}

    def added_after(self, sentences: Iterable[int], passing: int, *, beyond: bool = True) -> set[ChangeKind]:
        """The kinds of what was added after these sentences, passing over so many that were there before; of the next
        paragraph, only what follows them at once, and nothing unless `beyond`."""
        kinds: set[ChangeKind] = set()
        for at in sentences:
            j = self._place_of(at)
            paragraph = self.drafts.second[j].place.paragraph if j >= 0 else 0
            passed = 0
            for one in self.drafts.second[j + 1 :]:
                if one.place.paragraph != paragraph and (passed or kinds or one.place not in self.new or not beyond):
                    break
                if one.place in self.new:
                    kinds.add(self.new[one.place])
                elif (passed := passed + 1) > passing:
                    break
        return kinds

    def added_before(self, sentences: Iterable[int]) -> set[ChangeKind]:
        """The kinds of what was added right before these sentences, in their paragraph."""
        second = self.drafts.second
        first = [min(pair.after) for pair in map(self.pair_of, sentences) if pair.after]
        near = [(second[j - 1].place, second[j].place) for j in first if j > 0]
        return {self.new[one] for one, other in near if one in self.new and one.paragraph == other.paragraph}

    def _place_of(self, at: int) -> int:
        """The sentence of the later draft that an earlier one became; where it is gone, that of the one before; -1 at the
        beginning."""
        while at >= 0 and not self.pair_of(at).after:
            at -= 1
        return max(self.pair_of(at).after) if at >= 0 else -1

    def says_again(self, sentences: Iterable[int]) -> bool:
        """Whether an added sentence only repeats one of these."""
        after = {self.drafts.second[j].place for at in sentences for j in self.pair_of(at).after}
        return any(one.repeats in after for one in self.changes)

    @lazy
    def new(self) -> dict[EssaySpan, ChangeKind]:
        """The kinds of the added sentences, by their places."""
        return {place: one.kind for one in self.changes if not one.before for place in one.after}


def outcomes(reviews: Sequence[Review], compared: Compared) -> Iterator[CommentOutcome]:
    """What became of each comment but praise, in the reviews' order."""
    words = sum(len(one.text.split()) for one in compared.drafts.first)
    groups = {item: at for at, group in enumerate(arranged(reviews, words).first) for item in group.items}
    for review in reviews:
        for one in review.comments:
            if kind_of(one, review.dimension) is not CommentKind.WORKS:
                item = Item(review.dimension.value, one.number)
                yield CommentOutcome(*_key(item), state_of(one, review.dimension, compared), item in groups, groups.get(item))


def _key(item: Item) -> tuple[str, int]:
    return item.part, item.number


def state_of(comment: Comment, dimension: Dimension, compared: Compared) -> CommentState:
    """What became of one comment."""
    if comment.rule == "sentences.long":
        return _shortened(comment, compared)
    if comment.rule.startswith("structure") or comment.rule in {"wording.filler", "sentences.alike", "task.criterion"}:
        return _by_rule(comment, compared)
    if comment.rule in ON_WHOLE:
        return ON_WHOLE[comment.rule](compared)
    if comment.rule == "books.quotation":
        return _presented(comment, compared)
    if comment.instead is not None or comment.rule == MISQUOTED or kind_of(comment, dimension) in ON_WORDS:
        return _corrected(comment, compared)
    return _supported(comment, compared)


def _corrected(comment: Comment, compared: Compared) -> CommentState:
    """Whether the words are still there; tried, if the later draft is corrected at the same place again."""
    sentences = compared.sentences_at(comment)
    if not sentences or comment.about is None:
        return _by_rule(comment, compared)
    [at, *_] = sentences
    old, pair = compared.drafts.first[at], compared.pair_of(at)
    if not pair.after:
        return CommentState.RESOLVED
    start, end = max(comment.about[0] - old.place.start, 0), min(comment.about[1] - old.place.start, len(old.text))
    images = [compared.drafts.second[j] for j in pair.after]
    for one in images:
        became = _becomes(old.text, start, end, one.text)
        if became is None:
            return CommentState.UNTOUCHED
        place = EssaySpan(one.place.paragraph, one.place.start + became[0], one.place.start + became[1])
        if any(_is_same_again(each, comment, place) for each in compared.later):
            return CommentState.TRIED
    return CommentState.RESOLVED


def _becomes(old: str, start: int, end: int, new: str) -> tuple[int, int] | None:
    """The characters of the new sentence that stand for [start, end) of the old one; None where these are unchanged."""
    a, b = list(TOKEN.finditer(old)), list(TOKEN.finditer(new))
    about = {at for at, token in enumerate(a) if token.start() < end and start < token.end()}
    lo, hi = len(new), 0
    changed = False
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, [t[0] for t in a], [t[0] for t in b], autojunk=False).get_opcodes():
        touches = bool(about & set(range(i1, i2))) or (tag == "insert" and {i1 - 1, i1} <= about)
        if touches and tag != "equal":
            changed = True
            lo = min([lo, *(t.start() for t in b[j1:j2])])
            hi = max([hi, *(t.end() for t in b[j1:j2])])
    return (min(lo, hi), hi) if changed else None


def _is_same_again(later: Comment, earlier: Comment, place: EssaySpan) -> bool:
    """Whether a comment on the later draft is of the same rule, or corrects, within this place."""
    same = later.text == earlier.text or later.instead is not None or later.rule == MISQUOTED
    return same and later.rule == earlier.rule and later.about is not None and _within(later, place)


def _within(comment: Comment, place: EssaySpan) -> bool:
    start, end = comment.about or (0, 1 << 30)
    return comment.paragraph == place.paragraph and start < place.end and place.start < end


def _shortened(comment: Comment, compared: Compared) -> CommentState:
    """Whether the sentence is shorter now, or was parted."""
    sentences = compared.sentences_at(comment)
    if not sentences:
        return CommentState.UNTOUCHED
    [at, *_] = sentences
    old, pair = compared.drafts.first[at], compared.pair_of(at)
    if not pair.after:
        return CommentState.RESOLVED
    if compared.drafts.after(pair) == old.text:
        return CommentState.UNTOUCHED
    longest = max(len(compared.drafts.second[j].words) for j in pair.after)
    return CommentState.RESOLVED if longest <= SHORTER * len(old.words) else CommentState.TRIED


def _by_rule(comment: Comment, compared: Compared) -> CommentState:
    """Whether the rule has nothing to say any more, though something was changed where it spoke."""
    touched = _is_touched(comment, compared)
    again = any(one.rule == comment.rule and one.criterion == comment.criterion for one in compared.later)
    if comment.rule == "structure.paragraphs":
        more = _paragraphs(compared.drafts.second) > _paragraphs(compared.drafts.first)
        return CommentState.RESOLVED if more else CommentState.TRIED if touched and again else CommentState.UNTOUCHED
    if not touched:
        return CommentState.UNTOUCHED
    return CommentState.TRIED if again else CommentState.RESOLVED


def _paragraphs(sentences: Sequence[DraftSentence]) -> int:
    return len({one.place.paragraph for one in sentences})


def _is_touched(comment: Comment, compared: Compared) -> bool:
    """Whether a sentence that the comment is about changed, was moved or is gone, or something was added right after it."""
    sentences = compared.sentences_at(comment)
    return bool(compared.own_kinds(sentences) | compared.added_after(sentences, passing=0))


def _other_side(compared: Compared) -> CommentState:
    """Whether a new or changed sentence names the other side."""
    for one in compared.changes:
        texts = [each.text for each in compared.drafts.second if each.place in one.after]
        if one.kind in ANY_SUPPORT | {K.POINT} and any(OTHER_SIDE.search(text) for text in texts):
            return CommentState.RESOLVED
    return CommentState.UNTOUCHED


def _evidenced(compared: Compared) -> CommentState:
    """Whether there is evidence anywhere in the later draft that the earlier one had not; tried, if there is a reason."""
    kinds = {one.kind for one in compared.changes}
    return CommentState.RESOLVED if kinds & EVIDENCE else CommentState.TRIED if K.REASONING in kinds else CommentState.UNTOUCHED


ON_WHOLE = {"reasons.other_side": _other_side, "reasons.evidence": _evidenced}  # rules that any part of an essay can answer


def _presented(comment: Comment, compared: Compared) -> CommentState:
    """Whether the same is no longer to be done with a quotation that is still there: its page is named, or what it shows is
    said."""
    sentences = compared.sentences_at(comment)
    places = [compared.drafts.second[j].place for at in sentences for j in compared.pair_of(at).after]
    own, after = compared.own_kinds(sentences) - {K.MOVED}, compared.added_after(sentences, PASSING)
    again = any(one.text == comment.text and _within(one, place) for one in compared.later for place in places)
    if places and (own or after) and not again:
        return CommentState.RESOLVED
    tried = own - {K.SURFACE} or compared.added_after(sentences, passing=0)
    return CommentState.TRIED if tried else CommentState.UNTOUCHED


def _supported(comment: Comment, compared: Compared) -> CommentState:
    """Whether what was asked for stands in the sentence or after it now; tried, if it was reworded, is gone or said again, or
    something else follows it."""
    sentences = compared.sentences_at(comment)
    wanted = WANTED.get(comment.rule, WANTED.get(comment.rule.partition(".")[0], ANY_SUPPORT))
    own = compared.own_kinds(sentences)
    if comment.rule.startswith("books.") and K.BOOK in compared.added_before(sentences):
        return CommentState.RESOLVED
    after = compared.added_after(sentences, PASSING, beyond=K.WORDING not in own)
    if (own | after) & wanted and K.REMOVED not in own:
        return CommentState.RESOLVED
    if K.REMOVED in own and compared.added_after(sentences, passing=0) & wanted:
        return CommentState.RESOLVED
    tried = own - {K.SURFACE, K.MOVED} or compared.added_after(sentences, passing=0) or compared.says_again(sentences)
    return CommentState.TRIED if tried else CommentState.UNTOUCHED
