"""A textbook of Markdown pages, indexed by its sections and searched by its words."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bookreader.worker import read_source
from chapterverse.core.book import Collection
from chapterverse.infrastructure.sql import Database
from chapterverse.library.chunks import sections
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from tests.support.books import LIMITS
from tests.support.chunked import count_words
from tests.support.shelved import empty_library
from tests.support.sites import Pages, folder

SCHOOL = "school"
NODES = "A node is a process. Nodes talk by topics."
SENSORS = "A camera sees ten metres. A lidar sees a hundred metres."
PAGES: Pages = {
    "_category_.json": '{"label": "unused"}',
    "01-middleware/_category_.json": '{"label": "Module 1: Middleware"}',
    "01-middleware/nodes.md": f"# Nodes\n\n## What a node is\n\n{NODES}\n\n## Starting one\n\nA launch file starts nodes.",
    "02-hardware/sensors.md": f"# Sensors\n\n## How far they see\n\n{SENSORS}",
}


@contextmanager
def textbook(home: Path, pages: Pages = PAGES) -> Iterator[CollectionServices]:
    """Services of a school that has this textbook; a section is a chunk, however short."""
    database, chunker = Database(f"sqlite:///{home}/catalog.db"), sections(count_words, min_tokens=1, max_tokens=60, overlap=5)
    with empty_library(home, database) as services:
        own = {"catalog": SqlCatalog(database, collection=Collection.TEXTBOOK), "collection": Collection.TEXTBOOK}
        textbooks = replace(services, chunker=chunker, parser=read_source, **own)
        add_book(folder(pages), "robots.zip", SCHOOL, textbooks, LIMITS, title="Robots")
        yield textbooks
