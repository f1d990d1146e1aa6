from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from chapterverse.core.book import BookId
from chapterverse.core.errors import CeilingReached, LanguageModelUnavailable, NotFound
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.evaluation.variants import PROMPT, SentenceSample, Series, VariantCase, open_series
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.library.service import remove_book
from chapterverse.library.services import CollectionServices
from tests.support.language_servers import LanguageServer, Reply, language_server, says
from tests.support.rewriter import rewrites, sentence_in, variants_of
from tests.support.shelved import empty_library, shelve

SHORT = "Nine words are one too few to be drawn."
SENTENCES = [f"Custom number {n} grows wherever nobody chooses anything and everybody merely follows." for n in range(12)]
Make = Callable[..., Series]


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    with language_server() as running:
        running.reply = rewrites
        yield running


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    with empty_library(tmp_path) as services:
        shelve(services, "Habits", [SHORT, *SENTENCES[:6]], [*SENTENCES[6:], SHORT])
        yield services


@pytest.fixture
def paid(request: pytest.FixtureRequest, server: LanguageServer, tmp_path: Path) -> Iterator[PaidModel]:
    """The real client, of OpenAI's protocol unless a test names the other."""
    model = getattr(server, getattr(request, "param", "openai"))()
    with closing(SqlLedger(f"sqlite:///{tmp_path}/catalog.db")) as ledger:
        yield PaidModel(model, ledger, Price(1, 4), ceiling=10**9)


@pytest.fixture
def series(services: CollectionServices, paid: PaidModel) -> Make:
    def opened(n: int = 3, seed: int = 0, paid: PaidModel | None = paid) -> Series:
        return open_series(SentenceSample("school", BookId("habits"), n, seed), services, paid)

    return opened


@pytest.mark.parametrize("paid", ["openai", "gemini"], indirect=True)
def test_each_sentence_drawn_gets_three_variants_beside_its_place(series: Make) -> None:
    case, *others = made(series())

    assert case is not None
    assert len(others) == 2
    assert case.model_dump() == {
        "id": case.id,
        "book": "habits",
        "chapter": "The Beginning",
        "sentence": case.sentence,
        **variants_of(case.sentence),
    }


def made(series: Series) -> list[VariantCase | None]:
    """What has come of all its sentences."""
    assert all(cost >= 0 for cost in series.make())
    return series.cases()


def test_the_seed_says_which_sentences_are_drawn(series: Make) -> None:
    def drawn(seed: int, n: int = 5) -> list[str]:
        return [sentence.text for sentence in series(n, seed).sampled]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert drawn(1, n=3) == drawn(1)[:3]
    assert sorted(drawn(1, n=100)) == sorted(SENTENCES)


def test_the_model_is_told_what_stands_around_the_sentence(series: Make, server: LanguageServer) -> None:
    [_] = series(n=1).make()

    [asked] = server.asked
    place = SENTENCES.index(sentence_in(asked))
    assert "book begins\nHabits\n" in asked.material
    assert f"after begins\n{[*SENTENCES, SHORT][place + 1]}\n" in asked.material or place == 5


def test_who_asks_again_goes_on_and_nothing_is_asked_twice(series: Make, server: LanguageServer) -> None:
    list(islice(series(n=4).make(), 2))  # killed after the second
    before, left = series(n=4).cases(), series(n=4).left()

    assert made(series(n=4))[:2] == before
    assert left == 2
    assert len(server.asked) == len({sentence_in(asked) for asked in server.asked}) == 4


def test_a_bad_answer_is_mended_once_with_what_was_wrong(series: Make, server: LanguageServer) -> None:
    [drawn] = series(n=1).sampled
    server.reply = None
    server.will(says({"level1": drawn.text, "level2": "No.", "level3": "No."}), says(variants_of(drawn.text)))

    assert made(series(n=1)) != [None]
    assert "level1 is the sentence itself" in server.asked[1].instructions


@pytest.mark.parametrize("reply", [says({"level1": "No."}), Reply("no JSON"), Reply(ended="refused")])
def test_a_sentence_without_good_variants_is_dropped_for_good(reply: Reply, series: Make, server: LanguageServer) -> None:
    server.reply = None
    server.will(reply)

    assert made(series(n=2)) == [None, None]
    asked = len(server.asked)
    assert made(series(n=2)) == [None, None]
    assert len(server.asked) == asked


def test_a_sentence_whose_answers_were_late_waits_for_the_next_run_and_keeps_no_other_back(
    series: Make, server: LanguageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chapterverse.evaluation.variants.SECONDS", 0.3)
    first, _ = series(n=2).sampled
    server.reply = lambda asked: replace(rewrites(asked), before=2.0 * (sentence_in(asked) == first.text))

    assert len(made(series(n=2))) == 1
    assert series(n=2).left() == 1
    server.reply = rewrites

    case, _ = made(series(n=2))
    assert case is not None
    assert case.id == first.id


def test_a_server_that_is_away_loses_no_sentence(series: Make, server: LanguageServer) -> None:
    server.reply = lambda _: Reply(status=503)
    with pytest.raises(LanguageModelUnavailable):
        list(series(n=1).make())
    server.reply = rewrites

    assert made(series(n=1)) != [None]


def test_what_it_costs_is_counted_and_stops_at_the_ceiling(series: Make, paid: PaidModel, server: LanguageServer) -> None:
    [cost] = series(n=1).make()

    assert paid.ledger.spent("school", paid.today()) == cost > 0
    with pytest.raises(CeilingReached):
        list(series(n=2, paid=PaidModel(paid.model, paid.ledger, paid.price, ceiling=cost)).make())
    assert len(server.asked) == 1


def test_a_book_that_is_not_there_is_said_so(services: CollectionServices, paid: PaidModel) -> None:
    with pytest.raises(NotFound):
        open_series(SentenceSample("school", BookId("walden"), 3, 0), services, paid)


def test_of_a_book_that_is_removed_meanwhile_nothing_is_left(series: Make, services: CollectionServices) -> None:
    making = series(n=3).make()
    next(making)
    remove_book("school", BookId("habits"), services)

    with pytest.raises(NotFound):
        list(making)
    assert not [name for name in services.bucket.names("school/") if PROMPT in name]
