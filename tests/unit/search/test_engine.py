import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.hits import Found, Granularity, Hit, Partition, Query, QueryKind, Scope, Vectors, WordHit
from chapterverse.core.words import holds
from chapterverse.library.artefacts import BookContext
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook, passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.search import engine
from chapterverse.search.plan import (
    ESSAY_FEEDBACK,
    FULL_COLLECTION,
    Candidates,
    EmbeddedQueries,
    RetrievalPlan,
    inverse_distance,
)
from tests.support.made import a_found, a_hit, a_query, a_record, unit
from tests.support.shelved import shelve

KEY = VersionKey("school", BookId("book"), "v1", "words")
BOOKS = {"v1": OpenBook("On Liberty", KEY, sentences=FULL_COLLECTION)}
SENTENCES = {"right": [1.0, 0.0, 0.0], "again": [0.97, 0.24, 0.0], "up": [0.0, 1.0, 0.0]}
PLAN = replace(ESSAY_FEEDBACK, context_weight=0.0, hubness_penalty=0.0)
PARAGRAPHS = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), min_size=1, max_size=3)
SCORES = st.floats(-1, 1, width=32)
DIRECTIONS = st.lists(st.tuples(st.floats(0, 2 * math.pi), st.integers(0, 4)), max_size=20)
PARTITION = Partition("school", Granularity.SENTENCE, "model")
ONE_QUERY = EmbeddedQueries((a_query(),), unit([1.0, 0.0]))
TEXT = "A **node** is a process.\nIt talks to others by [topics](topics.md#t), as `ros2 topic list` shows: “one–to–many”."


def with_sentences(services: CollectionServices) -> CollectionServices:
    """The index holds the SENTENCES of the one book."""
    services.index.write(KEY.partition, KEY.version, [a_record(id_) for id_ in SENTENCES], unit(*SENTENCES.values()))
    return services


def queries(*vectors: list[float]) -> EmbeddedQueries:
    """One query for each vector, each of a paragraph of its own."""
    return EmbeddedQueries(tuple(a_query(number) for number in range(len(vectors))), unit(*vectors))


def best(
    queries: EmbeddedQueries, services: CollectionServices, plan: RetrievalPlan = PLAN, books: engine.OpenBooks = BOOKS
) -> list[Found]:
    return engine.search(queries, books, plan, services).best()


def ids(found: Sequence[Found]) -> list[str]:
    return [one.record.id for one in found]


@dataclass
class CountedIndex:
    """Searches the index and counts the calls."""

    services: CollectionServices
    searches: list[tuple[Partition, int, Sequence[str]]] = field(default_factory=list)

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str] = ()) -> list[list[Hit]]:
        self.searches.append((partition, k, books))
        return self.services.index.search(partition, queries, k, books=books)


def test_each_query_brings_its_nearest_if_near_enough_and_the_index_is_asked_once(services: CollectionServices) -> None:
    index = CountedIndex(with_sentences(services))
    assert ids(best(queries([0.2, 1, 0], [1, 0, 0]), services)) == ["right", "up"]
    assert best(queries([0, 0.1, 1]), services) == []

    best(queries(*([1, number, 0] for number in range(50))), replace(services, index=index))

    assert index.searches == [(KEY.partition, PLAN.candidates_per_query, ("v1",))]


def test_a_signal_decides_which_candidate_a_query_keeps(services: CollectionServices) -> None:
    ids = np.array(sorted(SENTENCES), np.bytes_)  # "up" is the last one
    context = BookContext(ids, np.zeros((3, 3), np.float16), np.array([0.5, 0.5, 0.0], np.float32))
    services.recent.get(("context", KEY), lambda: context)

    [found] = best(queries([1, 0.9, 0]), with_sentences(services), replace(PLAN, hubness_penalty=1.0))

    assert found.record.id == "up"


def test_a_paragraph_needs_two_queries_and_few_sentences_lower_the_threshold(services: CollectionServices) -> None:
    some = EmbeddedQueries((a_query(0), a_query(0), a_query(1)), unit([0.7, 0, 0.7], [0, 0.1, 1], [1, 0, 0]))
    found = best(some, with_sentences(services))
    assert [(one.record.id, one.paragraphs) for one in found] == [("right", {1})]

    vectors = queries([0.4, 0, 1])
    assert best(vectors, with_sentences(services)) == []
    assert ids(best(vectors, services, books={"v1": OpenBook("On Liberty", KEY)})) == ["right"]


