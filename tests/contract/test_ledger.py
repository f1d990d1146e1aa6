"""What every Ledger must do."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date

from chapterverse.core.ports import Ledger
from chapterverse.infrastructure.quotas import SqlLedger
from tests.contract.conftest import opens

TODAY, TOMORROW = date(2026, 11, 20), date(2026, 11, 21)
ledger = opens(SqlLedger)


def test_what_is_reserved_counts_as_spent_and_beyond_the_ceiling_nothing_is(ledger: Ledger) -> None:
    assert ledger.reserve("school", TODAY, 40, ceiling=100)
    assert not ledger.reserve("school", TODAY, 61, ceiling=100)
    assert ledger.spent("school", TODAY) == 40
    assert ledger.reserve("school", TODAY, 60, ceiling=100)
    assert ledger.spent("school", TODAY) == 100


def test_what_a_call_has_cost_takes_the_place_of_what_was_reserved_by_school_and_day(ledger: Ledger) -> None:
    ledger.reserve("school", TODAY, 90, ceiling=100)
    assert ledger.reserve("school", TOMORROW, 100, ceiling=100)
    assert ledger.reserve("another", TODAY, 100, ceiling=100)

    ledger.settle("school", TODAY, 30 - 90)

    assert ledger.spent("school", TODAY) == 30
    assert ledger.reserve("school", TODAY, 70, ceiling=100)


def test_the_ceiling_holds_however_many_reserve_at_once(ledger: Ledger) -> None:
    with ThreadPoolExecutor(8) as pool:
        reserved = list(pool.map(lambda _: ledger.reserve("school", TODAY, 10, ceiling=55), range(24)))

    assert (sum(reserved), ledger.spent("school", TODAY)) == (5, 50)


def test_an_assignment_has_a_sum_and_a_limit_of_its_own(ledger: Ledger) -> None:
    assert ledger.reserve("school", "essay-1", 100)
    ledger.set_limit("school", "essay-1", 150)

    assert not ledger.reserve("school", "essay-1", 51)
    assert ledger.reserve("school", "essay-2", 51)
    ledger.settle("school", "essay-1", -20)
    assert ledger.reserve("school", "essay-1", 51)
    assert (ledger.spent("school", "essay-1"), ledger.limit("school", "essay-1")) == (131, 150)
    assert (ledger.spent("another", "essay-1"), ledger.limit("another", "essay-1")) == (0, None)
    assert ledger.spent("school", TODAY) == 0
    ledger.set_limit("school", "essay-1", None)
    assert ledger.reserve("school", "essay-1", 10**9)
