"""What every Embedder must do, with the real MiniLM and with a small model of another pooling that has a query prefix."""

import calendar
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from google.auth.credentials import AnonymousCredentials

from chapterverse.core.ports import Embedder
from chapterverse.infrastructure.embedding.local import OnnxEmbedder, SentenceTransformersEmbedder
from chapterverse.infrastructure.embedding.remote import RemoteEmbedder
from chapterverse.infrastructure.embedding.vertex import VertexEmbedder
from tests.support.embedder_servers import vertex_endpoint, worker_server
from tests.support.tiny_bert import tiny_bert

MINILM = "all-MiniLM-L6-v2"
Start = Callable[[str, Path, ExitStack], Embedder]

SENTENCES = [
    "Hello",
    "The liberty of the individual must be thus far limited.",
    "",
    "He must not make himself a nuisance to other people, whatever he may think of them or they of him.",
    "Ships.",
]

RAMBLE = " ".join(
    f"In {month} the harbour master wrote down the height of the tide, counted the boats that lay along the old wall, paid "
    f"the two men who mended the nets, and walked home by the upper road, where the lamps of {month} were seldom lit."
    for month in calendar.month_name[1:]
)
POINT = "Yet a bee finds its way back to the hive by the angle of the sun."
QUESTION = "How do bees navigate home?"


def onnx(name: str, cache: Path, _: ExitStack) -> Embedder:
    return OnnxEmbedder(name, cache, threads=1)


def remote(name: str, cache: Path, servers: ExitStack) -> Embedder:
    """Our worker, over HTTP."""
    model = OnnxEmbedder(name, cache, threads=1)
    return RemoteEmbedder(servers.enter_context(worker_server(model)), name)


def vertex(name: str, cache: Path, servers: ExitStack) -> Embedder:
    """Our worker at an endpoint of Vertex AI, by Google's own client."""
    model = OnnxEmbedder(name, cache, threads=1)
    url = servers.enter_context(vertex_endpoint(model))
    return VertexEmbedder(url, name, credentials=AnonymousCredentials())


def sentence_transformers(name: str, cache: Path, _: ExitStack) -> Embedder:
    return SentenceTransformersEmbedder(name, device="cpu")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def servers() -> Iterator[ExitStack]:
    with ExitStack() as running:
        yield running


@pytest.fixture(
    scope="module",
    params=[onnx, pytest.param(sentence_transformers, marks=pytest.mark.torch), remote, vertex],
    ids=lambda start: start.__name__,
)
def start(request: pytest.FixtureRequest) -> Start:
    return request.param


@pytest.fixture(scope="module")
def minilm(start: Start, cache: Path, servers: ExitStack) -> Embedder:
    return start(MINILM, cache, servers)


@pytest.fixture(scope="module")
def bge_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("models") / "bge-base-en-v1.5", pooling="cls")


@pytest.fixture(scope="module")
def bge(start: Start, cache: Path, bge_folder: Path, servers: ExitStack) -> Embedder:
    return start(str(bge_folder), cache, servers)


def test_vectors_are_of_length_one_in_the_order_given_and_those_of_the_known_model(minilm: Embedder, bge: Embedder) -> None:
    vectors = minilm.embed_passages(SENTENCES)

    assert (minilm.model, bge.model) == (MINILM, "bge-base-en-v1.5")
    assert vectors[0, :4] == pytest.approx([-0.0627718, 0.0549588, 0.0521648, 0.0857900], abs=1e-5)
    assert minilm.embed_passages([]).shape == minilm.embed_queries([]).shape == (0, 384)
    assert (vectors.dtype, vectors.shape) == (np.float32, (5, 384))
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[::-1], minilm.embed_passages(SENTENCES[::-1]), atol=1e-5)


@pytest.mark.parametrize("text", ["", "  \n", "\ud83d", "\x00", "\N{OGHAM SPACE MARK}", "😀" * 700, "a" * 5000])
def test_any_string_has_a_vector(minilm: Embedder, text: str) -> None:
    [vector] = minilm.embed_passages([text])

    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_a_vector_does_not_depend_on_what_else_is_embedded(minilm: Embedder) -> None:
    together = minilm.embed_passages([RAMBLE, *SENTENCES, RAMBLE[:500]])

    alone = np.concatenate([minilm.embed_passages([text]) for text in SENTENCES])
    assert np.allclose(together[1:6], alone, atol=1e-5)


def test_a_point_that_comes_last_in_600_words_is_found(minilm: Embedder) -> None:
    whole = f"{RAMBLE} {POINT}"
    what_fits = " ".join(whole.split()[:180])

    scores = minilm.embed_passages([whole, what_fits, RAMBLE]) @ minilm.embed_queries([QUESTION])[0]
    assert len(whole.split()) > 500
    assert scores[0] > scores[1] + 0.02
    assert scores[0] > scores[2] + 0.015


def test_a_query_stands_behind_its_prefix_with_each_window_where_the_model_has_one(minilm: Embedder, bge: Embedder) -> None:
    prefixed = "Represent this sentence for searching relevant passages: mind of man"

    assert np.allclose(bge.embed_queries(["mind of man"]), bge.embed_passages([prefixed]), atol=1e-5)
    assert np.allclose(minilm.embed_queries(["mind of man"]), minilm.embed_passages(["mind of man"]), atol=1e-5)
    short, long = bge.embed_queries(["mind " * 24, "mind " * 1000])
    [without] = bge.embed_passages(["mind " * 24])

    assert long @ short > 0.98
    assert long @ short > long @ without + 0.01


def test_tokens_are_counted_whatever_their_number(minilm: Embedder) -> None:
    texts = ["", "Nothing is cut at five hundred.", "liberty " * 1500]

    none, few, many = minilm.count_tokens(texts)

    assert none == 0
    assert few in range(6, 9)
    assert many >= 1500


@pytest.mark.torch
def test_the_local_embedders_agree(cache: Path, bge_folder: Path, servers: ExitStack) -> None:
    texts = [*SENTENCES, "the mind of man is free", RAMBLE, f"{RAMBLE} {POINT}"]

    for name in (MINILM, str(bge_folder)):
        one, other = onnx(name, cache, servers), sentence_transformers(name, cache, servers)
        assert (one.embed_passages(texts) * other.embed_passages(texts)).sum(axis=1).min() > 0.9999
        assert (one.embed_queries(texts) * other.embed_queries(texts)).sum(axis=1).min() > 0.9999
