"""What every SqlConversations must do."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.questions.model import Agent, Conversation, HandOff, Speaker, Turn
from chapterverse.questions.store import SqlConversations
from tests.contract.conftest import NOON, opens

HELLO = Turn(Speaker.STUDENT, "“Hallo”, \x00 and \U0001f600", NOON, '{"text": "so"}')
store = opens(SqlConversations)


def one(id: str = "one", hours: float = 0, **facts: Any) -> Conversation:
    """Begun at noon, or some hours later."""
    return Conversation(**{"id": id, "school": "school", "user": "u-1", "created": NOON + timedelta(hours=hours)} | facts)


def says(turn: Turn = HELLO) -> Any:
    return lambda told: replace(told, turns=(*told.turns, turn))


@pytest.mark.parametrize(
    ("school", "id"), [("another", "one"), ("school", "another"), ("school", ""), ("school", "one\x00"), ("school", "\ud800")]
)
def test_what_is_not_there_or_of_another_school_is_not_found_or_changed(store: SqlConversations, school: str, id: str) -> None:
    store.begin(one(waiting=NOON))

    for look in (store.find, store.remove, lambda school, id: store.change(school, id, says())):
        with pytest.raises(NotFound):
            look(school, id)
    assert store.in_state("another", HandOff.WAITING, NOON, 9) == []
    assert store.find("school", "one") == one(waiting=NOON)


def test_what_is_begun_and_changed_is_found_as_it_was_and_a_change_that_fails_changes_nothing(store: SqlConversations) -> None:
    facts = {"department": "physics", "names": ("Ada",), "waiting": NOON}
    store.begin(one(**facts))
    assert store.find("school", "one") == one(**facts)

    def refuse(_: Conversation) -> Conversation:
        raise NotFound("So.")

    changed = store.change("school", "one", says())

    with pytest.raises(NotFound, match="So"):
        store.change("school", "one", refuse)
    assert changed == store.find("school", "one") == one(**facts, turns=(HELLO,))


def test_no_turn_is_lost_however_many_are_said_at_once(store: SqlConversations) -> None:
    store.begin(one())

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: store.change("school", "one", says(replace(HELLO, text=str(n)))), range(24)))

    assert sorted(int(turn.text) for turn in store.find("school", "one").turns) == list(range(24))


def test_those_that_wait_are_listed_longest_first(store: SqlConversations) -> None:
    store.begin(one("later", waiting=NOON + timedelta(hours=1)))
    store.begin(one("first", waiting=NOON))
    store.begin(one("not"))
    store.begin(one("too old", hours=-1, waiting=NOON))

    assert [told.id for told in store.in_state("school", HandOff.WAITING, NOON, 9)] == ["first", "later"]
    assert [told.id for told in store.in_state("school", HandOff.WAITING, NOON, 1)] == ["first"]
    store.change("school", "first", lambda told: replace(told, waiting=None))
    assert [told.id for told in store.in_state("school", HandOff.WAITING, NOON, 9)] == ["later"]


def test_who_has_one_and_what_is_closed_is_listed(store: SqlConversations) -> None:
    ada = Agent("ada@school.example", "Ada")
    store.begin(one("held", agent=ada))
    store.begin(one("closed", closed=NOON))
    store.begin(one("closed later", closed=NOON + timedelta(hours=1)))
    store.begin(one("alone"))

    def listed(state: HandOff) -> list[str]:
        return [told.id for told in store.in_state("school", state, NOON, 9)]

    assert (listed(HandOff.HELD), listed(HandOff.CLOSED)) == (["held"], ["closed later", "closed"])
    assert store.find("school", "held").agent == ada
    store.change("school", "held", lambda told: replace(told, agent=None, closed=NOON + timedelta(hours=2)))
    assert (listed(HandOff.HELD), listed(HandOff.CLOSED)) == ([], ["held", "closed later", "closed"])


def test_a_users_own_are_listed_newest_first_and_what_is_old_is_removed_of_all_schools(store: SqlConversations) -> None:
    store.begin(one("first"))
    store.begin(one("later", hours=1))
    store.begin(one("too old", hours=-1))
    store.begin(one("another's", user="u-2"))
    store.begin(one("elsewhere", school="another"))

    assert [told.id for told in store.of_user("school", "u-1", NOON, 9)] == ["later", "first"]
    assert [told.id for told in store.of_user("school", "u-1", NOON, 1)] == ["later"]
    store.begin(one("too old, too", hours=-1, school="another"))
    assert (store.remove_before(NOON), store.remove_before(NOON)) == (2, 0)
    assert store.find("school", "first") == one("first")
