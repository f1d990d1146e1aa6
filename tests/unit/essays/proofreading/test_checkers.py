import sys

import pytest

from chapterverse.essays.proofreading.harper import WHY, CheckerUnavailable, Engine, engine


def test_harper_gives_corrections_in_their_paragraph() -> None:
    paragraphs = ["All is well.", "We spent a week in germany. Germany is big."]

    found = engine().corrections(paragraphs, 60)

    assert {(one.paragraph, paragraphs[1][slice(*one.span)], one.instead) for one in found} == {(1, "germany", "Germany")}


def test_harper_knows_every_rule_that_is_asked() -> None:
    from harper import Linter

    assert WHY.keys() <= Linter().get_lint_config().keys()


def test_harpers_dictionary_tells_words_it_does_not_have_with_what_it_offers() -> None:
    offered = engine().unknown(["house", "beleive"], 60)

    assert list(offered) == ["beleive"]
    assert "believe" in offered["beleive"]


def test_a_harper_that_cannot_be_loaded_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "harper", None)
    broken = Engine()

    with pytest.raises(CheckerUnavailable):
        broken.corrections(["It is here."], 10)
