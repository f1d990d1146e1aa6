"""Events come at least once, in any order, and while others are being dealt with: what there is in the end is the same."""

import pytest

from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf
from tests.support.serving import eventually

OLD = a_long_pdf("The ship left harbour", pages=6)
NEW = a_long_pdf("Bees gathered nectar", pages=6)


@pytest.fixture(scope="module")
def calm(cloud: Cloud) -> dict[str, object]:
    """What there is after NEW was put there and nothing else ever happened."""
    cloud.put("calm/ship.pdf", NEW)
    cloud.wait_for_book("calm", "ship")
    return cloud.settled("calm")


def test_an_event_that_is_given_up_while_it_is_dealt_with_is_as_good_as_once(cloud: Cloud, calm: dict[str, object]) -> None:
    cloud.events("/deadline", s=0.05)
    try:
        cloud.put("impatient/ship.pdf", NEW)
        cloud.wait_for_book("impatient", "ship")
    finally:
        cloud.events("/deadline")

    assert cloud.settled("impatient") == calm
    assert max(event["attempts"] for event in cloud.events() if event["name"] == "impatient/ship.pdf") > 1


def test_a_file_replaced_while_it_is_being_indexed_gives_way_to_the_new_one(cloud: Cloud, calm: dict[str, object]) -> None:
    cloud.put("meanwhile/ship.pdf", OLD)
    eventually(lambda: cloud.book("meanwhile", "ship").get("state") in {"parsing", "indexing"}, "it to be under way")

    cloud.put("meanwhile/ship.pdf", NEW)
    eventually(lambda: cloud.settled("meanwhile") == calm, "the new file's book, and nothing of the old one")


def test_a_file_deleted_while_it_is_being_indexed_leaves_nothing(cloud: Cloud) -> None:
    cloud.put("gone/ship.pdf", OLD)
    eventually(lambda: cloud.book("gone", "ship").get("state") in {"parsing", "indexing"}, "it to be under way")

    cloud.delete("gone/ship.pdf")

    eventually(lambda: cloud.settled("gone") == {"catalog": [], "bucket": {}, "index": []}, "all of it to go")
