import logging
from collections.abc import Sequence
from dataclasses import replace
from math import exp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.errors import CatalogUnavailable, EmbedderUnavailable, IndexUnavailable, ModelUnavailable
from chapterverse.lectures import citing
from chapterverse.lectures.citing import CUT, MAX_SNIPPET, MIN_SNIPPET, snippet
from chapterverse.lectures.service import load_models
from tests.support.intake import SCHOOL
from tests.support.lectures import CALCULUS, DESCENT, NOTES, THEOREM, Campus, snippets


class Logits:
    """A re-ranker that likes some words."""

    model = "logits"

    def __init__(self, **liked: float) -> None:
        self.liked = liked
        self.calls: list[list[tuple[str, str]]] = []

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        self.calls.append(list(pairs))
        return [max((logit for word, logit in self.liked.items() if word in text), default=-9.0) for _, text in pairs]


class Broken:
    """A port of which a method fails so many times."""

    def __init__(self, port: Any, method: str, error: Exception, times: int = 1000) -> None:
        self._port, self._method, self._error, self.left = port, method, error, times

    def __getattr__(self, name: str) -> Any:
        if name == self._method and self.left:
            self.left -= 1

            def fail(*_: Any, **__: Any) -> Any:
                raise self._error

            return fail
        return getattr(self._port, name)


def test_what_is_said_is_cited_by_page_section_and_sentence(campus: Campus) -> None:
    session = campus.begin(campus.add(CALCULUS, "calculus"))
    [without] = campus.cite(campus.begin(), THEOREM)
    assert (without.citations, without.failed, campus.town.embedder.calls) == ((), None, [])

    [result] = campus.cite(session, THEOREM)

    first = result.citations[0]
    assert first.snippet.startswith("The fundamental theorem links integration with differentiation.")
    assert (first.document_name, first.page_number, first.page_label) == ("Calculus", 7, "vii")
    assert (first.section_heading, first.rank, first.window_index) == ("A Section", 1, 0)
    assert 0 < first.relevance_score <= 1
    assert first.sentence_id.endswith("-0-0")
    assert result.keywords == ("differentiation", "fundamental", "integration", "theorem", "links")
    assert result.failed is None


@pytest.mark.parametrize("lost", ["none", "-sentences"], ids=["with vectors", "without vectors"])
def test_the_sentence_cited_is_the_one_that_says_most_of_it(campus: Campus, lost: str) -> None:
    session, bucket = campus.begin(campus.add(CALCULUS, "calculus")), campus.context.services.bucket
    for name in (each for each in bucket.names("") if each.endswith(lost)):
        bucket.delete(name)

    [result] = campus.cite(session, "as the theorem says Newton knew it he knew")

    assert result.citations[0].sentence_id.endswith("-0-1")


def test_the_exit_is_a_cosine_of_the_nearest_only(campus: Campus, monkeypatch: pytest.MonkeyPatch) -> None:
    session = campus.begin(campus.add(CALCULUS, "calculus"), campus.add(NOTES, "notes"))
    [given] = campus.cite(session, DESCENT)

    def shown(least: float) -> int:
        monkeypatch.setattr(citing, "MIN_COSINE", least)
        [result] = campus.cite(session, DESCENT)
        return len(result.citations)

    best = given.citations[0].relevance_score
    assert [shown(best - 0.001), shown(best + 0.001)] == [len(given.citations), 0]


def test_a_citation_much_weaker_than_the_first_is_left_out(campus: Campus, monkeypatch: pytest.MonkeyPatch) -> None:
    session = campus.begin(campus.add(CALCULUS, "calculus"))
    [few] = campus.cite(session, THEOREM)
    monkeypatch.setattr(citing, "MUCH_WEAKER", 0.0)
    [every] = campus.cite(session, THEOREM)

    scores = [citation.relevance_score for citation in every.citations]
    assert (len(few.citations), len(scores)) == (sum(score >= 0.6 * scores[0] for score in scores), 2)
    assert len(few.citations) == 1


