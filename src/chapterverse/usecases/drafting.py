"""One dimension's comments by the language model: asked, repaired once if need be, checked."""

from dataclasses import dataclass, field

from chapterverse.errors import BadAnswer, CeilingReached, ChapterverseError, LanguageModelUnavailable, ModelRefused
from chapterverse.feedback.checks import Check, Checked
from chapterverse.feedback.comments import Dimension, Judge, Subject, sources_in
from chapterverse.feedback.draft import SCHEMA, draft_in
from chapterverse.feedback.prompting import ask, ask_again, tag_of
from chapterverse.language import Prompt, Usage
from chapterverse.messages import Message, message
from chapterverse.usecases.writing import PaidModel, Writing

WHY: dict[type[ChapterverseError], Message] = {
    BadAnswer: message("llm_late_or_unusable"),
    CeilingReached: message("llm_enough_for_today"),
    LanguageModelUnavailable: message("llm_away_now"),
    ModelRefused: message("llm_would_not_answer"),
}
NOT_TO_BE_HAD = message("llm_not_asked")


@dataclass(frozen=True, slots=True)
class Drafted:
    """What the language model said that stands; failed: why it said nothing, in words for a reader, without a full stop."""

    checked: Checked
    usage: Usage = field(default_factory=Usage)
    micros: int = 0
    failed: Message | None = None


@dataclass(frozen=True, slots=True)
class Drafter:
    """Asks the language model about one essay, until the deadline, a moment of writing.clock."""

    subject: Subject
    judge: Judge
    school: str
    writing: Writing
    paid: PaidModel
    deadline: float

    def __call__(self, dimension: Dimension) -> Drafted:
        """Never an error of ours: a failing model costs only its words."""
        check = Check(
            self.subject,
            dimension,
            self.judge,
            tag_of(self.subject, self.writing.style.rubric),
            sources_in(self.subject),
        )
        try:
            return self._patient(ask(dimension, self.subject, self.writing.style), check)
        except ChapterverseError as error:
            return Drafted(Checked((), 0), failed=WHY.get(type(error), NOT_TO_BE_HAD))

    def _patient(self, prompt: Prompt, check: Check) -> Drafted:
        """With one repair, if there is time for it."""
        try:
            return self._answered(prompt, check)
        except BadAnswer as error:
            if self.writing.clock() >= self.deadline:
                raise
            return self._answered(ask_again(prompt, str(error)), check)

    def _answered(self, prompt: Prompt, check: Check) -> Drafted:
        answer = self.paid.answer(self.school, prompt, SCHEMA, self.deadline)
        return Drafted(check(draft_in(answer)), answer.usage, self.paid.price.micros(answer.usage))
