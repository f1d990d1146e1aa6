"""The embedder's app as it is, but with an embedder that needs no model: gunicorn "tests.support.word_worker:app()"."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Flask

from chapterverse import composition
from chapterverse import worker as main
from chapterverse.core.hits import Vectors
from tests.support.word_embedder import WordEmbedder

SLOWLY = "slowly"  # a text with this word takes the model a while
SECONDS = 0.1


@dataclass
class SlowWordEmbedder(WordEmbedder):
    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        if any(SLOWLY in text for text in texts):
            time.sleep(SECONDS)
        return super().embed_queries(texts)


def app() -> Flask:
    composition.ports.embedder = lambda _settings, **_: SlowWordEmbedder()
    return main.app()
