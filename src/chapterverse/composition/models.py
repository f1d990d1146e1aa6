"""Build models: embedders, language models, re-rankers, and what writes feedback."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from chapterverse.composition import stores
from chapterverse.infrastructure.spans import traced_port

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.genai import Client as GeminiClient

    from chapterverse.accounts.setup import ModelSetup
    from chapterverse.core.paid_model import PaidModel
    from chapterverse.core.ports import Bucket, Embedder, Reranker
    from chapterverse.essays.service import Writing
    from chapterverse.infrastructure.embedding.batching import BatchingEmbedder, BatchingObserver
    from chapterverse.infrastructure.llm.gemini import GeminiModel, VertexBatch
    from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel
    from chapterverse.settings import Settings

CLOUD_RUN = ".run.app"
BATCH_ESSAY_SECONDS = 300.0  # for one essay of a batch, the language model included


def embedder(s: Settings) -> Embedder:
    """The embedder that the settings choose; it loads or connects at its first vector."""
    if s.embedder_is_ours_elsewhere:
        from chapterverse.infrastructure.embedding.remote import ONLINE

        return _our_embedder(s, ONLINE)
    if s.embedder == "openai":
        from chapterverse.infrastructure.embedding.remote import OpenAiEmbedder

        return OpenAiEmbedder(s.embedder_url, s.embedding_model, s.embedder_key.get_secret_value())
    if s.embedder == "sentence-transformers":
        from chapterverse.infrastructure.embedding.local import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(s.embedding_model)
    from chapterverse.infrastructure.embedding.local import OnnxEmbedder

    return OnnxEmbedder(s.embedding_model, s.home / "models")


def bulk_embedder(s: Settings) -> Embedder:
    """The embedder for bulk work: our own embedder elsewhere is asked at its bulk address."""
    if not s.embedder_is_ours_elsewhere:
        return embedder(s)
    from chapterverse.infrastructure.embedding.remote import BULK

    return _our_embedder(s, BULK)


def _our_embedder(s: Settings, path: str) -> Embedder:
    """Our own embedder on Cloud Run or at an endpoint of Vertex AI."""
    if s.embedder == "vertex":
        from chapterverse.infrastructure.embedding.vertex import VertexEmbedder

        return VertexEmbedder(s.embedder_url, s.embedding_model, path=path)
    from chapterverse.infrastructure.embedding.remote import RemoteEmbedder

    return RemoteEmbedder(s.embedder_url, s.embedding_model, s.tasks_url, path=path)


def batching_embedder(s: Settings, observer: BatchingObserver | None = None) -> BatchingEmbedder:
    """A local embedder with an online and a bulk queue. observer: of the queues."""
    from chapterverse.infrastructure.embedding.batching import BatchingEmbedder

    return BatchingEmbedder(embedder(s), _batch_tokens(s), observer=observer)


def _batch_tokens(s: Settings) -> int:
    """Tokens per run of the embedding model here; people wait for one run of a book's."""
    from chapterverse.infrastructure.embedding.local import CPU_BATCH_TOKENS, GPU_BATCH_TOKENS

    if s.embedder != "sentence-transformers":
        return CPU_BATCH_TOKENS
    import torch

    return GPU_BATCH_TOKENS if torch.cuda.is_available() else CPU_BATCH_TOKENS


def language_model(s: Settings) -> OpenAiModel | GeminiModel:
    """Gemini, or an OpenAI-compatible server."""
    if s.llm == "gemini":
        from chapterverse.infrastructure.llm import gemini

        return gemini.GeminiModel(_gemini_client(s), s.vertex["model"])
    from chapterverse.infrastructure.embedding.remote import IdTokens
    from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel, open_client

    origin = urljoin(s.llm_url, "/").rstrip("/")
    token = IdTokens(origin) if origin.endswith(CLOUD_RUN) else None
    return OpenAiModel(open_client(s.llm_url, s.llm_key.get_secret_value(), token), s.llm_model)


def _gemini_client(s: Settings) -> GeminiClient:
    from chapterverse.infrastructure.llm.gemini import open_client

    return open_client(s.vertex["project"], s.vertex["location"], s.llm_url)


def reranker(name: str) -> Reranker | None:
    """The cross-encoder with that name or folder, loaded at its first pair or by warm_up; None without a name."""
    if not name:
        return None
    from chapterverse.infrastructure.llm.readers import CrossEncoderReranker

    return CrossEncoderReranker(name)


def predictor(s: Settings, results: Bucket) -> VertexBatch:
    """Vertex AI's batch prediction."""
    from chapterverse.infrastructure.llm.gemini import VertexBatch

    return VertexBatch(_gemini_client(s), s.vertex["model"], results, s.results.rstrip("/"))


def paid_model(s: Settings) -> PaidModel:
    """The operator's language model with its price and daily ceiling."""
    prompt, answer = map(float, s.llm_prices.split(","))
    return _paid(s, language_model(s), s.llm_model, (prompt, answer, s.max_llm_cost_per_day))


def _paid(s: Settings, model: OpenAiModel | GeminiModel, name: str, costs: tuple[float, float, float]) -> PaidModel:
    """costs: of a million tokens read, of a million written, at most in a day."""
    from chapterverse.core.paid_model import PaidModel, Price
    from chapterverse.infrastructure.quotas import SqlLedger

    *prices, per_day = costs
    port = traced_port("language_model", lambda: model)
    return PaidModel(port, stores.sql(s, SqlLedger), Price(*prices), round(per_day * 1_000_000), name=name, facts=model.facts)


def school_model(s: Settings) -> Callable[[str], PaidModel | None]:
    """A function that returns the language model of a school that has set up one on the page; none where the operator has."""
    from chapterverse.core.paid_model import no_school_model

    if s.llm or not (find_spec("openai") and find_spec("joserfc")):
        return no_school_model
    from chapterverse.composition.schools import school_setups

    setups = cache(lambda: school_setups(s))

    @cache
    def opened(setup: ModelSetup) -> PaidModel:  # one client for as long as nothing changes
        from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel, open_client

        model = OpenAiModel(open_client(setup.url, setup.key), setup.model)
        return _paid(s, model, setup.model, (setup.prompt_price, setup.answer_price, setup.per_day))

    def model_of(school: str) -> PaidModel | None:
        setup = setups().model(school)
        return opened(setup) if setup else None

    return model_of


def batch_writing(s: Settings) -> Writing:
    """What writes feedback on essays of a batch, with more time."""
    from chapterverse.infrastructure.llm.streaming import RetryingModel

    online = writing(s)
    paid = online.paid and replace(online.paid, model=RetryingModel(online.paid.model))
    return replace(online, paid=paid, seconds=BATCH_ESSAY_SECONDS)


def writing(s: Settings) -> Writing:
    """What writes feedback."""
    from chapterverse.essays.service import Writing
    from chapterverse.infrastructure.llm.readers import essay_reader

    return Writing(
        paid=paid_model(s) if s.llm else None,
        seconds=s.max_feedback_seconds,
        read_essay=essay_reader.signs,
        school_model=school_model(s),
    )
