import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest
from safetensors.numpy import load_file, save_file

from chapterverse.core.errors import ModelUnavailable
from chapterverse.infrastructure.embedding.bert_onnx import build_graph, graph_file
from chapterverse.infrastructure.embedding.model_files import find_model
from tests.support.refusals import refused
from tests.support.tiny_bert import tiny_bert


def test_the_graph_is_valid_onnx(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "bert")

    graph = build_graph(load_file(folder / "model.safetensors"), find_model(str(folder)).config)
    onnx.checker.check_model(onnx.load_from_string(graph), full_check=True)


def test_the_graph_is_built_once_and_nothing_else_is_left(tmp_path: Path) -> None:
    files = find_model(str(tiny_bert(tmp_path / "bert")))

    first = graph_file(files, tmp_path / "cache")
    written = first.stat().st_mtime_ns
    assert graph_file(files, tmp_path / "cache").stat().st_mtime_ns == written
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == [first]


def test_other_weights_or_another_configuration_have_another_graph(tmp_path: Path) -> None:
    one = find_model(str(tiny_bert(tmp_path / "a" / "bert")))
    other_config = find_model(str(tiny_bert(tmp_path / "b" / "bert", num_attention_heads=2)))
    other_weights = find_model(str(tiny_bert(tmp_path / "c" / "bert")))
    tensors = load_file(other_weights.weights)
    save_file({name: tensor + np.float32(1) for name, tensor in tensors.items()}, other_weights.weights)

    graphs = {graph_file(files, tmp_path / "cache") for files in (one, other_config, other_weights)}
    assert len(graphs) == 3


def test_names_may_begin_with_bert(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "a" / "bert")
    plain = graph_file(find_model(str(folder)), tmp_path / "one")
    weights = load_file(folder / "model.safetensors")
    save_file({f"bert.{name}": tensor for name, tensor in weights.items()}, folder / "model.safetensors")

    assert graph_file(find_model(str(folder)), tmp_path / "other").read_bytes() == plain.read_bytes()


def test_the_makers_own_graph_is_used_where_there_is_one(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "bert")
    built = graph_file(find_model(str(folder)), tmp_path / "cache")
    (folder / "onnx").mkdir()
    shutil.move(built, folder / "onnx" / "model.onnx")
    (folder / "model.safetensors").unlink()

    assert graph_file(find_model(str(folder)), tmp_path / "cache") == folder / "onnx" / "model.onnx"


@pytest.mark.parametrize(
    "config", [{"model_type": "mpnet"}, {"hidden_act": "relu"}, {"position_embedding_type": "relative_key"}], ids=str
)
def test_what_is_not_a_plain_bert_is_refused_with_the_way_out(tmp_path: Path, config: dict[str, str]) -> None:
    files = find_model(str(tiny_bert(tmp_path / "bert", **config)))

    with refused(ModelUnavailable, "model_not_plain_bert"):
        graph_file(files, tmp_path / "cache")


def test_a_model_with_a_layer_that_we_do_not_know_is_refused(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "bert")
    (folder / "modules.json").write_text(json.dumps([{"type": "sentence_transformers.models.CNN"}]))

    with refused(ModelUnavailable, "model_not_plain_bert"):
        graph_file(find_model(str(folder)), tmp_path / "cache")


@pytest.mark.parametrize("keep", [0, 4, 1000, -1])
def test_damaged_weights_are_refused_and_leave_no_graph(tmp_path: Path, keep: int) -> None:
    files = find_model(str(tiny_bert(tmp_path / "bert")))
    files.weights.write_bytes(files.weights.read_bytes()[:keep])

    with refused(ModelUnavailable, "model_weights_damaged"):
        graph_file(files, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_weights_of_another_model_are_refused(tmp_path: Path) -> None:
    files = find_model(str(tiny_bert(tmp_path / "bert", num_hidden_layers=3)))

    with pytest.raises(ModelUnavailable, match=r"encoder\.layer\.2"):
        graph_file(files, tmp_path / "cache")
