"""One resource for the sources of all collections."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bookreader.worker import read_source
from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import Collection
from chapterverse.library.intake import add_book
from tests.support.books import LIMITS
from tests.support.pdfs import a_pdf
from tests.support.web import Site, site

AT = "/api/v1/collections"


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A school with one source in each collection."""
    with site(tmp_path_factory.mktemp("site")) as running:
        for collection in Collection:
            services = replace(running.parts.collections[collection], parser=read_source)
            add_book(a_pdf(), "principle.pdf", "school", services, LIMITS, title="Principle")
        yield running


@pytest.mark.parametrize("collection", Collection)
def test_every_collection_lists_shows_corrects_and_takes_its_sources(school: Site, collection: Collection) -> None:
    teacher, at = school.caller(KeyScope.TEACHER), f"{AT}/{collection}/sources"
    source = next(each for each in teacher("GET", at).get_json()["sources"] if each["title"] == "Principle")["source"]

    shown = teacher("GET", f"{at}/{source}").get_json()
    corrected = teacher("PATCH", f"{at}/{source}", {"topics": ["Ethics"]}).get_json()
    sent = teacher.send(at, a_pdf(), "now.pdf")

    assert (shown["state"], shown["report"]["pages"], len(shown["versions"])) == ("ready", 1, 1)
    assert (corrected["source"], corrected["topics"]) == (source, ["Ethics"])
    assert (sent.status_code, sent.get_json()["progress"]) == (202, f"{at}/now")
    assert teacher("GET", f"{at}/now").get_json()["source"] == "now"
    assert teacher("GET", f"{at}/none").status_code == 404


def test_what_a_collection_does_not_take_is_refused(school: Site) -> None:
    teacher = school.caller(KeyScope.TEACHER)

    refusal = teacher.send(f"{AT}/books/sources", b"# Notes", "notes.md")
    assert (refusal.status_code, refusal.get_json()["values"]["name"]) == (400, "notes.md")
    assert teacher("POST", f"{AT}/books/sources", {"file_name": "a.zip"}).status_code == 400
    assert teacher("POST", f"{AT}/books/sources", {"file_name": "a.pdf", "department": "physics"}).status_code == 400
    assert teacher("GET", f"{AT}/none/sources").status_code == 404
    assert school.caller()("GET", f"{AT}/helpdesk/sources").status_code == 403  # for teachers
    assert school.caller()("GET", f"{AT}/lectures/sources").status_code == 200
