"""Schemas as servers take them, and what of an answer fits its schema."""

from enum import StrEnum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from chapterverse.core.errors import BadAnswer
from chapterverse.infrastructure.llm.streaming import fitting, inlined, without_text_limits


class Relation(StrEnum):
    SUPPORTS = "supports"
    OTHERWISE = "otherwise"


class Comment(BaseModel):
    """A comment."""

    span: str = Field(description="Words of the essay.", max_length=80)
    relation: Relation = Field(description="What the sentence does.")
    part: Literal["content"] = "content"
    evidence: list[Literal[1, 2, 3]] = Field(max_length=2)


class Answer(BaseModel):
    comments: list[Comment] = Field(max_length=3)
    first: Comment | None = None
    summary: str = Field("", max_length=200)
    title: str = Field("", description="A field with the name of a keyword.")


SCHEMA = Answer.model_json_schema()
COMMENT = {"span": "the dog", "relation": "supports", "part": "content", "evidence": [1]}


def of_object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def test_a_schema_of_pydantic_becomes_one_of_keywords_that_openai_and_google_take_with_every_field_and_no_other() -> None:
    """https://platform.openai.com/docs/guides/structured-outputs, https://ai.google.dev/gemini-api/docs/structured-output"""
    comment = {"description": "A comment."} | of_object(
        span={"type": "string", "description": "Words of the essay. At most 80 characters."},
        relation={"type": "string", "enum": ["supports", "otherwise"], "description": "What the sentence does."},
        part={"type": "string", "enum": ["content"]},
        evidence={"type": "array", "items": {"type": "integer", "enum": [1, 2, 3]}, "maxItems": 2},
    )
    assert without_text_limits(inlined(SCHEMA)) == of_object(
        comments={"type": "array", "items": comment, "maxItems": 3},
        first={"anyOf": [comment, {"type": "null"}]},
        summary={"type": "string", "description": "At most 200 characters."},
        title={"type": "string", "description": "A field with the name of a keyword."},
    )
    assert inlined(SCHEMA)["properties"]["summary"] == {"type": "string", "maxLength": 200}


@pytest.mark.parametrize(
    "changes",
    [{"evidence": [7]}, {"relation": "praise"}, {"span": "x" * 81}, {"span": 3}, {"evidence": None}, {"part": "form"}],
    ids=lambda changes: next(iter(changes)),
)
def test_a_comment_that_does_not_fit_goes_and_the_others_stay(changes: dict[str, Any]) -> None:
    assert fitting({"comments": [COMMENT | changes, COMMENT]}, SCHEMA)[0] == {"comments": [COMMENT]}


def test_comments_repeated_or_too_many_and_what_was_cut_go_and_fields_may_be_missing_or_unknown() -> None:
    several = [COMMENT | {"span": f"dog {n}"} for n in range(5)]
    assert fitting({"comments": [several[0], *several]}, SCHEMA) == ({"comments": several[:3]}, 3)

    unfinished = {"span": "the cat", "relation": "supports"}
    assert fitting({"comments": [COMMENT, COMMENT | {"evidence": [2]}, {"span": "the"}]}, SCHEMA, cut=True)[1] == 1
    assert fitting({"comments": [COMMENT, unfinished]}, SCHEMA, cut=True)[0]["comments"][0] == COMMENT

    plain = {name: each for name, each in COMMENT.items() if name != "part"}
    assert fitting({"comments": [plain | {"mark": "A"}], "summary": "Good."}, SCHEMA)[0] == {
        "comments": [plain],
        "summary": "Good.",
    }


@pytest.mark.parametrize(
    ("value", "field"),
    [({}, "comments"), ({"comments": [{}]}, "comments"), ({"comments": [], "summary": "x" * 201}, "summary")],
)
def test_an_answer_without_what_is_required_is_none(value: dict[str, Any], field: str) -> None:
    with pytest.raises(BadAnswer, match=f"schema: {field}"):
        fitting(value, SCHEMA)
