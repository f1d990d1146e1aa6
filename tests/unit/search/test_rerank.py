import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.hits import Hit, Query, QueryKind, Record
from chapterverse.search.plan import ESSAY_FEEDBACK, RetrievalPlan
from chapterverse.search.rerank import RerankReport, rerank

PLAN = replace(ESSAY_FEEDBACK, min_score=0.5, reranking=1.0, reranked=4)


@dataclass
class Opinions:
    """A re-ranker that has them by sentence, and time for so many pairs."""

    of: Mapping[str, float]
    time_for: int = 1000
    asked: list[tuple[str, str]] = field(default_factory=list)
    model: str = "opinions"

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        self.asked += pairs
        return [self.of.get(sentence, 0.0) if number < self.time_for else None for number, (_, sentence) in enumerate(pairs)]


def query(text: str = "a query", paragraph: int = 0) -> Query:
    return Query(text, QueryKind.KEY_SENTENCE, paragraph)


def hits(**scores: float) -> list[Hit]:
    return [
        Hit(Record(SentenceId(name), BookId("b"), "v", None, "1", "p", None, None), score, np.ones(1, np.float32))
        for name, score in scores.items()
    ]


def reranked(
    opinions: Opinions, *found: tuple[Query, list[Hit]], plan: RetrievalPlan = PLAN
) -> tuple[list[list[Hit]], RerankReport]:
    queries, candidates = zip(*found, strict=True)
    return rerank(queries, candidates, plan, reranker=opinions, text_of=lambda hit: str(hit.record.id), deadline=math.inf)


def order(hits: Sequence[Hit]) -> str:
    return "".join(str(hit.record.id) for hit in hits)


def test_what_the_reranker_says_counts_with_its_weight() -> None:
    close = (query(), hits(a=0.9, b=0.8, c=0.7))

    assert order(reranked(Opinions({"b": 0.05}), close)[0][0]) == "abc"
    assert order(reranked(Opinions({"b": 0.15}), close)[0][0]) == "bac"
    assert order(reranked(Opinions({"b": 0.15}), close, plan=replace(PLAN, reranking=0.1))[0][0]) == "abc"


def test_places_keep_their_scores_so_that_what_is_relevant_stays_so() -> None:
    [found] = reranked(Opinions({"c": 5.0}), (query(), hits(a=0.9, b=0.8, c=0.7)))[0]

    assert order(found) == "cab"
    assert [hit.score for hit in found] == [0.9, 0.8, 0.7]


def test_candidates_beyond_the_number_of_the_plan_are_not_judged() -> None:
    opinions = Opinions({"d": 5.0})

    [found] = reranked(opinions, (query(), hits(a=0.9, b=0.8, c=0.7, d=0.6)), plan=replace(PLAN, reranked=3))[0]

    assert order(found) == "abcd"
    assert [sentence for _, sentence in opinions.asked] == ["a", "b", "c"]


def test_paragraphs_that_the_books_say_nothing_on_are_not_looked_at() -> None:
    opinions = Opinions({})

    reranked(opinions, (query("on the books", 0), hits(a=0.9, b=0.8)), (query("a stray", 1), hits(a=0.4, b=0.3)))

    assert {asked for asked, _ in opinions.asked} == {"on the books"}


def test_a_single_candidate_is_no_choice() -> None:
    assert reranked(Opinions({}), (query(), hits(a=0.9)), (query(), []))[1].worth == 0


def test_few_candidates_of_all_come_before_many_of_any_and_the_closest_race_first() -> None:
    opinions = Opinions({})

    clear, close = (query("clear"), hits(a=0.9, b=0.6, c=0.6, d=0.6)), (query("close", 1), hits(a=0.9, b=0.8, c=0.8, d=0.8))
    reranked(opinions, clear, close)

    assert opinions.asked == [*[("close", x) for x in "abc"], *[("clear", x) for x in "abc"], ("close", "d"), ("clear", "d")]


def test_the_query_that_will_show_its_first_comes_before_the_others_of_its_paragraph() -> None:
    opinions = Opinions({})

    reranked(opinions, (query("second"), hits(a=0.7, b=0.7)), (query("first"), hits(a=0.9, b=0.6)))

    assert [text for text, _ in opinions.asked] == ["first", "first", "second", "second"]


def test_a_paragraph_is_spoken_for_by_its_key_sentences_and_their_mean_counts() -> None:
    whole = Query("the whole paragraph", QueryKind.PARAGRAPH, 0)
    opinions = Opinions({"b": 1.0})

    [found, *_], _ = reranked(opinions, (whole, hits(a=0.9, b=0.8)), (query("one"), []), (query("other"), []))

    assert order(found) == "ba"
    assert opinions.asked == [("one", "a"), ("other", "a"), ("one", "b"), ("other", "b")]


def test_a_paragraph_of_one_sentence_speaks_for_itself() -> None:
    opinions = Opinions({})

    reranked(opinions, (Query("all of it", QueryKind.PARAGRAPH, 0), hits(a=0.9, b=0.8)))

    assert {text for text, _ in opinions.asked} == {"all of it"}


def test_where_time_ends_those_judged_are_ordered_among_themselves_and_it_is_said() -> None:
    [found], report = reranked(Opinions({"b": 1.0, "c": 9.0}, time_for=2), (query(), hits(a=0.9, b=0.8, c=0.7, d=0.6)))

    assert order(found) == "bacd"
    assert (report.model, report.judged, report.worth) == ("opinions", 2, 4)
