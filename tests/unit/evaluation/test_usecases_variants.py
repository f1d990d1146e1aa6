from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.book import BookId
from chapterverse.core.errors import CeilingReached, NotFound
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.evaluation.search import PROMPT, OnProgress, SentenceSample, VariantCase, cases_by_model
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.library.services import CollectionServices
from chapterverse.library.versions import remove_book
from tests.support.language_servers import Asked, LanguageServer, Reply, language_server, says
from tests.support.rewriter import rewrites, sentence_in, variants_of
from tests.support.shelved import empty_library, shelve

SHORT = "Nine words are one too few to be drawn."
SENTENCES = [f"Custom number {n} grows wherever nobody chooses anything and everybody merely follows." for n in range(12)]
Make = Callable[..., list[VariantCase | None]]


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
def made(services: CollectionServices, paid: PaidModel) -> Make:
    def cases(n: int = 3, seed: int = 0, paid: PaidModel = paid, progress: OnProgress = quiet) -> list[VariantCase | None]:
        return cases_by_model(SentenceSample("school", BookId("habits"), n, seed), services, paid, progress)

    return cases


def quiet(*_: int) -> None:
    """Say nothing."""


@pytest.mark.parametrize("paid", ["openai", "gemini"], indirect=True)
def test_each_sentence_drawn_gets_three_variants_beside_its_place(made: Make) -> None:
    case, *others = made()

    assert case is not None
    assert len(others) == 2
    assert case.model_dump() == {
        "id": case.id,
        "book": "habits",
        "chapter": "The Beginning",
        "sentence": case.sentence,
        **variants_of(case.sentence),
    }


def test_the_model_sees_what_stands_around_the_sentence(made: Make, server: LanguageServer) -> None:
    made(n=1)

    [asked] = server.asked
    place = SENTENCES.index(sentence_in(asked))
    assert "book begins\nHabits\n" in asked.material
    assert f"after begins\n{[*SENTENCES, SHORT][place + 1]}\n" in asked.material or place == 5


def test_a_bad_answer_is_mended_once_with_what_was_wrong(made: Make, server: LanguageServer) -> None:
    server.reply = lambda asked: (
        rewrites(asked) if len(server.asked) > 1 else says({"level1": sentence_in(asked), "level2": "No.", "level3": "No."})
    )

    assert made(n=1) != [None]
    assert "level1 is the sentence itself" in server.asked[1].instructions


@pytest.mark.parametrize("reply", [says({"level1": "No."}), Reply("no JSON"), Reply(ended="refused")])
def test_a_sentence_without_good_variants_is_dropped_for_good(reply: Reply, made: Make, server: LanguageServer) -> None:
    server.reply = None
    server.will(reply)

    assert made(n=2) == [None, None]
    asked = len(server.asked)
    assert made(n=2) == [None, None]
    assert len(server.asked) == asked


def test_a_sentence_whose_answers_were_late_waits_for_the_next_run_and_keeps_no_other_back(
    made: Make, server: LanguageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chapterverse.evaluation.search.SECONDS", 0.3)

    def first_too_late(asked: Asked) -> Reply:
        return replace(rewrites(asked), before=2.0 * (sentence_in(asked) == sentence_in(server.asked[0])))

    server.reply = first_too_late
    assert len(made(n=2)) == 1
    first = sentence_in(server.asked[0])
    server.reply = rewrites

    case, _ = made(n=2)
    assert case is not None
    assert case.sentence == first


def test_what_it_costs_is_counted_and_stops_at_the_ceiling(made: Make, paid: PaidModel, server: LanguageServer) -> None:
    made(n=1)
    cost = paid.ledger.spent("school", paid.today())

    assert cost > 0
    with pytest.raises(CeilingReached):
        made(n=2, paid=PaidModel(paid.model, paid.ledger, paid.price, ceiling=cost))
    assert len(server.asked) == 1


def test_of_a_book_that_is_removed_meanwhile_nothing_is_left(made: Make, services: CollectionServices) -> None:
    def progress(done: int, _: int) -> None:
        if done == 1:
            remove_book("school", BookId("habits"), services)

    with pytest.raises(NotFound):
        made(n=3, progress=progress)
    assert not [name for name in services.bucket.names("school/") if PROMPT in name]
