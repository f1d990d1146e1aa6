"""Who is embedded when, decided by a model that waits for the test: no sleeping, no clocks."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.errors import EmbedderUnavailable, Overloaded
from chapterverse.core.hits import Vectors
from chapterverse.core.turns import Turns
from chapterverse.infrastructure.embedding.batching import BatchingEmbedder, Priority, RememberedQueries
from tests.support.gated_embedder import WITHIN, GatedEmbedder
from tests.support.made import Clock
from tests.support.word_embedder import WordEmbedder

TEN_TOKENS = "x" * 32
Asked = Future[Vectors]


class Desk:
    """A BatchingEmbedder with room for `texts` texts of ten tokens a batch, and callers on threads."""

    def __init__(self, lanes: BatchingEmbedder, model: GatedEmbedder, threads: ThreadPoolExecutor) -> None:
        self.lanes, self.model, self._threads = lanes, model, threads

    def ask(self, lane: Priority, *texts: str, queries: bool = False) -> Asked:
        """Returns when the request is in its lane, or already gone from it."""
        before = self.lanes.waiting(lane)
        view = self.lanes.online if lane is Priority.ONLINE else self.lanes.bulk
        asked = self._threads.submit(view.embed_queries if queries else view.embed_passages, texts)
        wait_until(lambda: asked.done() or self.lanes.waiting(lane) != before)
        return asked

    def occupy(self) -> Asked:
        """The model is busy with a text of nobody's interest."""
        asked = self._threads.submit(self.lanes.bulk.embed_passages, ["busy"])
        assert self.model.next_call() == ["busy"]
        return asked


def wait_until(true: Callable[[], bool]) -> None:
    """Spin: every caller is another thread, and none of them tells us that it has begun to wait."""
    while not true():
        pass


@contextmanager
def desk(texts: int = 3, max_queued: int = 100, **options: float) -> Iterator[Desk]:
    model = GatedEmbedder()
    lanes = BatchingEmbedder(model, batch_tokens=10 * texts, max_queued_texts=max_queued, **options)
    with ThreadPoolExecutor(20) as threads:
        yield Desk(lanes, model, threads)
        model.let_through(1000)


def texts_of(name: str, count: int) -> list[str]:
    return [name * 32] * count


def test_requests_that_wait_together_are_embedded_together() -> None:
    with desk(texts=3) as at:
        at.occupy()
        a, b, c = (at.ask(Priority.ONLINE, *texts_of(name, count)) for name, count in (("a", 1), ("b", 2), ("c", 1)))

        at.model.let_through(3)

        assert at.model.next_call() == [*texts_of("a", 1), *texts_of("b", 2)]
        assert at.model.next_call() == texts_of("c", 1)
        assert [len(asked.result(WITHIN)) for asked in (a, b, c)] == [1, 2, 1]


def test_online_work_overtakes_bulk_work_and_a_long_request_takes_turns_with_it() -> None:
    with desk(texts=2) as at:
        at.occupy()
        at.ask(Priority.BULK, *texts_of("b", 6))
        at.ask(Priority.ONLINE, *texts_of("o", 2))
        at.model.let_through(4)
        calls = [at.model.next_call() for _ in range(4)]
        assert calls == [texts_of("o", 2), *[texts_of("b", 2)] * 3]

    with desk(texts=1, short_tokens=40) as at:
        at.occupy()
        at.ask(Priority.BULK, *texts_of("b", 3))
        at.ask(Priority.ONLINE, *texts_of("o", 7))
        at.model.let_through(11)
        assert [at.model.next_call()[0][0] for _ in range(10)] == [*"oooobobobo"]

    with desk(texts=2) as at:
        at.occupy()
        for priority in Priority:
            at.ask(priority, *texts_of("a", 6))
            at.ask(priority, *texts_of("b", 2))
        at.model.let_through(9)
        calls = [at.model.next_call()[0][0] for _ in range(8)]
        assert calls == [*"abaa", *"abaa"]


def test_no_batch_of_a_school_begins_before_its_turn() -> None:
    has_come = Event()

    class Told(Turns):
        def is_next(self, school: str, behind: bool) -> bool:
            return has_come.is_set()

    def work() -> Vectors:
        with Told().of("meadow").taken():
            return at.lanes.online.embed_passages(texts_of("a", 6))

    with desk(texts=3) as at, ThreadPoolExecutor(1) as threads:
        at.occupy()
        asked = threads.submit(work)
        wait_until(lambda: at.lanes.waiting(Priority.ONLINE) == 6)
        at.ask(Priority.BULK, *texts_of("b", 3))
        at.model.let_through(2)
        assert at.model.next_call() == texts_of("b", 3)

        has_come.set()
        at.model.let_through(2)
        assert [at.model.next_call() for _ in range(2)] == [texts_of("a", 3)] * 2
        assert asked.result(WITHIN).shape == (6, 2)


