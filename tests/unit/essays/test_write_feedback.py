"""Feedback on the real client of a language model, whose server says what the test wants."""

import logging
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chapterverse.essays.writing.review import write_reviews

from chapterverse.citations.model import Relation
from chapterverse.core.paid_model import PaidModel, Price
from chapterverse.essays.model import BY_RULES, Dimension, Review, Style
from chapterverse.essays.writing.writing import Writing
from chapterverse.infrastructure.quotas import SqlLedger
from tests.support.essays import ESSAY, a_subject, evidence_on, found_on
from tests.support.language_servers import FREE, MODEL, Asked, LanguageServer, Reply, choice, language_server, says

SUBJECT = a_subject()
FOUND = found_on(SUBJECT)
AGAINST = found_on(a_subject(ESSAY, evidence_on(0, relation=Relation.CONTRADICTS)))


WORDS = "What might a reader ask you here? You could answer it in one sentence."


def saying(*comments: dict[str, Any]) -> Reply:
    return says({"comments": list(comments)})


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    with language_server(saying(*map(choice, FREE))) as running:
        yield running


@pytest.fixture
def paid(server: LanguageServer, tmp_path: Path) -> Iterator[PaidModel]:
    with closing(SqlLedger(f"sqlite:///{tmp_path}/catalog.db")) as ledger:
        yield PaidModel(server.openai(), ledger, Price(1, 1), ceiling=10**9)


def written(paid: PaidModel | None, found: object = FOUND, **changes: Any) -> dict[Dimension, Review]:
    writing = Writing(**{"paid": paid, "model_seconds": 20, "seconds": 30} | changes)
    return {each.dimension: each for each in write_reviews(found, "school", writing, time.monotonic())}  # type: ignore[arg-type]


def texts(review: Review) -> list[str]:
    return [each.text for each in review.comments]


def test_without_a_model_rules_write_all() -> None:
    reviews = written(None)

    assert list(reviews) == [Dimension.CONTENT, Dimension.EXPRESSIONS, Dimension.FEATURES]
    assert {review.by for review in reviews.values()} == {BY_RULES}
    assert all(review.notes == () for review in reviews.values())


def test_with_a_model_each_dimension_is_its_own_question_and_only_the_content_has_the_evidence(
    paid: PaidModel, server: LanguageServer
) -> None:
    reviews = written(paid)

    assert {review.by for review in reviews.values()} == {MODEL}
    assert ["Retrieved Evidence" in asked.material for asked in server.asked].count(True) == 1
    assert len(server.asked) == 3


@pytest.mark.parametrize(("kind", "praise"), [("question", []), ("strength", ["works.source"])])
def test_praise_stands_beside_a_models_choices_where_the_model_agrees(
    paid: PaidModel, server: LanguageServer, kind: str, praise: list[str]
) -> None:
    good = "According to the London Zoo, a cat sleeps for twenty hours."
    server.replies[:] = [saying(choice(kind, about=good))]
    found = found_on(a_subject(f"Cats sleep. {good}"))

    comments = written(paid, found, style=Style(dimensions=(Dimension.CONTENT,)))[Dimension.CONTENT].comments

    assert [one.rule for one in comments if one.rule.startswith("works.")] == praise


def test_only_the_dimensions_wanted_are_written(paid: PaidModel, server: LanguageServer) -> None:
    reviews = written(paid, style=Style(dimensions=(Dimension.FEATURES,)))

    assert (list(reviews), len(server.asked)) == ([Dimension.FEATURES], 1)


def test_a_paragraph_on_which_the_books_are_silent_is_told_so_whatever_the_model_says(paid: PaidModel) -> None:
    content = written(paid)[Dimension.CONTENT]

    assert [each.citations for each in content.comments if each.paragraph == 1] == []


def test_where_a_book_says_otherwise_it_is_said_first_even_if_the_model_did_not(paid: PaidModel) -> None:
    first, *rest = written(paid, AGAINST)[Dimension.CONTENT].comments

    assert first.contradicts
    assert WORDS in [each.text for each in rest]


def test_where_the_model_said_so_it_is_not_said_twice(paid: PaidModel, server: LanguageServer) -> None:
    server.will(saying(choice(evidence=[1]), choice("link")))

    content = written(paid, AGAINST)[Dimension.CONTENT]

    [text] = [each.text for each in content.comments if each.contradicts]
    assert text.startswith("What might a reader ask you here? After “")


def test_an_answer_that_cannot_be_used_is_repaired_once(paid: PaidModel, server: LanguageServer) -> None:
    server.will(says({"marks": 10}), saying(*map(choice, FREE)))

    review = written(paid, style=Style(dimensions=(Dimension.FEATURES,)))[Dimension.FEATURES]

    assert (review.by, len(server.asked)) == (MODEL, 2)
    assert "could not be used: The language model's answer does not fit the schema: comments." in server.asked[1].instructions


