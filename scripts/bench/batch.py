"""A class's essays while students write: how long 1,000 take, and how much longer a student waits.

    python -m scripts.bench.batch [--essays 1000]      # how long
    python -m scripts.bench.batch --rounds 3 [--real]    # what students notice

Every part is a process of its own: the embedder's app with both its priorities, under gunicorn; a language model's server that
takes two seconds for each answer; `chapterverse batch`; and students, who have one essay after the other commented on, by the
same code as POST /api/v1/essays/feedback. The embedder takes a fixed time for each batch of at most BATCH_TOKENS; with --real
it is the real model, on the cores that all of this shares. In each round
students are timed alone, then beside the batch, which is killed after it and goes on in the next: other programs may share the
machine, and they slow down both alike."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
from flask import Flask

from chapterverse import composition, worker
from chapterverse.composition.ports import BATCH_AT_ONCE
from chapterverse.core.hits import Scope, Vectors
from chapterverse.essays.service import EssayContext, FeedbackRequest, feedback_on
from chapterverse.library.intake import add_book
from chapterverse.settings import Settings
from scripts.bench.report import settings as machine
from scripts.bench.report import show, verdict
from scripts.bench.simulated_model import answer, title_of
from scripts.cloud_local.parts import Part, answers_http, free_ports
from tests.support.language_servers import Asked, Reply, language_server, says
from tests.support.word_embedder import WordEmbedder

ROOT = Path(__file__).parents[2]
MODEL_SECONDS, EMBEDDER_SECONDS = 2.0, 0.05
SECONDS, CLIENTS, NICE = 30.0, 4, 10  # of a round; students at once; of the batch
GOAL = 1.2  # p95 of a student, with the batch to without


@dataclass
class TimedEmbedder(WordEmbedder):
    """Each call takes so long, and hardly any processor time."""

    seconds: float = EMBEDDER_SECONDS

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        time.sleep(self.seconds)
        return super().embed_passages(texts)


def app() -> Flask:
    """The embedder's, with that model."""
    composition.ports.embedder = lambda _settings, **_: TimedEmbedder()
    return worker.app()


def serve_model(address: Connection) -> None:
    """In a process of its own, until that is ended; its address goes into the pipe."""
    with language_server() as server:
        server.reply = _reply
        address.send(server.url)
        Event().wait()


def _reply(asked: Asked) -> Reply:
    return says(answer(title_of(asked.schema or {}), asked.material), before=MODEL_SECONDS)


@contextmanager
def model_server() -> Iterator[str]:
    """Its address."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=serve_model, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours.recv()
    finally:
        process.terminate()
        process.join()


@contextmanager
def embedder(environment: Mapping[str, str], real: bool, log: Path) -> Iterator[str]:
    """The address of the embedder's app, ready."""
    [port] = free_ports(1)
    url, target = f"http://127.0.0.1:{port}", "chapterverse.worker:app()" if real else "scripts.bench.batch:app()"
    command = [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "containers/embedder/gunicorn.conf.py"), target]
    variables = {**environment, "HOST": "127.0.0.1", "PORT": str(port)}
    server = Part("embedder", command, answers_http(f"{url}/ready", 200), log, variables)
    try:
        server.start()
        yield url
    finally:
        server.kill()


