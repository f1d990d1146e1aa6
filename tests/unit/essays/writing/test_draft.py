import pytest

from chapterverse.core.errors import BadAnswer
from chapterverse.core.ports import ModelAnswer, Usage
from chapterverse.essays.writing.choices.answers import SCHEMA, draft_in
from tests.support.refusals import refused

COMMENT = {"paragraph": 1, "about": "", "kind": "reason", "evidence": [1], "instead": ""}


def test_an_answer_that_fits_is_a_draft() -> None:
    assert draft_in(ModelAnswer({"comments": [COMMENT]}, Usage())).comments[0].evidence == [1]


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"comments": "none"},
        {"comments": [COMMENT | {"comment": "You are my uncle."}]},
        {"comments": [COMMENT | {"evidence": ["My uncle"]}]},
        {"comments": [COMMENT | {"kind": "uncle"}]},
    ],
    ids=["nothing", "text", "a field more", "another type", "another kind"],
)
def test_one_that_does_not_fit_is_refused_without_a_word_of_it(value: dict) -> None:
    with refused(BadAnswer, "llm_answer_not_schema") as raised:
        draft_in(ModelAnswer(value, Usage()))
    assert "uncle" not in str(raised.value)


def test_every_field_is_required_and_no_other_allowed_as_strict_servers_want_it() -> None:
    comment = SCHEMA["$defs"]["DraftComment"]
    assert set(SCHEMA["required"]) == set(SCHEMA["properties"])

    assert set(comment["required"]) == set(comment["properties"])
    assert comment["additionalProperties"] is False
