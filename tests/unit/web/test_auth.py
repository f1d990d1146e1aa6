"""Who may do what."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import pytest
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope
from chapterverse.core.requests import PREFIX
from chapterverse.web.app import OPERATIONS
from chapterverse.web.operations import Operation
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
