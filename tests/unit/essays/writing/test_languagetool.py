import time
from collections.abc import Iterator

import pytest

from chapterverse.core.errors import ProofreaderUnavailable
from chapterverse.essays.model import Dimension
from chapterverse.essays.writing.proofreaders import LanguageTool
from chapterverse.essays.writing.review import Mistake
from tests.support.languagetool_server import LanguageToolServer, languagetool

PARAGRAPHS = ["I is here 😀😀.", "You was gonna go 😀 there."]


@pytest.fixture
def server() -> Iterator[LanguageToolServer]:
    words = {
        "is": ("am", "grammar"),
        "was": (None, "grammar"),
        "gonna": ("going to", "style"),
        "there": ("here", "misspelling"),
    }
    with languagetool(words=words) as running:
        yield running


def found(server: LanguageToolServer, paragraphs: list[str] = PARAGRAPHS, seconds: float = 10) -> list[Mistake]:
    return LanguageTool(server.url, "en")(paragraphs, seconds)


def test_mistakes_have_their_place_in_their_paragraph_and_what_to_write_instead(server: LanguageToolServer) -> None:
    first, second, *_ = found(server)

    assert first == Mistake(0, 2, 4, "“is” is wrong here.", "am", Dimension.EXPRESSIONS)
    assert (second.paragraph, PARAGRAPHS[1][second.start : second.end], second.instead) == (1, "was", None)


def test_characters_that_java_counts_twice_count_once(server: LanguageToolServer) -> None:
    last = found(server)[-1]

    assert PARAGRAPHS[last.paragraph][last.start : last.end] == "there"


def test_what_is_about_tone_belongs_to_features(server: LanguageToolServer) -> None:
    assert [PARAGRAPHS[1][one.start : one.end] for one in found(server) if one.dimension is Dimension.FEATURES] == ["gonna"]


def test_the_whole_essay_goes_in_one_request_in_the_language_set(server: LanguageToolServer) -> None:
    found(server)

    assert server.asked == [{"text": "\n\n".join(PARAGRAPHS), "language": "en"}]


def test_half_a_character_does_not_stop_it(server: LanguageToolServer) -> None:
    [mistake] = found(server, ["\ud800 It is."])

    assert (mistake.start, mistake.end) == (5, 7)


def test_a_mistake_that_goes_from_one_paragraph_into_the_next_is_left_out(server: LanguageToolServer) -> None:
    server.words = {"here.\n\nYou": ("", "grammar")}

    assert found(server, ["I am here.", "You go."]) == []


@pytest.mark.parametrize(
    ("status", "body"), [(500, "oops"), (404, ""), (200, "<html>"), (200, "{}"), (200, '{"matches": [{"offset": -1}]}')]
)
def test_a_server_that_fails_or_is_another_one_is_an_error_of_ours(server: LanguageToolServer, status: int, body: str) -> None:
    server.status, server.body = status, body

    with pytest.raises(ProofreaderUnavailable) as error:
        found(server)
    assert "CHAPTERVERSE_LANGUAGETOOL_URL" in str(error.value)


@pytest.mark.parametrize("slow", ["seconds", "dribbles"])
def test_the_deadline_holds_however_slowly_it_answers(server: LanguageToolServer, slow: str) -> None:
    setattr(server, slow, 30)

    began = time.monotonic()
    with pytest.raises(ProofreaderUnavailable):
        found(server, seconds=0.4)
    assert time.monotonic() - began < 10


def test_nobody_there_is_an_error_of_ours() -> None:
    with pytest.raises(ProofreaderUnavailable):
        LanguageTool("http://127.0.0.1:1", "en")(PARAGRAPHS, 5)


def test_an_essay_is_not_sent_on_to_another_address(server: LanguageToolServer) -> None:
    with languagetool() as other:
        server.elsewhere = f"{other.url}/v2/check"

        with pytest.raises(ProofreaderUnavailable):
            found(server)

    assert other.asked == []


def test_an_essay_does_not_go_through_a_proxy_of_the_environment(
    server: LanguageToolServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")

    assert found(server)
