import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from chapterverse.core.errors import ModelUnavailable
from chapterverse.infrastructure.embedding.model_files import find_model, pin_of
from tests.support.tiny_bert import WINDOW, tiny_bert


def test_a_folder_is_taken_as_it_is_minilm_from_the_package_and_other_weights_of_its_name_refused(tmp_path: Path) -> None:
    files = find_model(str(tiny_bert(tmp_path / "my-bert")))
    assert (files.name, files.folder, files.window, files.pooling) == ("my-bert", tmp_path / "my-bert", WINDOW, "mean")

    files = find_model("sentence-transformers/all-MiniLM-L6-v2")
    assert (files.name, files.window, files.pooling, files.query_prefix) == ("all-MiniLM-L6-v2", 256, "mean", "")

    with pytest.raises(ModelUnavailable, match=r"model\.safetensors.* does not match all-MiniLM-L6-v2"):
        find_model(str(tiny_bert(tmp_path / "all-MiniLM-L6-v2")))


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_folder_that_lacks_a_file_is_refused_by_its_name(tmp_path: Path, file: str) -> None:
    (tiny_bert(tmp_path / "bert") / file).unlink()

    with pytest.raises(ModelUnavailable, match=file):
        find_model(str(tmp_path / "bert"))


def test_a_file_that_cannot_be_read_is_named_and_what_it_says_of_the_query_goes_first(tmp_path: Path) -> None:
    (tiny_bert(tmp_path / "bert") / "config.json").write_text("{")
    with pytest.raises(ModelUnavailable, match=r"config\.json cannot be read"):
        find_model(str(tmp_path / "bert")).window  # noqa: B018

    folder = tiny_bert(tmp_path / "bge-base-en-v1.5")
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": {"query": "query: "}}))
    assert find_model(str(folder)).query_prefix == "query: "


def test_a_model_fetched_once_is_found_again_without_the_network(tmp_path: Path) -> None:
    hub_cached(tmp_path, "BAAI/bge-small-en-v1.5")

    files = find_model("BAAI/bge-small-en-v1.5", hub_cache=tmp_path)
    assert files.name == "bge-small-en-v1.5"
    assert files.query_prefix == "Represent this sentence for searching relevant passages: "
    (tmp_path / "models--BAAI--bge-small-en-v1.5" / "refs" / "main").write_text("1" * 40)  # a newer one
    pinned = f"BAAI/bge-small-en-v1.5@{'0' * 40}"
    assert find_model(pinned, hub_cache=tmp_path) == files
    assert (pin_of("BAAI/bge-small-en-v1.5", files), pin_of(pinned, files)) == (pinned, "")


def test_a_name_without_a_slash_is_one_of_sentence_transformers(tmp_path: Path) -> None:
    hub_cached(tmp_path, "sentence-transformers/paraphrase-MiniLM-L3-v2")

    assert find_model("paraphrase-MiniLM-L3-v2", hub_cache=tmp_path).window == WINDOW


def test_what_to_do_is_said_of_a_name_that_cannot_be_one_and_a_hub_that_cannot_be_reached(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="give a folder"):
        find_model("no/such/folder", hub_cache=tmp_path)

    """In a process of its own: the hub's client reads its environment once, at import."""
    look = "from chapterverse.infrastructure.embedding.model_files import find_model; find_model('BAAI/bge-base-en-v1.5')"
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}

    ended = subprocess.run([sys.executable, "-c", look], env=offline, capture_output=True, text=True, check=False)
    assert "ModelUnavailable: There is no model BAAI/bge-base-en-v1.5 on this machine" in ended.stderr


OLD = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}


@pytest.mark.parametrize("modes", [{"pooling_mode": "cls"}, OLD])
def test_pooling_is_read_in_its_old_and_its_new_form_and_one_that_we_do_not_know_refused(
    tmp_path: Path, modes: dict[str, object]
) -> None:
    folder = tiny_bert(tmp_path / "bert")
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(modes))
    assert find_model(str(folder)).pooling == "cls"

    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_max_tokens": True}))
    with pytest.raises(ModelUnavailable, match="pooling_mode_max_tokens"):
        find_model(str(folder)).pooling  # noqa: B018


def test_without_a_word_on_the_window_it_is_what_the_model_has_room_for(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "bert")
    (folder / "sentence_bert_config.json").unlink()
    (folder / "tokenizer_config.json").unlink()

    assert find_model(str(folder)).window == 64


def hub_cached(cache: Path, repository: str) -> None:
    """What the hub's client leaves in its cache after a download."""
    root = cache / f"models--{repository.replace('/', '--')}"
    (root / "refs").mkdir(parents=True)
    (root / "refs" / "main").write_text("0" * 40)
    shutil.copytree(tiny_bert(cache / "downloaded"), root / "snapshots" / ("0" * 40))


def test_an_altered_tokenizer_or_configuration_is_refused_although_the_weights_are_right(tmp_path: Path) -> None:
    folder = shutil.copytree(find_model("all-MiniLM-L6-v2").folder, tmp_path / "all-MiniLM-L6-v2")
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    written = json.dumps(tokenizer, indent=4)  # another layout is the same tokenizer
    (folder / "tokenizer.json").write_text(written, "utf-8")
    find_model(str(folder))
    vocabulary = tokenizer["model"]["vocab"]
    vocabulary["book"], vocabulary["books"] = vocabulary["books"], vocabulary["book"]

    for name, altered in (("tokenizer.json", json.dumps(tokenizer)), ("1_Pooling/config.json", '{"pooling_mode": "cls"}')):
        before = (folder / name).read_text("utf-8")
        (folder / name).write_text(altered, "utf-8")
        with pytest.raises(
            ModelUnavailable, match=r"tokenizer\.json or a configuration beside it does not match all-MiniLM-L6-v2"
        ):
            find_model(str(folder))
        (folder / name).write_text(before, "utf-8")
