"""Who may do what; and whatever a caller sends, no other school's book is ever seen."""

from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope
from chapterverse.core.requests import PREFIX
from chapterverse.essays.model import StoredFeedback
from chapterverse.library.model import Corrections
from chapterverse.web.app import OPERATIONS
from chapterverse.web.operations import Operation
from tests.support.shelved import key_of, shelve
from tests.support.web import ESSAY, Caller, Site, site

ALL_SCOPES = list(KeyScope)
BODIES = {
    "essay_evidence": {"essay": ESSAY},
    "essay_feedback": {"essay": ESSAY},
    "choose_evidence": {"show": "hidden"},
    "approval": {"approved": True},
}


def absent(type_: type) -> object:
    """A value of a path parameter that names nothing here, or the first collection."""
    if issubclass(type_, StrEnum):
        return next(iter(type_)).value
    return "none" if type_ is str else 0


def ask(operation: Operation, caller: Caller, **path: Any) -> TestResponse:
    """Do the operation, on things that are not there where none are named."""
    nothing = {name: absent(type_) for name, type_ in operation.path_types.items()}
    at = operation.path.format(**nothing | path)
    return caller(operation.method, PREFIX + at, BODIES.get(operation.id))


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """For all operations in turn: they are asked for things that are not there."""
    with site(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_each_operation_is_for_keys_of_its_scope_and_wider_ones_and_nothing_is_done_without_one(
    operation: Operation, school: Site
) -> None:
    allowed = [scope for scope in ALL_SCOPES if ask(operation, school.caller(scope)).status_code != 403]
    answer = ask(operation, Caller(school.app, "cv_none_none"))

    assert allowed == ALL_SCOPES[ALL_SCOPES.index(operation.scope) :]
    assert (answer.status_code, answer.get_json()["code"]) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Basic YTpi"}, {"Authorization": "Bearer "}, {"X-Api-Key": " "}])
def test_who_sends_no_key_is_told_to_send_one(library: Site, headers: dict[str, str]) -> None:
    answer = library.anybody("GET", "/api/v1/collections/books/sources", headers=headers)

    assert answer.status_code == 401
    assert answer.get_json()["id"] == "key_missing"


SECRET = "Only the other school has this sentence on beekeeping."
SAME_WORDS = "This sentence on beekeeping only the other school has."


@pytest.fixture(scope="module")
def two_schools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two schools with a book each, and feedback on an essay; only the other's have SECRET, and a title that was corrected."""
    with site(tmp_path_factory.mktemp("site"), open_requests=64) as running:
        shelve(running.services, "Mine", ["Habit rules every person."])
        other = shelve(running.services, "Theirs", [SECRET, "Bees are patient."], school="other")
        running.services.catalog.correct("other", other.id, Corrections(title="Bees of the other school"))
        assert running.caller(school="other")("POST", "/api/v1/essays/feedback", {"essay": SAME_WORDS}).status_code == 200
        yield running


def kept_of_the_other_school(site: Site) -> list[StoredFeedback]:
    return site.parts.essays.history.store.of_school("other", datetime.min.replace(tzinfo=UTC), None, 100)


def names_of_the_other_school(site: Site) -> list[str]:
    [book] = site.services.catalog.books("other")
    version = key_of(book).version
    feedback = kept_of_the_other_school(site)[0].id
    return [
        feedback,
        book.id,
        version,
        f"{version}-0-0",
        f"{version}-0-1",
        f"other/{book.id}",
        "other",
        "Theirs.pdf",
        "other/Theirs.pdf",
    ]


@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_call_reaches_another_schools_books(two_schools: Site, data: st.DataObject) -> None:
    """Its names go wherever a name can go: path, query, headers, body, and fields that there are not."""
    theirs = st.sampled_from(names_of_the_other_school(two_schools))
    operation = data.draw(st.sampled_from(OPERATIONS))
    path = {name: data.draw(theirs) if type_ is str else 0 for name, type_ in operation.path_types.items()}
    field = st.sampled_from(["school", "School", "tenant", "book", "books", "sentence", "prefix", "X-School", "scope"])
    headers = data.draw(st.dictionaries(field.map(lambda name: f"X-{name}"), theirs, max_size=3))
    query = data.draw(st.dictionaries(field, theirs, max_size=3))
    body = {
        **BODIES.get(operation.id, {}),
        **data.draw(st.dictionaries(field, theirs | st.lists(theirs, max_size=2), max_size=2)),
    }
    if operation.id in ("essay_evidence", "essay_feedback"):
        body["essay"] = SAME_WORDS
    before = two_schools.services.catalog.books("other"), kept_of_the_other_school(two_schools)

    at = operation.path.format(**{name: quote(str(value), safe="") for name, value in path.items()})
    scope = data.draw(st.sampled_from(ALL_SCOPES))
    answer = two_schools.caller(scope)(operation.method, PREFIX + at, body, headers, query_string=query)

    assert answer.status_code in {400, 403, 404} | (set() if path else {200, 201})
    for word in (SECRET, "Bees", "/uploads/other/"):
        assert word.encode() not in answer.data  # an archive is no text
    assert (two_schools.services.catalog.books("other"), kept_of_the_other_school(two_schools)) == before