@dataclass
class Words:
    """An index of words that knows one chunk."""

    asked: list[Sequence[str]] = field(default_factory=list)

    def search(self, partition: Partition, queries: Sequence[str], k: int, books: Sequence[str]) -> list[list[WordHit]]:
        self.asked.append(queries)
        return [[WordHit(SentenceId("up"), "v1", 1.0)] for _ in queries]


def test_words_are_searched_if_the_plan_gives_them_a_weight_and_essays_by_meaning_alone(services: CollectionServices) -> None:
    words, plan = Words(), replace(PLAN, min_score=-1.0, lexical=2.0, max_similarity=1.0)
    upwards = EmbeddedQueries((a_query(text="upwards"),), unit([1.0, 0.0, 0.0]))

    [first, *_] = best(upwards, with_sentences(replace(services, words=words)), plan)

    assert words.asked == [["upwards"]]
    assert first.record.id == "up"
    best(queries([1.0, 0.0, 0.0]), replace(services, words=words))
    assert words.asked == [["upwards"]]
    assert ESSAY_FEEDBACK.lexical == 0


def one_question(text: str, embedded: list[str]) -> engine.MakeQueries:
    """Embeds the question and lists the models that it was embedded with."""

    def embed(services: CollectionServices) -> EmbeddedQueries:
        embedded.append(services.embedder.model)
        return EmbeddedQueries((Query(text, QueryKind.QUESTION, 0),), services.embedder.embed_queries([text]))

    return embed


def texts(result: engine.SearchResult) -> list[str]:
    return [passage.sentence.text for passage in passages_of(result.best(), result.books, result.services)]


def test_books_are_searched_again_if_one_was_replaced_with_queries_embedded_once(services: CollectionServices) -> None:
    shelve(services, "On Liberty", ["Silencing an opinion robs mankind."])
    shelve(services, "Cooking", ["Soup needs salt."])
    question = one_question("Silencing an opinion", [])
    assert engine.find(question, Scope("school"), PLAN, services, texts) == ["Silencing an opinion robs mankind."]
    embedded: list[str] = []
    books: list[Mapping[str, OpenBook]] = []

    def read(result: engine.SearchResult) -> list[str]:
        if not books:
            shelve(services, "On Liberty", ["Silencing an opinion robs all."])
        books.append(result.books)
        return texts(result)

    found = engine.find(one_question("Silencing an opinion", embedded), Scope("school"), PLAN, services, read)

    assert found == ["Silencing an opinion robs all."]
    assert len(books) == 2
    assert embedded == ["words"]


@pytest.mark.parametrize(
    ("first", "places", "kept"),
    [([(0, 0.9)], 2, "ac"), ([(0, 0.9)], 3, "abc"), ([(0, 0.9), (1, 0.8)], 2, "ab")],
    ids=["the best of each paragraph first", "then the next best", "one that serves two paragraphs"],
)
def test_the_cut_keeps_the_best_of_each_paragraph(first: list[tuple[int, float]], places: int, kept: str) -> None:
    ranked = [a_found("a", *first), a_found("b", (0, 0.7)), a_found("c", (1, 0.6))]

    assert ids(engine.cut_to(ranked, places)) == [*kept]


@given(st.lists(PARAGRAPHS, max_size=18))
def test_with_a_place_for_each_paragraph_none_that_was_answered_goes_without(found_by: list[list[tuple[int, float]]]) -> None:
    ranked = engine.rank([a_found(str(id_), *sorted(by, key=lambda one: -one[1])) for id_, by in enumerate(found_by)])

    cut = engine.cut_to(ranked, 6)

    assert len(cut) == min(6, len(ranked))
    assert {p for one in cut for p in one.paragraphs} == {p for one in ranked for p in one.paragraphs}
    assert cut == engine.rank(cut)