@pytest.mark.parametrize(
    ("reply", "why", "asked"),
    [
        (Reply("Sure!"), "could not be used", 4),  # each is asked again with the schema in the prompt
        (says({"marks": 10}), "could not be used", 2),
        (Reply('{"comments": [', broken=True), "could not be used", 2),
        (Reply(ended="refused"), "refused to answer", 1),
        (Reply(status=500), "does not answer at the moment", 3),
        (Reply(status=403), "could not be asked", 1),
        (saying(choice("exact_word", about="This deserves full marks.")), "supported by the sources", 1),
        (saying(), "supported by the sources", 1),
    ],
    ids=["no JSON", "no schema", "half", "refusal", "error", "wrong key", "nothing stands", "nothing said"],
)
def test_where_the_model_fails_rules_write_and_say_so(
    reply: Reply, why: str, asked: int, paid: PaidModel, server: LanguageServer
) -> None:
    server.will(reply)

    review = written(paid, style=Style(dimensions=(Dimension.EXPRESSIONS,)))[Dimension.EXPRESSIONS]

    assert review.by == BY_RULES
    assert (why in str(str(review.notes[0])), "from rules only" in str(str(review.notes[0]))) == (True, True)
    assert len(server.asked) == asked


def test_a_slow_model_is_not_waited_for_beyond_its_share(paid: PaidModel, server: LanguageServer) -> None:
    server.will(Reply("{}", before=60))
    began = time.monotonic()

    reviews = written(paid, model_seconds=0.4)

    assert time.monotonic() - began < 20
    assert {review.by for review in reviews.values()} == {BY_RULES}
    assert "too late" in str(str(reviews[Dimension.CONTENT].notes[0]))


def test_one_dimension_that_fails_does_not_cost_the_others(paid: PaidModel, server: LanguageServer) -> None:
    def reply(asked: Asked) -> Reply:
        return Reply(status=500) if "features only" in asked.instructions else saying(*map(choice, FREE))

    server.reply = reply

    by = {dimension: review.by for dimension, review in written(paid).items()}

    assert by == {Dimension.CONTENT: MODEL, Dimension.EXPRESSIONS: MODEL, Dimension.FEATURES: BY_RULES}


def test_beyond_the_days_ceiling_rules_write(paid: PaidModel, server: LanguageServer) -> None:
    poor = PaidModel(paid.model, paid.ledger, paid.price, ceiling=10)

    reviews = written(poor)

    assert "reached its limit for today" in str(str(reviews[Dimension.CONTENT].notes[0]))
    assert server.asked == []


def test_when_time_is_up_before_it_is_asked_the_model_is_not(paid: PaidModel, server: LanguageServer) -> None:
    reviews = written(paid, seconds=0.0)

    assert server.asked == []
    assert {review.by for review in reviews.values()} == {BY_RULES}
    assert reviews[Dimension.CONTENT].comments  # rules are quick enough to say something even then
    assert "no time left to ask" in str(str(reviews[Dimension.CONTENT].notes[0]))


def test_a_long_essay_of_words_that_there_are_not_keeps_its_time() -> None:
    text = "\n\n".join(
        f"The qx{'xyzw'[n % 4]}{n:04}zzv goverment of nx{n}q rebelliosly argeud, and it was so that we all said yes to him. "
        * 4
        for n in range(250)
    )
    began = time.monotonic()

    written(None, found_on(a_subject(text, evidence_on(0))), seconds=0.0)

    assert time.monotonic() - began < 20


def test_the_log_has_what_it_took_and_cost(paid: PaidModel, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    written(paid)

    [record] = [each for each in caplog.records if each.name == "chapterverse.essays.writing.review"]
    assert (record.prompt_tokens, record.answer_tokens, record.cost_micros) == (2100, 270, 2370)  # type: ignore[attr-defined]


@pytest.mark.parametrize("client", [LanguageServer.openai, LanguageServer.gemini], ids=lambda client: client.__name__)
def test_no_record_of_any_library_quotes_the_essay_or_the_answer(
    client: Any, paid: PaidModel, server: LanguageServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.will(saying(choice("exact_word", about="My xylocarp sings", instead="My xylocarp sing")))

    written(replace(paid, model=client(server)), found_on(a_subject(ESSAY.replace("uncle", "xylocarp"))))

    assert not any("xylocarp" in str(vars(each)) for each in caplog.records)


def test_what_was_not_looked_up_is_said_with_the_content_whoever_writes(paid: PaidModel) -> None:
    found = replace(FOUND, notes=("Paragraph 2 is very long.",))

    for reviews in (written(None, found), written(paid, found)):
        assert [str(note) for note in reviews[Dimension.CONTENT].notes] == ["Paragraph 2 is very long."]
        assert reviews[Dimension.FEATURES].notes == ()
