"""The document says what the app does: schemathesis reads it, and asks the app everything that it allows and forbids."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from chapterverse.model import KeyScope
from chapterverse.web.app import OPERATIONS
from chapterverse.web.operations import Operation
from tests.support.pdfs import a_pdf
from tests.support.web import Caller, Site, shelve_pdf, site


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The school has a real book."""
    with site(tmp_path_factory.mktemp("site")) as running:
        shelve_pdf(running.services, a_pdf())
        yield running


@pytest.fixture(scope="module")
def document(printed: Site) -> Any:
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", printed.app)


@pytest.fixture(scope="module")
def admin(printed: Site) -> Caller:
    return printed.caller(KeyScope.ADMIN)


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_every_answer_is_one_that_the_document_tells_of(
    operation: Operation, mode: GenerationMode, document: Any, admin: Caller
) -> None:
    told = document[operation.path][operation.method]

    @given(told.as_strategy(generation_mode=mode))
    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers={"Authorization": f"Bearer {admin.token}"})

    ask()
