"""The essays of a batch and their results as JSON: in HTTP answers, `--json` and stored files."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel

from chapterverse.essays.batch.model import EssayState, NamedEssay
from chapterverse.essays.model import Feedback
from chapterverse.essays.records import FeedbackResponse
from chapterverse.messages.fields import Words


class EssayResponse(BaseModel):
    """An essay of a batch. number: of its line, row or file, from 1; id: as it was submitted; reason: a code, null if nothing
    failed."""

    number: int
    id: str
    state: EssayState
    reason: str | None
    message: Words | None

    @staticmethod
    def fields_of(named: NamedEssay) -> dict[str, Any]:
        """The fields by name."""
        essay = named.essay
        own = {"number": essay.number, "state": essay.state, "reason": essay.reason, "message": essay.message}
        return own | {"id": named.id}

    @classmethod
    def of(cls, named: NamedEssay) -> "EssayResponse":
        """From an essay and its submitted id."""
        return EssayResponse.model_validate(cls.fields_of(named))


class FeedbackCounts(BaseModel):
    """Of feedback as it is shown. content, expressions, features: comments, null where none were asked for; contradicting:
    sentences of books that say otherwise than the essay."""

    paragraphs: int
    evidence: int
    content: int | None
    expressions: int | None
    features: int | None
    contradicting: int


class RowFeedback(BaseModel):
    """What was given on an essay. marks, choices: of teachers, how many; figures: null for what another version of chapterverse
    gave."""

    id: str
    created: datetime
    approved: datetime | None
    expires: datetime
    marks: int
    choices: int
    figures: FeedbackCounts | None


class EssayRow(EssayResponse):
    """One essay. feedback: null where there is none, or none any more."""

    feedback: RowFeedback | None


class OneEssay(EssayResponse):
    """One essay among the others. name: of its batch; place: from 1, of so many essays; previous, next: numbers, null at the
    ends; feedback: the id that it is kept under, null where there is none, or none any more."""

    name: str
    place: int
    essays: int
    previous: int | None
    next: int | None
    feedback: str | None


class Table(BaseModel):
    """A row an essay, by number."""

    essays: list[EssayRow]


class Result(FeedbackResponse):
    """Feedback on an essay of a batch, as it is stored. id: the one that the essay was submitted with; feedback: the id of the
    stored feedback."""

    number: int
    feedback: str | None

    @classmethod
    def of_essay(cls, number: int, id: str | None, feedback: Feedback) -> "Result":
        """From feedback on that essay."""
        fields = cls.all_fields_of(feedback)
        return Result.model_validate(fields | {"number": number, "feedback": fields["id"], "id": id})


class Problem(BaseModel):
    """Why an essay has no feedback."""

    code: str
    message: str


class NoResult(BaseModel):
    """An essay of a batch without feedback."""

    number: int
    id: str
    error: Problem
