"""A revision as JSON."""

from typing import Self

from pydantic import BaseModel, Field

from chapterverse.essays.model import Feedback
from chapterverse.essays.revision.model import ChangeKind, CommentState
from chapterverse.essays.revision.story import ShownChange, ShownComment, shown_revision
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
    def of(cls, shown: ShownChange) -> Self:
        """The response for a change."""
        change = shown.change
        return cls(
            kind=change.kind,
            name=shown.name,
            paragraph=shown.paragraph,
            before=shown.before,
            after=shown.after,
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
    def of(cls, shown: ShownComment) -> Self:
        """The response for an earlier comment."""
        one = shown.outcome
        return cls(
            part=one.part,
            number=one.number,
            state=one.state,
            name=shown.name,
            priority=one.priority,
            text=shown.text,
            words=shown.words,
        )


class RevisionResponse(BaseModel):
    """A draft against an earlier one. story: in a few sentences."""

    story: list[Words]
    changes: list[ChangeResponse]
    comments: list[EarlierCommentResponse] = Field(description="Empty if the earlier feedback is deleted.")

    @classmethod
    def of(cls, feedback: Feedback) -> Self | None:
        """The response for the feedback's revision; None without one."""
        shown = shown_revision(feedback)
        if shown is None:
            return None
        return cls(
            story=list(shown.story),
            changes=[ChangeResponse.of(one) for one in shown.changes],
            comments=[EarlierCommentResponse.of(one) for one in shown.comments],
        )
