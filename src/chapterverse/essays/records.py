"""Feedback and its parts as JSON: for HTTP responses, `--json` and the stored results of batches. A revision
shows the words of the earlier draft and of its comments while the feedback on that draft is stored."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from textwrap import shorten
from typing import Any, Self

from pydantic import Field

from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.records import PassageRecord
from chapterverse.core.requests import Record, Words
from chapterverse.essays import model
from chapterverse.essays.history import FeedbackHistory, essay_of, feedback_of, visible_feedback, with_choices, with_earlier
from chapterverse.essays.text import words_in
from chapterverse.messages import Message, message

MAX_BEGINNING = 80  # characters of an essay's first paragraph that identify it in a list


class ChangeView(Record):
    """A change between two drafts. name: its kind in words; paragraph: of the later draft, from 1."""

    kind: model.ChangeKind
    name: Words
    paragraph: int | None = Field(description="Null where the sentence is gone.")
    before: str | None = Field(description="Null where nothing was there, or the earlier draft is deleted.")
    after: str | None


class EarlierComment(Record):
    """What became of a comment on the earlier draft. name: its state in words; words: that it was about, empty for a whole
    paragraph."""

    number: int
    state: model.CommentState
    name: Words
    text: str
    words: str


class RevisionView(Record):
    """A draft against an earlier one. story: in a few sentences."""

    story: list[Words]
    changes: list[ChangeView]
    comments: list[EarlierComment] = Field(description="Empty if the earlier feedback is deleted.")

    @classmethod
    def of(cls, feedback: model.Feedback) -> Self | None:
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
                    name=Message(f"revision_kind_{one.kind}"),
                    paragraph=one.after[0].paragraph + 1 if one.after else None,
                    before=_words(one.before, there) if there and one.before else None,
                    after=_words(one.after, feedback.evidence) if one.after else None,
                )
                for one in revision.changes
            ],
            comments=list(_comments(revision, earlier)) if earlier else [],
        )


def _story(revision: model.Revision) -> Iterator[Message]:
    """What happened: comments answered, then the changes by kind."""
    states = [one.state for one in revision.comments]
    if states:
        resolved, tried = states.count(model.CommentState.RESOLVED), states.count(model.CommentState.TRIED)
        id = "revision_comments_tried" if tried else "revision_comments"
        yield message(id, answered=resolved, all=len(states), tried=tried)
    counts = Counter(one.kind for one in revision.changes)
    for kind in model.ChangeKind:
        if counts[kind]:
            yield message("revision_count", kind=Message(f"revision_kind_{kind}"), count=counts[kind])
    if not revision.changes:
        yield message("revision_none")


def _words(places: tuple[model.EssaySpan, ...], found: model.EssayEvidence) -> str:
    return " ".join(found.words(one.paragraph, (one.start, one.end)) for one in places)


def _comments(revision: model.Revision, earlier: model.Feedback) -> Iterator[EarlierComment]:
    """The earlier comments that are still visible."""
    by_number = {one.number: one for one in earlier.comments}
    for outcome in revision.comments:
        if one := by_number.get(outcome.number):
            at, about = one.paragraph, one.about
            words = "" if at is None or about is None else earlier.evidence.words(at, about)
            name = Message(f"revision_{outcome.state}")
            said = one.text or one.instead or ""
            yield EarlierComment(number=one.number, state=outcome.state, name=name, text=said, words=words)


class EvidenceResponse(PassageRecord):
    """Evidence with its number. score: the best re-scored cosine among the passages that found it. relation: what it does for
    the student's point, null if nobody has read it; quoted: by the essay; label: how, in words."""

    number: int
    score: float
    relation: Relation | None
    quoted: bool
    label: Words | None

    @classmethod
    def of(cls, evidence: Evidence) -> Self:
        same = {name: getattr(evidence, name) for name in ("number", "relation", "label")}
        return cls.of_passage(evidence.passage, score=round(evidence.score, 4), quoted=evidence.quotation is not None, **same)


class ParagraphResponse(Record):
    """A paragraph of the essay. above: headings and other lines since the one before; below: those after the last paragraph;
    evidence: numbers of its evidence; message: explains why there is none, else null."""

    number: int
    above: tuple[str, ...]
    text: str
    below: tuple[str, ...]
    evidence: list[int]
    message: Words | None


