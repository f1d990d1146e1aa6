from pathlib import Path

import numpy as np
import pytest

from chapterverse.core.errors import ModelUnavailable
from chapterverse.infrastructure.embedding.bert_onnx import graph_file
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.infrastructure.embedding.onnx import OnnxEmbedder
from tests.support.refusals import refused
from tests.support.tiny_bert import tiny_bert


def test_nothing_is_looked_for_before_the_first_vector(tmp_path: Path) -> None:
    embedder = OnnxEmbedder("no/such/model", tmp_path)

    assert embedder.model == "model"
    with pytest.raises(ModelUnavailable):
        embedder.embed_queries(["Hello"])


def test_a_damaged_graph_is_named(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "bert")
    graph_file(find_model(str(folder)), tmp_path / "cache").write_bytes(b"no graph")

    with refused(ModelUnavailable, "onnx_graph_not_loaded"):
        OnnxEmbedder(str(folder), tmp_path / "cache").embed_passages(["mind"])


def test_threads_do_not_change_the_vectors(tmp_path: Path) -> None:
    folder = str(tiny_bert(tmp_path / "bert"))
    texts = ["the mind of man " * (1 + i % 7) for i in range(200)]  # several batches

    one, four = (OnnxEmbedder(folder, tmp_path, threads).embed_passages(texts) for threads in (1, 4))
    assert np.array_equal(one, four)
