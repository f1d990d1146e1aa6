"""Feedback and its parts as JSON: for HTTP responses, `--json` and the stored results of batches."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from textwrap import shorten
from typing import Any, Literal, Self

from pydantic import BaseModel, Field

from chapterverse.citations.model import Evidence, Verdict, VerdictKind
from chapterverse.citations.records import PassageRecord, QuotationRecord, verdict_json
from chapterverse.core.hits import FoundBy
from chapterverse.essays.edits import NO_EDITS, TeacherEdits
from chapterverse.essays.history import FeedbackHistory, essay_of, feedback_of, ratings_of, visible_feedback, with_earlier
from chapterverse.essays.model import (
    Annotation,
    Citation,
    Comment,
    Dimension,
    EssayEvidence,
    Feedback,
    Group,
    Rating,
    Review,
    Show,
    StoredFeedback,
)
from chapterverse.essays.outline_records import CriterionResponse, OutlineResponse
from chapterverse.essays.revision.records import RevisionResponse
from chapterverse.messages.fields import Words

NO_VERDICTS: Mapping[int, Verdict] = {}
MAX_BEGINNING = 80  # characters of an essay's first paragraph that identify it in a list


class FoundByResponse(BaseModel):
    """A passage of the essay that found the sentence. paragraph: from 1; score: re-scored cosine."""

    kind: Literal["paragraph", "key_sentence", "claim", "statement", "quotation"]
    paragraph: int
    text: str
    score: float

    @classmethod
    def of(cls, found: FoundBy) -> Self:
        """The response for a query and its score."""
        query = found.query
        return cls(kind=query.kind, paragraph=query.paragraph + 1, text=query.text, score=round(found.score, 4))


class EvidenceResponse(PassageRecord):
    """Evidence with its number. score: the best re-scored cosine among the passages that found it. book, chapter_number,
    chapter, page_label: of the sentence. verdict: the most serious verdict on the essay's claims."""

    number: int
    score: float
    book: str
    chapter_number: str | None
    chapter: str | None
    page_label: str
    verdict: VerdictKind | None
    reason: Words | None
    found_by: list[FoundByResponse]
    quotation: QuotationRecord | None = Field(None, description="How the essay quotes it, null if it does not.")

    @classmethod
    def of(cls, evidence: Evidence, verdict: Verdict | None = None) -> Self:
        """The response for evidence and the most serious verdict on it; its own if there is no other."""
        address = evidence.passage.sentence.address
        return cls.of_passage(
            evidence.passage,
            number=evidence.number,
            score=round(evidence.score, 4),
            book=address.book,
            chapter_number=address.chapter.number,
            chapter=address.chapter.name,
            page_label=address.places[0].page_label,
            **verdict_json(verdict or evidence.verdict),
            found_by=[FoundByResponse.of(one) for one in evidence.found_by],
            quotation=QuotationRecord.of(evidence),
        )


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

    @classmethod
    def of(cls, found: EssayEvidence, verdicts: Mapping[int, Verdict] = NO_VERDICTS, /, **more: Any) -> Self:
        """The response for evidence. verdicts: by the number of the evidence; more: fields of a subclass."""
        report = found.reranked
        return cls(
            title=found.title,
            paragraphs=[
                ParagraphResponse(number=number, text=one.paragraph.text, evidence=list(one.numbers), message=one.message)
                for number, one in enumerate(found.paragraphs, start=1)
            ],
            evidence=[EvidenceResponse.of(one, verdicts.get(one.number)) for one in found.evidence],
            reranked=report and RerankedResponse(model=report.model, candidates=report.judged, of=report.worth),
            notes=list(found.notes),
            **more,
        )


class About(BaseModel):
    """The words of the essay that a comment is about, at [start, end) in the paragraph's text."""

    start: int
    end: int
    text: str


class CitationResponse(BaseModel):
    """Evidence behind a comment. quote: the book's sentence, empty if its text is not what is printed; verdict: whether it
    supports what the essay says."""

    number: int
    quote: str
    verdict: VerdictKind
    reason: Words

    @classmethod
    def of(cls, citation: Citation, /, **more: Any) -> Self:
        """The response for a citation. more: fields of a subclass."""
        return cls(number=citation.evidence.number, quote=citation.quote, **verdict_json(citation.verdict), **more)


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
    """The citations of all comments in order, the verdicts on the cited evidence, and the order to read the comments in."""

    citations: list[PlacedCitation]
    verdicts: list[VerdictOn]
    priorities: list[Group]
    folded: list[Group]
    criteria: list[CriterionResponse]
    revision: RevisionResponse | None
    outline: OutlineResponse | None

    @classmethod
    def of(cls, feedback: Feedback) -> Self:
        """The citations of all reviews."""
        citations = [
            PlacedCitation.of(citation, dimension=review.dimension, paragraph=_from_1(comment))
            for review in feedback.reviews
            for comment in review.comments
            for citation in comment.citations
        ]
        verdicts = [VerdictOn(number=number, **verdict_json(one)) for number, one in sorted(feedback.verdicts.items())]
        order, outline = feedback.arranged, feedback.outline
        return cls(
            citations=citations,
            verdicts=verdicts,
            priorities=list(order.first),
            folded=list(order.folded),
            criteria=[CriterionResponse.of(one, feedback) for one in feedback.criteria],
            revision=RevisionResponse.of(feedback),
            outline=outline and OutlineResponse.of(outline, feedback.evidence),
        )