def test_texts_of_alike_length_go_through_together_and_queries_apart_from_passages() -> None:
    with desk(texts=2) as at:
        asked = at.ask(Priority.BULK, "s" * 8, "long" * 15, "s", "long" * 14, "s" * 12)
        at.model.let_through(9)
        assert at.model.next_call() == ["long" * 15]
        assert asked.result(WITHIN)[:, 0].tolist() == [8, 60, 1, 56, 12]

    with desk(texts=9) as at:
        at.occupy()
        asked = [at.ask(Priority.ONLINE, TEN_TOKENS, queries=queries) for queries in (True, True, False, True)]
        at.model.let_through(4)
        assert [len(at.model.next_call()) for _ in range(2)] == [3, 1]
        assert [each.result(WITHIN)[0, 1] for each in asked] == [1, 1, 0, 1]


def test_a_text_that_cannot_be_embedded_fails_for_its_own_caller_only() -> None:
    with desk(texts=9) as at:
        at.occupy()
        good, bad, other = (at.ask(Priority.ONLINE, text) for text in ("good", "poison", "other one"))

        at.model.let_through(9)

        assert good.result(WITHIN)[0, 0] == 4
        assert other.result(WITHIN)[0, 0] == 9
        with pytest.raises(ValueError, match="poison"):
            bad.result(WITHIN)


def test_a_full_lane_takes_nothing_more_and_says_when_and_an_empty_one_what_is_larger() -> None:
    with desk(max_queued=5) as at:
        at.occupy()
        at.ask(Priority.BULK, *texts_of("b", 4))

        with pytest.raises(Overloaded) as refused:
            at.lanes.bulk.embed_passages(texts_of("c", 2))

        assert refused.value.retry_after >= 1
        assert at.lanes.waiting(Priority.BULK) == 4
        at.model.let_through(30)
        wait_until(lambda: not at.lanes.waiting(Priority.BULK))
        assert len(at.ask(Priority.BULK, *texts_of("b", 8)).result(WITHIN)) == 8


def test_work_that_its_caller_gave_up_is_not_done() -> None:
    with desk(texts=2, online_seconds=0.01) as at:
        at.occupy()
        with pytest.raises(EmbedderUnavailable):
            at.lanes.online.embed_queries(texts_of("late", 50))

        assert at.lanes.waiting(Priority.ONLINE) == 0
        at.ask(Priority.BULK, "next")
        at.model.let_through()
        assert at.model.next_call() == ["next"]


REQUESTS = st.lists(
    st.tuples(st.sampled_from(Priority), st.booleans(), st.lists(st.text("ab", max_size=60), max_size=8)),
    min_size=1,
    max_size=12,
)


@given(REQUESTS, st.integers(1, 60))
def test_vectors_are_the_embedders_own(requests: list[tuple[Priority, bool, list[str]]], batch_tokens: int) -> None:
    plain = WordEmbedder()
    lanes = BatchingEmbedder(WordEmbedder(), batch_tokens, max_queued_texts=10_000)

    def through_the_lanes(request: tuple[Priority, bool, list[str]]) -> Vectors:
        lane, queries, texts = request
        return lanes.embed(lane, texts, queries, seconds=WITHIN)

    with ThreadPoolExecutor(len(requests)) as threads:
        answers = list(threads.map(through_the_lanes, requests))

    for (_, queries, texts), vectors in zip(requests, answers, strict=True):
        assert np.array_equal(vectors, plain.embed_queries(texts) if queries else plain.embed_passages(texts))


def test_a_question_asked_again_is_not_embedded_again_within_its_time_and_passages_are() -> None:
    words, clock = WordEmbedder(), Clock()
    remembered = RememberedQueries(words, seconds=60, clock=clock)

    first = remembered.embed_queries(["when", "where"])
    again = remembered.embed_queries(["where", "who", "when"])

    assert words.calls == [["when", "where"], ["who"]]
    assert np.array_equal(again[[2, 0]], first)
    assert np.array_equal(again, WordEmbedder().embed_queries(["where", "who", "when"]))
    clock.now = 60.0
    remembered.embed_queries(["when"])
    assert words.calls[2:] == [["when"]]
    assert remembered.embed_queries([]).shape == (0, words.dimensions)
    assert np.array_equal(remembered.embed_passages(["a fee"]), words.embed_passages(["a fee"]))
    assert remembered.model == words.model
    assert remembered.count_tokens(["a fee"]) == words.count_tokens(["a fee"])
