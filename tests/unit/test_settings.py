import re
from typing import Any

import pytest

from chapterverse.core.errors import BadRequest
from chapterverse.settings import Settings, read_settings

CLOUD = {
    "ARTEFACTS": "gs://artefacts",
    "UPLOADS": "gs://books",
    "CATALOG": "postgresql+psycopg://catalog@db/catalog",
    "INDEX": "http://chroma:8000",
    "QUEUE": "projects/p/locations/l/queues/q",
    "TASKS_URL": "https://embedder",
}
GEMINI = "projects/p/locations/global/publishers/google/models/gemini-x"


def read(monkeypatch: pytest.MonkeyPatch, **settings: str) -> Settings:
    for name, value in settings.items():
        monkeypatch.setenv(f"CHAPTERVERSE_{name}", value)
    return read_settings()


NOT_READ = [f"smtps://me:{password}@" for password in ("hun/ter2", "9/ter2", "HUN#TER2", "9#ter2", "hun?TER2", "hun[TER2")]


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"ARTEFACTS": "artefacts"}, "ARTEFACTS is wrong. It is: gs://BUCKET"),
        ({"HOME": "~nobody-of-that-name/data"}, "HOME is wrong: there is no such user"),
        ({"SCHOOL": "../other"}, "SCHOOL is wrong. It is: School that commands are about; no path"),
        ({"LLM_TASKS": "batch", "LLM_MODEL": GEMINI}, "and RESULTS"),
        (CLOUD | {"BATCH_URL": "https://night"}, "set QUEUE and RESULTS"),
        ({"UPLOADS": "https://books"}, "s3://BUCKET"),
        ({"CATALOG": "postgresql://db/catalog"}, r"postgresql\+psycopg://"),
        ({"INDEX": "qdrant"}, "pgvector"),
        ({"INDEX": "pgvector"}, "set CATALOG"),
        ({"EMBEDDER": "remote"}, "EMBEDDER_URL"),
        ({"ALLOWED_CALLERS": "tasks@p.iam.gserviceaccount.com"}, "TASKS_URL"),
        ({"LLM_URL": "http://llm/v1"}, "LLM_MODEL is missing"),
        ({"LLM_MODEL": "m", "LLM_URL": "http://llm", "LLM_KEY": "sec\nret"}, "LLM_KEY has signs that no key has"),
        ({"LLM_MODEL": "m"}, "LLM_URL has to be"),
        ({"SITE_URL": "school.example"}, "SITE_URL has to be a web address"),
        ({"LLM_MODEL": "m", "LLM_URL": "http://[::1/v1"}, "LLM_URL has to be a web address"),
        ({"LLM_MODEL": "m", "LLM_URL": "http://localhost:99999"}, "LLM_URL has to be a web address"),
        ({"LLM_MODEL": "m", "LLM_URL": "http://my server/v1"}, "LLM_URL has to be a web address"),
        *(({"MAIL_SERVER": f"{given}mail.school.example"}, "MAIL_SERVER is smtps://") for given in ("", *NOT_READ)),
        ({"MAIL_SERVER": "smtps://mail.school.example"}, "MAIL_FROM is missing"),
        (CLOUD | {"TASKS_URL": ""}, "TASKS_URL"),
        ({"EMBEDING_MODEL": "a-model"}, r"CHAPTERVERSE_EMBEDING_MODEL\. Did you mean CHAPTERVERSE_EMBEDDING_MODEL"),
        ({"catalog": "sqlite:///x"}, r"CHAPTERVERSE_catalog\. Did you mean CHAPTERVERSE_CATALOG"),
        ({"EMBEDDER": "torch"}, "EMBEDDER is wrong: choose from onnx, sentence-transformers, remote, vertex"),
        *((CLOUD | {missing: ""}, "no folder of this one") for missing in ("ARTEFACTS", "UPLOADS", "CATALOG")),
    ],
    ids=str,
)
def test_what_cannot_work_is_refused_with_what_to_do(
    settings: dict[str, str], names: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadRequest, match=names) as refused:
        read(monkeypatch, **settings)
    assert not re.search("hun|ter2", str(refused.value).lower())


def test_a_secret_is_not_shown() -> None:
    secrets: dict[str, Any] = {"catalog": "postgresql+psycopg://me:hunter2@db/c", "llm_key": "hunter2"}

    assert "hunter2" not in repr(Settings(**secrets, llm_model="m", llm_url="http://llm"))


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"llm_model": "projects/p/locations/l/publishers/google/models/m"}, "gemini"),
        ({"llm_url": "http://localhost:11434", "llm_model": "qwen3.5:4b"}, "openai"),
        ({"llm_url": " http://llm ", "llm_model": "m\n", "llm_key": "secret\n"}, "openai"),
        ({}, ""),
    ],
)
def test_name_and_address_say_what_the_language_model_is(settings: dict[str, str], kind: str) -> None:
    assert Settings(**settings).llm == kind
