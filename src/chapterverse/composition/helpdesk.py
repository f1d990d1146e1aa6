"""The help desk, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapterverse.composition import stores
from chapterverse.composition.answers import answer_log, redactor
from chapterverse.composition.figures import limits
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from chapterverse.ports import ConversationStore, FaqStore
    from chapterverse.settings import Settings
    from chapterverse.usecases.answers.answering import Answering
    from chapterverse.usecases.helpdesk.desk import Desk
    from chapterverse.usecases.services import Services
    from chapterverse.web.limits import Pace


def conversations(s: Settings) -> ConversationStore:
    """In the catalog's database."""
    from chapterverse.adapters.sql_conversations import SqlConversations

    return traced("conversations", lambda: SqlConversations(stores.database(s)))


def faq(s: Settings) -> FaqStore:
    """In the catalog's database."""
    from chapterverse.adapters.sql_faq import SqlFaq

    return traced("faq", lambda: SqlFaq(stores.database(s)))


def desk(s: Settings, services: Services, answering: Answering) -> Desk:
    """services: those of the help desk's collection."""
    from chapterverse.retrieval.plan import HELPDESK
    from chapterverse.usecases.helpdesk.desk import Desk, DeskFigures

    return Desk(
        services=services,
        limits=limits(s, services.collection),
        conversations=conversations(s),
        faq=faq(s),
        answering=answering,
        redactor=redactor(s),
        log=answer_log(s),
        figures=DeskFigures(days=s.keep_days, rewrite=s.follow_up == "llm"),
        plan=HELPDESK,
    )


def pace(s: Settings) -> Pace:
    """How often may be written to it; counted in this process."""
    from chapterverse.web.limits import Pace, RateLimit

    here = RateLimit(s.conversation_messages_per_minute, who="this_conversation")
    return Pace(RateLimit(s.messages_per_minute, who="this_user"), here)
