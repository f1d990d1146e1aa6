from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chapterverse import composition
from chapterverse.essays.model import StoredFeedback
from chapterverse.essays.store import SqlFeedback
from chapterverse.operations.retention import forget_old
from chapterverse.settings import Settings
from tests.support.word_embedder import WordEmbedder


def test_what_is_older_than_the_setting_says_is_forgotten_of_every_school(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition.models, "embedder", lambda _: WordEmbedder())
    now = datetime.now(UTC)
    with closing(SqlFeedback(f"sqlite:///{home / 'catalog.db'}")) as store:
        for id, school, days in (("old", "local", 31), ("old too", "another", 31), ("new", "local", 29)):
            store.save(StoredFeedback(id, school, now - timedelta(days=days), now, '{"evidence": {"title": null}}'))

        told = [forget_old(composition.retention(Settings(home=home))).feedback for _ in range(2)]

        assert [kept.id for kept in store.of_school("local", now - timedelta(days=99), None, 10)] == ["new"]
    assert told == [2, 0]