class EssayEvidenceResponse(Record):
    """The evidence for an essay. Paragraphs and evidence are numbered from 1. notes: which part of a long essay was not
    searched."""

    title: str | None
    paragraphs: list[ParagraphResponse]
    evidence: list[EvidenceResponse]
    notes: list[Words]

    @classmethod
    def of(cls, found: model.EssayEvidence, /, **more: Any) -> Self:
        """The response for evidence. more: fields of a subclass, and fields that it sets otherwise."""
        own = {
            "title": found.title,
            "paragraphs": [
                ParagraphResponse(
                    number=at,
                    above=its.above,
                    text=its.text,
                    below=its.below,
                    evidence=list(one.numbers),
                    message=None if found.lacked_books else one.message,
                )
                for at, one in enumerate(found.paragraphs, start=1)
                for its in [one.paragraph]
            ],
            "evidence": [EvidenceResponse.of(one) for one in found.evidence],
            "notes": list(found.notes),
        }
        return cls(**(own | more))


class About(Record):
    """The words of the essay that a comment is about, at [start, end) in the paragraph's text."""

    start: int
    end: int
    text: str


class PlaceResponse(About):
    """Words of the paragraph with this number, from 1, and what is to stand there instead."""

    paragraph: int
    instead: str


class CommentResponse(Record):
    """A comment. paragraph: from 1, null for the whole essay; about: null for the whole paragraph; instead: a correction of
    those words; evidence: numbers of what it cites; see: numbers of other paragraphs that it speaks of."""

    number: int
    paragraph: int | None
    about: About | None
    part: model.Dimension
    kind: model.CommentKind
    text: str
    instead: str | None
    criterion: str | None = Field(None, description="The rubric's criterion that it is about.")
    evidence: tuple[int, ...]
    see: tuple[int, ...]
    also: list[PlaceResponse] = Field([], description="Further places that the correction mends.")

    @classmethod
    def of(cls, comment: model.Comment, found: model.EssayEvidence) -> Self:
        """The response for a comment; the evidence has the paragraph that it is about."""
        same = ("number", "part", "kind", "instead", "criterion", "evidence")
        at, about = comment.paragraph, comment.about
        return cls(
            paragraph=None if at is None else at + 1,
            about=None if at is None or about is None else About(**_words_at(at, about, found)),
            text=comment.text,
            see=tuple(each + 1 for each in comment.see),
            also=[
                PlaceResponse(paragraph=one.paragraph + 1, instead=one.instead, **_words_at(one.paragraph, one.about, found))
                for one in comment.also
            ],
            **{name: getattr(comment, name) for name in same},
        )


def _words_at(paragraph: int, about: tuple[int, int], found: model.EssayEvidence) -> dict[str, Any]:
    return {"start": about[0], "end": about[1], "text": found.words(paragraph, about)}


class CriterionResponse(Record):
    """A criterion of the rubric. levels: the teacher's descriptions; comments: numbers of those that name it; chosen_level: by
    the teacher, null if none was chosen."""

    criterion: str
    weight: int
    levels: list[str]
    comments: list[int]
    chosen_level: str | None


class FeedbackResponse(EssayEvidenceResponse):
    """Evidence and comments, these in the order in which to take them up. start: the number of the one to begin with, null
    without one. id: of the stored feedback, null if it is not stored. by: the language model that wrote, empty without one.
    section: the Evidence section as Markdown, null without evidence."""

    id: str | None
    comments: list[CommentResponse]
    start: int | None
    summary: str = Field(description="What works and what to do first; empty without a language model.")
    by: str
    criteria: list[CriterionResponse] = Field(description="The rubric, with what belongs to each criterion.")
    points: tuple[int, int] | None = Field(description="Of the chosen levels, and the most of their criteria.")
    revision: RevisionView | None = Field(description="What changed since the draft named by version_of.")
    section: str | None

    @classmethod
    def of_feedback(cls, feedback: model.Feedback, /, **more: Any) -> Self:
        """The response for feedback as a student sees it. more: fields of a subclass, and fields that it sets otherwise."""
        same = ("id", "summary", "by", "points", "section")
        own = {name: getattr(feedback, name) for name in same} | {
            "comments": [CommentResponse.of(one, feedback.evidence) for one in feedback.comments],
            "start": feedback.start and feedback.start.number,
            "criteria": [
                CriterionResponse(
                    criterion=one.text,
                    weight=one.weight,
                    levels=list(one.levels),
                    comments=[each.number for each in feedback.comments if each.criterion == one.text],
                    chosen_level=feedback.edits.level_of(one.text),
                )
                for one in feedback.rubric
            ],
            "revision": RevisionView.of(feedback),
            "notes": list(feedback.notes),
        }
        return cls.of(feedback.evidence, **(own | more))


