"""What a school sets for itself, beside what the operator has set for all."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from chapterverse.model.shelf import Collection

Value = str | int | float


@dataclass(frozen=True, slots=True)
class Chosen:
    """One thing as a school has set it. value: None where it went back to the default; by: who did, as a school knows them."""

    value: Value | None
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SchoolChoices:
    """None: the default. evidences: sentences on an essay, at most (S1, "top_k"); tone, grade: of its feedback.

    least_…: the score from which something counts as found: for the books the re-scored cosine of a sentence, else the
    confidence that a question is answered, where the school has accepted a calibration (usecases/calibration.py)."""

    evidences: int | None = None
    tone: str | None = None
    grade: int | None = None
    least_books: float | None = None
    least_documents: float | None = None
    least_textbook: float | None = None
    least_helpdesk: float | None = None

    @classmethod
    def of(cls, chosen: Mapping[str, Chosen]) -> "SchoolChoices":
        """What is kept under names that are not known (any more) is left out."""
        known: dict[str, Any] = {name: chosen[name].value for name in NAMES if name in chosen}
        return cls(**known)

    def least(self, collection: Collection) -> float | None:
        """Of that collection."""
        found: float | None = getattr(self, f"least_{collection.value}", None)
        return found


NAMES = tuple(field.name for field in fields(SchoolChoices))
