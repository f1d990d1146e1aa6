"""The second reading sees one statement beside its sources, and its answer decides."""

from typing import Any

import pytest

from chapterverse.citations.second_reading import Statement, read_again, read_comments
from chapterverse.core.errors import BadAnswer
from chapterverse.core.ports import ModelAnswer, Prompt, Schema, Usage

GOOD = {"problem": "", "true_of_words": True, "true_of_sources": True, "decent": True}
SAID = Statement("You trust that truth wins.", {"words of the essay": "Truth wins."}, ('1. "Truth may lose."',))


class Answering:
    def __init__(self, **answer: Any) -> None:
        self.answer, self.asked = GOOD | answer, list[Prompt]()

    def __call__(self, wanted: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        self.asked.append(wanted)
        return ModelAnswer(self.answer, Usage())


def test_it_sees_the_statement_its_words_and_its_sources() -> None:
    ask = Answering()

    assert read_again(SAID, ask, 1.0).keeps
    [wanted] = ask.asked
    assert all(text in wanted.material for text in ("You trust that truth wins.", "Truth wins.", '1. "Truth may lose."'))
    assert "Truth" not in wanted.instructions


@pytest.mark.parametrize("doubt", ["true_of_words", "true_of_sources", "decent"])
def test_any_doubt_withholds_it(doubt: str) -> None:
    assert not read_again(SAID, Answering(**{doubt: False}), 1.0).keeps


@pytest.mark.parametrize("answer", [{"decent": "perhaps"}, {"more": 1}, {"problem": "x" * 161}])
def test_an_answer_of_another_form_is_no_finding(answer: dict[str, Any]) -> None:
    with pytest.raises(BadAnswer):
        read_again(SAID, Answering(**answer), 1.0)


def test_of_several_comments_only_those_that_are_called_right_have_no_problem() -> None:
    class Listed(Answering):
        def __init__(self) -> None:
            self.answer, self.asked = {"problems": [{"number": 2, "problem": "No strength."}], "right": [1, 2]}, []

    ask = Listed()

    found = read_comments([SAID, SAID, SAID], {"paragraphs": "[1] Truth wins."}, ask, 1.0)

    assert found[:2] == ["", "No strength."]
    assert found[2]
    [wanted] = ask.asked
    assert wanted.material.count("Truth may lose") == 1
