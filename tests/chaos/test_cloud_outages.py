"""A server away for a while costs its callers a while, and nobody a restart."""

import pytest

from tests.support.cloud import Cloud
from tests.support.pdfs import a_long_pdf
from tests.support.serving import eventually

SHIP = a_long_pdf("The ship left harbour", pages=6)
ESSAY = "The ship left harbour, as number 7 was told."


@pytest.mark.parametrize(("server", "code"), [("chroma", "index_unavailable"), ("postgres", "catalog_unavailable")])
def test_while_it_is_away_callers_are_told_when_to_come_and_then_all_goes_on(server: str, code: str, cloud: Cloud) -> None:
    cloud.put(f"away-{server}/ship.pdf", SHIP)
    cloud.wait_for_book(f"away-{server}", "ship")
    evidence = cloud.evidence(ESSAY, f"away-{server}").json()

    cloud.stack.parts[server].kill()
    try:
        away = cloud.evidence(ESSAY, f"away-{server}")
    finally:
        cloud.stack.parts[server].start()

    assert (away.status_code, away.json()["code"]) == (503, code)
    assert int(away.headers["Retry-After"]) > 0
    assert cloud.evidence(ESSAY, f"away-{server}").json() == evidence


@pytest.mark.parametrize("server", ["chroma", "postgres", "embedder"])
def test_a_book_that_arrives_while_it_is_away_is_taken_in_when_it_is_back(server: str, cloud: Cloud) -> None:
    cloud.stack.parts[server].kill()
    try:
        cloud.put(f"late-{server}/ship.pdf", SHIP)
        eventually(lambda: attempts(cloud, f"late-{server}"), "the event to be tried")
    finally:
        cloud.stack.parts[server].start()

    assert cloud.wait_for_book(f"late-{server}", "ship")["chunks"]


def attempts(cloud: Cloud, school: str) -> int:
    return sum(event["attempts"] for event in cloud.events() if event["name"].startswith(school))
