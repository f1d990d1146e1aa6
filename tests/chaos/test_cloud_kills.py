"""The function, the embedder and Chroma killed at any moment of an ingest: in the end all is as if nobody had been.

Three kills, or as many as CHAPTERVERSE_CLOUD_KILLS says, three an ingest."""

import os
import time
from dataclasses import dataclass
from random import choice, uniform
from typing import Any

import pytest

from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf

KILLS = int(os.environ.get("CHAPTERVERSE_CLOUD_KILLS", "3"))
AN_INGEST = 3
VICTIMS = ("on_book_uploaded", "embedder", "chroma")
OLD = a_long_pdf("The ship left harbour")
NEW = a_long_pdf("Bees gathered nectar")


@dataclass(frozen=True)
class Ingest:
    """What there is after it, and how long it takes."""

    contents: dict[str, Any]
    seconds: float


@pytest.fixture(scope="module")
def undisturbed(cloud: Cloud) -> list[Ingest]:
    """A book added, then replaced."""
    ingests: list[Ingest] = []
    version = None
    for pdf in (OLD, NEW):
        began = time.monotonic()
        cloud.put("undisturbed/ship.pdf", pdf)
        version = cloud.wait_for_book("undisturbed", "ship", after=version)["version"]
        ingests.append(Ingest(cloud.settled("undisturbed"), time.monotonic() - began))
    return ingests


@pytest.mark.parametrize("number", range(KILLS // AN_INGEST))
def test_an_ingest_whose_parts_die_ends_as_an_undisturbed_one(number: int, cloud: Cloud, undisturbed: list[Ingest]) -> None:
    school, replaces = f"killed-{number}", number % 2 == 1
    version = None
    if replaces:
        cloud.put(f"{school}/ship.pdf", OLD)
        version = cloud.wait_for_book(school, "ship")["version"]

    cloud.put(f"{school}/ship.pdf", NEW if replaces else OLD)
    for _ in range(AN_INGEST):
        kill_one(cloud, uniform(0, undisturbed[replaces].seconds / AN_INGEST))
    cloud.wait_for_book(school, "ship", after=version)

    assert cloud.settled(school) == undisturbed[replaces].contents


def kill_one(cloud: Cloud, after: float) -> None:
    """One of the parts, and start it again."""
    victim = choice(VICTIMS)
    time.sleep(after)
    cloud.stack.parts[victim].kill()
    print(f"{victim}: killed after {after:.3f} s")  # noqa: T201  # shown if it fails
    cloud.stack.parts[victim].start()
