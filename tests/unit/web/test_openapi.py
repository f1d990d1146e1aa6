"""The document says what the app does: schemathesis reads it, and asks the app everything that it allows and forbids."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http import HTTPStatus
from itertools import count
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from openapi_spec_validator import validate
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, positive_data_acceptance

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import (
    BadRequest,
    CatalogUnavailable,
    LanguageModelUnusable,
    NotFound,
    Overloaded,
    TakenByAnother,
    code_of,
)
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.service import Writing
from chapterverse.infrastructure.quotas import MemoryTokenBuckets, SqlLedger
from chapterverse.web.app import OPERATIONS, create_app
from chapterverse.web.operations import Operation
from tests.support.browsers import browser_of
from tests.support.language_servers import Reply, language_server
from tests.support.pdfs import a_pdf
from tests.support.rewriter import rewrites
from tests.support.shelved import sentences_of
from tests.support.web import Caller, Site, shelve_pdf, web_parts
from tests.unit.web.test_strangers import one_of_everything

BEYOND_SCHEMAS = {  # what a schema cannot say, by the statuses that it is refused with
    "essay_evidence": {400},  # an essay has a paragraph
    "essay_feedback": {400},
    "essay_text": {400, 422},  # there is text in the file
    "transcript_segments": {400},  # somebody says something in the file
    "new_batch": {400, 404},  # an essay is one a line; the books are there
    "edit_comments": {400, 404, 409},  # the essay has the comment and the words; they are as they were seen
    "add_evidence": {400, 404},  # the essay has the paragraph, the books have the sentence
    "choose_evidence": {404},  # the books have the sentence, the feedback the evidence
    "add_source": {400},  # and the name has an ending that the collection takes
    "set_uses": {400},  # the file fits the use, and no other file of its name has it
    "correct_source": {400, 422},  # the source has the chapter and the page; pages are counted from a number
    "import_entries": {400, 422},  # and is a list
    "ask": {404, 413},  # the documents named are there, the question is no longer than the settings say
    "begin_conversation": {400},  # with a key, it is said who leads it
    "conversations": {400},  # one is signed in
    "own_data": {400},
    "say": {400, 413},  # a message says something, and is no longer than the settings say
    "answer_as_agent": {400, 413},
    "add_entry": {422},  # a question and an answer have words
    "change_entry": {422},
    "textbook_chat": {404, 413},  # likewise
    "invite_person": {400},  # an e-mail address is one
    "change_person": {400, 403},  # there is always an admin
    "new_assignment": {400, 404},  # a title and a name have letters; the class and the books are there
    "change_assignment": {400},
    "upload_essays": {400},  # the assignment is of a class, an essay one a line
    "release_essays": {404},  # the feedback is on the assignment
    "rename_class": {400},
    "set_rules": {400},  # no more days than the operator's
    "rename_student": {400},
    "add_students": {400},
    "send_score": {400},  # a score is at most the assignment's highest
    "set_mail": {400},  # an address is one of a server
    "set_model": {400},
    "set_provider": {400},
    "send_test_letter": {400},
}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The school has a real book, feedback on an essay, and a language model that writes variants, and no feedback."""
    folder = tmp_path_factory.mktemp("site")
    with (
        language_server() as server,
        web_parts(folder, body_bytes=2**20) as parts,
        closing(SqlLedger(f"sqlite:///{folder}/catalog.db")) as ledger,
    ):
        server.reply = lambda asked: rewrites(asked) if "sentence begins" in asked.material else Reply("no JSON")
        rates = MemoryTokenBuckets(count(step=60.0).__next__)  # a minute passes at each call
        writing = Writing(paid=PaidModel(server.openai(), ledger))
        with_model = replace(parts, essays=replace(parts.essays, writing=writing), rates=rates)
        shelve_pdf(parts.services, a_pdf())
        running = Site(with_model, create_app(with_model))
        shelve_pdf(parts.collections[Collection.DOCUMENTS], a_pdf())
        shelve_pdf(parts.collections[Collection.TEXTBOOK], a_pdf())
        yield running


@pytest.fixture(scope="module")
def document(printed: Site) -> Any:
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", printed.app)


@pytest.fixture(scope="module")
def admin(printed: Site) -> Caller:
    return printed.caller(KeyScope.ADMIN)


@pytest.fixture(scope="module")
def known(printed: Site) -> dict[str, Any]:
    """Names that there are, which nobody would guess: of a printed book, and of one of everything."""
    book = printed.services.catalog.book("school", BookId("on-principle"))
    sentence = sentences_of(book, printed.services)[0].id
    things = one_of_everything(printed, browser_of(printed, "anna@school.example"))
    of_book = dict.fromkeys(("book", "document", "source"), book.id)
    return things | of_book | {"sentence": sentence, "collection": "documents"}


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_every_answer_is_one_that_the_document_tells_of(
    operation: Operation, mode: GenerationMode, document: Any, admin: Caller, known: dict[str, Any]
) -> None:
    told = document[operation.path][operation.method]
    share = 16 if mode is GenerationMode.POSITIVE else 32  # of the examples of a property, for each operation
    asked_without_key = False  # once is enough: that a key is needed does not depend on what is sent

    @given(told.as_strategy(generation_mode=mode))
    @settings(max_examples=settings.default.max_examples // share, suppress_health_check=list(HealthCheck))
    def ask(case: schemathesis.Case) -> None:
        nonlocal asked_without_key
        key = {"Authorization": f"Bearer {admin.token}", "Accept-Encoding": "identity"}  # the WSGI client unpacks nothing
        if mode is GenerationMode.POSITIVE and operation.method != "DELETE":
            case.path_parameters.update({name: known[name] for name in case.path_parameters})
            case.query.update({name: known[name] for name in case.query if name in known})
        answer = case.call(headers=key)
        may_refuse = answer.status_code in BEYOND_SCHEMAS.get(operation.id, ())
        left_out = [positive_data_acceptance] * may_refuse + [ignored_auth] * asked_without_key
        if answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:  # the body is larger than this app takes
            left_out += [positive_data_acceptance, negative_data_rejection]
        case.validate_response(answer, excluded_checks=left_out, headers=key, transport_kwargs={"headers": key})
        asked_without_key |= 200 <= answer.status_code < 300

    ask()


def test_the_document_is_valid_openapi_tells_every_error_with_its_code_and_needs_no_key(printed: Site, document: Any) -> None:
    validate(document.raw_schema)
    for error in (BadRequest, NotFound, TakenByAnother, Overloaded, LanguageModelUnusable, CatalogUnavailable):
        told = document.raw_schema["components"]["responses"][f"{error.status // 100}XX"]
        assert f"`{code_of(error)}`" in told["description"]
    assert printed.anybody("GET", "/api/v1/openapi.json").status_code == 200
