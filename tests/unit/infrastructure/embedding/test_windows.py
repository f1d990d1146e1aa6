import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.errors import EmbedderUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.local import Ids, Mask, embed_batches, plan_windows, pool, unit


def test_a_longer_text_is_covered_by_equal_windows() -> None:
    assert plan_windows(12, size=10, overlap=2) == [(0, 7), (5, 12)]
    assert plan_windows(26, size=10, overlap=2) == [(0, 10), (8, 18), (16, 26)]


@given(st.integers(0, 5000), st.integers(1, 300), st.floats(0, 0.9))
def test_every_token_is_in_a_window_and_neighbours_overlap(tokens: int, size: int, share: float) -> None:
    overlap = int(size * share)

    windows = plan_windows(tokens, size, overlap)
    assert windows[0][0] == 0
    assert windows[-1][1] == tokens
    assert len({end - start for start, end in windows}) == 1
    assert all(end - start <= size for start, end in windows)
    assert all(end - start >= overlap for (_, end), (start, _) in itertools.pairwise(windows))


def test_a_batch_that_fails_fails_the_whole() -> None:
    def run(ids: Ids, _: Mask) -> Vectors:
        if ids.shape[1] == 2:
            raise EmbedderUnavailable("No memory left.")
        return np.ones((len(ids), 2), np.float32)

    with pytest.raises(EmbedderUnavailable):
        embed_batches([[1], [1, 2, 3], [1, 2]], run, 2, budget=3, at_once=2)


def test_a_text_of_several_windows_has_their_mean_at_length_one() -> None:
    windows = unit(np.array([[1, 0], [0, 1], [0, 1], [1, 1]]))

    assert pool(windows, [1, 2, 1]) == pytest.approx(unit(np.array([[1, 0], [0, 1], [1, 1]])))
