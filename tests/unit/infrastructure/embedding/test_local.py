import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file

from chapterverse.core.errors import EmbedderUnavailable, ModelUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding import local
from chapterverse.infrastructure.embedding.bert_onnx import BertGraph, build_graph, graph_file
from chapterverse.infrastructure.embedding.model_files import find_model
from tests.support.refusals import refused
from tests.support.tiny_bert import HIDDEN, Projection, tiny_bert

ASKED = "Represent this sentence for searching relevant passages: "
GEMMA = {"query": "task: search result | query: ", "document": "title: none | text: "}
WIDE, NARROW = (HIDDEN, 48, "linear.Identity"), (48, 24, "linear.Identity")

PUBLISHED = [  # pooling, prompts in its files, projections; prefixes of queries and of passages
    ("multilingual-e5-small", "mean", {}, (), "query: ", "passage: "),
    ("bge-small-en-v1.5", "cls", {}, (), ASKED, ""),
    ("snowflake-arctic-embed-s", "cls", {"query": ASKED}, (), ASKED, ""),
    ("mdbr-leaf-ir", "mean", {"query": ASKED}, (WIDE,), ASKED, ""),
    ("embeddinggemma-300m", "mean", GEMMA, (WIDE, NARROW), *GEMMA.values()),
]
SILENT = ("CI", "TF_BUILD", "GITHUB_ACTIONS", "ORT_DISABLE_TELEMETRY")  # what keeps ONNX Runtime silent by itself


def test_nothing_is_looked_for_before_the_first_vector_and_a_damaged_graph_is_named(tmp_path: Path) -> None:
    embedder = local.OnnxEmbedder("no/such/model", tmp_path)
    assert embedder.model == "model"
    with pytest.raises(ModelUnavailable):
        embedder.embed_queries(["Hello"])

    folder = tiny_bert(tmp_path / "bert")
    graph_file(find_model(str(folder)), tmp_path / "cache").write_bytes(b"no graph")
    with refused(ModelUnavailable, "onnx_graph_not_loaded"):
        local.OnnxEmbedder(str(folder), tmp_path / "cache").embed_passages(["mind"])


def test_threads_do_not_change_the_vectors(tmp_path: Path) -> None:
    folder = str(tiny_bert(tmp_path / "bert"))
    texts = ["the mind of man " * (1 + i % 7) for i in range(200)]  # several batches

    one, four = (local.OnnxEmbedder(folder, tmp_path, threads).embed_passages(texts) for threads in (1, 4))
    assert np.array_equal(one, four)


def saved(folder: Path, pooling: str, prompts: Mapping[str, str], projections: Sequence[Projection]) -> str:
    """A tiny model with such files."""
    tiny_bert(folder, pooling, projections)
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}))
    return str(folder)


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda published: published[0])
def test_prefixes_pooling_and_projections_are_those_of_the_published_model(tmp_path: Path, published: tuple[Any, ...]) -> None:
    name, pooling, prompts, projections, query, passage = published
    folder = saved(tmp_path / name, pooling, prompts, projections)
    model, plain = (
        local.OnnxEmbedder(folder, tmp_path),
        local.OnnxEmbedder(str(tiny_bert(tmp_path / "plain", pooling)), tmp_path),
    )
    dense = (f"{folder}/{place}_Dense/model.safetensors" for place in range(2, 2 + len(projections)))

    vectors = np.concatenate([model.embed_queries(["the mind"]), model.embed_passages(["the mind"])])

    expected = plain.embed_passages([f"{query}the mind", f"{passage}the mind"])
    for file in dense:
        expected = expected @ load_file(file)["linear.weight"].T
    assert np.allclose(vectors, local.unit(expected), atol=1e-5)
    assert model.embed_passages([]).shape == (0, expected.shape[1])


@pytest.mark.torch
@pytest.mark.parametrize("activation", ["linear.Identity", "activation.Tanh"])
def test_a_projection_is_that_of_sentence_transformers(tmp_path: Path, activation: str) -> None:
    folder = str(tiny_bert(tmp_path / "bert", projections=((HIDDEN, 48, activation),)))

    ours, theirs = local.OnnxEmbedder(folder, tmp_path), local.SentenceTransformersEmbedder(folder, device="cpu")

    assert np.allclose(ours.embed_passages(["the mind", "man"]), theirs.embed_passages(["the mind", "man"]), atol=1e-5)


SRC = Path(__file__).parents[3] / "src"


