"""containers/chroma/backup.py: a server is copied while it answers, and another one starts with the copy."""

import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from chapterverse.core.hits import Granularity, Partition
from chapterverse.infrastructure.vectors.chroma import ChromaIndex
from tests.support.made import a_record, unit
from tests.support.servers import chroma_server

BACKUP = Path(__file__).parents[2] / "containers" / "chroma" / "backup.py"
SHELF = Partition("school", Granularity.SENTENCE, "words")


@pytest.mark.slow
def test_a_copy_taken_from_a_running_server_finds_what_that_one_found(tmp_path: Path) -> None:
    vectors = unit(*np.random.default_rng(7).normal(size=(200, 8)).tolist())
    with chroma_server(tmp_path / "live") as port:
        live = ChromaIndex(f"http://127.0.0.1:{port}")
        live.write(SHELF, "v1", [a_record(f"s{number}") for number in range(200)], vectors)
        found = live.search(SHELF, vectors[:9], 3, ["v1"])

        copy = subprocess.run([sys.executable, str(BACKUP), str(tmp_path / "live")], capture_output=True, check=True).stdout

    with tarfile.open(fileobj=BytesIO(copy)) as archive:
        archive.extractall(tmp_path / "restored", filter="data")
    with chroma_server(tmp_path / "restored") as port:
        again = ChromaIndex(f"http://127.0.0.1:{port}").search(SHELF, vectors[:9], 3, ["v1"])

    assert [[hit.record for hit in hits] for hits in again] == [[hit.record for hit in hits] for hits in found]
