"""Times of books and essays on the whole cloud on this machine (scripts/cloud_local), with the real model.

    python -m scripts.bench.cloud [--shared ../shared] [--books 20] [--pages 0] [--requests 60]

One book, from its upload to its being searched, split by what its trace says; then all the others at once; then essays by 1, 8
and 32 clients, split in the same way; then requests a second at an embedder with 1, 2 and 4 processes, whose model takes a
fixed time for each batch, and with the real model. Stages are sums of spans, waiting included: several run at the same time.
Books: typeset ones of SHARED where they are, else copies of the sample. The load of the machine is printed beside: times on a
shared one only bound those on a free one."""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import numpy as np
import pymupdf
from google.auth.credentials import AnonymousCredentials
from google.cloud.storage import Client

from scripts.cloud_local.collector import Collector, Span, collector
from scripts.cloud_local.parts import free_ports
from scripts.cloud_local.stack import UPLOADS, Stack, stack

ROOT = Path(__file__).parents[2]
SCHOOL = "bench"
FIRST = "mutual-aid"  # about 100,000 words
WITHIN = 3600  # seconds
SIMULATED = 0.1  # seconds of the model for each batch
STAGES = {  # spans that do not contain one another
    "uploads.read": "read the file",
    "parser": "parse",
    "bucket.write": "write artefacts",
    "bucket.read": "read artefacts",
    "queue.add": "add tasks",
    "embedder.embed_passages": "embed",
    "embedder.embed_queries": "embed",
    "index.write": "write the index",
    "index.search": "search the index",
    "index.count": "count the index",
    "keys.find": "check the key",
    "catalog": "catalog",
}


def pdfs(shared: Path, count: int, pages: int) -> dict[str, bytes]:
    """Files by name, the one of about 100,000 words first and whole, of the others their first pages (0: all)."""
    first, *others = _whole(shared, count).items()
    return dict([first, *((name, _beginning(pdf, pages) if pages else pdf) for name, pdf in others)])


def _whole(shared: Path, count: int) -> dict[str, bytes]:
    found = {path.stem: path.read_bytes() for path in sorted((shared / "goldbooks" / "pdf").glob("*.pdf"))[:count]}
    if FIRST in found:
        return {FIRST: found.pop(FIRST), **found}
    return found or {f"book-{number}": another_sample(number) for number in range(count)}


def _beginning(pdf: bytes, pages: int) -> bytes:
    with pymupdf.open(stream=pdf) as document:
        document.select(range(min(pages, document.page_count)))
        return bytes(document.tobytes(garbage=4, deflate=True))


def another_sample(number: int) -> bytes:
    """The sample book, with one page more, so that its bytes are its own."""
    with pymupdf.open(ROOT / "samples" / "on-liberty.pdf") as document:
        document.new_page().insert_text((72, 72), f"Copy {number}.")
        return bytes(document.tobytes())


class Bench:
    """A stack with one school, its spans, and how to use it."""

    def __init__(self, running: Stack, spans: Collector) -> None:
        self.stack, self.spans = running, spans
        headers = {"Authorization": f"Bearer {running.new_key(SCHOOL)}"}
        limits = httpx.Limits(max_connections=64)
        self.http = httpx.Client(base_url=running.url("api"), headers=headers, timeout=600, limits=limits)
        options = {"api_endpoint": running.url("storage")}
        self.storage = Client(project="local", credentials=AnonymousCredentials(), client_options=options)

    def put(self, name: str, pdf: bytes) -> None:
        self.storage.bucket(UPLOADS).blob(f"{SCHOOL}/{name}.pdf").upload_from_string(pdf, "application/pdf")

    def wait(self, names: Sequence[str]) -> float:
        """Until all are searched: seconds."""
        began = time.perf_counter()
        while time.perf_counter() - began < WITHIN:
            sources = self.http.get("/api/v1/collections/books/sources").raise_for_status().json()["sources"]
            states = {source["source"]: source["state"] for source in sources}
            if all(states.get(name) == "ready" for name in names):
                return time.perf_counter() - began
            assert "failed" not in states.values(), states
            time.sleep(0.5)
        raise TimeoutError(states)

    def ask(self, essay: str) -> tuple[int, float]:
        """Status and seconds of one essay."""
        began = time.perf_counter()
        answer = self.http.post("/api/v1/essays/evidence", json={"essay": essay})
        return answer.status_code, time.perf_counter() - began

    @contextmanager
    def split(self, title: str, whole: str = "") -> Iterator[None]:
        """Print how the time of the spans in the block is spent; shares are of those called `whole`, else of all stages."""
        seen = len(self.spans.spans)
        yield
        time.sleep(3)  # spans come in batches
        print_split(self.spans.spans[seen:], title, whole)


def print_split(spans: Sequence[Span], title: str, whole: str) -> None:
    by_stage: Counter[str] = Counter()
    for span in spans:
        name = span.name if span.name in STAGES else span.name.partition(".")[0]
        if name in STAGES:
            by_stage[STAGES[name]] += span.seconds
    total = sum(span.seconds for span in spans if span.name == whole) or sum(by_stage.values())
    print(f"\n{title}, {total:.1f} s in all\n\n| stage | s | share |\n| --- | --- | --- |")
    for stage, seconds in by_stage.most_common():
        print(f"| {stage} | {seconds:.2f} | {seconds / total:.0%} |")