class CommentResponse(BaseModel):
    """A comment. paragraph: from 1, null for the whole essay; about: null for the whole paragraph; instead: a correction of
    those words."""

    number: int
    paragraph: int | None
    about: About | None
    text: str
    instead: str | None
    criterion: str | None = Field(None, description="The rubric's criterion that it is about.")
    evidence: list[CitationResponse]

    @classmethod
    def of(cls, comment: Comment, found: EssayEvidence) -> Self:
        """The response for a comment; the evidence has the paragraph that it is about."""
        return cls(
            number=comment.number,
            paragraph=_from_1(comment),
            about=about_of(comment, found),
            text=comment.text,
            instead=comment.instead,
            criterion=comment.criterion,
            evidence=[CitationResponse.of(citation) for citation in comment.citations],
        )


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
        return cls(
            by=review.by,
            comments=[CommentResponse.of(comment, found) for comment in review.comments],
            checked=list(review.checked),
            not_checked=list(review.not_checked),
            notes=list(review.notes),
        )


def _from_1(comment: Comment) -> int | None:
    return None if comment.paragraph is None else comment.paragraph + 1


def about_of(comment: Comment, found: EssayEvidence) -> About | None:
    """The words of the essay that the comment is about; None for a whole paragraph or the whole essay."""
    if comment.about is None or comment.paragraph is None:
        return None
    start, end = comment.about
    return About(start=start, end=end, text=found.paragraphs[comment.paragraph].paragraph.text[start:end])


class FeedbackResponse(EssayEvidenceResponse):
    """Evidence, and a review for each dimension, null if it was not requested. id: of the stored feedback, null if it is not
    stored. section: the Evidence section as Markdown, null without evidence."""

    id: str | None
    content: ReviewResponse | None
    expressions: ReviewResponse | None
    features: ReviewResponse | None
    priorities: list[Group] = Field([], description="What to read first: at most three, what works before what to do next.")
    folded: list[Group] = Field([], description="All other comments by kind.")
    criteria: list[CriterionResponse] = Field([], description="The rubric, with what belongs to each criterion.")
    outline: OutlineResponse | None = Field(None, description="The essay's own argument; null if it was not looked for.")
    citations: list[PlacedCitation] = Field(description="Those of all comments, in their order.")
    revision: RevisionResponse | None = Field(None, description="What changed since the draft named by version_of.")
    section: str | None

    @classmethod
    def of_feedback(cls, feedback: Feedback, /, **more: Any) -> Self:
        """The response for feedback as a student sees it. more: fields of a subclass, and fields that it sets otherwise."""
        reviews = {each.dimension: ReviewResponse.of(each, feedback.evidence) for each in feedback.reviews}
        own = {
            "id": feedback.id,
            "content": reviews.get(Dimension.CONTENT),
            "expressions": reviews.get(Dimension.EXPRESSIONS),
            "features": reviews.get(Dimension.FEATURES),
            "priorities": list(feedback.arranged.first),
            "folded": list(feedback.arranged.folded),
            "criteria": [CriterionResponse.of(one, feedback) for one in feedback.criteria],
            "outline": feedback.outline and OutlineResponse.of(feedback.outline, feedback.evidence),
            "citations": CitationsResponse.of(feedback).citations,
            "revision": RevisionResponse.of(feedback),
            "section": feedback.section,
        }
        return cls.of(feedback.evidence, feedback.verdicts, **(own | more))


class Times(BaseModel):
    """When the feedback was written, when it expires, and when it was released to students, null if not yet."""

    created: datetime
    expires: datetime
    approved: datetime | None

    @staticmethod
    def times_of(stored: StoredFeedback, history: FeedbackHistory) -> dict[str, datetime | None]:
        """The fields by name, for the classes that have more."""
        return {"created": stored.created, "expires": history.expires(stored), "approved": stored.approved}


