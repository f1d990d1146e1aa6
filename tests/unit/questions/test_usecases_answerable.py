from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from chapterverse.core.book import Collection
from chapterverse.core.hits import Scope
from chapterverse.infrastructure.vectors.sqlite_words import SqliteWords
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from chapterverse.library.text.chunking import windows
from chapterverse.questions.judging import answerability_of
from chapterverse.questions.model import Answerability
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import DOCUMENT_QA
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL, Town


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[CollectionServices]:
    town = Town(tmp_path)
    with town.closing:
        catalog = SqlCatalog(f"sqlite:///{tmp_path / 'catalog.db'}", collection=Collection.DOCUMENTS)
        town.closing.callback(catalog.close)
        services = replace(
            town.intake.services,
            catalog=catalog,
            collection=Collection.DOCUMENTS,
            chunker=windows(120, 10),
            words=SqliteWords(tmp_path / "words"),
        )
        text = b"Phones stay in the bag until lunch.|Soup is served on Monday.|The library closes at five.|Nobody runs here."
        add_book(text, "rules.pdf", SCHOOL, services, LIMITS, title="rules")
        yield services


def asked(question: str, services: CollectionServices) -> Answerability | None:
    return answerability_of(question, find_chunks(question, Scope(SCHOOL), services, DOCUMENT_QA), DOCUMENT_QA, services)


def test_a_question_that_is_answered_there_is_likelier_answerable_than_one_that_is_not(documents: CollectionServices) -> None:
    there, not_there = asked("When are phones in the bag?", documents), asked("When are parents in the garden?", documents)

    assert there
    assert not_there
    assert 0 < not_there.score < there.score < 1
    assert there.signs.at_once > not_there.signs.at_once


def test_without_words_and_without_a_find_nobody_judges(documents: CollectionServices) -> None:
    assert asked("When are phones in the bag?", replace(documents, words=None)) is None
    assert answerability_of("When?", [], DOCUMENT_QA, documents) is None


def test_a_plan_that_judges_nothing_has_no_judgement(documents: CollectionServices) -> None:
    found = find_chunks("phones", Scope(SCHOOL), documents, DOCUMENT_QA)

    assert answerability_of("phones", found, replace(DOCUMENT_QA, judged=0), documents) is None
