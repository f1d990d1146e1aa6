"""What the help desk stands on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from chapterverse.model import Limits
from chapterverse.ports import AnswerLog, ConversationStore, FaqStore, Redactor
from chapterverse.retrieval.plan import HELPDESK, RetrievalPlan
from chapterverse.usecases.answers.answering import Answering
from chapterverse.usecases.kept_feedback import utc_now
from chapterverse.usecases.services import Services

LEAST_DAYS = 1
"""That a conversation is kept, whatever is kept else: it could not go on otherwise."""


@dataclass(frozen=True, slots=True)
class DeskFigures:
    """least: cosine from which a source may answer (S5, 5.4), None for the usual of the embedding model. characters: of a
    message; context: of what was said before, in so many turns at most (S5, 6 and 9). turns: of a whole conversation. days:
    that one is kept. rewrite: whether a language model writes the standalone question, or rules."""

    least: float | None = None
    characters: int = 4_000
    context: int = 2_000
    context_turns: int = 5
    turns: int = 400
    days: int = 30
    rewrite: bool = False


@dataclass(frozen=True)
class Desk:
    """services: those of the help desk's collection, limits: of a source there; log: of figures of answers."""

    services: Services
    limits: Limits
    conversations: ConversationStore
    faq: FaqStore
    answering: Answering
    redactor: Redactor
    log: AnswerLog
    figures: DeskFigures = field(default_factory=DeskFigures)
    plan: RetrievalPlan = HELPDESK
    now: Callable[[], datetime] = utc_now

    @property
    def since(self) -> datetime:
        """What was begun before is shown to nobody any more, deleted already or not."""
        return self.now() - timedelta(days=max(self.figures.days, LEAST_DAYS))

    def departments(self, school: str) -> list[str]:
        """Those of the school that have sources of their own, by name. Raises CatalogUnavailable."""
        return sorted({book.department for book in self.services.catalog.books(school) if book.department and book.active})
