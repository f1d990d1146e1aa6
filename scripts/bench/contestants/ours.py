"""The product: `sources add` as a use case, and its embedder alone."""

import os
from dataclasses import replace
from pathlib import Path

from served import Request, cpu_seconds, serve

from chapterverse import composition
from chapterverse.library.intake import add_book
from chapterverse.library.versions import Stage
from chapterverse.settings import read_settings

MODELS = Path(os.environ["BENCH_MODELS"])
SETTINGS = read_settings().model_copy(update={"home": MODELS.parent, "max_books": 1000})
embedder = composition.compose(SETTINGS).embedder  # all libraries are imported by it
embedder.embed_queries(["The graph is loaded before it is timed."])


class Stages:
    """CPU seconds a stage, by when progress first speaks of it; what comes before the first is parsing, too."""

    def __init__(self) -> None:
        self.began = {Stage.PARSING: cpu_seconds()}

    def __call__(self, stage: Stage, _done: int, _total: int) -> None:
        self.began.setdefault(stage, cpu_seconds())

    def seconds(self) -> dict[str, float]:
        times = [*self.began.values(), cpu_seconds()]
        return {stage.value: after - before for stage, before, after in zip(self.began, times, times[1:], strict=False)}


def ingest(request: Request) -> dict[str, object]:
    settings = SETTINGS.model_copy(update={"home": Path(request["folder"])})
    services = replace(composition.compose(settings), embedder=embedder)
    sentences, stages = 0, {}
    for path in map(Path, request["books"]):
        watch = Stages()
        added = add_book(path.read_bytes(), path.name, settings.school, services, composition.limits(settings), progress=watch)
        sentences += added.book.active.sentences
        stages = {stage: seconds + stages.get(stage, 0.0) for stage, seconds in watch.seconds().items()}
    services.catalog.close()
    return {"sentences": sentences, "stages": stages}


def embed(request: Request) -> dict[str, object]:
    return {"sentences": len(embedder.embed_passages(request["texts"]))}


serve(lambda request: ingest(request) if "books" in request else embed(request))
