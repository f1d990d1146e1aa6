"""The answer of the second reading decides."""

from typing import Any

import pytest

from chapterverse.citations.second_reading import Ask, Statement, read_again
from chapterverse.core.errors import BadAnswer
from chapterverse.core.ports import ModelAnswer, Usage

GOOD = {"problem": "", "true_of_words": True, "true_of_sources": True, "decent": True}
SAID = Statement("You trust that truth wins.", {"words of the essay": "Truth wins."}, ('1. "Truth may lose."',))


def answering(**answer: Any) -> Ask:
    return lambda _wanted, _schema, _deadline: ModelAnswer(GOOD | answer, Usage())


@pytest.mark.parametrize("doubt", ["true_of_words", "true_of_sources", "decent"])
def test_any_doubt_withholds_it(doubt: str) -> None:
    assert read_again(SAID, answering(), 1.0).keeps
    assert not read_again(SAID, answering(**{doubt: False}), 1.0).keeps


@pytest.mark.parametrize("answer", [{"decent": "perhaps"}, {"more": 1}, {"problem": "x" * 161}])
def test_an_answer_of_another_form_is_no_finding(answer: dict[str, Any]) -> None:
    with pytest.raises(BadAnswer):
        read_again(SAID, answering(**answer), 1.0)