class Times(Record):
    """When the feedback was written, when it expires, and when it was released to students, null if not yet."""

    created: datetime
    expires: datetime
    approved: datetime | None

    @staticmethod
    def times_of(stored: model.StoredFeedback, history: FeedbackHistory) -> dict[str, datetime | None]:
        """The fields by name, for the classes that have more."""
        return {"created": stored.created, "expires": history.expires(stored), "approved": stored.approved}


class Ratings(Record):
    """How often the student rated items up and down."""

    up: int
    down: int


class Summary(Times):
    """One entry of a list. title: the essay's; begins: its first words; words: their number; written_by: the student's name,
    empty if unknown; thumbs: the student's ratings; version_of: id of the feedback on an earlier version, which may be deleted;
    changed: whether a teacher changed its comments or passages; assignment: its title, empty without one; handed_in: for an
    assignment or in a batch, so that only a teacher deletes it."""

    id: str
    written_by: str = ""
    title: str | None
    begins: str
    words: int
    thumbs: Ratings
    version_of: str | None
    changed: bool
    assignment: str = ""
    handed_in: bool = False

    @classmethod
    def of(cls, stored: model.StoredFeedback, history: FeedbackHistory, written_by: str = "", assignment: str = "") -> Self:
        """The entry for stored feedback, also if another version of chapterverse wrote it."""
        essay, thumbs = essay_of(stored), [each.thumb for each in stored.ratings]
        return cls(
            id=stored.id,
            written_by=written_by,
            title=essay.title,
            begins=shorten(next(iter(essay.paragraphs), ""), MAX_BEGINNING, placeholder=" …"),
            words=sum(map(words_in, essay.paragraphs)),
            thumbs=Ratings(up=thumbs.count(model.Rating.UP), down=thumbs.count(model.Rating.DOWN)),
            version_of=stored.version_of,
            changed=stored.is_changed,
            assignment=assignment,
            handed_in=bool(assignment or stored.origin),
            **cls.times_of(stored, history),
        )


class ChoiceResponse(Record):
    """How the evidence with this number is shown. sentence: what replaces it or was added, null for nothing;
    found: the original evidence, null for a passage that the teacher added."""

    number: int
    show: model.Show
    sentence: str | None
    found: EvidenceResponse | None


class StoredResponse(FeedbackResponse, Times):
    """Stored feedback with the teacher's choices and edits. changed: whether there are any; choices, hidden: empty for
    students; edits: null for students; written_by: the student's name, may be empty; note, grade_given: of the teacher, may be
    empty; thumbs: the student's ratings."""

    changed: bool
    choices: list[ChoiceResponse]
    thumbs: tuple[model.ItemRating, ...]
    written_by: str = ""
    note: str = ""
    grade_given: str = ""
    edits: model.TeacherEdits | None = None
    hidden: list[CommentResponse] = Field([])

    @classmethod
    def of_stored(
        cls, stored: model.StoredFeedback, history: FeedbackHistory, written_by: str = "", *, for_student: bool = False
    ) -> Self:
        """The response for stored feedback. Raises NotFound if another version of chapterverse wrote it."""
        return cls.of_feedback(
            with_earlier(visible_feedback(stored), stored.school, history, for_student=for_student),
            **cls.times_of(stored, history),
            changed=stored.is_changed,
            written_by=written_by,
            note=stored.edits.note,
            grade_given=stored.edits.grade,
            edits=None if for_student else stored.edits,
            **({"hidden": [], "choices": []} if for_student else _as_written(stored)),
            thumbs=stored.ratings,
        )


def _as_written(stored: model.StoredFeedback) -> dict[str, Any]:
    """The comments that a teacher hid, and the teacher's choices beside the original evidence."""
    feedback = feedback_of(stored)
    found = {one.number: EvidenceResponse.of(one) for one in feedback.evidence.evidence}
    chosen = with_choices(feedback, stored.choices)
    hidden = [CommentResponse.of(one, chosen.evidence) for one in chosen.comments if one.number in stored.edits.hidden]
    choices = [
        ChoiceResponse(number=one.number, show=one.show, sentence=one.sentence, found=found.get(one.number))
        for one in stored.choices
    ]
    return {"hidden": hidden, "choices": choices}
