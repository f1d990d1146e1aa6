"""The parts that the product is made of, put together by hand: PyMuPDF's text, a rough split, the graph, Chroma.

No addresses, no chapters, no paragraphs, nothing kept but the index: what it costs at least."""

import os
from pathlib import Path

import chromadb
import numpy as np
import onnxruntime
import pymupdf
from served import Request, rough_sentences, serve
from tokenizers import Tokenizer

BATCH_TOKENS = 1024
tokenizer = Tokenizer.from_file(os.environ["BENCH_WEIGHTS"] + "/tokenizer.json")
tokenizer.no_padding()
tokenizer.enable_truncation(256)
graph = next(Path(os.environ["BENCH_MODELS"]).glob("all-MiniLM-L6-v2-*.onnx"))
session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])


def embed(texts: list[str]) -> np.ndarray:
    """Longest first, as many at once as fit into BATCH_TOKENS when padded."""
    tokens = [one.ids for one in tokenizer.encode_batch(texts)]
    vectors = np.empty((len(texts), session.get_outputs()[0].shape[-1]), np.float32)
    order = sorted(range(len(texts)), key=lambda i: -len(tokens[i]))
    while order:
        count = max(1, BATCH_TOKENS // len(tokens[order[0]]))
        batch, order = order[:count], order[count:]
        ids = np.zeros((len(batch), len(tokens[batch[0]])), np.int64)
        for row, i in enumerate(batch):
            ids[row, : len(tokens[i])] = tokens[i]
        mask = (np.arange(ids.shape[1]) < [[len(tokens[i])] for i in batch]).astype(np.int64)
        states = session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        mean = np.einsum("bth,bt->bh", states, mask.astype(np.float32))
        vectors[batch] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
    return vectors


def ingest(request: Request) -> dict[str, object]:
    client = chromadb.PersistentClient(request["folder"], settings=chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("books", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None)
    sentences = 0
    for path in request["books"]:
        with pymupdf.open(path) as pdf:
            found = [(page.number, text) for page in pdf for text in rough_sentences(page.get_text())]
        vectors = embed([text for _, text in found])
        for start in range(0, len(found), 5000):
            part = range(start, min(start + 5000, len(found)))
            collection.add(
                ids=[f"{path}-{i}" for i in part],
                embeddings=vectors[part.start : part.stop],
                documents=[found[i][1] for i in part],
                metadatas=[{"page": found[i][0]} for i in part],
            )
        sentences += len(found)
    client.close()
    return {"sentences": sentences}


embed(["The graph is loaded before it is timed."])
serve(lambda request: ingest(request) if "books" in request else {"sentences": len(embed(request["texts"]))})
