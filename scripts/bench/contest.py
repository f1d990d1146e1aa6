"""Contestants as processes, asked in turn round after round: what drifts on a shared machine drifts for all of them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parent
OURS, PEERS = Path(sys.executable), Path("build/bench-venv/bin/python")
PYTHON_OF = {"ours": OURS, "bare_parts": OURS}
QUIET = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "true", "HAYSTACK_TELEMETRY_ENABLED": "False"}

Answer = dict[str, Any]


@dataclass(frozen=True)
class Contestant:
    """A running process that answers a line of JSON with one."""

    name: str
    process: subprocess.Popen[str]

    def ask(self, **request: Any) -> Answer:
        """What came of it. A contestant that ends instead ends the bench: what it printed is above."""
        assert self.process.stdin
        assert self.process.stdout
        if request:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} ended without an answer.")
        answer: Answer = json.loads(line)
        return answer


@contextmanager
def contestants(names: Sequence[str], models: Path, weights: Path) -> Iterator[dict[str, Contestant]]:
    """All of them, ready; they end with the block. models: folder of our graph; weights: the model's own folder."""
    environment = {**os.environ, **QUIET, "BENCH_MODELS": str(models), "BENCH_WEIGHTS": str(weights)}
    with ExitStack() as stack:
        running = {name: stack.enter_context(started(name, environment)) for name in names}
        for contestant in running.values():
            contestant.ask()
        yield running


@contextmanager
def started(name: str, environment: Mapping[str, str]) -> Iterator[Contestant]:
    command = [PYTHON_OF.get(name, PEERS), HERE / "contestants" / f"{name}.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield Contestant(name, process)
        finally:
            process.kill()


def rounds(running: Mapping[str, Contestant], count: int, requests: Mapping[str, Answer]) -> dict[str, list[Answer]]:
    """Every contestant's answers, asked `count` times in turn, each time with an empty folder of its own."""
    answers: dict[str, list[Answer]] = {name: [] for name in running}
    for number in range(count):
        for name in sorted(running, reverse=number % 2 == 1):  # none always comes after the same one
            with TemporaryDirectory(dir="build") as folder:
                answers[name].append(running[name].ask(**requests[name], folder=folder))
            print(f"round {number + 1}: {name} {per_sentence(answers[name][-1]):.2f} ms a sentence", file=sys.stderr)
    return answers


def best_batch(contestant: Contestant, texts: Sequence[str], sizes: Sequence[int]) -> int:
    """The batch size with which it embeds these texts fastest."""
    seconds = {size: contestant.ask(texts=texts, batch=size)["wall"] for size in sizes}
    print(f"{contestant.name}: " + ", ".join(f"{size}: {taken:.1f} s" for size, taken in seconds.items()), file=sys.stderr)
    return min(seconds, key=lambda size: seconds[size])


def per_sentence(answer: Answer, what: str = "wall") -> float:
    """Milliseconds."""
    return 1000.0 * answer[what] / answer["sentences"]


def ratio(answers: Mapping[str, Sequence[Answer]], of: str, to: str, what: str = "wall") -> list[float]:
    """Round by round, how many times as long a sentence takes `of` as it takes `to`: low, median, high."""
    pairs = zip(answers[of], answers[to], strict=True)
    ratios = sorted(per_sentence(a, what) / per_sentence(b, what) for a, b in pairs)
    return [ratios[0], median(ratios), ratios[-1]]
