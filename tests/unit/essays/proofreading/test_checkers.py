import sys
from time import monotonic
from typing import Any

import pytest

from chapterverse.essays.proofreading.harper import WHY, Engine, Harper, HarperWords
from chapterverse.essays.proofreading.languagetool import LanguageTool
from chapterverse.essays.proofreading.model import CheckerUnavailable, Correction
from tests.support.languagetool_server import languagetool

PARAGRAPHS = ["I is here 😀😀.", "You was gonna go 😀 there."]
WORDS = {"is": ("am", "grammar"), "was": (None, "grammar"), "gonna": ("going to", "style"), "there": ("here", "misspelling")}


def test_languagetool_gives_mistakes_that_have_a_correction_and_none_of_style() -> None:
    with languagetool(words=WORDS) as server:
        found = LanguageTool(server.url)(PARAGRAPHS, 10)

    first, last = found
    assert first == Correction(0, (2, 4), "am", "“is” is wrong here.", "grammar")
    assert (PARAGRAPHS[1][slice(*last.span)], last.kind) == ("there", "spelling")


def test_the_whole_essay_goes_to_languagetool_in_one_request_in_the_language_set() -> None:
    with languagetool(words=WORDS) as server:
        LanguageTool(server.url, "de-DE")(PARAGRAPHS, 10)

    assert server.asked == [{"text": "\n\n".join(PARAGRAPHS), "language": "de-DE"}]


@pytest.mark.parametrize(
    "options", [{"status": 500}, {"body": "<html>"}, {"elsewhere": "/other"}, {"dribbles": True}, {"seconds": 3.0}]
)
def test_a_languagetool_that_does_not_answer_as_it_should_is_unavailable(options: dict[str, Any]) -> None:
    with languagetool(words=WORDS, **options) as server, pytest.raises(CheckerUnavailable):
        LanguageTool(server.url)(PARAGRAPHS, 0.5)


def test_harper_gives_corrections_in_their_paragraph() -> None:
    paragraphs = ["All is well.", "We spent a week in germany. Germany is big."]

    found = Harper()(paragraphs, 60)

    assert {(one.paragraph, paragraphs[1][slice(*one.span)], one.instead) for one in found} == {(1, "germany", "Germany")}


def test_harper_knows_every_rule_that_is_asked() -> None:
    from harper import Linter

    assert WHY.keys() <= Linter().get_lint_config().keys()


def test_harpers_dictionary_tells_words_it_does_not_have_with_what_it_offers() -> None:
    offered = HarperWords()(["house", "beleive"], 60)

    assert list(offered) == ["beleive"]
    assert "believe" in offered["beleive"]


def test_a_harper_that_cannot_be_loaded_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "harper", None)
    engine = Engine()

    with pytest.raises(CheckerUnavailable):
        engine.organized("It is here.", monotonic() + 10)
