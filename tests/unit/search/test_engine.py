from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.hits import Found, Hit, Partition, Query, QueryKind, Scope, Vectors, WordHit
from chapterverse.library.artefacts import BookContext
from chapterverse.library.model import VersionKey
from chapterverse.library.scope import OpenBook, passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.search.engine import MakeQueries, OpenBooks, SearchResult, find
from chapterverse.search.plan import ESSAY_FEEDBACK, FULL_COLLECTION, EmbeddedQueries, RetrievalPlan
from tests.support.made import a_query, a_record, unit
from tests.support.shelved import shelve

KEY = VersionKey("school", BookId("book"), "v1", "words")
BOOKS = {"v1": OpenBook("On Liberty", KEY, sentences=FULL_COLLECTION)}
SENTENCES = {"right": [1.0, 0.0, 0.0], "again": [0.97, 0.24, 0.0], "up": [0.0, 1.0, 0.0]}
PLAN = replace(ESSAY_FEEDBACK, context_weight=0.0, hubness_penalty=0.0)


def with_sentences(services: CollectionServices) -> CollectionServices:
    """The index holds the SENTENCES of the one book."""
    services.index.write(KEY.partition, KEY.version, [a_record(id_) for id_ in SENTENCES], unit(*SENTENCES.values()))
    return services


def queries(*vectors: list[float]) -> EmbeddedQueries:
    """One query for each vector, each of a paragraph of its own."""
    return EmbeddedQueries(tuple(a_query(number) for number in range(len(vectors))), unit(*vectors))


def best(
    queries: EmbeddedQueries, services: CollectionServices, plan: RetrievalPlan = PLAN, books: OpenBooks = BOOKS
) -> list[Found]:
    return find(lambda _: queries, books, plan, services, SearchResult.best)


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


def test_each_query_brings_its_nearest_if_near_enough_the_best_first_and_the_index_is_asked_once(
    services: CollectionServices,
) -> None:
    index = CountedIndex(with_sentences(services))
    assert ids(best(queries([0.2, 1, 0], [1, 0, 0]), services)) == ["right", "up"]
    assert best(queries([0, 0.1, 1]), services) == []

    best(queries(*([1, number, 0] for number in range(50))), replace(services, index=index))

    assert index.searches == [(KEY.partition, PLAN.candidates_per_query, ("v1",))]


def test_a_signal_decides_which_candidate_a_query_keeps(services: CollectionServices) -> None:
    rows = {SentenceId(id_): row for row, id_ in enumerate(SENTENCES)}
    context = BookContext(rows, np.zeros((3, 3), np.float16), np.array([0.5, 0.5, 0.0], np.float32))
    services.recent.get(("context", KEY), lambda: context)

    [found] = best(queries([1, 0.9, 0]), with_sentences(services), replace(PLAN, hubness_penalty=1.0))

    assert found.record.id == "up"


def test_a_paragraph_that_only_one_of_its_queries_supports_has_nothing_in_the_books(services: CollectionServices) -> None:
    some = EmbeddedQueries((a_query(0), a_query(0), a_query(1)), unit([0.7, 0, 0.7], [0, 0.1, 1], [1, 0, 0]))

    found = best(some, with_sentences(services))

    assert [(one.record.id, one.paragraphs) for one in found] == [("right", {1})]


def test_fewer_sentences_in_the_books_lower_the_threshold(services: CollectionServices) -> None:
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


def one_question(text: str, embedded: list[str]) -> MakeQueries:
    """Embeds the question and lists the models that it was embedded with."""

    def embed(services: CollectionServices) -> EmbeddedQueries:
        embedded.append(services.embedder.model)
        return EmbeddedQueries((Query(text, QueryKind.QUESTION, 0),), services.embedder.embed_queries([text]))

    return embed


def texts(result: SearchResult) -> list[str]:
    return [passage.sentence.text for passage in passages_of(result.best(), result.books, result.services)]


def test_the_books_of_a_scope_are_searched_and_again_if_one_was_replaced_meanwhile_with_queries_embedded_once(
    services: CollectionServices,
) -> None:
    shelve(services, "On Liberty", ["Silencing an opinion robs mankind."])
    shelve(services, "Cooking", ["Soup needs salt."])
    question = one_question("Silencing an opinion", [])
    assert find(question, Scope("school"), PLAN, services, texts) == ["Silencing an opinion robs mankind."]
    embedded: list[str] = []
    books: list[Mapping[str, OpenBook]] = []

    def read(result: SearchResult) -> list[str]:
        if not books:
            shelve(services, "On Liberty", ["Silencing an opinion robs all."])
        books.append(result.books)
        return texts(result)

    found = find(one_question("Silencing an opinion", embedded), Scope("school"), PLAN, services, read)

    assert found == ["Silencing an opinion robs all."]
    assert len(books) == 2
    assert embedded == ["words"]
