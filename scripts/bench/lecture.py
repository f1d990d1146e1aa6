"""How long a window of a lecture takes to its citations: a real lecture beside its notes and a textbook.

    CHAPTERVERSE_HOME=build/lecture python -m scripts.bench.lecture [SHARED] [--windows 100]

One session, a window at a time; twenty sessions that close a window at the same moment, and that speak as people do; KeyBERT,
Chroma and a loop as S3 writes them, on the same vectors; bge-base with TinyBERT, of the true shapes with random weights.
ms: by the clock; cpu: milliseconds of all cores, which other programs on the machine stretch less."""

import argparse
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any
from uuid import uuid4

import numpy as np
from tokenizers import Tokenizer

from chapterverse import composition
from chapterverse.cli.files import sources_at
from chapterverse.composition.applications import lecture_context
from chapterverse.infrastructure.embedding.bert_onnx import graph_file
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.infrastructure.embedding.onnx import OnnxEmbedder, onnx_runtime
from chapterverse.lectures.citing import cite_windows
from chapterverse.lectures.context import LectureContext
from chapterverse.lectures.model import Attached, LectureSession, Window
from chapterverse.lectures.pool import WindowPool
from chapterverse.library.chunks import load_chunks
from chapterverse.library.intake import add_book
from chapterverse.library.service import list_books
from chapterverse.settings import read_settings
from scripts.bench.report import settings, show
from scripts.eval.lecture_set import NOTES, copy_notes, lectures
from scripts.eval.shared import shared_folder

