"""One folder of Chroma's, whose writer is killed again and again while it writes without pause: what is searched stays whole.

In one collection for everything, Chroma 1.5.9 is broken by this after 15 to 18 kills."""

import os
import subprocess
import sys
import time
from pathlib import Path
from random import uniform

import numpy as np
import pytest

from chapterverse.core.hits import Granularity, Partition, Vectors
from chapterverse.infrastructure.vectors.chroma import ChromaIndex, embedded_client, embedded_index
from tests.support.home import ROOT
from tests.support.made import a_record, unit

KILLS = int(os.environ.get("CHAPTERVERSE_KILLS", "0"))
PARTITION = Partition("school", Granularity.SENTENCE, "words")
MANY = 2000


def vectors() -> Vectors:
    return unit(*np.random.default_rng(0).normal(size=(MANY, 64)))


def write(folder: Path, version: str) -> ChromaIndex:
    index = embedded_index(folder)
    index.write(PARTITION, version, [a_record(f"{version}-{i}", version) for i in range(MANY)], vectors())
    return index


def is_whole(folder: Path, version: str) -> bool:
    """As somebody who opens the folder now finds it."""
    client = embedded_client(folder)
    held = ChromaIndex(lambda: client, folder).held(PARTITION, version, vectors())
    client.close()
    return held >= MANY - 1


@pytest.mark.skipif(not KILLS, reason="takes minutes: make attack-kills")
def test_a_writer_killed_again_and_again_harms_nothing_that_is_searched(tmp_path: Path) -> None:
    write(tmp_path, "stable").client().close()
    command = [sys.executable, "-m", "tests.chaos.test_kill_writer", str(tmp_path)]

    for _ in range(KILLS):
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as writer:
            assert writer.stdout
            assert writer.stdout.readline() == b"writing\n"
            time.sleep(uniform(0, 3))
            writer.kill()
        assert is_whole(tmp_path, "stable")

    write(tmp_path, "busy").client().close()
    assert is_whole(tmp_path, "busy")


if __name__ == "__main__":
    print("writing", flush=True)  # noqa: T201
    while True:
        write(Path(sys.argv[1]), "busy")