def test_windows_that_piled_up_are_embedded_and_searched_at_once(campus: Campus) -> None:
    session = campus.begin(campus.add(CALCULUS, "calculus"), campus.add(NOTES, "notes"))

    results = campus.cite(session, THEOREM, "nothing of it", DESCENT)

    assert campus.town.embedder.calls == [[THEOREM, "nothing of it", DESCENT]]
    assert [result.window.index for result in results] == [0, 1, 2]
    named = [result.citations[0].document_name if result.citations else None for result in results]
    assert named == ["Calculus", None, "Notes"]


def test_a_reranker_orders_and_its_logit_is_the_score(campus: Campus) -> None:
    judge = Logits(continuous=2.0, fundamental=-1.0)
    services = replace(campus.context.services, reranker=judge)
    session = campus.begin(campus.add(CALCULUS, "calculus"), campus.add(NOTES, "notes"))

    first, second = campus.cite(session, THEOREM, DESCENT, services=services)

    assert [citation.rank for citation in first.citations] == [1, 2, 3]
    assert "continuous" in first.citations[0].snippet
    scores = [citation.relevance_score for citation in first.citations]
    assert scores[:2] == pytest.approx([1 / (1 + exp(-2)), 1 / (1 + exp(1))])
    assert len(judge.calls) == 1
    assert {text for text, _ in judge.calls[0]} == {THEOREM, DESCENT}
    assert second.citations[0].relevance_score == scores[0]


