import sys
from math import inf

import pytest

from chapterverse.essays.model import Place
from chapterverse.essays.proofreading.harper import HARPER, WHY, CheckerUnavailable, Engine
from chapterverse.essays.proofreading.rules import Words


def test_harper_gives_corrections_in_their_paragraph() -> None:
    found = HARPER.corrections([Words("All is well.", 0), Words("We are in germany. Germany is big.", 1)], inf)

    assert {one for _, one in found} == {Place(1, (10, 17), "Germany")}


def test_harper_knows_every_rule_that_is_asked() -> None:
    from harper import Linter

    assert WHY.keys() <= Linter().get_lint_config().keys()


def test_harpers_dictionary_tells_words_it_does_not_have_with_what_it_offers() -> None:
    offered = HARPER.unknown(["house", "beleive"], inf)

    assert list(offered) == ["beleive"]
    assert "believe" in offered["beleive"]


def test_a_harper_that_cannot_be_loaded_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "harper", None)
    broken = Engine()

    with pytest.raises(CheckerUnavailable):
        broken.corrections([Words("It is here.", 0)], inf)
