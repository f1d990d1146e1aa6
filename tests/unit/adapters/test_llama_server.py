"""llama.cpp as it is loaded: nobody else can reach it, and what it cannot load is told of."""

import os
import re
import sys
from pathlib import Path

import pytest

from chapterverse.adapters.llama_server import open_llama
from chapterverse.errors import ModelUnavailable
from tests.support.tiny_gguf import write_tiny_model

LISTENING = "0A"  # a socket's state in /proc/net/tcp
PROC = Path("/proc/self")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    pytest.importorskip("xllamacpp", reason="the extra llm-local is not installed")
    return write_tiny_model(tmp_path / "tiny.gguf")


def sockets_of_this_process() -> set[str]:
    """Their inodes."""
    links = (os.readlink(link) for link in (PROC / "fd").iterdir() if link.exists() or link.is_symlink())
    return set(re.findall(r"socket:\[(\d+)\]", " ".join(links)))


def ports() -> set[str]:
    """Addresses at which this process listens."""
    lines = [line.split() for table in ("tcp", "tcp6") for line in (PROC / "net" / table).read_text().splitlines()[1:]]
    own = sockets_of_this_process()
    return {fields[1] for fields in lines if fields[3] == LISTENING and fields[9] in own}


def socket_files() -> set[str]:
    """Paths at which this process listens."""
    lines = [line.split() for line in (PROC / "net" / "unix").read_text().splitlines()[1:]]
    own = sockets_of_this_process()
    return {fields[7] for fields in lines if len(fields) > 7 and fields[6] in own}


@pytest.mark.skipif(not PROC.exists(), reason="needs /proc")
def test_nothing_can_be_reached_from_outside(file: Path) -> None:
    before, files_before = ports(), socket_files()

    server = open_llama(file, context=512)

    assert server.listening_address.startswith("unix://")
    assert ports() == before
    assert not [path for path in socket_files() - files_before if Path(path).exists()]


def test_it_prints_nothing(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    server = open_llama(file, context=512)
    server.handle_chat_completions({"messages": [{"role": "user", "content": "My grandmother"}], "max_tokens": 2})

    assert capfd.readouterr() == ("", "")


def test_what_is_no_model_is_told_of(file: Path) -> None:
    file.write_bytes(b"GGUF, but no more of it")

    with pytest.raises(ModelUnavailable, match=r"cannot load .*tiny\.gguf"):
        open_llama(file, context=512)


def test_without_the_library_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)

    with pytest.raises(ModelUnavailable, match=r"chapterverse\[llm-local\]"):
        open_llama(tmp_path / "tiny.gguf", context=512)