def test_a_sentence_comes_once_with_the_best_score_that_a_query_gave_it_the_best_first() -> None:
    weak, strong = a_query(0), a_query(1)
    [found] = engine.fuse([weak, strong], [[a_hit("a", 0.5)], [a_hit("a", 0.7)]])
    assert found.record.id == "a"
    assert [(one.query, one.score) for one in found.found_by] == [(strong, 0.7), (weak, 0.5)]
    assert found.paragraphs == {0, 1}

    hits = [[a_hit("a", 0.8)], [a_hit("b", 0.7), a_hit("a", 0.6)]]
    found = engine.fuse([a_query(0), a_query(1)], hits)
    assert {one.record.id: one.score for one in found} == pytest.approx({"a": 0.8, "b": 0.7})
    queries = [a_query(0), a_query(0, kind=QueryKind.KEY_SENTENCE)]
    found = engine.fuse(queries, [[a_hit("a", 0.6)], [a_hit("b", 0.7)]], 0.5)
    assert {one.record.id: one.score for one in found} == pytest.approx({"a": 0.6, "b": 0.35})
    assert found[1].found_by[0].score == 0.7

    assert ids(engine.rank([a_found("b", (0, 0.5)), a_found("c", (0, 0.7)), a_found("a", (0, 0.5))])) == ["c", "a", "b"]


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), SCORES, max_size=4), max_size=6))
def test_no_sentence_and_no_query_is_lost(scores: list[dict[str, float]]) -> None:
    queries = [a_query(number) for number in range(len(scores))]
    hits = [[a_hit(id_, score) for id_, score in sorted(one.items(), key=lambda pair: -pair[1])] for one in scores]

    found = engine.fuse(queries, hits)

    assert sorted(one.record.id for one in found) == sorted({id_ for one in scores for id_ in one})
    assert sum(len(one.found_by) for one in found) == sum(map(len, scores))
    assert all(one.found_by[0].score == max(by.score for by in one.found_by) for one in found)


def at(cosine: float) -> list[float]:
    """A vector at this cosine to [1, 0]."""
    return [cosine, math.sqrt(1 - cosine**2)]


def test_of_two_that_say_the_same_the_better_stays_for_both_and_one_like_what_was_dropped_is_kept() -> None:
    better = a_found("better", (0, 0.8), vector=at(1.0))
    assert ids(engine.keep_diverse([better, a_found("worse", (0, 0.7), vector=at(0.89))], 0.9)) == ["better", "worse"]
    [kept] = engine.keep_diverse([better, a_found("worse", (1, 0.7), vector=at(0.95))], 0.9)
    assert kept.record.id == "better"
    assert [(one.query.paragraph, one.score) for one in kept.found_by] == [(0, 0.8), (1, 0.7)]
    assert kept.score == 0.8

    """0° – 20° – 40°: the middle one is too near the first, the last is near the middle one only."""
    angles = [0, 20, 40]
    ranked = [a_found(str(a), (0, 0.9), vector=[math.cos(math.radians(a)), math.sin(math.radians(a))]) for a in angles]

    assert [one.record.id for one in engine.keep_diverse(ranked, 0.9)] == ["0", "40"]


@given(DIRECTIONS)
def test_no_two_kept_are_too_alike_and_no_paragraph_is_lost(directions: list[tuple[float, int]]) -> None:
    ranked = [a_found(str(i), (p, 0.5), vector=[math.cos(a), math.sin(a)]) for i, (a, p) in enumerate(directions)]

    kept = engine.keep_diverse(ranked, 0.9)

    vectors = np.array([one.vector for one in kept]).reshape(-1, 2)
    assert not np.any(np.triu(vectors @ vectors.T > 0.9, k=1))
    assert {p for one in kept for p in one.paragraphs} == {p for one in ranked for p in one.paragraphs}


CONTEXTS = {
    "v1": BookContext(
        ids=np.array(["apt", "pithy"], np.bytes_),
        directions=unit([1.0, 0.0], [0.0, 1.0]).astype(np.float16),
        hubness=np.array([0.4, 0.7], np.float32),
    )
}
PITHY_FIRST = [a_hit("pithy", 0.6), a_hit("apt", 0.5)]


def rescore(queries: EmbeddedQueries, candidates: Candidates, around: float = 0.0, hubness: float = 0.0) -> list[list[Hit]]:
    plan = replace(ESSAY_FEEDBACK, context_weight=around, hubness_penalty=hubness)
    return engine.rescored(queries, candidates, plan, CONTEXTS)


