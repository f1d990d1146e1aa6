"""Feedback and its parts as JSON: for HTTP responses, `--json` and the stored results of batches."""

from collections.abc import Mapping
from datetime import datetime
from textwrap import shorten
from typing import Any, Literal, Self

from pydantic import BaseModel, Field

from chapterverse.citations.model import Evidence, Verdict, VerdictKind
from chapterverse.citations.records import PassageRecord, SentenceRecord, verdict_json
from chapterverse.core.hits import FoundBy
from chapterverse.essays.history import FeedbackHistory, essay_of, feedback_of, feedback_shown, ratings_of
from chapterverse.essays.model import (
    EVIDENCE,
    Annotation,
    Citation,
    Comment,
    Dimension,
    EssayEvidence,
    Feedback,
    Item,
    Rating,
    Review,
    Show,
    StoredFeedback,
)
from chapterverse.messages.fields import Words

MAX_BEGINNING = 80  # characters of an essay's first paragraph that identify it in a list


PLACE = {"book", "chapter_number", "chapter", "page_label"}  # fields of a sentence that its evidence has as well


class FoundByResponse(BaseModel):
    """A passage of the essay that found the sentence. paragraph: from 1; score: re-scored cosine."""

    kind: Literal["paragraph", "key_sentence"]
    paragraph: int
    text: str
    score: float

    @classmethod
    def of(cls, found: FoundBy) -> Self:
        """The response for a query and its score."""
        query = found.query
        return cls.model_validate(
            {"kind": query.kind, "paragraph": query.paragraph + 1, "text": query.text, "score": round(found.score, 4)}
        )


class EvidenceResponse(PassageRecord):
    """Evidence with its number. score: the best re-scored cosine among the passages that found it. book, chapter_number,
    chapter, page_label: of the sentence. verdict: the most serious verdict on the essay's claims; null without one."""

    number: int
    score: float
    book: str
    chapter_number: str | None
    chapter: str | None
    page_label: str
    verdict: VerdictKind | None
    reason: Words | None
    found_by: list[FoundByResponse]

    @classmethod
    def of(cls, evidence: Evidence, verdict: Verdict | None = None) -> Self:
        """The response for evidence and the most serious verdict on it."""
        passage = PassageRecord.fields_of(evidence.passage)
        place = SentenceRecord.of(evidence.passage.sentence).model_dump(include=PLACE)
        found_by = [FoundByResponse.of(one) for one in evidence.found_by]
        own = {"number": evidence.number, "score": round(evidence.score, 4), "found_by": found_by}
        return cls.model_validate(own | passage | place | verdict_json(verdict))


class ParagraphResponse(BaseModel):
    """A paragraph of the essay. evidence: numbers of its evidence; message: explains why there is none, else null."""

    number: int
    text: str
    evidence: list[int]
    message: Words | None


class RerankedResponse(BaseModel):
    """How many candidates the re-ranker read together with their query, of those that could change the result; fewer if time
    ran out."""

    model: str
    candidates: int
    of: int


class EssayEvidenceResponse(BaseModel):
    """The evidence for an essay. Paragraphs and evidence are numbered from 1. reranked: null without a re-ranker; notes: which
    part of a long essay was not searched."""

    title: str | None
    paragraphs: list[ParagraphResponse]
    evidence: list[EvidenceResponse]
    reranked: RerankedResponse | None
    notes: list[Words]

    @staticmethod
    def fields_of(found: EssayEvidence, verdicts: Mapping[int, Verdict]) -> dict[str, Any]:
        """The fields by name. verdicts: by the number of the evidence."""
        paragraphs = enumerate(found.paragraphs, start=1)
        look = found.reranked
        return {
            "title": found.title,
            "paragraphs": [
                {"number": number, "text": one.paragraph.text, "evidence": one.numbers, "message": one.message}
                for number, one in paragraphs
            ],
            "evidence": [EvidenceResponse.of(one, verdicts.get(one.number)) for one in found.evidence],
            "reranked": look and {"model": look.model, "candidates": look.judged, "of": look.worth},
            "notes": found.notes,
        }

    @classmethod
    def of(cls, found: EssayEvidence) -> "EssayEvidenceResponse":
        """The response for evidence without verdicts."""
        return EssayEvidenceResponse.model_validate(cls.fields_of(found, {}))


class About(BaseModel):
    """The words of the essay that a comment is about, at [start, end) in the paragraph's text."""

    start: int
    end: int
    text: str


class CitationResponse(BaseModel):
    """Evidence behind a comment. quote: the book's sentence; verdict: whether it supports what the essay says."""

    number: int
    quote: str
    verdict: VerdictKind
    reason: Words

    @staticmethod
    def fields_of(citation: Citation) -> dict[str, Any]:
        """The fields by name."""
        return {"number": citation.evidence.number, "quote": citation.quote} | verdict_json(citation.verdict)


