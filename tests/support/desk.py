"""A help desk on real storage, with a vector for words."""

from dataclasses import replace
from typing import Any

from chapterverse.adapters.presidio_redactor import PresidioRedactor
from chapterverse.adapters.sql_answers import SqlAnswers
from chapterverse.adapters.sql_conversations import SqlConversations
from chapterverse.adapters.sql_engine import Database
from chapterverse.adapters.sql_faq import SqlFaq
from chapterverse.ingestion.source import read_source
from chapterverse.model import FaqEntry
from chapterverse.usecases.answers.answering import Answering
from chapterverse.usecases.helpdesk.desk import Desk
from chapterverse.usecases.helpdesk.faq import Wording, add_entry, approve_entry
from chapterverse.usecases.services import Services
from tests.support.books import LIMITS

REDACTOR = PresidioRedactor()  # loaded once for all tests


def desk_of(services: Services, database: str, **facts: Any) -> Desk:
    """services: those of the help desk's collection. Lists are parsed as in use, but in this process."""
    shared = Database(database)
    stores = {"conversations": SqlConversations(shared), "faq": SqlFaq(shared), "log": SqlAnswers(shared)}
    shelf = replace(services, parser=read_source)
    return Desk(
        **{"services": shelf, "limits": LIMITS, "answering": Answering(services.embedder), "redactor": REDACTOR}
        | stores
        | facts
    )


def answered(desk: Desk, question: str, answer: str, department: str | None = None, school: str = "school") -> FaqEntry:
    """An entry that is found."""
    draft = add_entry(school, Wording(question, answer, department), desk)
    return approve_entry(school, draft.id, True, desk)
