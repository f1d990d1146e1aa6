"""A revision as its reader sees it: a story in a few sentences, then every change and every earlier comment.

The words of the earlier draft and of its comments are there as long as its feedback is."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from chapterverse.essays.model import Comment, EssayEvidence, Feedback
from chapterverse.essays.outline import EssaySpan
from chapterverse.essays.revision.model import Change, ChangeKind, CommentOutcome, CommentState, Revision
from chapterverse.essays.task import Genre
from chapterverse.messages import Message, message

K = ChangeKind
MAX_BOOKS = 3  # sentences from books that the story tells one by one

HEADING = message("revision_heading")
COMMENTS_HEADING = message("revision_earlier_comments")
CHANGES_HEADING = message("revision_changes")

KIND_NAMES = {
    K.BOOK: message("revision_kind_book"),
    K.ELSEWHERE: message("revision_kind_elsewhere"),
    K.REASONING: message("revision_kind_reasoning"),
    K.POINT: message("revision_kind_point"),
    K.REPETITION: message("revision_kind_repetition"),
    K.MOVED: message("revision_kind_moved"),
    K.WORDING: message("revision_kind_wording"),
    K.SURFACE: message("revision_kind_surface"),
    K.REMOVED: message("revision_kind_removed"),
}
STATE_NAMES = {
    CommentState.RESOLVED: message("revision_answered"),
    CommentState.TRIED: message("revision_tried"),
    CommentState.UNTOUCHED: message("revision_untouched"),
}
ONE_OR_MANY = {
    K.ELSEWHERE: ("revision_elsewhere_one", "revision_elsewhere_many"),
    K.REASONING: ("revision_reasoning_one", "revision_reasoning_many"),
    K.POINT: ("revision_point_one", "revision_point_many"),
    K.REPETITION: ("revision_repetition_one", "revision_repetition_many"),
    K.WORDING: ("revision_wording_one", "revision_wording_many"),
    K.SURFACE: ("revision_surface_one", "revision_surface_many"),
    K.MOVED: ("revision_moved_one", "revision_moved_many"),
    K.REMOVED: ("revision_removed_one", "revision_removed_many"),
}
DETAIL_NAMES = KIND_NAMES | {K.ELSEWHERE: message("revision_kind_detail")}  # of a narrative, which has no evidence
DETAILS = ONE_OR_MANY | {K.ELSEWHERE: ("revision_detail_one", "revision_detail_many")}  # likewise


@dataclass(frozen=True, slots=True)
class VisibleChange:
    """A change with its words. paragraph: of the later draft, from 1, None where the sentence is gone; before: None where there
    was nothing, or the earlier draft is gone. narrative: the later draft is one."""

    change: Change
    paragraph: int | None
    before: str | None
    after: str | None
    narrative: bool = False

    @property
    def name(self) -> Message:
        """Its kind in words."""
        return (DETAIL_NAMES if self.narrative else KIND_NAMES)[self.change.kind]

    @property
    def where(self) -> Message | None:
        """Its paragraph in words; None where the sentence is gone."""
        return message("revision_paragraph", number=self.paragraph) if self.paragraph else None


@dataclass(frozen=True, slots=True)
class VisibleComment:
    """An earlier comment. words: that it is about, empty for more than a sentence or two."""

    outcome: CommentOutcome
    text: str
    words: str

    @property
    def name(self) -> Message:
        """What became of it, in words."""
        return STATE_NAMES[self.outcome.state]


@dataclass(frozen=True, slots=True)
class VisibleRevision:
    """A revision for its readers. comments: empty if the earlier feedback is gone; priorities come first."""

    story: tuple[Message, ...]
    changes: tuple[VisibleChange, ...]
    comments: tuple[VisibleComment, ...]


def visible_revision(feedback: Feedback) -> VisibleRevision | None:
    """The feedback's revision as it is shown; None if the essay is no later draft."""
    if feedback.revision is None:
        return None
    revision, earlier = feedback.revision, feedback.earlier
    narrative = feedback.outline is not None and feedback.outline.genre is Genre.NARRATIVE
    visible = (_visible(one, feedback.evidence, earlier.evidence if earlier else None) for one in revision.changes)
    changes = (replace(one, narrative=narrative) for one in visible)
    comments = sorted(_comments(revision, earlier), key=lambda one: not one.outcome.priority) if earlier else []
    return VisibleRevision(tuple(story_of(revision, narrative=narrative)), tuple(changes), tuple(comments))


def story_of(revision: Revision, *, narrative: bool = False) -> Iterator[Message]:
    """What happened, in a few sentences: comments answered, evidence added, then the rest by kind. narrative: the draft is one,
    so that what is in no book is a detail."""
    for states, plain, with_tried in (
        (revision.priorities, "revision_priorities", "revision_priorities_tried"),
        (revision.others, "revision_comments", "revision_comments_tried"),
    ):
        if states:
            resolved, tried = states.count(CommentState.RESOLVED), states.count(CommentState.TRIED)
            yield message(with_tried if tried else plain, answered=resolved, all=len(states), tried=tried)
    yield from _from_books(revision)
    for kind, (one, many) in (DETAILS if narrative else ONE_OR_MANY).items():
        if count := len(revision.of_kind(kind)):
            yield message(one if count == 1 else many, count=count)
    if not revision.changes:
        yield message("revision_none")


def _from_books(revision: Revision) -> Iterator[Message]:
    found = revision.of_kind(K.BOOK)
    for one in found[:MAX_BOOKS]:
        if one.exact is None:
            yield message("revision_retold", book=one.book)
        else:
            right = "revision_quoted_now" if one.before else "revision_quoted"
            yield message(right if one.exact else "revision_misquoted", book=one.book)
    if len(found) > MAX_BOOKS:
        yield message("revision_more_from_books", count=len(found) - MAX_BOOKS)


def _visible(one: Change, later: EssayEvidence, earlier: EssayEvidence | None) -> VisibleChange:
    return VisibleChange(
        one,
        paragraph=one.after[0].paragraph + 1 if one.after else None,
        before=_words(one.before, earlier) if earlier and one.before else None,
        after=_words(one.after, later) if one.after else None,
    )


def _words(places: tuple[EssaySpan, ...], found: EssayEvidence) -> str:
    return " ".join(found.paragraphs[one.paragraph].paragraph.text[one.start : one.end] for one in places)


def _comments(revision: Revision, earlier: Feedback) -> Iterator[VisibleComment]:
    """The earlier comments that are still visible."""
    by_item = {(review.dimension.value, one.number): one for review in earlier.reviews for one in review.comments}
    for outcome in revision.comments:
        if one := by_item.get((outcome.part, outcome.number)):
            yield VisibleComment(outcome, one.text, _about(one, earlier.evidence))


def _about(comment: Comment, found: EssayEvidence) -> str:
    if comment.about is None or comment.paragraph is None:
        return ""
    return found.paragraphs[comment.paragraph].paragraph.text[slice(*comment.about)]
