"""A help desk on real storage, with a vector for words."""

from dataclasses import replace
from typing import Any

from bookreader.worker import read_source
from chapterverse.infrastructure.redaction import PresidioRedactor
from chapterverse.infrastructure.sql import Database
from chapterverse.library.services import CollectionServices
from chapterverse.questions.faq import add_entry, approve_entries
from chapterverse.questions.helpdesk import HelpdeskContext
from chapterverse.questions.model import EntryText, FaqEntry
from chapterverse.questions.store import SqlAnswers, SqlConversations, SqlFaq
from chapterverse.questions.styles import AnswerSettings
from tests.support.books import LIMITS

REDACTOR = PresidioRedactor()  # loaded once for all tests


def desk_of(services: CollectionServices, database: Database, **facts: Any) -> HelpdeskContext:
    """services: those of the help desk's collection. Lists are parsed as in use, but in this process."""
    stores = {"conversations": SqlConversations(database), "faq": SqlFaq(database), "answers": SqlAnswers(database)}
    shelf = replace(services, parser=read_source)
    return HelpdeskContext(
        **{
            "services": shelf,
            "source_limits": LIMITS,
            "answer_settings": AnswerSettings(services.embedder),
            "redactor": REDACTOR,
            "keep_days": 30,
        }
        | stores
        | facts
    )


def answered(
    desk: HelpdeskContext, question: str, answer: str, department: str | None = None, school: str = "school"
) -> FaqEntry:
    """An entry that is found."""
    draft = add_entry(school, EntryText(question=question, answer=answer, department=department), desk)
    return approve_entries(school, [draft.id], True, desk, read=True)[0]