@contextmanager
def batch(file: Path, environment: Mapping[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """`chapterverse batch`, under way: it has reported its progress."""
    command = [sys.executable, "-m", "chapterverse.cli.app", "batch", str(file), "--json", "--nice", str(NICE)]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout
            running.stdout.readline()
            yield running
        finally:
            running.kill()


@dataclass(frozen=True)
class Waits:
    """Seconds that essays took, and how many of them the language model wrote on."""

    seconds: tuple[float, ...] = ()
    by_model: int = 0

    def __add__(self, other: "Waits") -> "Waits":
        return Waits((*self.seconds, *other.seconds), self.by_model + other.by_model)

    @property
    def p95(self) -> float:
        return float(np.percentile(self.seconds, 95))

    def row(self, students: str) -> dict[str, Any]:
        p50, essays = float(np.percentile(self.seconds, 50)), len(self.seconds)
        written = self.by_model / essays
        return {"students": students, "essays": essays, "p50_s": p50, "p95_s": self.p95, "written_by_the_model": written}


@dataclass(frozen=True)
class Students:
    """Students who ask for feedback, as many at once as there are clients."""

    settings: Settings
    text: str
    clients: int

    def batch_done(self) -> int:
        """Essays of the batch that are done."""
        return composition.batch_context(self.settings).store.of_school(self.settings.school)[0].done

    def write(self, context: EssayContext) -> int:
        """Feedback on the essay; whether the model wrote it."""
        return bool(feedback_on(FeedbackRequest(self.text, Scope(self.settings.school)), context).by)

    def wait(self, seconds: float) -> Waits:
        """The waits of all clients within that time."""
        context = composition.essay_context(self.settings, composition.compose(self.settings))
        context = replace(context, history=replace(context.history, days=0))

        def one(ends: float) -> Waits:
            waits = Waits()
            while (began := time.monotonic()) < ends:
                by_model = self.write(context)
                waits += Waits((time.monotonic() - began,), by_model)
            return waits

        with ThreadPoolExecutor(self.clients) as threads:
            one(time.monotonic() + 0.001)  # loads what is loaded once
            return sum(threads.map(one, [time.monotonic() + seconds] * self.clients), Waits())


def a_class(file: Path, essay: str, essays: int) -> Path:
    """So many essays, no two the same."""
    lines = (
        json.dumps({"id": f"s{number}", "text": f"{essay}\n\nThis is what I, number {number}, think."})
        for number in range(essays)
    )
    file.write_text("\n".join(lines), "utf-8")
    return file


def environment(folder: Path, model: str, real: bool) -> dict[str, str]:
    words = {} if real else {"EMBEDDING_MODEL": "words"}
    variables = {
        "HOME": str(folder / "home"),
        "LLM_URL": f"{model}/v1",
        "LLM_MODEL": "timed",
        "LLM_TASKS": "none",
    }
    ours = {f"CHAPTERVERSE_{name}": value for name, value in {**variables, **words}.items()}
    return {**ours, "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"}


def settings_in(environment: Mapping[str, str]) -> Settings:
    ours = {name.removeprefix("CHAPTERVERSE_").lower(): value for name, value in environment.items() if "CHAPTERVERSE_" in name}
    return Settings.model_validate(ours)


def measure(folder: Path, given: argparse.Namespace) -> None:
    essay = (ROOT / "samples/essay.md").read_text("utf-8")
    with model_server() as model:
        variables = environment(folder, model, given.real)
        local = settings_in(variables)
        services = composition.compose(local, None if given.real else WordEmbedder())
        limits = composition.limits(local)
        add_book((ROOT / "samples/on-liberty.pdf").read_bytes(), "on-liberty.pdf", local.school, services, limits)
        with embedder(variables, given.real, folder / "embedder.log") as url:
            variables |= {"CHAPTERVERSE_EMBEDDER": "remote", "CHAPTERVERSE_EMBEDDER_URL": url}
            file = a_class(folder / "class.jsonl", essay, given.essays)
            if given.rounds:
                show_students(Students(settings_in(variables), essay, CLIENTS), file, variables, given)
            else:
                began = time.monotonic()
                with batch(file, variables) as running:
                    out, _ = running.communicate()
                show_batch(json.loads(out.splitlines()[-1]), time.monotonic() - began, given)


def show_students(students: Students, file: Path, environment: Mapping[str, str], given: argparse.Namespace) -> None:
    alone, during, essays = Waits(), Waits(), 0
    for _ in range(given.rounds):
        alone += students.wait(SECONDS)
        with batch(file, environment) as running:
            before = students.batch_done()
            during += students.wait(SECONDS)
            essays += students.batch_done() - before
            assert running.poll() is None, "The batch ended before the students did: give it more --essays."
    ratio = during.p95 / alone.p95
    goal = {} if given.real else {"goal": verdict(ratio, GOAL, least=False)}
    pace = 60 * essays / (given.rounds * SECONDS)
    rows = [alone.row("alone"), during.row("during the batch")]
    show("Students' waits", rows, settings_of(given, p95_ratio=ratio, essays_of_the_batch_a_minute=pace, **goal))


def show_batch(done: Mapping[str, Any], seconds: float, given: argparse.Namespace) -> None:
    row = {"essays": given.essays, "done": done["done"], "failed": done["failed"], "wall_s": seconds}
    show("The batch", [{**row, "essays_a_minute": 60 * done["done"] / seconds}], settings_of(given))


def settings_of(given: argparse.Namespace, **more: Any) -> dict[str, Any]:
    embeds = "the real model" if given.real else f"{EMBEDDER_SECONDS} s a batch"
    return machine(embedder=embeds, language_model=f"{MODEL_SECONDS} s", at_once=BATCH_AT_ONCE, nice=NICE) | more


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--essays", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--real", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), given)


if __name__ == "__main__":
    main()
