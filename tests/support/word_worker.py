"""The embedder's app as it is, but with an embedder that needs no model: gunicorn "tests.support.word_worker:app()"."""

from flask import Flask

from chapterverse import composition
from chapterverse.worker import main
from tests.support.word_embedder import WordEmbedder


def app() -> Flask:
    composition.embedder = lambda _settings: WordEmbedder()
    return main.app()