TEXTBOOK = "data/pdf/think-python-2e/thinkpython2.pdf"
SESSIONS, ROUNDS, TALK = 20, 4, 10.0  # seconds between two windows of one lecture
SHAPES = {"bge-base-en-v1.5": (768, 12, 12, 3072), "TinyBERT-L-2": (128, 2, 2, 512)}  # hidden, layers, heads, between


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, help="the shared folder")
    parser.add_argument("--windows", type=int, default=100)
    given = parser.parse_args()
    shared = shared_folder(given.shared, NOTES).parents[2]
    windows = list(next(lectures(shared, [1])).windows)
    context = lecture_context(read_settings())
    sources = filled(context, "bench", [copy_notes(shared, range(1, 6), read_settings().home / "notes"), shared / TEXTBOOK])
    cite_windows(begun(sources, context), windows[-2:], context)  # what is loaded at the first is no window's
    rows = [one_session("one session", sources, context, windows[: given.windows])]
    rows += [many(sources, context, windows, pause=0.0), many(sources, context, windows, pause=TALK / SESSIONS)]
    rows += [by_the_seed(sources, context, windows[: given.windows])]
    rows += [of_true_shapes(shared, context, windows[: given.windows // 4])]
    show("windows of a lecture", rows, settings(paragraphs=sources.paragraphs, keywords=keywords_of()))


@dataclass(frozen=True)
class Sources:
    """Books beside a lecture."""

    school: str
    books: Sequence[Attached]
    paragraphs: int

    def session(self) -> LectureSession:
        return LectureSession(uuid4(), self.school, datetime.now(UTC), tuple(self.books))


def filled(context: LectureContext, school: str, files: Sequence[Path]) -> Sources:
    """With these files as its books; done already, it does nothing."""
    limits = composition.limits(read_settings(), context.services.collection)
    for file in files:
        for source in sources_at(str(file), limits, {}):
            add_book(source.read(), source.name, school, context.services, limits)
    books = list_books(school, context.services)
    chunks = sum(len(load_chunks(context.services.bucket, book.active.key)) for book in books if book.active)
    return Sources(school, [Attached(book.id) for book in books], chunks)


def begun(sources: Sources, context: LectureContext) -> LectureSession:
    session = sources.session()
    context.store.begin(session)
    return session


def one_session(name: str, sources: Sources, context: LectureContext, windows: Sequence[Window]) -> dict[str, Any]:
    session, spent, stages, cpu = begun(sources, context), [], [], process_time()
    for window in windows:
        [result] = cite_windows(session, [window], context)
        spent.append(result.total)
        stages.append(asdict(result.stages))
    cpu = 1000 * (process_time() - cpu) / len(windows)
    return row(name, spent, cpu, {stage: [one[stage] for one in stages] for stage in stages[0]})


def many(sources: Sources, context: LectureContext, windows: Sequence[Window], pause: float) -> dict[str, Any]:
    """From handing a window in to its citations, through the pool; pause: seconds between two lectures' windows."""
    pool = WindowPool(lambda session, its: cite_windows(session, its, context))
    sessions, spent, cpu = [begun(sources, context) for _ in range(SESSIONS)], list[float](), process_time()
    everyone = threading.Semaphore(0)

    def hand_in(session: LectureSession, window: Window) -> None:
        began = perf_counter()

        def deliver(_: object) -> None:
            spent.append(1000 * (perf_counter() - began))
            everyone.release()

        pool.submit(session, [window], deliver)

    for number in range(ROUNDS):
        for place, session in enumerate(sessions):
            hand_in(session, windows[(number + place * ROUNDS) % len(windows)])
            sleep(pause)
        for _ in sessions:
            everyone.acquire()
    pool.close()
    cpu = 1000 * (process_time() - cpu) / len(spent)
    return row(f"{SESSIONS} sessions, " + ("a window each 10 s" if pause else "all at one moment"), spent, cpu)


def by_the_seed(sources: Sources, context: LectureContext, windows: Sequence[Window]) -> dict[str, Any]:
    """KeyBERT on its own, one embed call for the query, Chroma with the session's filter in L2; no re-ranker, nothing kept."""
    import chromadb

    embedder, collection = context.services.embedder, chromadb.EphemeralClient().create_collection("seed")
    for book in list_books(sources.school, context.services):
        if book.active:
            chunks = load_chunks(context.services.bucket, book.active.key)
            vectors = embedder.embed_passages([chunk.text for chunk in chunks])
            told = [{"session_id": "one", "document_id": book.id} for _ in chunks]
            collection.add([chunk.id for chunk in chunks], vectors, told, [chunk.text for chunk in chunks])
    keywords, stages, spent, cpu = plain_keybert(embedder), {"keywords": [], "embed": [], "search": []}, [], process_time()
    for window in windows:
        moments = [perf_counter()]
        words = keywords(window.text)
        moments.append(perf_counter())
        vector = embedder.embed_queries([" ".join([window.text, *words])])
        moments.append(perf_counter())
        collection.query(vector, n_results=5, where={"session_id": "one"})
        moments.append(perf_counter())
        for stage, before, after in zip(stages, moments, moments[1:], strict=False):
            stages[stage].append(1000 * (after - before))
        spent.append(1000 * (moments[-1] - moments[0]))
    return row("as S3 writes it", spent, 1000 * (process_time() - cpu) / len(windows), stages)


def plain_keybert(embedder: Any) -> Callable[[str], list[str]]:
    """KeyBERT as it comes, on our vectors; without it (extra lecture) no keywords."""
    try:
        from keybert import KeyBERT
        from keybert.backend import BaseEmbedder
    except ImportError:
        return lambda _: []

    class Ours(BaseEmbedder):  # type: ignore[misc]
        def embed(self, documents: Sequence[str], verbose: bool = False) -> Any:  # noqa: ARG002 - KeyBERT's own signature
            return embedder.embed_passages(list(documents))

    model = KeyBERT(Ours())
    return lambda text: [
        word for word, _ in model.extract_keywords(text, keyphrase_ngram_range=(1, 2), use_mmr=True, diversity=0.5, top_n=5)
    ]


def of_true_shapes(shared: Path, context: LectureContext, windows: Sequence[Window]) -> dict[str, Any]:
    """The product with bge-base and TinyBERT, random weights, beside one week's notes."""
    folder = read_settings().home / "shapes"
    made = {name: random_model(folder / name, name) for name in SHAPES}
    services = replace(
        context.services,
        embedder=OnnxEmbedder(str(made["bge-base-en-v1.5"]), folder),
        reranker=RandomReranker(made["TinyBERT-L-2"]),
    )
    theirs = replace(
        context, services=services, plan=replace(context.plan, rerank_seconds=60.0), reorder=lambda _, __, hits: hits
    )
    theirs = replace(theirs, limits=replace(context.limits, min_cosine=-1.0))
    sources = filled(theirs, "shapes", [copy_notes(shared, [4], read_settings().home / "week04")])
    cite_windows(begun(sources, theirs), windows[-1:], theirs)
    return one_session("bge-base and TinyBERT", sources, theirs, windows)


def random_model(folder: Path, name: str) -> Path:
    """A BERT of that shape, as a folder of sentence-transformers, with MiniLM's tokenizer, which is that of all BERTs in
    English."""
    from safetensors.numpy import save_file

    hidden, layers, heads, between = SHAPES[name]
    folder.mkdir(parents=True, exist_ok=True)
    of = find_model("all-MiniLM-L6-v2")
    config = {**of.config, "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads}
    config |= {"intermediate_size": between, "max_position_embeddings": 512}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 512}')
    (folder / "tokenizer.json").write_bytes((of.folder / "tokenizer.json").read_bytes())
    if not (folder / "model.safetensors").exists():
        save_file(dict(random_weights(config)), folder / "model.safetensors")
    return folder


def random_weights(config: dict[str, Any]) -> Iterator[tuple[str, np.ndarray]]:
    """Of a BertModel, as transformers names them."""
    draw, hidden, between = np.random.default_rng(0), config["hidden_size"], config["intermediate_size"]

    def matrix(*shape: int) -> np.ndarray:
        return draw.normal(0, 0.02, shape).astype(np.float32)

    for table, rows in (("word", "vocab_size"), ("position", "max_position_embeddings"), ("token_type", "type_vocab_size")):
        yield f"embeddings.{table}_embeddings.weight", matrix(config[rows], hidden)
    norms = ["embeddings.LayerNorm"]
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}"
        parts = {f"{at}.attention.self.{part}": (hidden, hidden) for part in ("query", "key", "value")}
        parts |= {f"{at}.attention.output.dense": (hidden, hidden), f"{at}.intermediate.dense": (between, hidden)}
        for part, shape in {**parts, f"{at}.output.dense": (hidden, between)}.items():
            yield f"{part}.weight", matrix(*shape)
            yield f"{part}.bias", np.zeros(shape[0], np.float32)
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for norm in norms:
        yield f"{norm}.weight", np.ones(hidden, np.float32)
        yield f"{norm}.bias", np.zeros(hidden, np.float32)


class RandomReranker:
    """A cross-encoder on ONNX Runtime: pairs as BERT reads them, all in one call."""

    model = "TinyBERT-L-2"

    def __init__(self, folder: Path) -> None:
        files = find_model(str(folder))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(512)
        self._tokenizer.enable_padding()
        self._session = onnx_runtime().InferenceSession(graph_file(files, folder), providers=["CPUExecutionProvider"])

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:  # noqa: ARG002
        if not pairs:
            return []
        read = self._tokenizer.encode_batch(list(pairs))
        asked = {"input_ids": [one.ids for one in read], "attention_mask": [one.attention_mask for one in read]}
        [states] = self._session.run(None, {name: np.array(rows, np.int64) for name, rows in asked.items()})
        return [float(one) for one in states[:, 0, 0]]


def row(name: str, spent: Sequence[float], cpu: float, stages: dict[str, list[float]] | None = None) -> dict[str, Any]:
    """p50/p95 of each stage and of the whole, in milliseconds."""
    told = {stage: both((stages or {}).get(stage)) for stage in ("keywords", "embed", "search", "rerank")}
    return {"what": name, "windows": len(spent), **told, "total_ms": both(spent), "cpu_ms": round(cpu, 1)}


def both(spent: Sequence[float] | None) -> str:
    return f"{np.percentile(spent, 50):.1f} / {np.percentile(spent, 95):.1f}" if spent else "–"


def keywords_of() -> str:
    with suppress(ImportError):
        import keybert

        return f"keybert {keybert.__version__}"
    return "ours"


if __name__ == "__main__":
    main()