class Ratings(BaseModel):
    """How often the student rated items up and down."""

    up: int
    down: int


class Summary(Times):
    """One entry of a list. title: the essay's; begins: its first words; written_by: the student's name, empty if unknown;
    thumbs: the student's ratings."""

    id: str
    written_by: str = ""
    title: str | None
    begins: str
    thumbs: Ratings

    @classmethod
    def of(cls, stored: StoredFeedback, history: FeedbackHistory, written_by: str = "") -> Self:
        """The entry for stored feedback, also if another version of chapterverse wrote it."""
        essay = essay_of(stored)
        return cls(
            id=stored.id,
            written_by=written_by,
            title=essay.title,
            begins=shorten(next(iter(essay.paragraphs), ""), MAX_BEGINNING, placeholder=" …"),
            thumbs=Ratings(**ratings_of(stored)),
            **cls.times_of(stored, history),
        )


class AnnotationResponse(BaseModel):
    """A teacher's annotation of an item. part: a dimension, or evidence; number: of the comment or the evidence."""

    part: str
    number: int
    thumb: Rating | None
    comment: str | None

    @classmethod
    def of(cls, annotation: Annotation) -> Self:
        """The response for an annotation."""
        return cls(
            part=annotation.item.part,
            number=annotation.item.number,
            thumb=annotation.rating,
            comment=annotation.comment,
        )


class RatingResponse(BaseModel):
    """A student's rating of an item."""

    part: str
    number: int
    thumb: Rating

    @classmethod
    def of(cls, rating: Annotation) -> Self:
        """The response for a rating."""
        return cls(part=rating.item.part, number=rating.item.number, thumb=rating.rating)


class ChoiceResponse(BaseModel):
    """How the evidence with this number is shown. sentence: what replaces it, null for nothing; found: the original
    evidence."""

    number: int
    show: Show
    sentence: str | None
    found: EvidenceResponse


class HiddenComment(CommentResponse):
    """A comment that students do not see. part: its dimension."""

    part: Dimension


class StoredResponse(FeedbackResponse, Times):
    """Stored feedback with the teacher's choices and edits. changed: whether there are any; marks, choices, hidden: empty for
    students; edits: null for students; written_by: the student's name, may be empty; note, grade_given: of the teacher, may be
    empty; thumbs: the student's ratings."""

    changed: bool
    marks: list[AnnotationResponse]
    choices: list[ChoiceResponse]
    thumbs: list[RatingResponse]
    written_by: str = ""
    note: str = ""
    grade_given: str = ""
    edits: TeacherEdits | None = None
    hidden: list[HiddenComment] = []

    @classmethod
    def of_stored(
        cls, stored: StoredFeedback, history: FeedbackHistory, written_by: str = "", *, for_student: bool = False
    ) -> Self:
        """The response for stored feedback. Raises NotFound if another version of chapterverse wrote it."""
        found = {one.number: one for one in feedback_of(stored).evidence.evidence} if stored.choices else {}
        choices = [
            ChoiceResponse(
                number=each.number,
                show=each.show,
                sentence=each.sentence,
                found=EvidenceResponse.of(found[each.number]),
            )
            for each in stored.choices
        ]
        return cls.of_feedback(
            with_earlier(visible_feedback(stored), stored.school, history, for_student=for_student),
            **cls.times_of(stored, history),
            changed=bool(stored.choices) or stored.edits != NO_EDITS,
            written_by=written_by,
            note=stored.edits.note,
            grade_given=stored.edits.grade,
            edits=None if for_student else stored.edits,
            hidden=[] if for_student else list(_hidden(stored)),
            marks=[] if for_student else [AnnotationResponse.of(each) for each in stored.annotations],
            choices=[] if for_student else choices,
            thumbs=[RatingResponse.of(each) for each in stored.ratings],
        )


def _hidden(stored: StoredFeedback) -> Iterator[HiddenComment]:
    """The comments that a teacher hid."""
    gone = {(each.part, each.number) for each in stored.edits.changes if each.is_hidden}
    if not gone:
        return
    feedback = feedback_of(stored)
    for review in feedback.reviews:
        for one in review.comments:
            if (review.dimension.value, one.number) in gone:
                response = CommentResponse.of(one, feedback.evidence)
                yield HiddenComment(**response.model_dump(), part=review.dimension)


def with_offsets(model: BaseModel) -> dict[str, Any]:
    """The model's JSON for `--json`: times at the top level end in "+00:00" instead of "Z"."""
    values: dict[str, Any] = model.model_dump(mode="json")
    return values | {name: value.isoformat() for name, value in model if isinstance(value, datetime)}
