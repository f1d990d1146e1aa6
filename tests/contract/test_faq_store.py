"""What every SqlFaq must do."""

from datetime import timedelta
from typing import Any

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.questions.model import EntryType, FaqEntry
from chapterverse.questions.store import SqlFaq
from tests.contract.conftest import NOON, opens

store = opens(SqlFaq)


def one(id: str = "one", hours: float = 0, **facts: Any) -> FaqEntry:
    created = NOON + timedelta(hours=hours)
    return FaqEntry(**{"id": id, "school": "school", "question": "Who?", "answer": "“We”.", "created": created} | facts)


def approve(entry: FaqEntry) -> FaqEntry:
    return entry.model_copy(update={"approved": NOON})


def test_what_is_added_is_found_as_it_was_and_as_it_was_changed_until_it_is_removed(store: SqlFaq) -> None:
    entry = one(department="physics", type=EntryType.RESOLVED, conversation="c-1", approved=NOON)

    store.save([entry])

    assert store.find("school", "one") == entry
    changed = store.change("school", "one", lambda entry: one(question="What?", department="d", approved=entry.created))
    assert changed == store.find("school", "one") == one(question="What?", department="d", approved=NOON)
    store.remove("school", "one")
    assert store.of_school("school") == []


@pytest.mark.parametrize(("school", "id"), [("school", "another"), ("school", "one\x00"), ("another", "one")])
def test_what_is_not_there_is_not_found(store: SqlFaq, school: str, id: str) -> None:
    store.save([one()])

    for look in (store.find, store.remove, lambda school, id: store.change(school, id, approve)):
        with pytest.raises(NotFound):
            look(school, id)
    assert store.find("school", "one") == one()


def test_entries_are_listed_oldest_first(store: SqlFaq) -> None:
    store.save([one("late", hours=2)])
    store.save([one("early", hours=1)])
    store.save([one("other", school="another")])

    assert [entry.id for entry in store.of_school("school")] == ["early", "late"]
