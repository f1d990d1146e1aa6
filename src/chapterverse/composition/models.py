"""What embeds and what writes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chapterverse.composition import stores
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from chapterverse.adapters.lanes import Lanes, Watch
    from chapterverse.adapters.remembered_queries import RememberedQueries
    from chapterverse.evidence.reading import Reader
    from chapterverse.feedback.comments import Dimension
    from chapterverse.feedback.proofs import Proofreader
    from chapterverse.ports import Bucket, Embedder, LanguageModel, Reranker
    from chapterverse.settings import Settings
    from chapterverse.usecases.key_sentence_model import KeySentenceModel
    from chapterverse.usecases.overnight.night import Predictor
    from chapterverse.usecases.writing import PaidModel, Writing


def embedder(s: Settings) -> Embedder:
    """The model named in the settings; it is loaded, or called, at its first vector."""
    if s.embedder == "remote":
        from chapterverse.adapters.remote_embedder import RemoteEmbedder

        return RemoteEmbedder(s.embedder_url, s.embedding_model, s.embedder_dimensions, s.audience)
    if s.embedder == "openai":
        from chapterverse.adapters.openai_embedder import OpenAiEmbedder

        return OpenAiEmbedder(s.embedder_url, s.embedding_model, s.embedder_dimensions, s.embedder_key.get_secret_value())
    if s.embedder == "sentence-transformers":
        from chapterverse.adapters.sentence_transformers_embedder import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(s.embedding_model)
    from chapterverse.adapters.onnx_embedder import OnnxEmbedder

    return OnnxEmbedder(s.embedding_model, s.home / "models")


def remembering(s: Settings, embedder: Embedder) -> RememberedQueries:
    """The same, which remembers the vectors of questions for a while."""
    from chapterverse.adapters.remembered_queries import RememberedQueries

    return RememberedQueries(embedder, s.query_cache_seconds)


def bulk_embedder(s: Settings) -> Embedder:
    """The same in the bulk lane, where the model runs behind lanes of another process."""
    if s.embedder != "remote":
        return embedder(s)
    from chapterverse.adapters.remote_embedder import BULK, RemoteEmbedder

    return RemoteEmbedder(s.embedder_url, s.embedding_model, s.embedder_dimensions, s.audience, path=BULK)


def as_before(s: Settings) -> Settings | None:
    """The same with the embedder that schools are searched with until their books are embedded anew; None where there is none.

    Where that has an address, it is our own container, unless another kind of server is chosen."""
    if not s.embedding_model_before:
        return None
    remote = {"embedder": "openai" if s.embedder == "openai" else "remote", "embedder_url": s.embedder_url_before}
    model = {"embedding_model": s.embedding_model_before, "embedder_dimensions": s.embedder_dimensions_before}
    return s.model_copy(update={**model, **(remote if s.embedder_url_before else {})})


def bulk_before(s: Settings) -> Embedder | None:
    """Its embedder in the bulk lane, where there is one."""
    earlier = as_before(s)
    return bulk_embedder(earlier) if earlier else None


def lanes(s: Settings, watch: Watch | None = None) -> Lanes:
    """Two lanes to one model in this process; watch is told what passes through them."""
    from chapterverse.adapters.lanes import Lanes

    return Lanes(embedder(s), s.batch_tokens, s.max_queued_texts, watch=watch)


def language_model(s: Settings) -> LanguageModel:
    """Gemini, or a server that speaks OpenAI's protocol."""
    if s.llm == "gemini":
        from chapterverse.adapters import gemini

        return gemini.GeminiModel(gemini.open_client(s.llm_project, s.llm_location, s.llm_url), s.llm_model)
    from chapterverse.adapters.id_tokens import IdTokens
    from chapterverse.adapters.openai_compatible import OpenAiModel, open_client

    token = IdTokens(s.llm_audience) if s.llm_audience else None
    return OpenAiModel(open_client(s.llm_url, s.llm_key.get_secret_value(), token), s.llm_model)


def claim_reader(model: str) -> Reader:
    """A cross-encoder trained on natural language inference, by its name on the hub or a folder."""
    from chapterverse.adapters.cross_encoder import NliCrossEncoder

    return NliCrossEncoder(model)


def key_sentence_model(s: Settings) -> KeySentenceModel | None:
    """The language model as the one that chooses key sentences, paid for by CHAPTERVERSE_SCHOOL; None where vectors choose."""
    if s.key_sentence_by != "llm":
        return None
    from chapterverse.usecases.key_sentence_model import KeySentenceModel

    return KeySentenceModel(partial(paid_model(s).answer, s.school))


def reranker(name: str) -> Reranker | None:
    """The cross-encoder of that name or folder, loaded at its first pair; None for "off"."""
    if name == "off":
        return None
    from chapterverse.adapters.cross_encoder import CrossEncoderReranker
    from chapterverse.adapters.remembered_reranker import RememberedReranker

    return RememberedReranker(CrossEncoderReranker(name))


def predictor(s: Settings, results: Bucket) -> Predictor:
    """Vertex AI's batch prediction."""
    from chapterverse.adapters import gemini
    from chapterverse.adapters.vertex_batch import VertexBatch

    client = gemini.open_client(s.llm_project, s.llm_location, s.llm_url)
    return VertexBatch(client, s.llm_model, results, s.results.rstrip("/"))


def paid_model(s: Settings) -> PaidModel:
    """The language model, with what it may cost."""
    from chapterverse.adapters.sql_ledger import SqlLedger
    from chapterverse.usecases.writing import PaidModel, Price

    model = language_model(s)
    return PaidModel(
        model=traced("language_model", lambda: model),
        ledger=traced("ledger", lambda: SqlLedger(stores.database(s))),
        price=Price(s.llm_price_prompt, s.llm_price_answer),
        ceiling=round(s.llm_day_ceiling * 1_000_000),
    )


def night_writing(s: Settings, embedder: Embedder) -> Writing:
    """The same for essays that nobody waits for."""
    from chapterverse.adapters.patient_model import PatientModel

    by_day = writing(s, embedder)
    paid = by_day.paid and replace(by_day.paid, model=PatientModel(by_day.paid.model))
    return replace(by_day, paid=paid, seconds=s.batch_essay_seconds, model_seconds=s.batch_essay_seconds)


def writing(s: Settings, embedder: Embedder) -> Writing:
    """What feedback is written with; embedder: for its verdicts. What is slow to load is loaded now, not by the first essay."""
    from chapterverse.feedback.comments import Style, Tone
    from chapterverse.feedback.rubric import read_rubric
    from chapterverse.feedback.rules.spelling import read_dictionary
    from chapterverse.usecases.careful_judge import CarefulJudge
    from chapterverse.usecases.writing import Writing

    read_dictionary()
    return Writing(
        style=Style(s.grade, Tone(s.tone), _dimensions(s), read_rubric(s.rubric)),
        paid=paid_model(s) if s.llm else None,
        judge=CarefulJudge(embedder),
        seconds=s.feedback_seconds,
        model_seconds=s.llm_seconds,
        proofreader=proofreader(s),
        proof_seconds=s.languagetool_seconds,
    )


def proofreader(s: Settings) -> Proofreader | None:
    """The school's LanguageTool; None where no address is set."""
    if not s.languagetool_url:
        return None
    from chapterverse.adapters.languagetool import LanguageTool

    return LanguageTool(s.languagetool_url, s.languagetool_language)


def _dimensions(s: Settings) -> tuple[Dimension, ...]:
    from chapterverse.feedback.comments import Dimension

    return tuple(dict.fromkeys(map(Dimension, s.dimensions.split(","))))