@pytest.mark.parametrize("error", [RuntimeError("a library's own"), ModelUnavailable("No weights.")], ids=str)
def test_where_the_reranker_fails_vectors_order(campus: Campus, error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    judge: Any = Broken(Logits(), "scores", error)
    session = campus.begin(campus.add(CALCULUS, "calculus"))
    caplog.clear()

    [result] = campus.cite(session, THEOREM, services=replace(campus.context.services, reranker=judge))
    [plain] = campus.cite(session, THEOREM)

    assert snippets(result) == snippets(plain)
    assert result.failed is None
    assert [record.message for record in caplog.records] == ["windows not re-ranked"]


def test_models_are_loaded_before_the_first_window(campus: Campus, caplog: pytest.LogCaptureFixture) -> None:
    judge: Any = Logits()
    load_models(replace(campus.context, services=replace(campus.context.services, reranker=judge)))

    assert (len(campus.town.embedder.calls), len(judge.calls)) == (1, 1)
    broken: Any = Broken(judge, "scores", ModelUnavailable("No weights."))
    load_models(replace(campus.context, services=replace(campus.context.services, reranker=broken)))
    assert [record.message for record in caplog.records] == ["models of lectures not loaded"]


AWAY = {
    "books": ("catalog", "find", CatalogUnavailable("Away.")),
    "embed": ("embedder", "embed_queries", EmbedderUnavailable("Away.")),
    "search": ("index", "search", IndexUnavailable("Away.")),
}


@pytest.mark.parametrize("stage", AWAY)
def test_what_is_away_is_asked_once_more_and_then_gives_nothing_and_a_line_without_anybodys_words(
    campus: Campus, stage: str, caplog: pytest.LogCaptureFixture
) -> None:
    port, method, error = AWAY[stage]
    session = campus.begin(campus.add(CALCULUS, "calculus"))
    once, broken = (Broken(getattr(campus.context.services, port), method, error, times) for times in (1, 1000))
    assert campus.cite(session, THEOREM, services=replace(campus.context.services, **{port: once}))[0].citations
    caplog.clear()

    with caplog.at_level(logging.DEBUG):
        results = campus.cite(session, THEOREM, "Kilimanjaro", services=replace(campus.context.services, **{port: broken}))

    assert [(result.citations, result.failed) for result in results] == [((), stage)] * 2
    assert 1000 - broken.left == 2
    [line] = [record for record in caplog.records if record.name.startswith("chapterverse")]
    told = vars(line)
    assert (line.message, told["stage"], told["windows"], told["error"]) == (
        "windows without citations",
        stage,
        2,
        type(error).__name__.replace("Unavailable", "_unavailable").lower(),
    )
    assert "Kilimanjaro" not in str(told)


def test_citations_are_kept_once_and_of_what_was_said_nothing(campus: Campus) -> None:
    session = campus.begin(campus.add(CALCULUS, "calculus"))

    results, again = (campus.cite(session, THEOREM, f"Kilimanjaro {THEOREM}") for _ in range(2))

    kept = campus.context.store.list_by_session(SCHOOL, session.id)
    assert kept == [citation for result in results for citation in result.citations]
    assert [citation.id for result in again for citation in result.citations] == [citation.id for citation in kept]
    assert not [path for path in campus.town.folder.rglob("*") if path.is_file() and b"Kilimanjaro" in path.read_bytes()]
    store: Any = Broken(campus.context.store, "create_batch", CatalogUnavailable("Away."))
    assert campus.cite(session, THEOREM, store=store)[0].citations  # shown though they cannot be kept


def test_a_snippet_of_a_short_paragraph_goes_on_with_what_stands_beside_it(campus: Campus) -> None:
    long = b"Compactness is what makes the extreme value theorem work on closed and bounded sets of real numbers everywhere."
    session = campus.begin(campus.add(b"Heine proved covers reduce.\n" + long, "heine"))

    [result] = campus.cite(session, "Heine proved that covers reduce")

    shown = result.citations[0].snippet
    assert shown.startswith("Heine proved covers reduce. Compactness")
    assert 100 <= len(shown) <= 200


def test_what_was_found_can_be_put_into_another_order(campus: Campus) -> None:
    session = campus.begin(campus.add(CALCULUS, "calculus"))

    [plain] = campus.cite(session, THEOREM)
    [turned] = campus.cite(session, THEOREM, reorder=lambda _session, _windows, hits: [its[::-1] for its in hits])

    assert snippets(turned)[::-1][: len(plain.citations)] == snippets(plain)
    scores = [citation.relevance_score for citation in turned.citations]
    assert scores == [plain.citations[0].relevance_score] * len(scores)  # none before another has a lower one


TEXTS = st.lists(st.text("abc", min_size=1, max_size=12), max_size=60).map(" ".join)
SENTENCE = "The fundamental theorem links the integral of a function with its antiderivative on every closed interval."


@pytest.mark.parametrize(
    ("before", "sentence", "after", "shown"),
    [
        ("Before.", SENTENCE, "After.", SENTENCE),
        ("One.", "Two.", "Three.", "One. Two. Three."),
        ("one two", "Short.", "word " * 60, f"Short. {' '.join(['word'] * 38)}{CUT}"),
        ("word " * 60, "Short.", "", f"… {' '.join(['word'] * 38)} Short."),
        ("", "x" * 300, "", f"{'x' * (MAX_SNIPPET - 1)}{CUT}"),
    ],
    ids=["long enough", "all of it", "words after it", "words before it", "without blanks"],
)
def test_a_snippet_is_the_sentence_with_what_fits(before: str, sentence: str, after: str, shown: str) -> None:
    assert snippet(before, sentence, after.strip()) == shown.strip()


@given(before=TEXTS, sentence=TEXTS, after=TEXTS)
def test_it_is_as_long_as_it_has_to_be_in_words_of_the_paragraph(before: str, sentence: str, after: str) -> None:
    whole = f"{before} {sentence} {after}".split()

    shown = snippet(before, sentence, after)

    assert len(shown) <= MAX_SNIPPET
    assert len(shown) >= MIN_SNIPPET or shown.split() == whole
    assert " ".join(shown.strip(CUT).split()) in " ".join(whole)