def books(bench: Bench, files: dict[str, bytes]) -> None:
    """One, then all the others at once."""
    first, *others = files
    with bench.split(f"{first}, by stage"):
        bench.put(first, files[first])
        seconds = bench.wait([first])
    report = bench.http.get(f"/api/v1/collections/books/sources/{first}").json()["report"]
    print(f"\n{first}: {report['words']:,} words, {report['sentences']:,} sentences; event to ready {seconds:.1f} s{load()}")
    with bench.split(f"{len(others)} books at once, by stage"):
        for name in others:
            bench.put(name, files[name])
        seconds = bench.wait(others)
    print(f"\n{len(others)} more books at once: all ready after {seconds:.1f} s{load()}")


def essays(bench: Bench, requests: int) -> None:
    """Latency of evidence, and where it goes."""
    essay = (ROOT / "samples" / "essay.md").read_text("utf-8")
    bench.ask(essay)
    for clients in (1, 8, 32):
        with bench.split(f"{clients} clients, by stage", "POST /api/v1/essays"), ThreadPoolExecutor(clients) as pool:
            began = time.perf_counter()
            ends = list(pool.map(lambda _: bench.ask(essay), range(max(requests, 2 * clients))))
            seconds = [taken for status, taken in ends if status == 200]
            rate = len(seconds) / (time.perf_counter() - began)
        p50, p95, p99 = (1000 * np.percentile(seconds, p) for p in (50, 95, 99))
        print(f"\n{clients} clients: p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f} ms, {rate:.1f} essays/s{load()}; {said(ends)}")


def said(ends: Sequence[tuple[int, float]]) -> str:
    """How many were told to come again, and were not lost: "all answered", "503: 4 times"."""
    others = Counter(status for status, _ in ends if status != 200)
    return ", ".join(f"{status}: {times} times" for status, times in others.items()) or "all answered"


def replicas(requests: int) -> None:
    """Requests a second of as many processes of the embedder's app."""
    print("\n| model | processes | requests/s |\n| --- | --- | --- |")
    for model, counts in (("simulated", (1, 2, 4)), ("real", (1, 2))):
        for count in counts:
            with embedders(model, count) as url:
                print(f"| {model} | {count} | {rate_of(url, requests):.1f}{load()} |", flush=True)


@contextmanager
def embedders(model: str, count: int) -> Iterator[str]:
    """As many processes behind one address; the kernel hands out connections."""
    [port] = free_ports(1)
    app = f"scripts.bench.simulated:app({SIMULATED})" if model == "simulated" else "chapterverse.worker:app()"
    options = [
        "--bind",
        f"127.0.0.1:{port}",
        "--threads",
        "32",
        "--workers",
        str(count),
        "--timeout",
        "0",
        "--log-level",
        "error",
    ]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "CHAPTERVERSE_MAX_OPEN_REQUESTS": "1000"}
    command = [str(Path(sys.executable).with_name("gunicorn")), *options, app]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            if answers(f"http://127.0.0.1:{port}/ready"):
                break
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 200
    except httpx.HTTPError:
        return False


def rate_of(url: str, requests: int) -> float:
    """With 32 clients, each request a connection of its own, of about as many tokens as a batch takes."""
    texts = ["It does not follow that opinions must be parroted because they are never heard controverted."] * 40

    with httpx.Client(timeout=600, limits=httpx.Limits(max_keepalive_connections=0)) as http:

        def one(_: int) -> None:
            http.post(f"{url}/v1/embed", json={"texts": texts, "kind": "query"}).raise_for_status()

        return timed(one, requests)


def timed(one: Callable[[int], None], requests: int) -> float:
    with ThreadPoolExecutor(32) as pool:
        list(pool.map(one, range(32)))  # connections, threads, models: once each
        began = time.perf_counter()
        list(pool.map(one, range(requests)))
    return requests / (time.perf_counter() - began)


def load() -> str:
    return f" (load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores)"


def main() -> None:
    parser = argparse.ArgumentParser(description="Times of books and essays on the cloud on this machine.")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="where the typeset books are")
    parser.add_argument("--books", type=int, default=20, help="0: only the replicas")
    parser.add_argument("--pages", type=int, default=0, help="of each book but the first, so many; 0: all")
    parser.add_argument("--requests", type=int, default=60, help="essays at each number of clients")
    given = parser.parse_args()
    if given.books:
        measure_stack(given)
    replicas(given.requests * 2)


def measure_stack(given: argparse.Namespace) -> None:
    """Books, then essays."""
    with TemporaryDirectory(prefix="cloud-") as folder, collector() as spans:
        Path(folder).chmod(0o755)
        told = {"OTEL_EXPORTER_OTLP_ENDPOINT": spans.url, "CHAPTERVERSE_REQUESTS_PER_MINUTE": "100000"}
        with stack(Path(folder), environment=told) as running:
            bench = Bench(running, spans)
            books(bench, pdfs(given.shared, given.books, given.pages))
            essays(bench, given.requests)


if __name__ == "__main__":
    main()
