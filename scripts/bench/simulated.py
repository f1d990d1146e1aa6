"""The embedder's app with a model that only takes its time: gunicorn "scripts.bench.simulated:app(0.1)"."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flask import Flask

from chapterverse import composition
from chapterverse import worker as main
from chapterverse.core.hits import Vectors


@dataclass(frozen=True)
class Simulated:
    """Every call takes so many seconds and no processor time."""

    seconds: float
    model: str = "simulated"
    dimensions: int = 384

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        time.sleep(self.seconds)
        return np.full((len(texts), self.dimensions), self.dimensions**-0.5, np.float32)

    embed_queries = embed_passages


def app(seconds: float) -> Flask:
    composition.models.embedder = lambda _settings: Simulated(seconds)
    return main.app()
