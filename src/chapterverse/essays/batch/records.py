"""The essays of a batch and their results as JSON: for HTTP responses, `--json` and stored files."""

from typing import Any, Self

from pydantic import BaseModel

from chapterverse.essays.batch.model import EssayState, NamedEssay
from chapterverse.essays.model import Feedback
from chapterverse.essays.records import FeedbackResponse
from chapterverse.messages.fields import Words


class EssayResponse(BaseModel):
    """An essay of a batch. number: of its line, row or file, from 1; id: as submitted; reason: an error code, null without an
    error."""

    number: int
    id: str
    state: EssayState
    reason: str | None
    message: Words | None

    @classmethod
    def of(cls, named: NamedEssay, /, **more: Any) -> Self:
        """The response for an essay and its submitted id. more: fields of a subclass."""
        essay = named.essay
        return cls(number=essay.number, id=named.id, state=essay.state, reason=essay.reason, message=essay.message, **more)


class Result(FeedbackResponse):
    """The stored feedback on an essay of a batch. id: as submitted; feedback: the id of the stored feedback."""

    number: int
    feedback: str | None

    @classmethod
    def of_essay(cls, number: int, id: str | None, feedback: Feedback) -> Self:
        """The result for the feedback on that essay."""
        return cls.of_feedback(feedback, number=number, feedback=feedback.id, id=id)


class EssayError(BaseModel):
    """Why an essay has no feedback."""

    code: str
    message: str


class NoResult(BaseModel):
    """An essay of a batch without feedback."""

    number: int
    id: str
    error: EssayError
