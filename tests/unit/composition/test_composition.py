"""What the settings choose to write feedback with."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from chapterverse import composition
from chapterverse.accounts.store import SqlKeys
from chapterverse.composition import lecture_context
from chapterverse.core.book import BookId
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.infrastructure.vectors.chroma import ChromaIndex
from chapterverse.library.model import VersionKey
from chapterverse.settings import Settings
from tests.support.servers import Postgres
from tests.support.word_embedder import WordEmbedder

A_SERVER: dict[str, Any] = {"llm_url": "http://127.0.0.1:1/v1", "llm_model": "a-model"}


def test_gemini_is_called_with_the_services_own_account(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("google.genai")
    monkeypatch.setattr("google.auth.default", lambda **_: (None, None))

    model = composition.ports.language_model(Settings(llm_model="projects/p/locations/eu/publishers/google/models/gemini-x"))

    assert model.model == "gemini-x"


def test_batches_have_time_and_ask_the_language_model_again(tmp_path: Path) -> None:
    night = composition.batch_context(Settings(home=tmp_path, **A_SERVER))

    assert night.essays.writing.seconds == 300
    assert night.essays.writing.paid is not None
    assert night.essays.writing.paid.model.until_deadline
    assert (night.limits.essays, night.limits.window) == (1000, timedelta(hours=12))


@pytest.mark.parametrize(("chosen", "searches"), [({}, BucketIndex), ({"index": "http://127.0.0.1:1"}, ChromaIndex)])
def test_the_setting_chooses_what_searches(tmp_path: Path, chosen: dict[str, str], searches: type) -> None:
    assert type(composition.ports.index(Settings(home=tmp_path, **chosen), Recent())) is searches


def test_all_stores_of_a_process_share_the_connections_of_one_pool(postgres: Postgres) -> None:
    settings = Settings(catalog=SecretStr(postgres.new_database()), index="pgvector", max_llm_cost_per_day=1, **A_SERVER)
    services, paid = composition.compose(settings, WordEmbedder()), composition.ports.paid_model(settings)
    key = VersionKey("school", BookId("book"), "v", "model")

    services.catalog.books("school")
    services.index.count(key.partition, key.version)
    composition.ports.sql(settings, SqlKeys).of_school("school")
    composition.feedback_history(settings).store.remove_before(datetime.now(UTC), datetime.now(UTC))
    composition.batch_context(settings, services).store.of_school("school")
    paid.ledger.spent("school", paid.today())

    database = composition.ports.database(settings)
    with database.engine.connect() as connection:
        clients = "datname = current_database() AND backend_type = 'client backend'"  # the server's own autovacuum is none
        opened = connection.scalar(text(f"SELECT count(*) FROM pg_stat_activity WHERE {clients}"))
    database.close()
    assert opened == 1


def test_lectures_have_their_own_paragraphs_and_a_reranker_of_their_own_not_loaded_before_it_is_asked(tmp_path: Path) -> None:
    desk = lecture_context(Settings(home=tmp_path))
    assert desk.services.chunker.unit == "paragraph-24-254"
    assert desk.services.reranker is None

    desk = lecture_context(Settings(home=tmp_path, rerank="cross-encoder/ms-marco-TinyBERT-L-2-v2"))
    assert desk.services.reranker is not None
    assert desk.services.reranker.model == "ms-marco-TinyBERT-L-2-v2"
