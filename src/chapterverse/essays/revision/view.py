"""A revision as its reader sees it, on pages and as JSON: a story in a few sentences, every change, every earlier comment.

The words of the earlier draft and of its comments are there as long as its feedback is."""

from collections import Counter
from collections.abc import Iterator
from typing import Self

from pydantic import BaseModel, Field

from chapterverse.essays.model import EssayEvidence, Feedback
from chapterverse.essays.revision.model import ChangeKind, CommentState, EssaySpan, Revision
from chapterverse.messages import Message, message
from chapterverse.messages.fields import Words

HEADING = message("revision_heading")
COMMENTS_HEADING = message("revision_earlier_comments")
CHANGES_HEADING = message("revision_changes")
KIND_NAMES = {
    ChangeKind.BOOK: message("revision_kind_book"),
    ChangeKind.EVIDENCE: message("revision_kind_evidence"),
    ChangeKind.REASONING: message("revision_kind_reasoning"),
    ChangeKind.POINT: message("revision_kind_point"),
    ChangeKind.REPETITION: message("revision_kind_repetition"),
    ChangeKind.WORDING: message("revision_kind_wording"),
    ChangeKind.SURFACE: message("revision_kind_surface"),
    ChangeKind.ADDED: message("revision_kind_added"),
    ChangeKind.CHANGED: message("revision_kind_changed"),
    ChangeKind.MOVED: message("revision_kind_moved"),
    ChangeKind.REMOVED: message("revision_kind_removed"),
}
STATE_NAMES = {
    CommentState.RESOLVED: message("revision_answered"),
    CommentState.TRIED: message("revision_tried"),
    CommentState.UNTOUCHED: message("revision_untouched"),
}


class ChangeView(BaseModel):
    """A change between two drafts. name: its kind in words; paragraph: of the later draft, from 1."""

    kind: ChangeKind
    name: Words
    paragraph: int | None = Field(description="Null where the sentence is gone.")
    before: str | None = Field(description="Null where nothing was there, or the earlier draft is deleted.")
    after: str | None


class EarlierComment(BaseModel):
    """What became of a comment on the earlier draft. name: its state in words; words: that it was about, empty for a whole
    paragraph."""

    number: int
    state: CommentState
    name: Words
    text: str
    words: str


class RevisionView(BaseModel):
    """A draft against an earlier one. story: in a few sentences."""

    story: list[Words]
    changes: list[ChangeView]
    comments: list[EarlierComment] = Field(description="Empty if the earlier feedback is deleted.")

    @classmethod
    def of(cls, feedback: Feedback) -> Self | None:
        """The view of the feedback's revision; None if the essay is no later draft."""
        if feedback.revision is None:
            return None
        revision, earlier = feedback.revision, feedback.earlier
        there = earlier.evidence if earlier else None
        return cls(
            story=list(_story(revision)),
            changes=[
                ChangeView(
                    kind=one.kind,
                    name=KIND_NAMES[one.kind],
                    paragraph=one.after[0].paragraph + 1 if one.after else None,
                    before=_words(one.before, there) if there and one.before else None,
                    after=_words(one.after, feedback.evidence) if one.after else None,
                )
                for one in revision.changes
            ],
            comments=list(_comments(revision, earlier)) if earlier else [],
        )


def _story(revision: Revision) -> Iterator[Message]:
    """What happened: comments answered, then the changes by kind."""
    states = [one.state for one in revision.comments]
    if states:
        resolved, tried = states.count(CommentState.RESOLVED), states.count(CommentState.TRIED)
        id = "revision_comments_tried" if tried else "revision_comments"
        yield message(id, answered=resolved, all=len(states), tried=tried)
    counts = Counter(one.kind for one in revision.changes)
    for kind in ChangeKind:
        if counts[kind]:
            yield message("revision_count", kind=KIND_NAMES[kind], count=counts[kind])
    if not revision.changes:
        yield message("revision_none")


def _words(places: tuple[EssaySpan, ...], found: EssayEvidence) -> str:
    return " ".join(found.paragraphs[one.paragraph].paragraph.text[one.start : one.end] for one in places)


def _comments(revision: Revision, earlier: Feedback) -> Iterator[EarlierComment]:
    """The earlier comments that are still visible."""
    by_number = {one.number: one for one in earlier.comments}
    for outcome in revision.comments:
        if one := by_number.get(outcome.number):
            at = one.paragraph
            about = one.about is not None and at is not None
            words = earlier.evidence.paragraphs[at or 0].paragraph.text[slice(*one.about or (0, 0))] if about else ""
            said = one.text or one.instead or ""
            name = STATE_NAMES[outcome.state]
            yield EarlierComment(number=one.number, state=outcome.state, name=name, text=said, words=words)
