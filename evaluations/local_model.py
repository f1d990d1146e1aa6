"""Run the product with a real language model on this machine, end to end, and print how many calls of each task were usable.

    python -m evaluations.local_model MODEL=path.gguf [--calls N] [--seconds S] [--essay FILE …] [--ask QUESTION …]
    python -m evaluations.local_model MODEL=http://127.0.0.1:8080      # a server that runs already

A file is served by `llama-server` (llama.cpp) if that is installed, else by the package xllamacpp. A call is usable if its
answer, or its complete items, fit the schema; for the others the table says why. --all: small models
get the tasks of large ones, too."""

import argparse
import os
import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, gettempdir
from threading import Event, local
from typing import Any

from chapterverse.core.errors import BadAnswer, ChapterverseError
from chapterverse.core.ports import AnswerPiece, ModelAnswer, ModelFacts, Prompt, Schema, Usage
from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel
from chapterverse.infrastructure.llm.streaming import fitting, object_in
from scripts.cloud_local.parts import Part, answers_http, free_ports

CONTEXT, THREADS = 16_384, str(os.cpu_count() or 1)  # CONTEXT: tokens
SAMPLES = Path(__file__).parents[1] / "samples"
BY_PACKAGE = """
import sys, time, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.hostnames, p.port, p.n_ctx, p.n_parallel = sys.argv[1], ["127.0.0.1"], int(sys.argv[2]), int(sys.argv[3]), 1
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = int(sys.argv[4])
server = xllamacpp.Server(p)
while True: time.sleep(60)
"""
QUESTIONS = ("What does Mill say about an opinion that is silenced?", "Where may the state limit what people say?")


@dataclass
class Task:
    """The calls of one task. why: of those that were not usable, by the error's id."""

    seconds: list[float] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    cut: int = 0
    why: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)


ALL = Event()  # set: the model gets the tasks of a large one
TASKS: defaultdict[str, Task] = defaultdict(Task)
THREAD = local()  # text: the answer that arrived last in this thread


@contextmanager
def called(prompt: Prompt) -> Iterator[Task]:
    """Count the call as one of the prompt's task."""
    began, task = time.monotonic(), TASKS[prompt.name]
    try:
        yield task
    except ChapterverseError as error:
        task.why[error.id] += 1
        task.bad.append(f"{error.id}: {THREAD.__dict__.pop('text', '')}")
        raise
    finally:
        task.seconds.append(time.monotonic() - began)


@dataclass(eq=False)
class CountedModel(OpenAiModel):
    """The model of the product, whose calls are counted."""

    def facts(self) -> ModelFacts:
        facts = super().facts()
        return replace(facts, billions=None) if ALL.is_set() else facts

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        with called(prompt) as task:
            answer = super().generate(prompt, schema, deadline)
            task.usage += answer.usage
            task.cut += bool(answer.cut)
            return answer

    def _collect(self, prompt: Prompt, schema: Schema, deadline: float) -> tuple[str, Usage, BadAnswer | None]:
        collected = super()._collect(prompt, schema, deadline)
        THREAD.text = collected[0]
        return collected

    def stream(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        with called(prompt) as task:
            texts = list[str]()
            for piece in super().stream(prompt, schema, deadline):
                texts.append(piece.text)
                task.usage += piece.usage or Usage()
                yield piece
            THREAD.text = "".join(texts)
            fitting(object_in(THREAD.text), schema)


@contextmanager
def served(model: str) -> Iterator[str]:
    """The address of a server with the model."""
    if model.startswith("http"):
        yield model
        return
    program, [port] = shutil.which("llama-server"), free_ports(1)
    options = ["-m", model, "--port", str(port), "-c", str(CONTEXT), "-t", THREADS, "-np", "1"]
    ours = [sys.executable, "-c", BY_PACKAGE, model, str(port), str(CONTEXT), THREADS]
    url, log = f"http://127.0.0.1:{port}", Path(gettempdir()) / "local-model.log"
    server = Part(
        "llama-server, or the package xllamacpp,",
        [program, *options] if program else ours,
        answers_http(f"{url}/health", 200),
        log,
    )
    try:
        server.start()
        yield url
    finally:
        server.stop()


def run(arguments: list[str]) -> None:
    """A command of the product, in this process."""
    from chapterverse.cli.app import app

    print(f"\n$ chapterverse {' '.join(arguments)}", flush=True)
    app(arguments, standalone_mode=False)


def table() -> Iterator[str]:
    """A line for each task."""
    yield f"{'task':24} calls usable   cut  median s  tokens read/written, mean  why not"
    for name, task in sorted(TASKS.items()):
        calls = len(task.seconds)
        read, written = task.usage.prompt_tokens / calls, task.usage.answer_tokens / calls
        why = ", ".join(f"{count} {id}" for id, count in task.why.most_common())
        usable = calls - sum(task.why.values())
        yield f"{name:24} {calls:5} {usable:6} {task.cut:5} {median(task.seconds):9.1f} {read:12.0f} {written:8.0f}      {why}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="MODEL=path.gguf or MODEL=http://…")
    parser.add_argument("--calls", type=int, default=100, help="essays and questions take turns until so many were made")
    parser.add_argument("--seconds", type=float, default=600, help="for one essay, and a third of them for a question")
    parser.add_argument("--all", action="store_true", help="as if the model were large enough to write")
    parser.add_argument("--essay", type=Path, nargs="*", default=[SAMPLES / "essay.md"])
    parser.add_argument("--ask", nargs="*", default=QUESTIONS)
    given = parser.parse_args()
    if given.all:
        ALL.set()
    with served(given.model.removeprefix("MODEL=")) as url, TemporaryDirectory() as home:
        settings = {"HOME": home, "LLM_URL": url, "LLM_MODEL": Path(given.model).name, "KEEP_DAYS": "0"}
        os.environ |= {f"CHAPTERVERSE_{name}": value for name, value in settings.items()}
        os.environ["CHAPTERVERSE_MAX_FEEDBACK_SECONDS"] = str(given.seconds)
        patch: Any = sys.modules[OpenAiModel.__module__]
        patch.OpenAiModel = CountedModel
        try:
            run(["sources", "add", str(SAMPLES / "on-liberty.pdf")])
            run(["sources", "add", str(SAMPLES / "on-liberty.pdf"), "--collection", "documents"])
            for essay, question in zip(cycle(given.essay), cycle(given.ask)):
                run(["ask", question])
                run(["feedback", str(essay)])
                if sum(len(task.seconds) for task in TASKS.values()) >= given.calls:
                    break
        finally:
            print("", *table(), sep="\n")
            for name, task in TASKS.items():
                for text in task.bad[:3]:
                    print(f"\n{name}, not usable: {text[:600]}")


if __name__ == "__main__":
    main()
