"""What a book that is being indexed costs a student: the embedder's own app under gunicorn, real HTTP, the real model.

    python -m scripts.bench.priorities [--seconds 20] [--clients 1]

Online: one essay after another by each client, all its texts in one POST /v1/embed (samples/essay.md). Bulk: four tasks at a
time, each 128 sentences of samples/on-liberty.pdf as bulk work, POST /v1/index; a task here only embeds. Three times: online
alone, bulk alone, both. Latency is measured at the client, from the request to the last byte; the idle embedder is measured
again at the end, because other programs may share the machine."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
from flask import Flask

from bookreader.pdf.parse import parse_book
from chapterverse import composition
from chapterverse.core.book import BookId, Kind
from chapterverse.core.tasks import Task
from chapterverse.essays.queries import texts_to_embed
from chapterverse.essays.text.parse import parse_essay
from chapterverse.infrastructure.embedding.remote import RemoteEmbedder
from chapterverse.infrastructure.queue.local import LocalQueue
from chapterverse.settings import read_settings
from chapterverse.worker import Metrics, Worker, create_app

ROOT = Path(__file__).parents[2]
BULK_CLIENTS, BATCH = 4, 128  # so that hundreds of sentences always wait
SENTENCES = "CHAPTERVERSE_BENCH_SENTENCES"


def app() -> Flask:
    """The real app, the real model; only the tasks embed and write nothing."""
    sentences = Path(os.environ[SENTENCES]).read_text("utf-8").splitlines()
    s, metrics = read_settings(), Metrics()
    embedder = composition.batching_embedder(s, metrics)

    def run(task: Task, attempt: int) -> None:  # noqa: ARG001 (as run_task)
        start = int(task.body["batch"]) * BATCH % len(sentences)
        embedder.bulk.embed_passages((sentences + sentences)[start : start + BATCH])

    return create_app(Worker(embedder, run, lambda _: None, metrics, s.max_open_requests, LocalQueue()))


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """The address of the app, ready."""
    port = 18600 + os.getpid() % 1000
    book = parse_book((ROOT / "samples/on-liberty.pdf").read_bytes(), BookId("bench"))
    (folder / "sentences").write_text("\n".join(each.text for each in book.sentences if each.kind is Kind.SENTENCE), "utf-8")
    config = ROOT / "containers/embedder/gunicorn.conf.py"
    command = [sys.executable, "-m", "gunicorn", "--config", config, "--log-level", "error", "scripts.bench.priorities:app()"]
    environment = {"HOST": "127.0.0.1", "PORT": str(port), "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"}
    environment |= {SENTENCES: str(folder / "sentences"), "CHAPTERVERSE_HOME": str(folder)}
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | environment) as server:
        try:
            url = f"http://127.0.0.1:{port}"
            wait_for(f"{url}/ready")
            yield url
        finally:
            server.terminate()


def wait_for(url: str) -> None:
    for _ in range(600):
        try:
            if httpx.get(url).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise SystemExit("The embedder does not become ready.")


def repeat(work: Callable[[int], object], seconds: float) -> list[float]:
    """Seconds of each call, until the time is up."""
    ends, taken = time.perf_counter() + seconds, []
    while (began := time.perf_counter()) < ends:
        work(len(taken))
        taken.append(time.perf_counter() - began)
    return taken


def measure(url: str, texts: list[str], online: int, bulk: int, seconds: float) -> None:
    embedder = RemoteEmbedder(url, "all-MiniLM-L6-v2", 384)
    http = httpx.Client(timeout=600)

    def index(batch: int) -> None:
        http.post(f"{url}/v1/index", json={"batch": batch}).raise_for_status()

    with ThreadPoolExecutor(online + bulk) as threads:
        began = time.perf_counter()
        books = [threads.submit(repeat, index, seconds) for _ in range(bulk)]
        students = [threads.submit(repeat, lambda _: embedder.embed_queries(texts), seconds) for _ in range(online)]
        latencies = [taken for student in students for taken in student.result()]
        sentences = BATCH * sum(len(book.result()) for book in books)
        elapsed = time.perf_counter() - began
    name = " and ".join(filter(None, [online and "online", bulk and "bulk"]))
    print(f"{name:16} {figures(latencies)}; {sentences / elapsed:6.0f} sentences/s in bulk", flush=True)


def figures(latencies: list[float]) -> str:
    if not latencies:
        return f"{'':44}"
    p50, p95, worst = (1000 * np.percentile(latencies, share) for share in (50, 95, 100))
    return f"{len(latencies):5} essays, p50 {p50:5.0f} p95 {p95:5.0f} max {worst:5.0f} ms"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=20)
    arguments.add_argument("--clients", type=int, default=1)
    given = arguments.parse_args()
    texts = texts_to_embed(parse_essay((ROOT / "samples/essay.md").read_text("utf-8")))
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as url:
        tokens = read_settings().batch_tokens
        busy = os.getloadavg()[0]
        print(f"{len(texts)} texts an essay; {os.cpu_count()} cores, load {busy:.1f} before; pieces of {tokens} tokens")
        students, books = given.clients, BULK_CLIENTS
        for online, bulk in ((students, 0), (0, books), (students, books), (students, 0)):
            measure(url, texts, online, bulk, given.seconds)


if __name__ == "__main__":
    main()