class PlacedCitation(CitationResponse):
    """A citation with its dimension and paragraph."""

    dimension: Dimension
    paragraph: int | None


class VerdictOn(BaseModel):
    """The most serious verdict on evidence #number."""

    number: int
    verdict: VerdictKind
    reason: Words


class CitationsResponse(BaseModel):
    """The citations of all comments in order, and the verdicts on the cited evidence."""

    citations: list[PlacedCitation]
    verdicts: list[VerdictOn]

    @classmethod
    def of(cls, feedback: Feedback) -> Self:
        """The citations of all reviews."""
        citations = [
            {"dimension": review.dimension, "paragraph": _from_1(comment)} | CitationResponse.fields_of(citation)
            for review in feedback.reviews
            for comment in review.comments
            for citation in comment.citations
        ]
        verdicts = [{"number": number} | verdict_json(one) for number, one in sorted(feedback.verdicts.items())]
        return cls.model_validate({"citations": citations, "verdicts": verdicts})


class CommentResponse(BaseModel):
    """A comment. paragraph: from 1, null for the whole essay; about: null for the whole paragraph; instead: a correction of
    those words."""

    number: int
    paragraph: int | None
    about: About | None
    text: str
    instead: str | None
    evidence: list[CitationResponse]

    @staticmethod
    def fields_of(comment: Comment, found: EssayEvidence) -> dict[str, Any]:
        """The fields by name."""
        return {
            "number": comment.number,
            "paragraph": _from_1(comment),
            "about": _about(comment, found),
            "text": comment.text,
            "instead": comment.instead,
            "evidence": [CitationResponse.fields_of(citation) for citation in comment.citations],
        }


class ReviewResponse(BaseModel):
    """The feedback on one dimension; comments that contradict a book come first. by: the language model, or "rules"."""

    by: str
    comments: list[CommentResponse]
    checked: list[str]
    not_checked: list[str]
    notes: list[Words] = Field(description="What was left out, and why.")

    @classmethod
    def of(cls, review: Review, found: EssayEvidence) -> Self:
        """The response for a review; the evidence has the paragraphs that its comments are about."""
        comments = [CommentResponse.fields_of(comment, found) for comment in review.comments]
        lists = {"checked": review.checked, "not_checked": review.not_checked, "notes": review.notes}
        return cls.model_validate({"by": review.by, "comments": comments} | lists)


def _from_1(comment: Comment) -> int | None:
    return None if comment.paragraph is None else comment.paragraph + 1


def _about(comment: Comment, found: EssayEvidence) -> dict[str, Any] | None:
    if comment.about is None or comment.paragraph is None:
        return None
    start, end = comment.about
    return {"start": start, "end": end, "text": found.paragraphs[comment.paragraph].paragraph.text[start:end]}


class FeedbackResponse(EssayEvidenceResponse):
    """Evidence, and a review for each dimension, null if it was not requested. id: of the stored feedback, null if it is not
    stored. section: the Evidence section as Markdown, null without evidence."""

    id: str | None
    content: ReviewResponse | None
    expressions: ReviewResponse | None
    features: ReviewResponse | None
    citations: list[PlacedCitation] = Field(description="Those of all comments, in their order.")
    section: str | None

    @staticmethod
    def all_fields_of(feedback: Feedback) -> dict[str, Any]:
        """The fields by name, also for subclasses."""
        reviews = {each.dimension.value: ReviewResponse.of(each, feedback.evidence) for each in feedback.reviews}
        evidence = EssayEvidenceResponse.fields_of(feedback.evidence, feedback.verdicts)
        more = {"citations": CitationsResponse.of(feedback).citations, "section": feedback.section, "id": feedback.id}
        return evidence | dict.fromkeys(map(str, Dimension)) | reviews | more

    @classmethod
    def of_feedback(cls, feedback: Feedback) -> "FeedbackResponse":
        """The response for feedback as a student sees it."""
        return FeedbackResponse.model_validate(cls.all_fields_of(feedback))


class Times(BaseModel):
    """When the feedback was written, when it expires, and when it was released to students, null if not yet."""

    created: datetime
    expires: datetime
    approved: datetime | None

    @staticmethod
    def times_of(stored: StoredFeedback, history: FeedbackHistory) -> dict[str, Any]:
        """The fields by name."""
        return {"created": stored.created, "expires": history.expires(stored), "approved": stored.approved}


class Ratings(BaseModel):
    """How often the student rated items up and down."""

    up: int
    down: int


class Summary(Times):
    """One entry of a list. title: the essay's; begins: its first words; thumbs: the student's ratings."""

    id: str
    title: str | None
    begins: str
    thumbs: Ratings

    @classmethod
    def of(cls, stored: StoredFeedback, history: FeedbackHistory) -> "Summary":
        """The entry for stored feedback, also if another version of chapterverse wrote it."""
        essay = essay_of(stored)
        return Summary.model_validate(
            {
                "id": stored.id,
                "title": essay.title,
                "begins": shorten(next(iter(essay.paragraphs), ""), MAX_BEGINNING, placeholder=" …"),
                "thumbs": ratings_of(stored),
            }
            | cls.times_of(stored, history)
        )


