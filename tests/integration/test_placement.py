"""scripts/capacity/placement.py against queues whose answer is known, and against what rendezvous hashing promises."""

from math import factorial

import numpy as np
import pytest

from scripts.capacity.placement import Load, Minute, cases, mixed, placed, sojourns

MANY = 200_000


def erlang_c(servers: int, load: float) -> float:
    """Chance to wait in M/M/c, load = arrivals × mean seconds (Erlang 1917)."""
    full = load**servers / factorial(servers) * servers / (servers - load)
    return full / (sum(load**number / factorial(number) for number in range(servers)) + full)


def poisson(rate: float) -> np.ndarray:
    return np.cumsum(np.random.default_rng(1).exponential(1 / rate, MANY))


def waits(load: float, seconds: np.ndarray, servers: int) -> np.ndarray:
    """Of essays at one machine with so many cores."""
    work = Minute(poisson(load), np.zeros(MANY, np.int64), seconds)
    return sojourns(work, np.zeros((1, 1), np.int64), 1, np.zeros(1, bool), cores=servers) - seconds


@pytest.mark.parametrize(("servers", "load"), [(1, 0.7), (2, 1.4), (4, 3.0), (16, 13.0)])
def test_essays_wait_as_long_as_erlang_says(servers: int, load: float) -> None:
    waited = waits(load, np.random.default_rng(2).exponential(1.0, MANY), servers)

    assert waited.mean() == pytest.approx(erlang_c(servers, load) / (servers - load), rel=0.12)
    assert (waited > 1e-9).mean() == pytest.approx(erlang_c(servers, load), abs=0.02)


def test_essays_of_equal_length_wait_as_long_as_pollaczek_and_khinchine_say() -> None:
    waited = waits(0.8, np.ones(MANY), 1)

    assert waited.mean() == pytest.approx(0.8 / (2 * (1 - 0.8)), rel=0.07)


def machines(count: int) -> np.ndarray:
    return mixed(np.arange(count, dtype=np.uint64))


def test_schools_are_spread_evenly() -> None:
    first = np.bincount(placed(20_000, machines(20))[:, 0], minlength=20)

    assert first.std() / first.mean() < 0.06  # 0.03 by chance


def test_only_the_schools_of_a_lost_machine_move() -> None:
    before, after = placed(5000, machines(10), 1), placed(5000, machines(10)[:-1], 1)

    moved = (before != after)[:, 0]

    assert set(before[moved, 0]) == {9}
    assert moved.mean() == pytest.approx(0.1, abs=0.02)


def test_each_case_is_slower_than_an_ordinary_minute() -> None:
    found = cases(3000, 12, Load(mean=0.4, rush=5, usual=0.5))

    assert found["ordinary"] < found["machine lost"] < found["lesson's end"]
    assert found["hot school"] < found["lesson's end"]
