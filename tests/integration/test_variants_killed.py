"""`chapterverse evaluate` killed in the midst of its work, and run again."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.support.language_servers import MODEL, Asked, Reply, language_server
from tests.support.rewriter import rewrites, sentence_in
from tests.support.shelved import empty_library, shelve

SENTENCES = [f"Custom number {n} grows wherever nobody chooses anything and everybody merely follows." for n in range(8)]
WITHIN = 180  # seconds


def slowly(asked: Asked) -> Reply:
    return Reply(rewrites(asked).text, before=0.1)


def test_after_a_kill_the_same_command_goes_on_and_asks_at_most_one_sentence_twice(tmp_path: Path) -> None:
    with empty_library(tmp_path / "home") as services:
        shelve(services, "Habits", SENTENCES, school="local")
    file = tmp_path / "cases.jsonl"
    words = ("evaluate", "habits", "--n", str(len(SENTENCES)), "--output", str(file))
    command = [sys.executable, "-W", "ignore", "-m", "tests.support.word_program", *words]
    with language_server() as server:
        server.reply = slowly
        chosen = {"HOME": str(tmp_path / "home"), "LLM": "openai", "LLM_URL": f"{server.url}/v1", "LLM_MODEL": MODEL}
        environment = os.environ | {f"CHAPTERVERSE_{name}": value for name, value in chosen.items()}
        with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as program:
            until = time.monotonic() + WITHIN
            while len(server.asked) < 3 and time.monotonic() < until:
                time.sleep(0.01)
            program.send_signal(signal.SIGKILL)
        before = len(server.asked)
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=WITHIN)

    asked = Counter(map(sentence_in, server.asked))
    assert 3 <= before < len(SENTENCES)
    assert len(file.read_bytes().splitlines()) == len(asked) == len(SENTENCES)
    assert asked.total() <= len(SENTENCES) + 1