class AnnotationResponse(BaseModel):
    """A teacher's annotation of an item. part: a dimension, or evidence; number: of the comment or the evidence."""

    part: str
    number: int
    thumb: Rating | None
    comment: str | None

    @classmethod
    def of(cls, mark: Annotation) -> Self:
        """The response for an annotation."""
        return cls(part=mark.item.part, number=mark.item.number, thumb=mark.thumb, comment=mark.comment)


class RatingResponse(BaseModel):
    """A student's rating of an item."""

    part: str
    number: int
    thumb: Rating


class ChoiceResponse(BaseModel):
    """How the evidence with this number is shown. sentence: what replaces it, null for nothing; found: the original
    evidence."""

    number: int
    show: Show
    sentence: str | None
    found: EvidenceResponse


class StoredResponse(FeedbackResponse, Times):
    """Stored feedback with the teacher's choices. changed: whether a teacher chose any evidence; marks, choices: empty for
    students; thumbs: the student's ratings."""

    changed: bool
    marks: list[AnnotationResponse]
    choices: list[ChoiceResponse]
    thumbs: list[RatingResponse]

    @classmethod
    def of_stored(cls, stored: StoredFeedback, history: FeedbackHistory, *, for_student: bool = False) -> Self:
        """The response for stored feedback. Raises NotFound if another version of chapterverse wrote it."""
        found = {one.number: one for one in feedback_of(stored).evidence.evidence} if stored.choices else {}
        choices = [
            {
                "number": each.number,
                "show": each.show,
                "sentence": each.sentence,
                "found": EvidenceResponse.of(found[each.number]),
            }
            for each in stored.choices
        ]
        ratings = [{"part": each.item.part, "number": each.item.number, "thumb": each.thumb} for each in stored.thumbs]
        more = {
            "changed": bool(stored.choices),
            "marks": [] if for_student else [AnnotationResponse.of(each) for each in stored.marks],
            "choices": [] if for_student else choices,
            "thumbs": ratings,
        }
        return cls.model_validate(cls.all_fields_of(feedback_shown(stored)) | cls.times_of(stored, history) | more)


class ExportedAnnotation(AnnotationResponse):
    """An annotation with the ids of the sentences it concerns; for a comment, with its text and the essay's words if
    requested."""

    evidence: list[str]
    text: str | None = None
    about: str | None = None


class ExportedChoice(BaseModel):
    """A choice with the id of the sentence it concerns."""

    evidence: str
    show: Show
    sentence: str | None


class Exported(BaseModel):
    """Teachers' annotations and choices for one piece of feedback."""

    id: str
    created: str
    marks: list[ExportedAnnotation]
    choices: list[ExportedChoice]

    @classmethod
    def of(cls, stored: StoredFeedback) -> Self:
        """All texts included; `line` leaves them out on request. Raises NotFound if another version of chapterverse wrote the
        feedback."""
        feedback = feedback_of(stored)
        sentences = {one.number: one.passage.sentence.id for one in feedback.evidence.evidence}
        comments = {Item(review.dimension, one.number): one for review in feedback.reviews for one in review.comments}
        return cls(
            id=stored.id,
            created=stored.created.isoformat(),
            marks=[
                ExportedAnnotation.model_validate(
                    AnnotationResponse.of(each).model_dump()
                    | _exported(each.item, comments.get(each.item), feedback, sentences)
                )
                for each in stored.marks
            ],
            choices=[
                ExportedChoice(evidence=sentences[each.number], show=each.show, sentence=each.sentence)
                for each in stored.choices
            ],
        )

    def line(self, *, with_text: bool) -> dict[str, Any]:
        """The JSON object. with_text: include teachers' comments, and the comments and words of the essay that they are
        about."""
        if with_text:
            evidence_only = {"marks": {at: {"text", "about"} for at, one in enumerate(self.marks) if one.part == EVIDENCE}}
            return self.model_dump(mode="json", exclude=evidence_only)
        return self.model_dump(mode="json", exclude={"marks": {"__all__": {"comment", "text", "about"}}})


def _exported(item: Item, comment: Comment | None, feedback: Feedback, sentences: Mapping[int, str]) -> dict[str, Any]:
    if comment is None:
        return {"evidence": [sentences[item.number]]}
    about = _about(comment, feedback.evidence)
    cited = [sentences[citation.evidence.number] for citation in comment.citations]
    return {"evidence": cited, "text": comment.text, "about": about and about["text"]}


def with_offsets(model: BaseModel) -> dict[str, Any]:
    """The model's JSON for `--json`: times at the top level end in "+00:00" instead of "Z"."""
    values: dict[str, Any] = model.model_dump(mode="json")
    return values | {name: value.isoformat() for name, value in model if isinstance(value, datetime)}
