"""A revision as JSON."""

from typing import Self

from pydantic import BaseModel, Field

from chapterverse.essays.model import Feedback
from chapterverse.essays.revision.model import ChangeKind, CommentState
from chapterverse.essays.revision.story import VisibleChange, VisibleComment, visible_revision
from chapterverse.messages.fields import Words


class ChangeResponse(BaseModel):
    """A change between two drafts. name: its kind in words; paragraph: of the later draft, from 1."""

    kind: ChangeKind
    name: Words
    paragraph: int | None = Field(description="Null where the sentence is gone.")
    before: str | None = Field(description="Null where nothing was there, or the earlier draft is deleted.")
    after: str | None
    book: str | None = Field(description="Its title, for evidence from a book.")
    exact: bool | None = Field(description="Whether the quotation is the book's own words; null without one.")

    @classmethod
    def of(cls, visible: VisibleChange) -> Self:
        """The response for a change."""
        change = visible.change
        return cls(
            kind=change.kind,
            name=visible.name,
            paragraph=visible.paragraph,
            before=visible.before,
            after=visible.after,
            book=change.book,
            exact=change.exact,
        )


class EarlierCommentResponse(BaseModel):
    """What became of a comment on the earlier draft. name: its state in words; words: that it was about."""

    part: str
    number: int
    state: CommentState
    name: Words
    priority: bool = Field(description="Whether it was one of the comments to read first.")
    text: str
    words: str

    @classmethod
    def of(cls, visible: VisibleComment) -> Self:
        """The response for an earlier comment."""
        one = visible.outcome
        return cls(
            part=one.part,
            number=one.number,
            state=one.state,
            name=visible.name,
            priority=one.priority,
            text=visible.text,
            words=visible.words,
        )


class RevisionResponse(BaseModel):
    """A draft against an earlier one. story: in a few sentences."""

    story: list[Words]
    changes: list[ChangeResponse]
    comments: list[EarlierCommentResponse] = Field(description="Empty if the earlier feedback is deleted.")

    @classmethod
    def of(cls, feedback: Feedback) -> Self | None:
        """The response for the feedback's revision; None without one."""
        visible = visible_revision(feedback)
        if visible is None:
            return None
        return cls(
            story=list(visible.story),
            changes=[ChangeResponse.of(one) for one in visible.changes],
            comments=[EarlierCommentResponse.of(one) for one in visible.comments],
        )
