"""What a cold start loads: seconds and memory of each entry point in a fresh interpreter, best of several.

    python -m scripts.bench.imports [--times 5]     (make bench-imports)

"start" is what happens before the first request is taken, "first …" that and all that it loads and opens, servers not yet
called. Settings are the cloud's; nothing listens at their addresses."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MEASURED = """
import resource, time
began = time.perf_counter()
{code}
seconds = time.perf_counter() - began
import sys
heavy = [name for name in {heavy} if name in sys.modules]
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, *heavy)
"""
HEAVY = [
    "alembic",
    "chromadb",
    "google.cloud.storage",
    "google.cloud.tasks_v2",
    "numpy",
    "onnxruntime",
    "pymupdf",
    "spacy",
    "sqlalchemy",
]
FUNCTION = (
    f"import functions_framework; app = functions_framework.create_app({{target!r}}, {str(ROOT / 'functions' / 'main.py')!r})"
)
MAIN = "import sys; main = sys.modules['main']"
INTAKE = (
    "from chapterverse.library import intake\ni = main._intake()\n"
    "i.uploads.read, i.services.bucket.write, i.services.catalog.begin, i.queue.add"
)
WEB = (
    "from chapterverse import composition\nmain._web()\np = composition.app_context(main._settings())\n"
    "p.keys.find, p.services.catalog.books, p.services.embedder.model, p.services.index.search, p.services.bucket.read"
)
NIGHT = (
    "from chapterverse import composition\nmain._batches()\nn = composition.batch_context(main._settings())\n"
    "n.store.forget, n.history.store.save, n.results.write, n.queue.add\n"
    "n.services.catalog.books, n.services.embedder.model, n.services.index.search, n.services.bucket.read"
)
CASES = {
    "functions-framework alone": "import functions_framework, flask",
    "on_book_uploaded: start": FUNCTION.format(target="on_book_uploaded"),
    "on_book_uploaded: first event": f"{FUNCTION.format(target='on_book_uploaded')}\n{MAIN}\n{INTAKE}",
    "api: start": FUNCTION.format(target="api"),
    "api: first essay": f"{FUNCTION.format(target='api')}\n{MAIN}\n{WEB}",
    "run_nightly_batches: start": FUNCTION.format(target="run_nightly_batches"),
    "run_nightly_batches: first essay": f"{FUNCTION.format(target='run_nightly_batches')}\n{MAIN}\n{NIGHT}",
    "embedder, without the model": "import chapterverse.worker",
    "chapterverse --help": "import chapterverse.cli.app",
}
CLOUD = {
    "CHAPTERVERSE_ARTEFACTS": "gs://artefacts",
    "CHAPTERVERSE_UPLOADS": "gs://books",
    "CHAPTERVERSE_CATALOG": "postgresql+psycopg://nobody@127.0.0.1:9/catalog",
    "CHAPTERVERSE_INDEX": "http://127.0.0.1:9",
    "CHAPTERVERSE_QUEUE": "projects/p/locations/l/queues/q?emulator=127.0.0.1:9",
    "CHAPTERVERSE_RESULTS": "gs://results",
    "CHAPTERVERSE_BATCH_URL": "http://127.0.0.1:9",
    "CHAPTERVERSE_TASKS_URL": "http://127.0.0.1:9",
    "CHAPTERVERSE_EMBEDDER": "remote",
    "CHAPTERVERSE_EMBEDDER_URL": "http://127.0.0.1:9",
    "STORAGE_EMULATOR_HOST": "http://127.0.0.1:9",
    "GOOGLE_CLOUD_PROJECT": "local",
}


def measure(code: str, times: int) -> tuple[float, float, list[str]]:
    """Seconds and MiB, the least of all runs, and what of HEAVY is loaded."""
    runs = [run(code) for _ in range(times)]
    return min(seconds for seconds, _, _ in runs), min(size for _, size, _ in runs), runs[0][2]


def run(code: str) -> tuple[float, float, list[str]]:
    environment = {**os.environ, **CLOUD, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-W", "ignore", "-c", MEASURED.format(code=code, heavy=HEAVY)]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()[-1].split()
    return float(said[0]), float(said[1]), said[2:]


def main() -> None:
    parser = argparse.ArgumentParser(description="Seconds and memory of a cold start.")
    parser.add_argument("--times", type=int, default=5, help="runs of each; the best counts")
    times = parser.parse_args().times
    print("| entry point | s | MiB | of what is heavy, loaded |\n| --- | --- | --- | --- |")
    for name, code in CASES.items():
        seconds, size, heavy = measure(code, times)
        print(f"| {name} | {seconds:.2f} | {size:.0f} | {', '.join(heavy) or '–'} |", flush=True)


if __name__ == "__main__":
    main()
