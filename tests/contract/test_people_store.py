"""What every SqlPeople must do."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from time import sleep

import pytest

from chapterverse.accounts.model import KeyScope, Person, Purpose, Ticket
from chapterverse.accounts.store import SqlPeople
from chapterverse.core.errors import Forbidden, NotFound
from chapterverse.lti.model import Guest, Platform
from chapterverse.lti.store import SqlLti
from tests.contract.conftest import NOON, opens

LATER = NOON + timedelta(hours=1)
ANNA = Person("school", "anna@school.example", "Anna Berg", KeyScope.STUDENT, NOON)
LINK = Ticket("d" * 64, Purpose.LINK, ANNA.school, ANNA.email, LATER)
people = opens(SqlPeople)


def test_one_address_may_be_at_several_schools(people: SqlPeople) -> None:
    elsewhere = replace(ANNA, school="another", role=KeyScope.ADMIN)
    for person in (ANNA, elsewhere, replace(ANNA, email="ben@school.example")):
        people.keep(person)

    assert people.with_email(ANNA.email) == [elsewhere, ANNA]
    assert [person.email for person in people.of_school("school")] == [ANNA.email, "ben@school.example"]


@pytest.mark.parametrize(("school", "email"), [("other", ANNA.email), ("school", "x@y"), ("school", "a\0b"), ("\ud800", "")])
def test_somebody_who_is_not_there_is_not_found(people: SqlPeople, school: str, email: str) -> None:
    people.keep(ANNA)

    with pytest.raises(NotFound):
        people.find(school, email)
    assert people.with_email(email) in ([], [ANNA])
    people.remove(school, email)
    assert people.find(ANNA.school, ANNA.email) == ANNA


def test_a_ticket_is_good_for_its_purpose_until_it_expires_or_its_person_is_removed(people: SqlPeople) -> None:
    people.keep(ANNA)
    people.issue(LINK)

    assert people.holder(LINK.digest, Purpose.LINK, NOON) == ANNA
    for digest, purpose, now in (
        (LINK.digest, Purpose.SESSION, NOON),
        (LINK.digest, Purpose.LINK, LATER),
        ("e", Purpose.LINK, NOON),
    ):
        with pytest.raises(NotFound):
            people.holder(digest, purpose, now)
    people.remove(ANNA.school, ANNA.email)
    people.keep(ANNA)
    with pytest.raises(NotFound):
        people.holder(LINK.digest, Purpose.LINK, NOON)
    people.issue(LINK)
    people.issue(replace(LINK, digest="e" * 64, expires=LATER + timedelta(hours=1)))
    assert people.forget(LATER) == 0
    assert people.forget(LATER + timedelta(seconds=1)) == 1  # it has expired


def test_of_many_who_spend_a_ticket_one_finds_it(people: SqlPeople) -> None:
    people.keep(ANNA)
    people.issue(LINK)

    def spend(_: int) -> bool:
        try:
            return people.spend(LINK.digest, Purpose.LINK, NOON) == ANNA
        except NotFound:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(spend, range(8))) == 1


def test_of_two_who_are_removed_at_one_moment_the_second_guard_sees_what_the_first_has_left(people: SqlPeople) -> None:
    both = [ANNA.email, "ben@school.example"]
    for email in both:
        people.keep(replace(ANNA, email=email))

    def not_the_last(everybody: Sequence[Person]) -> None:
        sleep(0.2)  # the other one is at it, too
        if len(everybody) == 1:
            raise Forbidden("the last")

    def removed(email: str) -> bool:
        try:
            people.remove("school", email, not_the_last)
        except Forbidden:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(removed, both)) == [False, True]
    assert len(people.of_school("school")) == 1


def test_what_a_guard_refuses_is_not_kept(people: SqlPeople) -> None:
    people.keep(ANNA)

    def refuse(everybody: Sequence[Person]) -> None:
        raise Forbidden(everybody[0].name)

    with pytest.raises(Forbidden, match="Anna Berg"):
        people.keep(replace(ANNA, role=KeyScope.ADMIN), refuse)

    assert people.of_school("school") == [ANNA]


def test_who_is_removed_is_nobodys_guest_any_more(people: SqlPeople) -> None:
    platforms = SqlLti(people._database)  # the same one
    at = "https://moodle.school.example"
    platforms.keep(Platform(at, at, at, at, (at,), "p1", "school", "c1", ("1",), NOON))
    platforms.keep(Guest("p1", "u-1", "school", ANNA.email, KeyScope.STUDENT))
    platforms.keep(Guest("p1", "u-2", "school", "ben@school.example", KeyScope.STUDENT))

    people.remove("school", ANNA.email)

    assert [guest.subject for guest in platforms.guests("p1")] == ["u-2"]
