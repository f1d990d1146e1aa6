"""The form of a language model's answer on an essay, as its server is told, and the answer in it."""

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.core.errors import BadAnswer
from chapterverse.core.ports import ModelAnswer, Schema
from chapterverse.essays.writing.argument import DraftOutline
from chapterverse.essays.writing.choices.moves import Move


class DraftComment(BaseModel):
    """A comment as the model chose it, not yet checked. It has no words of the model's but a correction."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paragraph: int = Field(description="Number of the paragraph, from 1.")
    about: str = Field(description="The words of the essay this is about, copied exactly.")
    kind: Move = Field(description="What the comment asks for.")
    evidence: list[int] = Field(description="Numbers of the evidence that the comment rests on; empty if none.")
    instead: str = Field(description="Words to write in the place of those; empty if there are none.")
    first: bool = Field(False, description="Whether it is what the student should do first.")
    criterion: int = Field(0, description="Number of the rubric's criterion that it is about; 0 if none.")


class ModelDraft(BaseModel):
    """A language model's answer. outline: of content alone."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    comments: list[DraftComment]
    outline: DraftOutline | None = None


SCHEMA: Schema = ModelDraft.model_json_schema()


def draft_in(answer: ModelAnswer) -> ModelDraft:
    """The model's answer as a draft. Raises BadAnswer, which names the invalid fields without quoting them."""
    try:
        return ModelDraft.model_validate(dict(answer.value))
    except ValidationError as error:
        amiss = {".".join(map(str, each["loc"])): each["type"] for each in error.errors(include_input=False, include_url=False)}
        raise BadAnswer("llm_answer_not_schema", problem=amiss) from None
