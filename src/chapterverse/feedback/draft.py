"""What a language model is asked to answer: comments, with evidence by number and places in the essay by their words."""

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.errors import BadAnswer
from chapterverse.language import Answer, Schema


class DraftComment(BaseModel):
    """Nothing here is believed before it was checked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paragraph: int = Field(description="Number of the paragraph, from 1; 0 for the whole essay.")
    about: str = Field(description="The words of the essay this is about, copied exactly; empty for the whole paragraph.")
    comment: str = Field(description="The comment: at most three short sentences, without quotations.")
    evidence: list[int] = Field(description="Numbers of the evidence that the comment rests on; empty if none.")
    instead: str = Field(description="Words to write in the place of those; empty if there are none.")


class Draft(BaseModel):
    """A language model's answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    comments: list[DraftComment]


SCHEMA: Schema = Draft.model_json_schema()


def draft_in(answer: Answer) -> Draft:
    """Raises BadAnswer, which says which fields are amiss and quotes none."""
    try:
        return Draft.model_validate(dict(answer.value))
    except ValidationError as error:
        amiss = {".".join(map(str, each["loc"])): each["type"] for each in error.errors(include_input=False, include_url=False)}
        raise BadAnswer("llm_answer_not_schema", problem=amiss) from None
