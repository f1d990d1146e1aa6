from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Granularity, Hit, Partition, Record, Vectors, WordHit
from chapterverse.search.engine import Shelf, retrieve
from chapterverse.search.plan import ESSAY_FEEDBACK, EmbeddedQueries
from chapterverse.search.rescore import Candidates
from tests.support.made import a_query, a_record, unit

SHELF = Shelf(Partition("school", Granularity.SENTENCE, "model"), ("v1",))
SENTENCES = {"right": [1.0, 0.0, 0.0], "again": [0.97, 0.24, 0.0], "up": [0.0, 1.0, 0.0]}


@dataclass
class ExactIndex:
    """Every vector compared with every query."""

    vectors: Vectors
    records: Sequence[Record]
    searches: list[tuple[Partition, int, Sequence[str]]] = field(default_factory=list)

    def search(self, partition: Partition, queries: Vectors, k: int, books: Sequence[str] = ()) -> list[list[Hit]]:
        self.searches.append((partition, k, books))
        columns = [zip(self.records, self.vectors, self.vectors @ query, strict=True) for query in queries]
        hits = [[Hit(record, float(score), vector) for record, vector, score in column] for column in columns]
        return [sorted(one, key=lambda hit: -hit.score)[:k] for one in hits]

    def upsert(self, partition: Partition, records: Sequence[Record], vectors: Vectors) -> None:
        raise NotImplementedError

    def remove(self, partition: Partition, version: str) -> None:
        raise NotImplementedError

    def count(self, partition: Partition, version: str | None = None) -> int:
        raise NotImplementedError

    def ids(self, partition: Partition, version: str) -> list[SentenceId]:
        raise NotImplementedError


def an_index() -> ExactIndex:
    return ExactIndex(unit(*SENTENCES.values()), [a_record(id_) for id_ in SENTENCES])


def looked_up(*vectors: list[float]) -> EmbeddedQueries:
    """A query a vector, each of a paragraph of its own."""
    return EmbeddedQueries(tuple(a_query(number) for number in range(len(vectors))), unit(*vectors))


def found_ids(queries: EmbeddedQueries, index: ExactIndex, limit: int = 5) -> list[str]:
    return [found.record.id for found in retrieve(queries, SHELF, ESSAY_FEEDBACK.limited_to(limit), index)]


def test_each_query_brings_its_nearest_sentence_and_the_best_comes_first() -> None:
    assert found_ids(looked_up([0.2, 1, 0], [1, 0, 0]), an_index()) == ["right", "up"]


def test_the_index_is_asked_once_however_many_queries_there_are() -> None:
    index = an_index()

    found_ids(looked_up(*([1, number, 0] for number in range(50))), index)

    assert index.searches == [(SHELF.partition, ESSAY_FEEDBACK.candidates_per_query, ("v1",))]


def test_what_is_too_far_from_every_query_is_not_found() -> None:
    assert found_ids(looked_up([0, 0.1, 1]), an_index()) == []


def test_no_more_sentences_than_the_plan_allows() -> None:
    assert found_ids(looked_up([0, 1, 0], [1, 0, 0]), an_index(), limit=1) == ["right"]


def test_of_two_nearly_equal_sentences_one_is_shown_with_the_queries_of_both() -> None:
    [found] = retrieve(looked_up([1, 0.1, 0], [0.97, 0.24, 0]), SHELF, ESSAY_FEEDBACK, an_index())

    assert found.record.id == "again"
    assert found.paragraphs == {0, 1}


def test_a_rescorer_decides_which_candidate_a_query_keeps() -> None:
    def prefer_up(_looked_up: EmbeddedQueries, candidates: Candidates) -> list[list[Hit]]:
        return [[replace(hit, score=0.8) for hit in hits if hit.record.id == "up"] for hits in candidates]

    [found] = retrieve(looked_up([1, 0, 0]), SHELF, ESSAY_FEEDBACK, an_index(), rescore=prefer_up)

    assert (found.record.id, found.score) == ("up", 0.8)


def test_a_paragraph_that_only_one_of_its_queries_speaks_for_has_nothing_in_the_books() -> None:
    queries = (a_query(0), a_query(0), a_query(1))
    vectors = unit([0.7, 0, 0.7], [0, 0.1, 1], [1, 0, 0])

    found = retrieve(EmbeddedQueries(queries, vectors), SHELF, ESSAY_FEEDBACK, an_index())

    assert [(one.record.id, one.paragraphs) for one in found] == [("right", {1})]


@dataclass
class Words:
    """A LexicalIndex that knows one chunk."""

    asked: list[Sequence[str]] = field(default_factory=list)

    def search(self, partition: Partition, queries: Sequence[str], k: int, books: Sequence[str]) -> list[list[WordHit]]:
        self.asked.append(queries)
        return [[WordHit(SentenceId("up"), "v1", 1.0)] for _ in queries]


def test_words_are_asked_where_the_plan_gives_them_a_weight() -> None:
    words, plan = Words(), replace(ESSAY_FEEDBACK, min_score=-1.0, lexical=2.0, max_similarity=1.0)
    queries = EmbeddedQueries((a_query(text="upwards"),), unit([1.0, 0.0, 0.0]))

    [first, *_] = retrieve(queries, SHELF, plan, an_index(), words=words)  # type: ignore[arg-type]

    assert words.asked == [["upwards"]]
    assert first.record.id == "up"


def test_essays_are_looked_up_by_meaning_alone() -> None:
    words = Words()

    retrieve(looked_up([1.0, 0.0, 0.0]), SHELF, ESSAY_FEEDBACK, an_index(), words=words)  # type: ignore[arg-type]

    assert words.asked == []
    assert ESSAY_FEEDBACK.lexical == 0
