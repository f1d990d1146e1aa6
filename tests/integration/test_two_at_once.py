"""Readers while a book is replaced."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chapterverse.core.hits import Scope
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.text import parse_essay
from chapterverse.library.versions import make_whole
from tests.support.shelved import empty_library, shelve

ESSAY = parse_essay("# Bees\n\nBees gather nectar.\n\nSteel holds carbon.\n")


def test_whoever_searches_while_a_book_is_replaced_or_rebuilt_finds_the_old_or_the_new(tmp_path: Path) -> None:
    versions = [[f"Bees gather nectar, edition {e}.", f"Steel holds carbon, edition {e}."] for e in range(6)]
    with empty_library(tmp_path) as services:
        book = shelve(services, "Nature", *versions[:1])

        def replace() -> None:
            for version in versions[1:]:
                shelve(services, "Nature", version)
                make_whole(book, services, anew=True)

        with ThreadPoolExecutor(1) as writer:
            replacing, found = writer.submit(replace), []
            while not replacing.done():
                evidence = find_evidence(ESSAY, Scope("school"), services).evidence
                found.append(sorted(one.passage.sentence.text for one in evidence))

    replacing.result()
    assert len(found) > 1
    assert all(texts in versions for texts in found)
