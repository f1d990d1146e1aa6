"""The outline of an essay and the rubric as JSON, with the words that they point at."""

from typing import Self

from pydantic import BaseModel

from chapterverse.essays.model import EssayEvidence, Feedback, Item
from chapterverse.essays.outline import EssaySpan, EvidencePiece, Outline, PieceKind
from chapterverse.essays.task import CriterionReport, Genre


class PlaceResponse(BaseModel):
    """Words of the essay at [start, end) of a paragraph, which counts from 1."""

    paragraph: int
    start: int
    end: int
    text: str

    @classmethod
    def of(cls, place: EssaySpan, found: EssayEvidence) -> Self:
        """The response for a place; the evidence has its paragraph."""
        text = found.paragraphs[place.paragraph].paragraph.text[place.start : place.end]
        return cls(paragraph=place.paragraph + 1, start=place.start, end=place.end, text=text)


class PieceResponse(PlaceResponse):
    """Evidence that the essay gives. specific: its names, numbers and quotations; empty if it has none."""

    kind: PieceKind
    specific: list[str]

    @classmethod
    def of_piece(cls, piece: EvidencePiece, found: EssayEvidence) -> Self:
        """The response for a piece of evidence."""
        place = PlaceResponse.of(piece.place, found).model_dump()
        return cls(**place, kind=piece.kind, specific=list(piece.specific))


class ReasonResponse(PlaceResponse):
    """A reason for the claim. evidence: what the essay gives for it; books: numbers of the evidence in your books that bears on
    it."""

    evidence: list[PieceResponse]
    books: list[int]


class OutlineResponse(BaseModel):
    """The essay's own argument, in its words; null and empty: not found. counter: where it names the other side; others:
    evidence that belongs to no reason; pieces, specific: how many pieces of evidence there are, and how many are specific."""

    genre: Genre
    by: str
    claim: PlaceResponse | None
    reasons: list[ReasonResponse]
    counter: PlaceResponse | None
    others: list[PieceResponse]
    pieces: int
    specific: int

    @classmethod
    def of(cls, outline: Outline, found: EssayEvidence) -> Self:
        """The response for an outline; the evidence has the essay's paragraphs."""
        reasons = [
            ReasonResponse(
                **PlaceResponse.of(one.place, found).model_dump(),
                evidence=[PieceResponse.of_piece(each, found) for each in one.pieces],
                books=list(one.books),
            )
            for one in outline.reasons
        ]
        return cls(
            genre=outline.genre,
            by=outline.by,
            claim=outline.claim and PlaceResponse.of(outline.claim, found),
            reasons=reasons,
            counter=outline.counter and PlaceResponse.of(outline.counter, found),
            others=[PieceResponse.of_piece(each, found) for each in outline.others],
            pieces=len(outline.pieces),
            specific=sum(bool(each.specific) for each in outline.pieces),
        )


class CriterionResponse(BaseModel):
    """A criterion of the rubric. levels: the teacher's descriptions; chosen_level: by the teacher, null if none was chosen;
    found: what was counted; comments: those that name it; evidence: passages of the essay that count, if it is about
    evidence."""

    criterion: str
    levels: list[str]
    found: str
    comments: list[Item]
    evidence: list[PieceResponse] | None
    chosen_level: str | None = None

    @classmethod
    def of(cls, report: CriterionReport, feedback: Feedback) -> Self:
        """The response for a criterion in feedback."""
        named = [
            Item(review.dimension.value, one.number)
            for review in feedback.reviews
            for one in review.comments
            if one.criterion == report.criterion.text
        ]
        pieces = feedback.outline.pieces if feedback.outline else ()
        return cls(
            criterion=report.criterion.text,
            levels=list(report.criterion.levels),
            found=report.found,
            comments=named,
            evidence=[PieceResponse.of_piece(each, feedback.evidence) for each in pieces] if report.on_evidence else None,
            chosen_level=feedback.edits.level_of(report.criterion.text),
        )
