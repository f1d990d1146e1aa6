"""What a school has set for itself, laid over what the operator has set for all: essays, by day and by night, and answers."""

from dataclasses import dataclass, replace
from datetime import datetime

from chapterverse.feedback.comments import Style, Tone
from chapterverse.model import SchoolChoices
from chapterverse.model.choices import NAMES, Value
from chapterverse.ports import ChoiceStore
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.usecases.services import Services


@dataclass(frozen=True, slots=True)
class Change:
    """Who sets something, and when."""

    by: str
    at: datetime


def choices_of(school: str, services: Services) -> SchoolChoices:
    """All default where nothing is kept. Raises CatalogUnavailable."""
    return SchoolChoices.of(services.choices.of_school(school)) if services.choices else SchoolChoices()


def plan_for(school: str, plan: RetrievalPlan, services: Services) -> RetrievalPlan:
    """How the school's essays are looked up. Raises CatalogUnavailable."""
    chosen = choices_of(school, services)
    own = plan if chosen.evidences is None else replace(plan, evidences=chosen.evidences)
    return own if chosen.least_books is None else replace(own, min_score=chosen.least_books, for_these_books=True)


def style_for(school: str, style: Style, services: Services) -> Style:
    """How its feedback is. Raises CatalogUnavailable."""
    chosen = choices_of(school, services)
    tone = style.tone if chosen.tone is None else Tone(chosen.tone)
    return replace(style, tone=tone, grade=style.grade if chosen.grade is None else chosen.grade)


def choose(school: str, wanted: SchoolChoices, change: Change, store: ChoiceStore) -> None:
    """From now on the school has just these; what is None is default again. The same again changes nothing.

    Raises CatalogUnavailable."""
    known = store.of_school(school)
    values: dict[str, Value | None] = {name: getattr(wanted, name) for name in NAMES}
    never = {name for name, value in values.items() if value is None and name not in known}
    store.change(school, {name: value for name, value in values.items() if name not in never}, change.by, change.at)
