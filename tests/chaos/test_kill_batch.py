"""A batch whose program is killed at any moment, and called again until it ends: every essay has its feedback, once.

One batch in every run of the tests, as many as CHAPTERVERSE_KILLS says with `make attack-kills`, two kills each."""

import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import randint, uniform

import pytest

from scripts.bench.simulated_model import answer, title_of
from tests.support.batches import lines
from tests.support.home import Home
from tests.support.language_servers import LanguageServer, language_server, says
from tests.support.serving import eventually
from tests.support.shelved import empty_library, shelve
from tests.support.two_at_once_program import AT_ONCE

BATCHES = int(os.environ.get("CHAPTERVERSE_KILLS", "1"))
ESSAYS, A_BATCH = 16, 2  # essays, kills of a batch
CALLS = 16  # of an essay of one paragraph, at most


@pytest.fixture
def server() -> Iterator[LanguageServer]:
    with language_server() as running:
        running.reply = lambda asked: says(answer(title_of(asked.schema or {}), asked.material), before=0.05)
        yield running


@pytest.fixture
def home(tmp_path: Path, server: LanguageServer, monkeypatch: pytest.MonkeyPatch) -> Home:
    """With a book, and a language model that only writes; two essays are worked on at once."""
    told = {"LLM_URL": f"{server.url}/v1", "LLM_MODEL": "a-model", "LLM_TASKS": "none"}
    for name, value in told.items():
        monkeypatch.setenv(f"CHAPTERVERSE_{name}", value)
    home = Home(tmp_path / "home", "tests.support.two_at_once_program")
    with empty_library(home.path) as services:
        shelve(services, "On Liberty", ["Silencing an opinion robs mankind of truth."], school="local")
    return home


@pytest.mark.parametrize("number", range(BATCHES))
def test_a_batch_killed_and_called_again_leaves_each_essay_with_its_feedback(
    number: int, home: Home, server: LanguageServer, tmp_path: Path
) -> None:
    essays = tmp_path / "class.jsonl"
    texts = {f"{n}": f"Silencing opinion number {n} robs mankind." for n in range(1, ESSAYS + 1)}
    essays.write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in texts.items()))

    for _ in range(A_BATCH):
        with home.start("batch", essays, "--nice", "0") as program:
            asked = len(server.asked) + randint(1, ESSAYS // A_BATCH - AT_ONCE)
            eventually(lambda asked=asked: len(server.asked) >= asked, every=0.01)
            time.sleep(uniform(0, 0.1))
            program.kill()
    again = home.run("batch", essays, "--json", "--nice", "0")

    assert again.returncode == 0, again.stderr
    found = lines((tmp_path / "class-feedback" / "results.jsonl").read_bytes())
    assert {one["id"]: one["paragraphs"][0]["text"] for one in found} == texts
    assert {one["by"] for one in found} == {"a-model"}
    asked = Counter(one.material for one in server.asked)
    again_asked = sum(count - 1 for count in asked.values())
    assert again_asked <= AT_ONCE * A_BATCH * CALLS  # of those in hand when it was killed, and of no other
