"""A book that another school has is copied from there, where the operator lets it be."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.book import BookId
from chapterverse.core.hits import Partition
from chapterverse.core.tasks import StoredFile
from chapterverse.library.artefacts import load_book, source_name
from chapterverse.library.indexing import is_whole
from chapterverse.library.intake import receive_file
from chapterverse.library.service import remove_book
from tests.support.intake import SCHOOL, Clockwork, Killed, Town

SEA = b"The sea was calm.|Nobody spoke.\nThe wind rose.|Everybody ran."


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    town = Town(tmp_path)
    share(town)
    with town.closing:
        yield town


def share(town: Town) -> None:
    town.intake = replace(town.intake, services=replace(town.intake.services, shares_books=True))


def found(town: Town, school: str) -> list[tuple[str, str]]:
    """Book and sentence of what that school's question finds."""
    services, [book] = town.intake.services, town.catalog.books(school)
    assert book.active
    partition = Partition(school, book.active.key.unit, "words")
    query = services.embedder.embed_queries(["the wind rose"])
    [hits] = services.index.search(partition, query, 2, [book.active.key.version])
    return [(hit.record.book, hit.record.id) for hit in hits]


def test_the_second_school_waits_for_no_parser_and_no_task(town: Town) -> None:
    town.receive(SEA)
    town.do_all()
    before = found(town, SCHOOL)

    town.receive(SEA, "Storm.pdf", school="other")

    assert town.parser.calls == 1
    assert town.queue.waiting == []
    assert found(town, "other") == [("storm", sentence) for _, sentence in before]


def test_the_copy_is_as_if_it_had_been_parsed_and_embedded(tmp_path: Path) -> None:
    alone, sharing = Town(tmp_path / "alone"), Town(tmp_path / "sharing")
    share(sharing)
    for town in (alone, sharing):
        for school in (SCHOOL, "other"):
            town.receive(SEA, f"{school}.pdf", school=school)
            town.do_all()

    assert (alone.parser.calls, sharing.parser.calls) == (2, 1)
    assert sharing.contents() == alone.contents()


def test_it_is_off_unless_the_operator_lets_it_be(tmp_path: Path) -> None:
    town = Town(tmp_path)
    town.receive(SEA)
    town.do_all()

    town.receive(SEA, school="other")

    assert town.parser.calls == 2


def test_what_the_uploader_named_stays_at_the_first_school(town: Town) -> None:
    town.receive(SEA, title="Secret Title", authors=("Somebody",))
    town.do_all()

    town.receive(SEA, "Storm.pdf", school="other")

    copy = town.book("other")
    assert (copy.title, copy.id) == ("Printed Title", "storm")
    assert copy.authors != ("Somebody",)
    assert copy.active
    assert "Secret" not in str(load_book(town.bucket, copy.active.key))


def test_a_forged_name_of_a_version_gets_nobodys_text(town: Town) -> None:
    town.receive(SEA)
    town.do_all()
    first = town.book().active
    assert first
    town.bucket.write(source_name(first.key), b"Other bytes of the same digest.")

    town.receive(SEA, school="other")

    assert town.parser.calls == 2


def test_a_book_that_the_first_school_removes_stays_with_the_second_and_with_nobody_else(town: Town) -> None:
    town.receive(SEA)
    town.do_all()
    town.receive(SEA, school="other")

    remove_book(SCHOOL, BookId("at-sea"), town.intake.services)

    assert not town.bucket.names(f"{SCHOOL}/")
    active = town.book("other").active
    assert active
    assert is_whole(active, town.intake.services)


def test_killed_before_any_write_the_same_again_finishes(tmp_path: Path) -> None:
    begun = Town(tmp_path / "begun")
    begun.receive(SEA)
    begun.do_all()
    for write in range(1, 100):
        town = begun.copy(tmp_path / str(write))
        share(town)
        file = town.put(SEA, school="other")
        with town.closing:
            if not killed(town, file, write):
                break
            town.receive(SEA, school="other")
            town.do_all()
            assert found(town, "other") == found(town, SCHOOL)
    assert 8 < write < 99


def killed(town: Town, file: StoredFile, write: int) -> bool:
    """Whether receiving the file was killed before that write."""
    try:
        receive_file(file, town.watched(Clockwork(kill_before=write)))
    except Killed:
        return True
    return False