def test_a_sentence_counts_for_its_surroundings_and_less_if_many_are_like_it() -> None:
    [[first, second]] = rescore(queries([1, 0]), [PITHY_FIRST], around=0.5)
    assert (first.record.id, first.score) == ("apt", pytest.approx(1.0))
    assert (second.record.id, second.score) == ("pithy", pytest.approx(0.6))

    [hits] = rescore(queries([1, 0]), [PITHY_FIRST], hubness=0.5)
    assert [(hit.record.id, hit.score) for hit in hits] == [("apt", pytest.approx(0.3)), ("pithy", pytest.approx(0.25))]

    found = rescore(queries([1, 0], [0, 1]), [PITHY_FIRST, PITHY_FIRST], around=1.0)
    assert [[hit.record.id for hit in hits] for hits in found] == [["apt", "pithy"], ["pithy", "apt"]]

    [[hit]] = rescore(queries([1, 0]), [[a_hit("apt", 0.1)]], around=1.0, hubness=0.5)
    assert hit.score == pytest.approx(0.1 + 1.0 - 0.5 * 0.4)
    assert rescore(queries([1, 0]), [[]], around=1.0) == [[]]


@pytest.mark.parametrize(("cosine", "reading"), [(1.0, 1.0), (0.5, 0.5), (0.0, 1 / 3), (-1.0, 0.2), (0.7857, 0.7)])
def test_the_seeds_formula_is_a_function_of_the_cosine(cosine: float, reading: float) -> None:
    assert inverse_distance(cosine) == pytest.approx(reading, abs=0.0005)


def word(id: str, share: float, version: str = "v1") -> WordHit:
    return WordHit(SentenceId(id), version, share)


@dataclass
class Stored:
    """The one method of a VectorIndex that is asked here, and what it was asked."""

    asked: list[tuple[str, Sequence[SentenceId]]] = field(default_factory=list)

    def stored(self, partition: Partition, version: str, ids: Sequence[SentenceId]) -> list[Hit]:
        self.asked.append((version, ids))
        return [a_hit(id, 1.0, [0.6, 0.8]) for id in ids]


def test_words_lift_what_meaning_put_second_and_what_only_they_found_has_its_own_cosine_beside() -> None:
    by_meaning = [[a_hit("first", 0.6), a_hit("second", 0.5)]]
    [hits] = engine.with_words(ONE_QUERY, by_meaning, [[word("second", 0.4)]], {}, weight=0.5)
    assert [(hit.record.id, hit.score) for hit in hits] == [("second", pytest.approx(0.7)), ("first", pytest.approx(0.6))]
    assert engine.with_words(ONE_QUERY, by_meaning, [[]], {}, weight=1.0) == by_meaning  # without a word

    stored = {SentenceId("rare"): a_hit("rare", 1.0, [0.6, 0.8])}
    [hits] = engine.with_words(ONE_QUERY, [[a_hit("near", 0.7)]], [[word("rare", 0.5)]], stored, weight=1.0)
    assert [(hit.record.id, hit.score) for hit in hits] == [("rare", pytest.approx(1.1)), ("near", pytest.approx(0.7))]

    index = Stored()
    by_words = [[word("near", 0.9), word("x", 0.5), word("y", 0.4, "v2")], [word("x", 0.3)]]
    stored = engine.stored_hits([[a_hit("near", 0.7)], []], by_words, PARTITION, index)
    assert index.asked == [("v1", ["x"]), ("v2", ["y"])]
    assert set(stored) == {"x", "y"}


@pytest.mark.parametrize(
    "selected",
    [
        "A node is a process.",
        "node  is\n\n a\tprocess",
        "a **NODE** is",
        "talks to others by topics, as ros2 topic list shows",
        "ocess. It talks to others by to",
        'shows: "one-to-many"',
        "<p>is a <em>process</em></p>",
        "Node",
    ],
)
def test_blanks_markup_and_punctuation_do_not_count(selected: str) -> None:
    assert holds(TEXT, selected)


def test_what_is_not_there_is_not_held_and_a_formula_with_less_than_is_no_tag() -> None:
    for selected in ("", " …* ", "nod", "a node talks", "process it listens to others"):
        assert not holds(TEXT, selected)
    assert holds("If a < b and c > d then x.", "a < b and c > d")