def test_nothing_is_written_that_could_be_sent_to_anybody(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    paths = {"HOME": outside, "XDG_CACHE_HOME": outside, "CHAPTERVERSE_HOME": tmp_path / "home"}
    environment = {name: value for name, value in os.environ.items() if name not in SILENT}
    environment |= {name: str(path) for name, path in paths.items()} | {"PYTHONPATH": os.pathsep.join([str(SRC), *sys.path])}

    found = subprocess.run(  # doctor imports it and makes a vector
        [sys.executable, "-m", "chapterverse.cli.app", "doctor"], env=environment, capture_output=True, text=True, check=False
    )

    assert "384 dimensions" in found.stdout
    assert not [file for file in outside.rglob("*") if "onnxruntime" in str(file)]


def test_windows_are_equal_a_text_has_their_mean_and_a_batch_that_fails_fails_the_whole() -> None:
    assert local.plan_windows(12, size=10, overlap=2) == [(0, 7), (5, 12)]
    assert local.plan_windows(26, size=10, overlap=2) == [(0, 10), (8, 18), (16, 26)]

    windows = local.unit(np.array([[1, 0], [0, 1], [0, 1], [1, 1]]))
    assert local.pool(windows, [1, 2, 1]) == pytest.approx(local.unit(np.array([[1, 0], [0, 1], [1, 1]])))

    def run(ids: local.Ids, _: local.Mask) -> Vectors:
        if ids.shape[1] == 2:
            raise EmbedderUnavailable("No memory left.")
        return np.ones((len(ids), 2), np.float32)

    with pytest.raises(EmbedderUnavailable):
        local.embed_batches([[1], [1, 2, 3], [1, 2]], run, 2, budget=3, at_once=2)


@given(st.lists(st.integers(2, 256), max_size=40), st.integers(1, 5))
def test_batches_are_evenly_large_and_need_no_more_rounds(lengths: Sequence[int], at_once: int) -> None:
    assert local.plan_rounds([100] * 4, 384, 2) == [[0, 1], [2, 3]]
    assert local.plan_rounds([20] * 3, 384, 2) == [[0, 1, 2]]

    plain, even = local.plan_batches(lengths, 384), local.plan_rounds(lengths, 384, at_once)

    assert sorted(itertools.chain(*even)) == [*range(len(lengths))]
    assert -(-len(even) // at_once) <= -(-len(plain) // at_once)
    assert max((lengths[one[0]] * len(one) for one in even), default=0) <= 384


@given(st.integers(0, 5000), st.integers(1, 300), st.floats(0, 0.9))
def test_every_token_is_in_a_window_and_neighbours_overlap(tokens: int, size: int, share: float) -> None:
    overlap = int(size * share)

    windows = local.plan_windows(tokens, size, overlap)
    assert windows[0][0] == 0
    assert windows[-1][1] == tokens
    assert len({end - start for start, end in windows}) == 1
    assert all(end - start <= size for start, end in windows)
    assert all(end - start >= overlap for (_, end), (start, _) in itertools.pairwise(windows))


def test_the_graph_is_valid_onnx_built_once_for_the_same_weights_and_configuration(tmp_path: Path) -> None:
    files = find_model(str(tiny_bert(tmp_path / "bert")))
    whole = build_graph(BertGraph(load_file(files.weights)), files.config)
    onnx.checker.check_model(onnx.load_from_string(whole), full_check=True)
    first = graph_file(files, tmp_path / "cache")
    written = first.stat().st_mtime_ns
    assert graph_file(files, tmp_path / "cache").stat().st_mtime_ns == written
    assert {path for path in (tmp_path / "cache").rglob("*") if path.is_file()} == {first, first.with_suffix(".bin")}

    one = find_model(str(tiny_bert(tmp_path / "a" / "bert")))
    other_config = find_model(str(tiny_bert(tmp_path / "b" / "bert", num_attention_heads=2)))
    other_weights = find_model(str(tiny_bert(tmp_path / "c" / "bert")))
    tensors = load_file(other_weights.weights)
    save_file({name: tensor + np.float32(1) for name, tensor in tensors.items()}, other_weights.weights)
    graphs = {graph_file(files, tmp_path / "cache") for files in (one, other_config, other_weights)}
    assert len(graphs) == 3


def test_names_may_begin_with_bert_and_the_makers_own_graph_is_used_where_there_is_one(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "a" / "bert")
    plain = graph_file(find_model(str(folder)), tmp_path / "one").with_suffix(".bin")
    weights = load_file(folder / "model.safetensors")
    save_file({f"bert.{name}": tensor for name, tensor in weights.items()}, folder / "model.safetensors")
    assert graph_file(find_model(str(folder)), tmp_path / "other").with_suffix(".bin").read_bytes() == plain.read_bytes()

    folder = tiny_bert(tmp_path / "bert")
    built = graph_file(find_model(str(folder)), tmp_path / "cache")
    (folder / "onnx").mkdir()
    shutil.move(built, folder / "onnx" / "model.onnx")
    shutil.move(built.with_suffix(".bin"), folder / "onnx")
    (folder / "model.safetensors").unlink()
    assert graph_file(find_model(str(folder)), tmp_path / "cache") == folder / "onnx" / "model.onnx"


@pytest.mark.parametrize(
    "config", [{"model_type": "mpnet"}, {"hidden_act": "relu"}, {"position_embedding_type": "relative_key"}], ids=str
)
def test_what_is_not_a_plain_bert_is_refused_with_the_way_out(tmp_path: Path, config: dict[str, str]) -> None:
    files = find_model(str(tiny_bert(tmp_path / "bert", **config)))

    with refused(ModelUnavailable, "model_not_plain_bert"):
        graph_file(files, tmp_path / "cache")


def test_a_model_with_a_layer_or_projection_that_we_do_not_know_is_refused(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "projected", projections=((HIDDEN, 8, "activation.Softsign"),))
    with refused(ModelUnavailable, "model_not_plain_bert"):
        local.OnnxEmbedder(str(folder), tmp_path).embed_passages(["mind"])

    folder = tiny_bert(tmp_path / "bert")
    (folder / "modules.json").write_text(json.dumps([{"type": "sentence_transformers.models.CNN"}]))

    with refused(ModelUnavailable, "model_not_plain_bert"):
        graph_file(find_model(str(folder)), tmp_path / "cache")


def test_damaged_weights_are_refused_and_leave_no_graph_and_so_are_those_of_another_model(tmp_path: Path) -> None:
    files = find_model(str(tiny_bert(tmp_path / "bert")))
    whole = files.weights.read_bytes()
    for keep in (0, 4, 1000, -1):
        files.weights.write_bytes(whole[:keep])
        with refused(ModelUnavailable, "model_weights_damaged"):
            graph_file(files, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()

    files = find_model(str(tiny_bert(tmp_path / "other", num_hidden_layers=3)))
    with pytest.raises(ModelUnavailable, match=r"encoder\.layer\.2"):
        graph_file(files, tmp_path / "cache")
