"""What writes feedback: a language model, the proofreader, the trained reader of essays."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from chapterverse.core.paid_model import PaidModel, no_school_model
from chapterverse.core.ports import ReadEssay
from chapterverse.essays.model import Style


@dataclass(frozen=True)
class Writing:
    """How feedback is written. paid: the operator's language model, None without one; checker: the one that reads its comments
    a second time, the same if None; school_model: a school's own. seconds: for one essay, from its first word to the last;
    read_seconds: for the trained reader of essays, where no language model writes."""

    paid: PaidModel | None = None
    checker: PaidModel | None = None
    seconds: float = 60.0
    read_essay: ReadEssay | None = None
    read_seconds: float = 2.0
    style: Style = field(default_factory=Style)
    school_model: Callable[[str], PaidModel | None] = no_school_model

    def for_school(self, school: str) -> "Writing":
        """With the school's own language model, if the operator has none."""
        return self if self.paid else replace(self, paid=self.school_model(school))
