"""What every SqlFeedback must do."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import CatalogUnavailable, NotFound
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.model import Choice, ItemRating, Origin, Rating, Show, StoredFeedback, TeacherEdits
from chapterverse.essays.store import SqlFeedback
from tests.contract.conftest import NOON, opens
from tests.support.essays import some_feedback
from tests.support.refusals import refused

SECOND = Origin("b1", 2)
RATED = ItemRating("comment", 1, Rating.UP)
EDITS = TeacherEdits(note="Well found: “déjà vu”, \x00 and all.")
CHOICE = Choice(2, Show.HIDDEN, SentenceId("v-0-1"), some_feedback().evidence.evidence[0])
store = opens(SqlFeedback)


def one(id: str = "one", hours: float = 0, origin: Origin | None = None, **facts: Any) -> StoredFeedback:
    """Given at noon, or some hours later."""
    given = NOON + timedelta(hours=hours)
    own = {"id": id, "school": "school", "created": given, "approved": given, "answer": '{"id": "one"}'}
    return StoredFeedback(**own | (asdict(origin) if origin else {}) | facts)


def marked(kept: StoredFeedback) -> StoredFeedback:
    return replace(kept, edits=EDITS, choices=(CHOICE,), approved=None, ratings=(RATED,))


def test_what_is_kept_is_found_as_it_was(store: SqlFeedback) -> None:
    store.save(one(answer='{"title": "NUL \\u0000 and “quotes”"}', edits=EDITS, choices=(CHOICE,)))

    assert store.find("school", "one") == one(answer='{"title": "NUL \\u0000 and “quotes”"}', edits=EDITS, choices=(CHOICE,))


def test_what_is_not_kept_or_another_schools_is_not_found_changed_or_removed(store: SqlFeedback) -> None:
    store.save(one())

    for school, id in (*(("school", each) for each in ("other", "", "one\x00", "\ud800")), ("another", "one")):
        for look in (store.find, store.remove, lambda school, id: store.change(school, id, marked)):
            with pytest.raises(NotFound):
                look(school, id)
    assert store.of_school("another", NOON, None, 10) == []
    assert store.find("school", "one") == one()


def test_the_newest_come_first_within_the_time_asked_for(store: SqlFeedback) -> None:
    for number in range(5):
        store.save(one(str(number), hours=number))

    def ids(since: float, before: float | None, limit: int = 10) -> str:
        until = before and NOON + timedelta(hours=before)
        return "".join(kept.id for kept in store.of_school("school", NOON + timedelta(hours=since), until, limit))

    assert (ids(0, None), ids(1, 3), ids(0, 4, limit=2)) == ("43210", "21", "32")


def test_whoever_handed_it_in_finds_their_own_newest_first(store: SqlFeedback) -> None:
    for id, hours, owner in (("old", 0, "anna@x"), ("new", 1, "anna@x"), ("ben", 1, "ben@x"), ("nobody", 1, None)):
        store.save(one(id, hours=hours, owner=owner, version_of="gone"))
    store.save(one("elsewhere", school="another", owner="anna@x"))

    assert [kept.id for kept in store.of_owner("school", "anna@x", NOON, 10)] == ["new", "old"]
    assert [kept.id for kept in store.of_owner("school", "anna@x", NOON + timedelta(hours=1), 10)] == ["new"]
    assert [kept.id for kept in store.of_owner("school", "anna@x", NOON, 1)] == ["new"]
    assert store.of_owner("school", "\ud800", NOON, 10) == []
    assert (store.find("school", "new").owner, store.find("school", "new").version_of) == ("anna@x", "gone")


@pytest.mark.parametrize(("id", "origin"), [("one", None), ("of a later build", SECOND)])
def test_what_is_kept_under_its_id_or_on_its_essay_stays_as_it_is(store: SqlFeedback, id: str, origin: Origin | None) -> None:
    store.save(one(origin=origin, edits=EDITS))

    store.save(one(id, origin=origin, answer="{}"))
    assert store.of_school("school", NOON, None, 10) == [one(origin=origin, edits=EDITS)]


def test_marks_choices_and_approval_can_be_changed_and_a_change_that_fails_changes_nothing(store: SqlFeedback) -> None:
    store.save(one())

    def refuse(_: StoredFeedback) -> StoredFeedback:
        raise NotFound("There is no such comment.")

    with pytest.raises(NotFound, match="comment"):
        store.change("school", "one", refuse)
    assert store.find("school", "one") == one()
    store.change("school", "one", marked)
    assert store.find("school", "one") == marked(one())


def test_no_change_is_lost_however_many_make_one_at_once(store: SqlFeedback) -> None:
    store.save(one())

    def mark(number: int) -> None:
        store.change(
            "school", "one", lambda kept: replace(kept, ratings=(*kept.ratings, ItemRating("comment", number, Rating.UP)))
        )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(mark, range(24)))

    assert sorted(each.number for each in store.find("school", "one").ratings) == list(range(24))


def test_a_batch_takes_its_feedback_along_and_no_other(store: SqlFeedback) -> None:
    for id, origin, school in (("a", SECOND, "school"), ("b", None, "school"), ("c", SECOND, "another")):
        store.save(one(id, origin=origin, school=school))

    for _ in range(2):
        store.remove_batch(BatchKey("school", "b1"))

    assert [kept.id for kept in store.of_school("school", NOON, None, 10)] == ["b"]
    assert store.find("another", "c")


def test_what_was_created_before_is_removed_of_all_schools_and_of_a_batch_at_an_age_of_its_own(store: SqlFeedback) -> None:
    store.save(one("of a batch", hours=-2, origin=SECOND))
    store.save(one("old", hours=-1))
    store.save(one("old too", hours=-1, school="another"))
    store.save(one())

    assert store.remove_before(NOON, NOON - timedelta(hours=2)) == 2
    assert store.remove_before(NOON, NOON) == 1
    assert store.remove_before(NOON, NOON) == 0
    assert [kept.id for kept in store.of_school("school", NOON - timedelta(days=1), None, 10)] == ["one"]


def everything(url: str, tmp_path: Path) -> str:
    """All that the database holds: the bytes of its files, or for a server the rows of its tables."""
    if url.startswith("sqlite"):
        return b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode("latin-1")
    with create_engine(url).connect() as connection:
        tables = connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all()
        return "".join(str(connection.execute(text(f'SELECT * FROM "{table}"')).all()) for table in tables)


def secret(number: int) -> str:
    return f"quokka{number:04}quokka"


def test_of_what_was_removed_no_word_is_left_and_of_the_others_every_one(store: SqlFeedback, url: str, tmp_path: Path) -> None:
    """Short and long, written and changed in turns, so that the database moves pages and parts of pages about."""
    for number in range(120):
        store.save(one(str(number), number, answer=f"{secret(number)} {'word ' * (number * 37 % 3000)}{secret(number)}"))
        store.change("school", str(number // 2), lambda kept: replace(kept, edits=TeacherEdits(note=kept.answer[:8000])))
    before = everything(url, tmp_path)
    assert all(secret(number) in before for number in range(120))

    for number in range(0, 120, 3):
        store.remove("school", str(number))
    store.remove_before(NOON + timedelta(hours=60), NOON)

    after = everything(url, tmp_path)
    left = [number for number in range(120) if secret(number) in after]
    assert left == [number for number in range(60, 120) if number % 3]


def test_while_another_program_reads_sqlite_says_that_traces_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chapterverse.infrastructure.sql.BUSY_SECONDS", 0.1)
    store = SqlFeedback(f"sqlite:///{tmp_path}/catalog.db")
    store.save(one(answer=secret(1)))
    with create_engine(f"sqlite:///{tmp_path}/catalog.db").connect() as reader:
        reader.execute(text("BEGIN"))
        reader.execute(text("SELECT * FROM feedback"))
        with refused(CatalogUnavailable, "catalog_still_read"):
            store.remove("school", "one")

    store.remove_before(NOON, NOON)

    assert secret(1) not in everything("sqlite", tmp_path)
    store.close()


def test_that_of_a_batch_is_found_by_number_and_the_rest_apart_from_it(store: SqlFeedback) -> None:
    store.save(one("second", origin=SECOND))
    store.save(one("first", origin=Origin("b1", 1), hours=1))
    store.save(one("alone"))
    store.save(one("older", origin=Origin("b1", 3), hours=-2))

    assert [each.id for each in store.in_batch(BatchKey("school", "b1"), NOON)] == ["first", "second"]
    assert store.in_batch(BatchKey("another", "b1"), NOON) == []
    assert [each.id for each in store.of_school("school", NOON, None, 10, alone=True)] == ["alone"]


def test_earlier_versions_are_told_by_owner(store: SqlFeedback) -> None:
    ada, ben = "ada@school.example", "ben@school.example"
    for each in (
        one("first", owner=ada),
        one("second", owner=ada, version_of="first"),
        one("theirs", owner=ben, version_of="gone"),
        one("elsewhere", owner=ada, version_of="first", school="other"),
    ):
        store.save(each)

    assert store.earlier_of("school", [ada]) == {"second": "first"}
    assert store.earlier_of("school", [ada, ben]) == {"second": "first", "theirs": "gone"}
    assert store.earlier_of("school", []) == {}
