"""sentence-transformers with nothing around it: fp32, torch's own threads."""

import os

from sentence_transformers import SentenceTransformer
from served import Request, serve

model = SentenceTransformer(os.environ["BENCH_WEIGHTS"], device="cpu", local_files_only=True)
model.encode(["The weights are loaded before they are timed."])


def embed(request: Request) -> dict[str, object]:
    return {"sentences": len(model.encode(request["texts"], batch_size=request["batch"], normalize_embeddings=True))}


serve(embed)
